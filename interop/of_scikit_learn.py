"""Run scikit-learn's own tests of `ndcg_score` and `dcg_score` against those of ndcg_ref.

The tests are those of the installed package. Each module gets the functions of ndcg_ref in place of its own, and the
tests that name them are run, but for those below. A refusal has to be a refusal here, and may have other words.
"""

import os
import sys
from importlib.util import find_spec

import pytest

import ndcg_ref

MODULES = ("sklearn.metrics.tests.test_ranking", "sklearn.metrics.tests.test_common")
PUBLIC = ("ndcg_score", "dcg_score")
PRIVATE = "calls private functions alone"
TEXT = "wants a ValueError for labels that are text, which are refused with a TypeError here"
SKIPPED = {
    # test: why
    "test_dcg_score": PRIVATE,
    "test_ndcg_score": PRIVATE,
    "test_dcg_ties": PRIVATE,  # with an order of equal scores that scikit-learn does not promise
    "test_ndcg_error_single_document": "wants a ValueError for one query of one document, which has its NDCG here",
    "test_continuous_classification_invariance_string_vs_numbers_labels": TEXT,
}


class AnyWords:
    """pytest for the modules, with refusals in any words."""

    def __getattr__(self, name):
        return getattr(pytest, name)

    def raises(self, kind, match=None):
        return pytest.raises(kind)


class Replaced:
    """A plugin of pytest that puts the functions of ndcg_ref into the modules, and skips."""

    def pytest_collection_modifyitems(self, config, items):
        asked = [item for item in items if "dcg" in item.nodeid]
        if unknown := SKIPPED.keys() - {item.originalname for item in asked}:
            raise pytest.UsageError(f"expected tests of scikit-learn, found none called {', '.join(sorted(unknown))}")
        config.hook.pytest_deselected(items=[item for item in items if item not in asked])
        items[:] = asked
        for item in asked:
            replace_in(item.module)
            if item.originalname in SKIPPED:
                item.add_marker(pytest.mark.skip(reason=SKIPPED[item.originalname]))


def replace_in(module):
    """Put the functions of ndcg_ref into a module of tests, and into its tables of functions."""
    module.pytest = AnyWords()
    tables = [getattr(module, name, {}) for name in ("ALL_METRICS", "CONTINUOUS_CLASSIFICATION_METRICS")]
    for name in PUBLIC:
        for table in (vars(module), *tables):
            if name in table:
                table[name] = getattr(ndcg_ref, name)


if __name__ == "__main__":
    options = ["-q", "-rs", "-c", os.devnull, "-p", "no:cacheprovider"]  # not the settings of this repository
    sys.exit(pytest.main([*options, *(find_spec(module).origin for module in MODULES)], plugins=[Replaced()]))
