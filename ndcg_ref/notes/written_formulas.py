"""The conventions that a note shows as formulas, such as the sum of rel_i / log2(i + 1)."""

from __future__ import annotations

import re

_GAIN = (
    r"(?:rel|r|g|y|l|s|gain|grade|relevance|score|label|rels|relevances|scores|labels|G)(?:evance)?"
    r"(?:\s?_?\s?[A-Za-z0-9,]*|\([A-Za-z]\)|\[[^\]]*\]|ᵢ|ⱼ)?"
)
_POWER = rf"2\s*(?:\^|\*\*)\s*[(\s]*\s*{_GAIN}"
_LOG = r"\\?(?:log|lg|ln|lb|ld)\w*[₂₁₀]*\s*(?:_\s*\{?\s*\w+\s*\}?|_2)?"
_LEAST = r"(?:\\?max[\s(\[]*1\s*,\s*)?"  # as in max(1, log2(i))
_INDEX = r"(?:i|j|k|p|r|n|rank|pos|position|idx|index)(?:_?\{?i\}?)?"
_OVER = r"[\s\])]*(?:[-−]\s*1)?[\s\])]*(?:/|÷)?[\s(\[]*"
_NEXT = rf"(?:{_INDEX}\s*\+\s*[12]|[12]\s*\+\s*{_INDEX}(?![A-Za-z]))"  # 2 where ranks begin with 0
_SHAPES = {
    ("exponential", "log(rank+1)"): rf"{_POWER}{_OVER}{_LOG}[\s(\[]*{_NEXT}",
    ("exponential", "log(rank)"): rf"{_POWER}{_OVER}{_LEAST}{_LOG}[\s(\[]*{_INDEX}(?!\s*\+)(?![A-Za-z])",
    ("linear", "log(rank+1)"): rf"(?<![\^*A-Za-z]){_GAIN}{_OVER}{_LOG}[\s(\[]*{_NEXT}",
    ("linear", "log(rank)"): rf"(?<![\^*A-Za-z]){_GAIN}{_OVER}{_LEAST}{_LOG}[\s(\[]*{_INDEX}(?!\s*\+)(?![A-Za-z])",
}
_FORMS = {shape: re.compile(pattern) for shape, pattern in _SHAPES.items()}
_POWERS = re.compile(_POWER)


def shown(text: str) -> dict[tuple[str, str], int]:
    r"""The pairs of gain and discount that formulas in a text, as `plain_text` makes it, show, and where first.

    >>> shown(r"DCG = \sum_{i=1}^{k} \frac{rel_i}{\log_2(i+1)}")
    {('linear', 'log(rank+1)'): 27}
    >>> shown("DCG@k = sum (2^rel_i - 1) / log2(i + 1)")
    {('exponential', 'log(rank+1)'): 13}
    >>> shown("DCG@k = sum rel_i / log2(1 + i)")
    {('linear', 'log(rank+1)'): 12}
    >>> shown(r"\frac{g_r}{\max(1, \log_2 r)}")
    {('linear', 'log(rank)'): 6}
    """
    text = re.sub(r"[{}]", " ", text)
    found: dict[tuple[str, str], int] = {}
    powers = [each.span() for each in _POWERS.finditer(text)]
    for shape, own in _FORMS.items():
        for each in own.finditer(text):
            inside = any(start < each.start() < end for start, end in powers)
            if shape[0] == "exponential" or not inside:
                found.setdefault(shape, each.start())
    return found
