"""The conventions that a note shows as formulas, such as the sum of rel_i / log2(i + 1)."""

from __future__ import annotations

import re
from itertools import product

_GRADE = (
    r"(?:rels?|r|g|y|l|s|gain|grade|relevances?|scores?|labels?|G)"
    r"(?:\s?_?\s?[A-Za-z0-9,]*|\([A-Za-z]\)|\[[^\]]*\]|ᵢ|ⱼ)?"
)
_OVER = r"[\s\])]*(?:[-−]\s*1)?[\s\])]*(?:/|÷)?[\s(\[]*"
_LOG = r"\\?(?:log|lg|ln|lb|ld)\w*[₂₁₀]*\s*(?:_\s*\w+\s*)?[\s(\[]*"
_RANK = r"(?:i|j|k|p|r|n|rank|pos|position|idx|index)(?:_?i)?"
_GAINS = {"linear": rf"(?<![\^*A-Za-z]){_GRADE}", "exponential": rf"2\s*(?:\^|\*\*)\s*[(\s]*\s*{_GRADE}"}
_DISCOUNTS = {
    "log(rank+1)": rf"{_LOG}(?:{_RANK}\s*\+\s*[12]|[12]\s*\+\s*{_RANK}(?![A-Za-z]))",  # 2 where ranks begin with 0
    "log(rank)": rf"(?:\\?max[\s(\[]*1\s*,\s*)?{_LOG}{_RANK}(?!\s*\+)(?![A-Za-z])",
}
_FORMS = {
    (gain, discount): re.compile(_GAINS[gain] + _OVER + _DISCOUNTS[discount])
    for gain, discount in product(_GAINS, _DISCOUNTS)
}


def shown(text: str) -> dict[tuple[str, str], int]:
    r"""The pairs of gain and discount that formulas in a text, as `plain_text` makes it, show, and where first.

    >>> shown(r"DCG = \sum_{i=1}^{k} \frac{rel_i}{\log_2(i+1)}")
    {('linear', 'log(rank+1)'): 27}
    >>> shown("DCG@k = sum (2^rel_i - 1) / log2(i + 1)")
    {('exponential', 'log(rank+1)'): 13}
    >>> shown(r"\frac{g_r}{\max(1, \log_2 r)}")
    {('linear', 'log(rank)'): 6}
    """
    text = re.sub(r"[{}]", " ", text)
    found = ((shape, form.search(text)) for shape, form in _FORMS.items())
    return {shape: each.start() for shape, each in found if each}
