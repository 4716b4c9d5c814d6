"""Questions of a page, and the answers of the package, both as JSON holds them.

`answer` is the one function that the worker of the live pages calls. Standard library alone. The size of what is asked
is limited before anything is computed, and what is refused comes back as ``{"error": …}`` in the words of the refusal.
"""

from collections.abc import Callable, Mapping
from typing import Any

from ndcg_ref.conventions.validation import as_bug, quoted
from ndcg_ref.live.noted import on_note

__all__ = ["answer"]

_KINDS: dict[str, Callable[[Mapping[str, Any]], dict[str, Any]]] = {
    # what is asked: what answers it
    "note": on_note,
}


def answer(question: Any) -> dict[str, Any]:
    """Answer one question.

    ``"ask"`` names the kind; the other keys are those that the function documents which answers it: `on_note` for
    "note". The answer, ``{"error": "…"}`` if the question is refused, holds what JSON can hold, and no NaN.

    >>> answer({"ask": "note", "text": "Grades [3, 2, 3, 0, 1]. NDCG = 6.15/6.32 = 0.98"})["findings"][-1]["correct"]
    '0.97'
    >>> answer({"ask": "notes"})
    {'error': "ask: expected one of 'note', got 'notes'"}
    """
    if not isinstance(question, Mapping):
        return {"error": f"expected a question as an object, got {quoted(question)}"}
    kind = question.get("ask")
    if not isinstance(kind, str) or kind not in _KINDS:
        return {"error": f"ask: expected one of {', '.join(map(repr, _KINDS))}, got {quoted(kind)}"}
    try:
        return _KINDS[kind](question)
    except (ArithmeticError, TypeError, ValueError) as error:
        return {"error": str(error)}
    except Exception as error:
        return {"error": as_bug(error)}
