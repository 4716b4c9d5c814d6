"""The reference pages leave no public name out, and a formula is in a docstring what it is in its chapter.

Formulas are compared without their white space and the full stop at their end.
"""

import inspect
import posixpath
import re
from pathlib import Path

import pytest
from rows import every_row
from sphinx.util.inventory import InventoryFile

import ndcg_ref
from ndcg_ref import stated
from ndcg_ref.formulas import arrays
from ndcg_ref.stated.stored_notebook import read_notebook

ROOT = Path(__file__).resolve().parent.parent
PAGES = sorted((ROOT / "book" / "reference").glob("*.md"))
assert PAGES
TEXT = "\n".join(page.read_text(encoding="utf-8") for page in PAGES)
FUNCTIONS = {name for name in ndcg_ref.__all__ if inspect.isfunction(getattr(ndcg_ref, name))}
NAMED = [name for name in ndcg_ref.__all__ if isinstance(getattr(ndcg_ref, name), ndcg_ref.Convention)]

LABELLED = re.compile(r"\$\$((?:(?!\$\$).)+)\$\$ \((eq-[\w-]+)\)", re.DOTALL)
BLOCK = re.compile(r"^\.\. math:: (.+?)(?:\n\n|\Z)", re.DOTALL | re.MULTILINE)


def plain(formula):
    return "".join(formula.split()).rstrip(".,")


def labelled():
    """The labelled formulas of the concept chapters, by label."""
    found = {}
    for chapter in sorted((ROOT / "book" / "concepts").glob("*.ipynb")):
        found |= {label: plain(formula) for formula, label in LABELLED.findall(read_notebook(chapter).text)}
    return found


IN_CHAPTERS = labelled()


def in_docstring(name):
    """The formulas on lines of their own in a docstring."""
    return [plain(formula) for formula in BLOCK.findall(inspect.getdoc(getattr(ndcg_ref, name)))]


# The equations that explain a function; the reference page links to them
EXPLAINED = {
    # function: labels
    "gains": ["eq-gain-linear", "eq-gain-exponential"],
    "discounts": ["eq-dcg-standard", "eq-dcg-original"],
    "cg": ["eq-cg"],
    "dcg": ["eq-dcg-standard", "eq-dcg-original"],
    "idcg": ["eq-idcg"],
    "ndcg": ["eq-ndcg"],
    "cg_by_rank": ["eq-cg"],
    "dcg_by_rank": ["eq-dcg-standard", "eq-dcg-original"],
    "idcg_by_rank": ["eq-idcg"],
    "ndcg_by_rank": ["eq-ndcg"],
    "mean_ndcg": ["eq-mean-ndcg"],
    "pooled_ndcg": ["eq-pooled-ndcg"],
    "ndcg_score": ["eq-ndcg"],
    "dcg_score": ["eq-dcg-standard"],
    "assert_no_drop": [],
    "evaluate": ["eq-mean-ndcg"],
    "compare_runs": [],
    "explain": [],
    "which": [],
    "which_mean": [],
    "precision_at_relevant": ["eq-precision"],
    "average_precision": ["eq-ap"],
    "recall": ["eq-recall"],
    "success": [],
    "r_precision": [],
    "judgment_rate": [],
    "expected_reciprocal_rank": ["eq-err"],
    "rank_biased_precision": ["eq-rbp"],
}

# Labelled formulas of the chapters that no function computes
OF_NO_FUNCTION = {
    *("eq-mean-difference", "eq-gain-ratio", "eq-gain-level"),
    "eq-reciprocal-rank",
    *("eq-swap", "eq-order-choice", "eq-worst", "eq-delta-ndcg"),
}

# Functions whose docstring has the formulas of the chapter as they are
AS_THEY_ARE = [
    *("gains", "cg", "idcg", "ndcg", "mean_ndcg", "pooled_ndcg", "ndcg_score", "dcg_score", "evaluate"),
    *("precision_at_relevant", "average_precision", "expected_reciprocal_rank", "rank_biased_precision"),
]

