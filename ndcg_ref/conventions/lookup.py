"""Look up a convention by its name.

`ndcg_ref.conventions.presets` is imported only for a name: it takes longer to load than the plain formulas, and most
callers pass a `Convention`.
"""

from typing import Any

from ndcg_ref.conventions.convention import Convention
from ndcg_ref.conventions.validation import quoted


def as_convention(convention: Any, measure: str = "nDCG") -> Convention:
    """The convention itself, or the one with the given name: a preset, or ORIGINAL, STANDARD or EXPONENTIAL.

    A preset may have another convention for one measure. A name that nothing has raises UnknownPresetError, which is a
    KeyError and a ValueError.

    >>> as_convention("scikit-learn").negative, as_convention("scikit-learn", "DCG").negative
    ('error', 'keep')
    >>> as_convention(10)
    Traceback (most recent call last):
        ...
    TypeError: convention: expected a Convention or the name of a preset, got 10
    """
    if isinstance(convention, Convention):
        return convention
    if not isinstance(convention, str):
        raise TypeError(f"convention: expected a Convention or the name of a preset, got {quoted(convention)}")
    from ndcg_ref.conventions.presets import NAMED, preset_of

    chosen, preset = NAMED[convention], preset_of(convention)
    return chosen if preset is None else preset.convention_of(measure)
