"""Any note that works with CG, DCG and NDCG: its stated numbers are found, and each of them is judged.

A note is read in five steps, each a pure function of frozen values: `documents` gives its regions, `islands` the
equations, tables and lists of grades in them, `examples` says which of them belong together, `hypotheses` finds the
reading under which most of the printed numbers come out, and `findings` judges every number under that reading.
"""

from ndcg_ref.notes.findings import Finding, check_note

__all__ = ["Finding", "check_note"]
