"""Any note that works with DCG, NDCG and their neighbours: its stated numbers are found, and each of them is judged.

A note is read in six steps, each made of pure functions of frozen values:

1. `documents` gives its regions: texts that know where each character stands in the file. `comments` finds what the
   author says in comments and roles, and `bindings` what that binds.
2. `islands` finds the equations of a region, `tables` the tables, `lists` the lists of grades, `grades` those that a
   sum shows, `names` which ranking bears which name, `written_formulas` the conventions shown, and `users` what is said
   of the user of ERR and RBP.
3. A claim is a printed number with what the note says that it is. `claims` makes those of equations, `calls` those of
   calls, `sentences` those of sentences, `columns` and `crossed` those of tables, whose numbers show `relations`;
   `examples` puts rankings and claims together that belong together.
4. `readings` tries what a note leaves open, and orders the readings of an example by the numbers that come out:
   `measured` has what a ranking measures, `inverse` the grades that printed terms stand for.
5. `verdicts` judges each claim of an example, and `certainty` decides whether it may be called a slip. What is left
   open then, `search` finds by its value: every one of the `lists` may be a ranking, and is believed where enough
   printed digits come out.
6. `findings` puts the verdicts at their places in the file, as far as the steps of `limits` allow, `understood` and
   `explanations` tell how a note was read, and `silenced` which lines a comment silences.

The words of notes are those of `languages`, looked for by `words`; `patterns` has what several modules look for.
"""

from ndcg_ref.notes.findings import CheckedNote, Finding, check_note, read_note

__all__ = ["CheckedNote", "Finding", "check_note", "read_note"]
