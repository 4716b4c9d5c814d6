"""Which libraries are run, and which measures each is asked for."""

from functools import partial
from importlib.metadata import version

from interop.libraries import (
    catboost,
    gdeval,
    ignite,
    ir_measures,
    lightgbm,
    pytrec_eval,
    ranx,
    scikit_learn,
    torchmetrics,
    trec_eval,
    version_of_gdeval,
    xgboost,
)
from interop.toolkits import OF_BENCHMARKS, OF_TRECTOOLS, beir, mteb, trectools

RELEVANT = ("AP", "P", "RR", "Recall", "Success", "Rprec")
JUDGED = (*RELEVANT, *(f"{measure}(rel=2)" for measure in RELEVANT))  # besides nDCG
GAINS = "nDCG(gains={0:0,1:3,2:1,3:7})"  # a table that does not rise; other grades are their own gains
IN_IR_MEASURES = ("RBP(p=0.8,rel=1)", "RBP(p=0.5,rel=2)")
LIBRARIES = [
    # library, variant, distribution that knows the version or what finds it, what loads it, other measures
    ("pytrec_eval-terrier", "", "pytrec_eval-terrier", pytrec_eval, JUDGED),
    ("ir_measures", "", "ir_measures", ir_measures, (*JUDGED, GAINS, "Judged", *IN_IR_MEASURES)),
    ("ir_measures", "exp-log2", "ir_measures", partial(ir_measures, discount="exp-log2"), ("ERR",)),
    ("gdeval", "", version_of_gdeval, gdeval, ("ERR",)),
    ("ranx", "", "ranx", ranx, ("DCG", *JUDGED)),
    ("ranx", "ndcg_burges", "ranx", partial(ranx, gain="_burges"), ("DCG",)),
    ("scikit-learn", "", "scikit-learn", partial(scikit_learn, ignore_ties=False), ("DCG",)),
    ("scikit-learn", "ignore_ties", "scikit-learn", partial(scikit_learn, ignore_ties=True), ("DCG",)),
    ("torchmetrics", "", "torchmetrics", torchmetrics, ()),
    ("ignite", "", "pytorch-ignite", ignite, ()),
    ("ignite", "linear_rank", "pytorch-ignite", partial(ignite, gain="linear_rank"), ()),
    ("lightgbm", "", "lightgbm", lightgbm, ()),
    ("xgboost", "", "xgboost", xgboost, ()),
    ("xgboost", "minus", "xgboost", partial(xgboost, minus="-"), ()),
    ("xgboost", "linear", "xgboost", partial(xgboost, exponential=False), ()),
    ("xgboost", "linear-minus", "xgboost", partial(xgboost, minus="-", exponential=False), ()),
    ("catboost", "", "catboost", catboost, ("DCG",)),
    ("catboost", "exp", "catboost", partial(catboost, settings=["type=Exp"]), ("DCG",)),
    ("catboost", "position", "catboost", partial(catboost, settings=["denominator=Position"]), ("DCG",)),
    (
        *("catboost", "exp-position", "catboost"),
        *(partial(catboost, settings=["type=Exp", "denominator=Position"]), ("DCG",)),
    ),
    ("beir", "", "beir", beir, OF_BENCHMARKS),
    ("mteb", "", "mteb", mteb, OF_BENCHMARKS),
    ("trectools", "", "trectools", trectools, OF_TRECTOOLS),
]


def libraries(builds):
    """The name of each preset to check, what loads the library, and the measures to ask it for besides nDCG."""
    for number, program in builds.items():
        yield f"trec_eval-{number}", partial(trec_eval, program), JUDGED
    for library, variant, source, load, others in LIBRARIES:
        found = source() if callable(source) else version(source)
        yield "-".join(filter(None, (library, found, variant))), load, others
