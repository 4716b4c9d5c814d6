"""The convention of each library and version, under the name `LIBRARY-VERSION` or `LIBRARY-VERSION-VARIANT`.

`PRESETS` maps names to conventions; a name without a version means the newest one here. `ABOUT` says of each preset
where its facts come from, which measures it covers, and how the library differs from it. A preset with the evidence
"run" gives every value that the library computed on the input stored in the project's `book/_data/interop.json`,
except for the kinds of input that it lists in `excluded`. One with the evidence "read" was derived from the library's
source, and gives what the library's own tests expect.

A library may use different conventions for different measures: `Preset.convention_of` has that of each.

Libraries that take lists of grades and scores do not know of documents that were not retrieved, or that nobody judged:
a caller has to give an unjudged document a grade, and the presets assume 0.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Any, Literal, NamedTuple, TypeAlias

from ndcg_ref.conventions.convention import EXPONENTIAL, ORIGINAL, STANDARD, Convention
from ndcg_ref.conventions.validation import UnknownNameError, counted, quoted

EvidenceKind: TypeAlias = Literal["run", "read"]

WIDTH = 62  # characters of a line of a printed preset, so that it fits a narrow page

KINDS: Mapping[str, str] = MappingProxyType(
    {
        "empty": "a run without a document of any judged query",
        "one": "a query with one retrieved document",
        "unjudged": "a query among the judgments without any document",
        "missing": "a judged query that the run lacks",
        "ties": "equal scores of documents with different grades",
        "long ties": "equal scores of documents with different grades, among more than 15 documents",
        "all negative": "a query with no grade of 0 or more",
        "negative ideal": "grades below 0 that outweigh the others in the ideal",
        "cancelling": "grades other than 0 that sum to 0",
        "below 1": "a grade between 0 and 1",
        "above 4": "a grade above 4",
        "above 30": "a grade above 30",
        "above 31": "a grade above 31",
    }
)


@dataclass(frozen=True, kw_only=True)
class Preset:
    """The convention of a library, and how it is known.

    Parameters
    ----------
    library : str
        The library, or the program.
    version : str
        Its version.
    variant : str
        Which of its values, if it has several.
    convention : Convention
        The convention of NDCG, and of each measure that is not in `by_measure`.
    measures : tuple of str
        The measures that it covers. The library lacks the others, or defines them differently.
    by_measure : mapping of str to Convention
        The measures with a convention of their own; "RR@k" is RR with a cutoff.
    evidence : {"run", "read"}
        Whether the library was run, or its source read.
    source : str
        File and lines in that version, or pages.
    tolerance : float
        How closely its values are reproduced: 1e-9, or 1e-5 where it computes in float32, or half a unit of the last
        decimal where it rounds.
    excluded : tuple of str
        The kinds of input, words of ``KINDS``, that the preset does not cover.
    differences : str
        What the library does on such input, and what else it does that no convention describes.

    Examples
    --------
    >>> print(ABOUT["scikit-learn-1.9.1"])
    scikit-learn-1.9.1, run, reproduced to within 1e-09
      Convention(zero_ideal=0, ideal='ranked')
      covers nDCG, DCG
      DCG: Convention(negative='keep', zero_ideal=0, ideal='ranked')
      not covered: a run without a document of any judged query; a
        query with one retrieved document
      Refuses a list of one document, or of none.
      source: metrics/_ranking.py:1655-1760, 1898-1946 and 2053-2066
    """

    library: str
    version: str
    variant: str = ""
    convention: Convention
    measures: tuple[str, ...] = ("nDCG",)
    by_measure: Mapping[str, Convention] = field(default_factory=lambda: MappingProxyType({}))
    evidence: EvidenceKind = "run"
    source: str
    tolerance: float = 1e-9
    excluded: tuple[str, ...] = ()
    differences: str = ""

    @property
    def name(self) -> str:
        """The full name, with the version."""
        return "-".join(filter(None, (self.library, self.version, self.variant)))

    @property
    def alias(self) -> str:
        """The name without the version."""
        return "-".join(filter(None, (self.library, self.variant)))

    def convention_of(self, measure: str, k: int | None = None) -> Convention:
        """The convention of a measure, with a cutoff or without one.

        >>> about = ABOUT["ir_measures-0.4.3"]
        >>> about.convention_of("RR").ties, about.convention_of("RR", 10).ties
        ('id-descending', 'id-ascending')
        """
        names = (measure,) if k is None else (f"{measure}@k", measure)
        return next((self.by_measure[name] for name in names if name in self.by_measure), self.convention)

    def __str__(self) -> str:
        from textwrap import wrap

        within = f", reproduced to within {self.tolerance:g}" if self.evidence == "run" else ""
        kinds = "; ".join(KINDS[kind] for kind in self.excluded)
        lines = [
            f"{self.name}, {self.evidence}{within}",
            repr(self.convention),
            f"covers {', '.join(self.measures)}",
            *(f"{measure}: {convention!r}" for measure, convention in self.by_measure.items()),
            f"not covered: {kinds}" if kinds else "",
            self.differences,
            f"source: {self.source}",
        ]
        return "\n  ".join("\n    ".join(wrap(line, WIDTH, break_on_hyphens=False)) for line in lines if line)


TREC_EVAL = Convention(negative="clamp", zero_ideal=0, ties="id-descending", fractional="truncate")
PYTREC_EVAL = replace(TREC_EVAL, scores="float32", fractional="error")
GDEVAL = replace(TREC_EVAL, gain="exponential", zero_ideal="nan", fractional="error")
RANX = replace(TREC_EVAL, ties="input", missing="zero")
BY_ID_ASCENDING = Convention(negative="clamp", zero_ideal=0, ties="id-ascending", missing="zero")  # in ir_measures
IN_ORDER_OF_THE_DICT = Convention(negative="clamp", zero_ideal=0, ties="input", missing="zero", extra="error")
OF_MTEB = replace(PYTREC_EVAL, extra="error")
BY_SCORE = replace(BY_ID_ASCENDING, ties="input")  # of RBP in ir_measures
TRECTOOLS = replace(TREC_EVAL, fractional="keep", extra="zero")
SCIKIT_LEARN = Convention(zero_ideal=0, ideal="ranked")
IGNITE = Convention(gain="exponential", negative="clamp", ideal="ranked", ties="input", scores="float32")
LIGHTGBM = Convention(
    gain="exponential",
    zero_ideal=1,
    ideal="ranked",
    ideal_order="grade",
    ties="input",
    fractional="error",
    query_weights="with-ideal",
)
XGBOOST = replace(LIGHTGBM, ideal_order="gain", scores="float32")
XGBOOST_LINEAR = replace(XGBOOST, gain="linear", negative="keep", fractional="keep")
CATBOOST = Convention(negative="keep", zero_ideal=1, ideal="ranked", ties="worst")
ELASTICSEARCH = Convention(
    gain="exponential",
    negative="keep",
    zero_ideal=0,
    ideal_cut="hits",
    ties="input",
    fractional="error",
    missing="zero",
)
SPARK = Convention(gain="binary", zero_ideal=0, ties="input", missing="zero", extra="zero")
FLOAT32, FOUR_DECIMALS, FIVE_DECIMALS = 1e-5, 5e-5, 5e-6

# Shared by several presets
OF_TREC_EVAL = (
    "Ends without a value if the run is empty, if nothing is judged, if the first query has no grade of 0 or "
    "more, and if a query has only grades of -2 or less. RR with a cutoff is recip_rank with -M, and rel=2 is -l 2. "
    "-m ndcg.1=… sorts gains by their differences cast to whole numbers: where gains differ by less than 1, the value "
    "may be 0 or above 1. -c is missing='zero', -J is unjudged='drop'."
)
OF_RANX = (
    "Equal scores are ranked by an unstable sort, which keeps the input order of up to 15 documents. Refuses an empty "
    "ranking, and judgments without any document. Values are those of Qrels and Run with make_comparable=True. In "
    "dicts, queries are paired by their place, equal scores are ranked otherwise, and of the fractions those below 1 "
    "are dropped and others kept. Its rbp takes grades as gains, and may be above 1."
)
WITHOUT_IDEAL = "A query with an ideal of 0 or less is treated as one without ideal gain."
PRE_AND_MAP = (
    "Its pre and map take binary grades, and divide by the number of documents, or of relevant ones, where that is "
    "below the cutoff."
)
OF_XGBOOST_LINEAR = {"excluded": ("negative ideal",), "differences": f"{WITHOUT_IDEAL} {PRE_AND_MAP}"}


def _family(preset: Preset, *others: Mapping[str, Any]) -> Iterator[Preset]:
    """A preset, and what differs from it in the other values and versions of its library."""
    yield from (preset, *(replace(preset, **other) for other in others))


RELEVANCE = ("AP", "P", "RR", "Recall", "Success", "Rprec")
OF_BENCHMARKS = ("AP", "P", "RR", "Recall", "Success")
RELEVANCE_OF_TRECTOOLS = ("AP", "P", "RR", "Recall", "Rprec")
ALL = (
    *_family(
        Preset(
            library="trec_eval",
            version="9.0.7",
            convention=replace(TREC_EVAL, scores="float32"),
            measures=("nDCG", *RELEVANCE),
            source="m_ndcg_cut.c:43-126, m_ndcg.c:63-141, form_res_rels.c:145-150 and 276, trec_format.h:15, commit "
            "d95ca64, tag v9.0.8, which prints 9.0.7",
            tolerance=FOUR_DECIMALS,
            excluded=("empty", "unjudged", "all negative"),
            differences=OF_TREC_EVAL,
        ),
        {
            "version": "9.0.8",
            "convention": TREC_EVAL,
            "source": "m_ndcg_cut.c:44-127, m_ndcg.c:64-142, form_res_rels.c:145-150 and 276, trec_format.h:15, commit "
            "d4dd9d9, tag trec_eval-9.0.8",
        },
        {
            "version": "10.0",
            "convention": TREC_EVAL,
            "source": "m_ndcg_cut.c:46-131, m_ndcg.c:66-155, form_res_rels.c:141-146 and 266, trec_eval.c:359-396, "
            "commit f425365, tag v10.0, which prints 10.0-rc3",
            "excluded": ("empty", "unjudged", "all negative", "missing"),
            "differences": f"Without -c, a judged query that the run lacks ends it. {OF_TREC_EVAL}",
        },
    ),
    Preset(
        library="pytrec_eval-terrier",
        version="0.5.11",
        convention=PYTREC_EVAL,
        measures=("nDCG", *RELEVANCE),
        source="src/pytrec_eval.cpp:244-264 and 519-634; setup.py:9 embeds trec_eval's tag v9.0.8, commit d95ca64, "
        "which prints 9.0.7",
        excluded=("empty", "unjudged", "all negative"),
        differences="A query with no grade of 0 or more may crash it, or never end, after another query; alone it "
        "counts 0. Leaves out a query without any judged document. RR takes no cutoff. The caller averages.",
    ),
    Preset(
        library="ir_measures",
        version="0.4.3",
        convention=replace(PYTREC_EVAL, missing="zero"),
        measures=("nDCG", *RELEVANCE, "Judged", "RBP"),
        by_measure=MappingProxyType({"RR@k": BY_ID_ASCENDING, "Judged": BY_ID_ASCENDING, "RBP": BY_SCORE}),
        source="providers/pytrec_eval_provider.py:83-97, providers/msmarco_provider.py:34-52, "
        "providers/judged_provider.py:32-68, providers/cwl_eval.py, providers/base.py:18-27, over pytrec_eval-terrier "
        "0.5.11 and cwl-eval 1.0.12",
        excluded=("empty", "unjudged", "all negative"),
        differences="RR with a cutoff, Judged and RBP come from other providers; Judged of an empty ranking divides by "
        "0, RBP needs rel= and takes no cutoff. ERR is in the variant exp-log2. Of a measure asked for with two "
        "gains at once, one gets the value of the other, by the hash seed. For the rest as pytrec_eval-terrier.",
    ),
    Preset(
        library="ir_measures",
        version="0.4.3",
        variant="exp-log2",
        convention=replace(GDEVAL, zero_ideal=0, missing="zero"),
        measures=("nDCG", "ERR"),
        source="providers/gdeval_provider.py, bin/gdeval.pl",
        tolerance=FIVE_DECIMALS,
        excluded=("empty", "unjudged", "above 4"),
        differences="Exits on a grade above 4, and on a query whose name is no number; needs a cutoff. Leaves out "
        "a query without any judged document.",
    ),
    Preset(
        library="gdeval",
        version="1.2a",
        convention=GDEVAL,
        measures=("nDCG", "ERR"),
        source="bin/gdeval.pl of ir_measures 0.4.3",
        tolerance=FIVE_DECIMALS,
        excluded=("empty", "above 4"),
        differences="Prints nothing for a query without retrieved documents or ideal gain, and no mean; exits on a "
        "grade above 4.",
    ),
    *_family(
        Preset(
            library="ranx",
            version="0.3.21",
            convention=RANX,
            measures=("nDCG", "DCG", *RELEVANCE),
            source="metrics/ndcg.py:12-65, data_structures/common.py, meta/evaluate.py:59-134",
            excluded=("empty", "unjudged", "long ties"),
            differences=OF_RANX,
        ),
        {"variant": "ndcg_burges", "convention": replace(RANX, gain="exponential"), "measures": ("nDCG", "DCG")},
    ),
    Preset(
        library="scikit-learn",
        version="1.9.1",
        convention=SCIKIT_LEARN,
        measures=("nDCG", "DCG"),
        by_measure=MappingProxyType({"DCG": replace(SCIKIT_LEARN, negative="keep")}),
        source="metrics/_ranking.py:1655-1760, 1898-1946 and 2053-2066",
        excluded=("empty", "one"),
        differences="Refuses a list of one document, or of none.",
    ),
    Preset(
        library="scikit-learn",
        version="1.9.1",
        variant="ignore_ties",
        convention=replace(SCIKIT_LEARN, ties="input"),
        measures=("nDCG", "DCG"),
        by_measure=MappingProxyType({"DCG": replace(SCIKIT_LEARN, negative="keep", ties="input")}),
        source="metrics/_ranking.py:1701-1704",
        excluded=("empty", "one", "ties"),
        differences="Refuses a list of one document, or of none. Equal scores are ranked by an unstable sort, turned "
        "round: their order depends on the processor, and is that of the input here.",
    ),
    Preset(
        library="torchmetrics",
        version="1.9.0",
        convention=replace(SCIKIT_LEARN, negative="keep", scores="float32"),
        source="functional/retrieval/ndcg.py:22-113, retrieval/base.py:148-183",
        tolerance=FLOAT32,
        excluded=("empty", "cancelling"),
        differences="A query whose grades sum to 0 is taken as one without ideal gain. The function ranks the rows of "
        "a matrix as one list; this is the class, with indexes. Its precision, reciprocal rank and average precision "
        "take binary grades, and leave out a document whose score is not above 0.",
    ),
    *_family(
        Preset(
            library="ignite",
            version="0.5.5",
            convention=IGNITE,
            source="metrics/rec_sys/ndcg.py:11-14 and 170-226",
            tolerance=FLOAT32,
            excluded=("below 1",),
            differences="A grade below 1, its relevance_threshold, gains nothing. Queries are left out unless "
            "ignore_zero_hits=False.",
        ),
        {"variant": "linear_rank", "convention": replace(IGNITE, gain="linear")},
    ),
    Preset(
        library="lightgbm",
        version="4.7.0",
        convention=LIGHTGBM,
        source="src/metric/dcg_calculator.cpp:33-171, src/metric/rank_metric.hpp:94-134, src/io/config.cpp:293",
        excluded=("empty", "above 30"),
        differences="Refuses a grade above 30 and a query of more than 10,000 documents. With a "
        "label_gain that does not rise with the grade, the value may be above 1. Its map divides by the number of "
        "relevant documents, where that is below the cutoff, and by the cutoff elsewhere.",
    ),
    *_family(
        Preset(
            library="xgboost",
            version="3.2.0",
            convention=XGBOOST,
            source="src/metric/rank_metric.cc:271-408, src/common/ranking_utils.h:42-53 and 356-376",
            excluded=("above 31",),
            differences=f"Refuses a grade above 31. {PRE_AND_MAP}",
        ),
        {"variant": "minus", "convention": replace(XGBOOST, zero_ideal=0)},
        {"variant": "linear", "convention": XGBOOST_LINEAR, **OF_XGBOOST_LINEAR},
        {"variant": "linear-minus", "convention": replace(XGBOOST_LINEAR, zero_ideal=0), **OF_XGBOOST_LINEAR},
    ),
    *_family(
        Preset(
            library="catboost",
            version="1.2.10",
            convention=CATBOOST,
            measures=("nDCG", "DCG"),
            source="catboost/libs/metrics/dcg.cpp, doc_comparator.h, metric.cpp (TDcgMetric)",
            excluded=("empty", "negative ideal"),
            differences=f"{WITHOUT_IDEAL} An empty list, or top=0, is not refused: an empty list ends the process, "
            "top=0 gives 1. Its PrecisionAt, MAP and MRR count a grade above 0.5 as relevant; the first two divide by "
            "the number of documents, or of relevant ones, where that is below the cutoff.",
        ),
        {"variant": "exp", "convention": replace(CATBOOST, gain="exponential")},
        {"variant": "position", "convention": replace(CATBOOST, discount="rank")},
        {"variant": "exp-position", "convention": replace(CATBOOST, gain="exponential", discount="rank")},
    ),
    Preset(
        library="beir",
        version="2.2.0",
        convention=PYTREC_EVAL,
        measures=("nDCG", *OF_BENCHMARKS),
        by_measure=MappingProxyType({"RR": IN_ORDER_OF_THE_DICT, "Success": IN_ORDER_OF_THE_DICT}),
        source="beir/retrieval/evaluation.py:68-147, custom_metrics.py:6-34 and 96-126",
        tolerance=FIVE_DECIMALS,
        excluded=("empty", "unjudged", "all negative", "below 1"),
        differences="Rounds means to five decimals. Its evaluate() first removes each document with the id of its "
        "query, unless ignore_identical_ids=False; the run that is given stays changed. RR and Success are its MRR and "
        "top_k_accuracy: they rank equal scores in the order of the dictionary, count a missing query as 0, and "
        "end with a KeyError for a query that nobody judged. For the rest as pytrec_eval-terrier.",
    ),
    Preset(
        library="mteb",
        version="2.26.24",
        convention=OF_MTEB,
        measures=("nDCG", *OF_BENCHMARKS),
        by_measure=MappingProxyType({"RR": replace(OF_MTEB, scores="float64")}),
        source="mteb/_evaluators/retrieval_metrics.py:28-55, 487-537 and 591-645",
        tolerance=FIVE_DECIMALS,
        excluded=("empty", "unjudged", "all negative"),
        differences="Rounds means to five decimals, but not that of RR, which is its own: it compares scores in double "
        "precision, and ends with a KeyError for a query that nobody judged. Success is its hit rate. Some tasks "
        "remove each document with the id of its query, or the first of every ranking. For the rest as "
        "pytrec_eval-terrier.",
    ),
    Preset(
        library="trectools",
        version="0.0.50",
        convention=replace(TRECTOOLS, ties="id-ascending"),
        measures=("nDCG", *RELEVANCE_OF_TRECTOOLS, "RBP"),
        by_measure=MappingProxyType(
            dict.fromkeys(RELEVANCE_OF_TRECTOOLS, TRECTOOLS)
            | {"Rprec": replace(TRECTOOLS, extra="error"), "RBP": replace(TRECTOOLS, ties="average")}
        ),
        source="trectools/trec_eval.py, trec_run.py:49-77, of files; its functions with trec_eval=True",
        excluded=("empty", "unjudged", "all negative", "below 1"),
        differences="Equal scores are ranked by id ascending for nDCG, descending for other measures, and averaged for "
        "RBP, there also across the border of two queries. RBP is nan where no relevant document was retrieved. A mean "
        "is divided by the number of queries of the run. Of a frame, nDCG and RBP take the order of the rows. The "
        "metric trec_eval of Hugging Face's evaluate hands its rows on as such a frame, with scores in float32.",
    ),
    Preset(
        library="allrank",
        version="1.4.3",
        convention=replace(IGNITE, negative="error", zero_ideal=1, ideal_order="grade"),
        evidence="read",
        source="allrank/models/metrics.py:7-77, commit c884756",
        tolerance=FLOAT32,
        excluded=("empty",),
        differences="Ends with an IndexError for an empty list. Its sort promises no order of equal scores. A grade of "
        "-1 is dropped as padding, one below is used.",
    ),
    Preset(
        library="tf-ranking",
        version="0.5.5",
        convention=replace(SCIKIT_LEARN, gain="exponential", scores="float32"),
        evidence="read",
        source="python/metrics_impl.py:31-33, 63-151 and 631-670, python/utils.py:78-164, commit 5b1d133",
        tolerance=FLOAT32,
        differences="Equal scores are shuffled at random; their mean is meant here. A document with a grade below 0 "
        "is dropped as padding. Weights are those of documents; a list without ideal gain weighs as much "
        "as the mean list.",
    ),
    Preset(
        library="elasticsearch",
        version="8",
        convention=ELASTICSEARCH,
        measures=("nDCG", "DCG"),
        evidence="read",
        source="modules/rank-eval/…/DiscountedCumulativeGain.java, evaluate() and computeDCG(), commit d04e400; "
        "7.0.0-alpha1 computes the same",
        differences="With unknown_doc_rating, an unjudged document gains, though the ideal does not hold it: the "
        "value may be above 1.",
    ),
    *_family(
        Preset(
            library="spark",
            version="4.3.0",
            convention=SPARK,
            evidence="read",
            source="mllib/src/main/scala/org/apache/spark/mllib/evaluation/RankingMetrics.scala, ndcgAt()",
            differences="Judged documents are those with a grade above 0, as its sets of labels hold no others.",
        ),
        {
            "variant": "graded",
            "convention": replace(SPARK, gain="exponential", negative="keep"),
            "differences": "The ideal is the list of labels as it was given; where that is not sorted, the value may "
            "be above 1. Python does not hand the grades on: its value is the binary one, with every label relevant.",
        },
    ),
    *_family(
        Preset(
            library="paper",
            version="2002",
            convention=ORIGINAL,
            measures=("nDCG", "DCG", "CG"),
            evidence="read",
            source="Järvelin and Kekäläinen 2002, pages 422-446",
        ),
        {"variant": "b10", "convention": replace(ORIGINAL, base=10)},
    ),
)

# Other names of some libraries, mostly those by which they are installed or imported
CALLED = {
    # name: library
    "sklearn": "scikit-learn",
    "pytrec_eval": "pytrec_eval-terrier",
    "pytrec-eval": "pytrec_eval-terrier",
    "lgb": "lightgbm",
    "lgbm": "lightgbm",
    "xgb": "xgboost",
    "pytorch-ignite": "ignite",
    "tensorflow_ranking": "tf-ranking",
    "tensorflow-ranking": "tf-ranking",
    "tfr": "tf-ranking",
    "pyspark": "spark",
    "opensearch": "elasticsearch",
}

ABOUT: Mapping[str, Preset] = MappingProxyType({preset.name: preset for preset in ALL})


class _Named(dict[str, Convention]):
    """Names to conventions; the refusal of an unknown name lists similar ones."""

    def __missing__(self, name: str) -> Convention:
        raise UnknownPresetError(name, self)

    def __repr__(self) -> str:
        return f"<{len(self)} presets: {', '.join(self)}>"


def _near(name: str, known: Iterable[str]) -> list[str]:
    """The most similar names, ignoring case; for another name of a library, its name here."""
    from difflib import get_close_matches

    names = {each.casefold(): each for each in known}
    asked = name.casefold()
    for called, library in CALLED.items():
        if asked == called or asked.startswith(f"{called}-"):
            asked = asked.replace(called, library, 1)
    return [names[asked]] if asked in names else [names[each] for each in get_close_matches(asked, names, 3, 0.5)]


class UnknownPresetError(UnknownNameError):
    """No preset has that name; `near` has the most similar names."""

    def __init__(self, name: object, known: Iterable[str]) -> None:
        self.name, self.near = name, _near(str(name), known)
        super().__init__(self.message("see list(ndcg_ref.PRESETS)"))

    def message(self, where: str) -> str:
        """The message, with the most similar names, or else with the place where all are listed."""
        hint = f"did you mean {' or '.join(map(repr, self.near))}?" if self.near else where
        return f"preset: expected the name of a library, such as 'trec_eval', got {quoted(self.name)} ({hint})"


_BY_NAME = {name: preset.convention for preset in ALL for name in (preset.name, preset.alias)}  # later ones are newer
PRESETS: Mapping[str, Convention] = MappingProxyType(_Named(_BY_NAME))
NAMED: Mapping[str, Convention] = MappingProxyType(  # every name that can be given
    _Named(ORIGINAL=ORIGINAL, STANDARD=STANDARD, EXPONENTIAL=EXPONENTIAL, **_BY_NAME)
)


def preset_of(convention: Convention | str) -> Preset | None:
    """The preset with a name, or with a convention that comes from ``PRESETS``; None for any other.

    >>> preset_of("trec_eval").version
    '10.0'
    """
    for preset in reversed(ALL):
        if convention is preset.convention or convention in (preset.name, preset.alias):
            return preset
    return None


ABOVE = {"above 4": 4, "above 30": 30, "above 31": 31}  # kind: a query with a grade above this has it
LONG = 15  # documents; up to this number, numpy's sort, which ranx uses, keeps the order of equal scores


class Excluded(NamedTuple):
    """The data that a preset does not cover.

    Parameters
    ----------
    kinds : dict of str to int
        The excluded kinds of input that were found, keys of ``KINDS``, with their numbers of queries. If measures
        differ, as a tie beyond a cutoff does not matter, the largest number.
    not_looked_for : tuple of str
        The excluded kinds that were not checked.
    measures : tuple of str
        The measures that the library lacks, or defines differently.

    Examples
    --------
    >>> from ndcg_ref import evaluate
    >>> qrels, run = {"q1": {"d1": 1}, "q2": {"d1": 1}}, {"q1": {"d1": 0.5}}
    >>> evaluate(qrels, run).excluded["trec_eval-10.0"].kinds
    {'missing': 1}
    """

    kinds: dict[str, int]
    not_looked_for: tuple[str, ...] = ()
    measures: tuple[str, ...] = ()

    @property
    def has_any(self) -> bool:
        """Whether there are any such data."""
        return bool(self.kinds or self.measures)


def marked(name: str, excluded: Mapping[str, Excluded]) -> str:
    """The name of a convention, with a word if it does not cover the data.

    >>> marked("ranx-0.3.21", {"ranx-0.3.21": Excluded({"long ties": 1})})
    'ranx-0.3.21 (not covered)'
    """
    return f"{name} (not covered)" if name in excluded and excluded[name].has_any else name


def in_lines(excluded: Mapping[str, Excluded]) -> list[str]:
    """The excluded kinds that were found, on a line for each set of presets that have them.

    >>> in_lines({"scikit-learn-1.9.1": Excluded({"one": 2}), "trec_eval-10.0": Excluded({"missing": 1})})[1]
    'not covered by trec_eval-10.0: a judged query that the run lacks (1 query)'
    """
    presets: dict[str, list[str]] = {}
    for name, of_preset in excluded.items():
        kinds = [f"{KINDS[kind]} ({counted(n, 'query')})" for kind, n in of_preset.kinds.items()]
        if of_preset.has_any:
            others = ", ".join(KINDS[kind] for kind in of_preset.not_looked_for)
            what = ", ".join([*of_preset.measures, *kinds]) + (f" (not looked for: {others})" if others else "")
            presets.setdefault(what, []).append(name)
    return [f"not covered by {', '.join(names)}: {what}" for what, names in presets.items()]