SUM = re.compile(r"\\mathrm\{(\w+)\}_k=\\sum_\{r=1\}\^\{\\min\(k,[mn]\)\}(.+?)(?:,\\qquad.+)?")
STEP = re.compile(r"\\mathrm\{(\w+)\}_r=\\mathrm\{\1\}_\{r-1\}\+(.+)")


def with_each_discount(formula):
    """A formula with d(r), under each discount that `discounts` has a formula for."""
    return [formula.replace("d(r)", each.removeprefix("d(r)=")) for each in in_docstring("discounts")]


class TestAFormulaIsThatOfItsChapter:
    def test_every_function_has_a_row_and_every_labelled_formula_is_in_one(self):
        """A new one either explains a function, or is said to be of none."""
        assert set(EXPLAINED) == FUNCTIONS
        assert set(IN_CHAPTERS) == {label for labels in EXPLAINED.values() for label in labels} | OF_NO_FUNCTION

    @every_row("name", AS_THEY_ARE)
    def test_a_formula_is_that_of_its_chapter(self, name):
        assert in_docstring(name) == [IN_CHAPTERS[label] for label in EXPLAINED[name]]

    def test_dcg_has_the_formula_of_its_chapter_under_each_discount(self):
        """The chapter has two formulas: the general one, with each discount in its place."""
        (general,) = in_docstring("dcg")
        assert with_each_discount(general) == [IN_CHAPTERS[label] for label in EXPLAINED["dcg"]]
        assert in_docstring("Convention") == [general]  # which names its choices

    @pytest.mark.parametrize("name", ["cg", "dcg", "idcg"])
    def test_a_step_from_rank_to_rank_adds_a_term_of_the_sum(self, name):
        (step,), (whole,) = in_docstring(f"{name}_by_rank"), in_docstring(name)
        assert STEP.fullmatch(step).groups() == SUM.fullmatch(whole).groups()

    def test_a_ratio_at_every_rank_is_the_ratio_at_a_cutoff(self):
        assert in_docstring("ndcg_by_rank") == [each.replace("_k", "_r") for each in in_docstring("ndcg")]


class TestAPageLinksToTheFormula:
    @every_row("name", sorted(FUNCTIONS))
    def test_the_entry_of_each_function_links_to_its_formula(self, name):
        entry = re.search(rf"^\.\. autofunction:: ndcg_ref\.{name}\n((?:\n|   .*\n)*)", TEXT, re.MULTILINE)
        assert re.findall(r":eq:`([\w-]+)`", entry[1]) == EXPLAINED[name]

    @pytest.mark.parametrize("name", NAMED)
    def test_a_named_convention_is_shown_as_it_prints(self, name):
        entry = re.search(rf"^\.\. py:data:: ndcg_ref\.{name}\n\n   ``(.+)``$", TEXT, re.MULTILINE)
        assert entry[1] == str(getattr(ndcg_ref, name))


PUBLIC = [
    *(f"ndcg_ref.{name}" for name in ndcg_ref.__all__),
    *(f"ndcg_ref.formulas.plain.{name}" for name in sorted(FUNCTIONS) if hasattr(arrays, name)),
    *(f"ndcg_ref.stated.{name}" for name in stated.__all__),
    "ndcg_ref.subjects.ranking.alternatives_for",
    "ndcg_ref.sphinx_ext.drawing.draw",
]


def on_the_pages():
    """What the built reference pages have an entry for."""
    inventory = ROOT / "_build" / "html" / "objects.inv"
    if not inventory.exists():
        pytest.fail("expected the built book in _build/html, found none: run `make book` first")
    with inventory.open("rb") as stream:
        found = InventoryFile.load(stream, "", posixpath.join)
    entries = {name: place for kind, names in found.items() if kind.startswith("py:") for name, place in names.items()}
    return {name for name, (_, _, place, _) in entries.items() if place.startswith("book/reference/")}


@pytest.mark.built
@every_row("name", PUBLIC)
def test_every_public_name_is_on_a_page(name):
    assert name in on_the_pages()
