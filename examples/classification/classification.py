"""What the numbers of this book are about: counts of a confusion matrix, their measures, and how these go wrong."""

from dataclasses import dataclass

from ndcg_ref.stated import Subject


@dataclass(frozen=True)
class Counts:
    """True and false positives and negatives, of one class."""

    tp: float = 0
    fp: float = 0
    fn: float = 0
    tn: float = 0


CLASSIFICATION = Subject("classification", Counts, ("tp", "fp", "fn", "tn"))


@CLASSIFICATION.quantity("precision", "precision|P", range=(0, 1), takes=("tp", "fp", "fn", "tn"), needs=("tp", "fp"))
def precision(counts):
    return counts.tp / (counts.tp + counts.fp)


@CLASSIFICATION.quantity("recall", "recall|R", range=(0, 1), takes=("tp", "fp", "fn", "tn"), needs=("tp", "fn"))
def recall(counts):
    return counts.tp / (counts.tp + counts.fn)


@CLASSIFICATION.quantity("F1", range=(0, 1), takes=("tp", "fp", "fn", "tn"), needs=("tp", "fp", "fn"))
def f1(counts):
    return 2 * counts.tp / (2 * counts.tp + counts.fp + counts.fn)


@CLASSIFICATION.quantity("prevalence", range=(0, 1), takes=("tp", "fp", "fn", "tn"))
def prevalence(counts):
    return (counts.tp + counts.fn) / (counts.tp + counts.fp + counts.fn + counts.tn)


@CLASSIFICATION.alternative("prevalence", "the share of positive cases was taken for the precision", of=("precision",))
def prevalence_for_precision(quantity, counts):
    if counts.tn:  # else the number of all cases is not known
        yield "the prevalence", lambda: prevalence(counts)


@CLASSIFICATION.alternative(
    "other-errors", "false positives and false negatives changed places", of=("precision", "recall")
)
def other_errors(quantity, counts):
    changed = Counts(counts.tp, counts.fn, counts.fp, counts.tn)
    yield "false positives for false negatives", lambda: CLASSIFICATION[quantity].value(changed)


@CLASSIFICATION.cause("arithmetic-mean", "precision and recall were added and halved, for their harmonic mean")
def arithmetic_mean(claim):
    if len(claim.operands) == 2 and claim.name.startswith("F1"):
        both = [each.number.nearest_float for each in claim.operands]
        yield f"half the sum of {both[0]:g} and {both[1]:g}", sum(both) / 2
