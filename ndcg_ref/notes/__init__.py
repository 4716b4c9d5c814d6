"""Any note that works with DCG, NDCG and their neighbours: its stated numbers are found, and each of them is judged.

A note is read once, on one model:

1. `documents` gives its regions: texts that know where each character stands in the file. `comments` finds what the
   author says in comments and roles, and `bindings` what that binds.
2. `facts` has what a text states and tells: its numbers as claims, its lists and its formulas. `islands` finds the
   equations, of which `claims` are made, `calls` those of programs, and `tables` those of tables, whose numbers show
   `relations`; `lists` finds all that may be a ranking, `grades` those that a sum or its terms show,
   `written_formulas` the conventions, and `users` what is said of the user of ERR and RBP.
3. `hypotheses` puts a list, the grades that may have been judged and a convention together; `measured` has what such a
   ranking measures. Those are kept that explain most printed digits.
4. `judging` gives each claim its verdict under them, `workings` that by its own line or table. `thresholds` has what
   they weigh.
5. `reading` does this part by part, as far as the steps of `limits` allow; `findings` puts the verdicts at their places
   in the file, and `understood` tells how an example was read.

`words` has the words that all of them look for.
"""

from ndcg_ref.notes.findings import CheckedNote, Finding, check_note, read_note

__all__ = ["CheckedNote", "Finding", "check_note", "read_note"]
