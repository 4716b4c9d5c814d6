"""Any note that works with CG, DCG and NDCG: its stated numbers are found, and each of them is judged.

A note is read once, left to right, and its numbers are held to the hypotheses that explain most of them:

1. `documents` gives its regions: texts that know where each character stands in the file.
2. `islands` finds the equations of a region and `forms` their terms, `tables` the tables, `calls` the results of calls,
   `sentences` those of sentences, `trec` those of programs; `reading` puts them together as `mentions` with names.
3. `grades` and `table_rankings` find lists that may be rankings, `names` what they are called, `written_formulas` the
   conventions shown, `users` what is said of the user of ERR and RBP; `rankings` makes hypotheses of them.
4. `hypotheses` knows the values of all quantities at all cutoffs, `judging` counts the bits that each hypothesis
   explains, `rules` lists how a result is judged, and `outcomes` applies them in the order of the text.
5. `findings` puts the outcomes at their places in the file, `explanations` tells how a note was read, and
   `silenced` which lines a comment silences.

The words of notes are those of `languages`, looked for by `words`; `thresholds` has every number that decides.
"""

from ndcg_ref.notes.findings import OUTCOMES, Finding, check_note

__all__ = ["OUTCOMES", "Finding", "check_note"]
