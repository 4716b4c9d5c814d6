"""What an editable ranking has below its drawing: buttons, its sums as formulas, choices, and a task.

A Sphinx extension for the HTML builder. A cell with the tag `live-ranking` that draws a ranking gets all of it at build
time, so that nothing moves when the script takes over, and a page without scripts shows the formulas. The metadata of
the cell say which: `"ndcg_ref": {"ranking": {"task": "lower", "choices": ["gain", "cutoff"]}}`, and with `"best": true`
the second ranking is the best order of the first.
"""

import ast
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from html import escape
from pathlib import Path
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx

from ndcg_ref.conventions.convention import Convention
from ndcg_ref.formulas import plain
from ndcg_ref.sphinx_ext.drawing import BELOW
from ndcg_ref.sphinx_ext.drawing_nodes import Drawing
from ndcg_ref.stated.notebooks import read_notebook

TAG = "live-ranking"
BUTTONS = [
    # what it does, sign, word
    ("up", "↑", "Up"),
    ("down", "↓", "Down"),
    ("remove", "−", "Remove"),
    ("add", "+", "Add"),
    ("undo", "↶", "Undo"),
    ("reset", "↺", "Reset"),
]
TASKS = {
    # task, for which live/src/editing.js says when it is reached: what the reader is asked for
    "best": "Reach the best order, and change nothing else.",
    "level": "Make both sums equal by changing a single grade.",
    "worst": "Make DCG as small as possible by moving results alone.",
    "lower": "Lower NDCG without touching the top three results or the choices above.",
}
HINT = "Drag a result by its rank, or click its grade. Keys: 0 to 4, Alt with ↑ and ↓, Delete."
CHOICES: dict[str, tuple[str, list[tuple[str, str]]]] = {
    # choice: its label, its values and their words
    "gain": ("Gain", [("linear", "linear"), ("exponential", "exponential")]),
    "discount": (
        "Discount",
        [("log(rank+1)", "log2(rank + 1)"), ("log(rank)", "max(1, log2(rank))"), ("none", "none")],
    ),
    "cutoff": ("Cutoff", [("", "none"), *((str(k), str(k)) for k in range(1, 21))]),
    "ideal": ("Ideal of", [("judged", "all judged"), ("ranked", "those retrieved")]),
}
EXAMPLES = [
    # its words, the notebook that has it, the name of its grades there
    ("System A", "concepts/gain", "boots"),
    ("System B", "concepts/gain", "others"),
    ("Two queries: query 1", "notes/two-queries", "q1"),
    ("Two queries: query 2", "notes/two-queries", "q2"),
    ("Five grades", "notes/five-grades", "grades"),
    ("The original table", "notes/original-table", "grades"),
    ("Fourteen ranks", "notes/fourteen-ranks", "grades"),
]


def example(notebook: Path, name: str) -> list[dict[str, Any]]:
    """The ranking that a notebook names: title and grade of each result."""
    for cell in read_notebook(notebook).code:
        for line in ast.parse(cell.source).body if "%" not in cell.source[:1] else []:
            if isinstance(line, ast.Assign) and ast.unparse(line.targets[0]) == name:
                found = ast.literal_eval(line.value)
                if not isinstance(found, dict):
                    found = {f"Result {rank}": grade for rank, grade in enumerate(found, start=1)}
                return [{"title": title, "grade": grade} for title, grade in found.items()]
    raise ValueError(f"{notebook}: expected a ranking named {name!r}, found none")


def brief(value: float) -> str:
    """A number in a formula: at most three decimals, and no zeros at the end.

    >>> brief(1.58496), brief(2.0)
    ('1.585', '2')
    """
    return f"{value:.3f}".rstrip("0").rstrip(".")


def terms(grades: Sequence[float], rule: Mapping[str, Any], discounted: bool) -> list[str]:
    """What is added up at each rank down to the cutoff.

    >>> terms([2, 3], {"gain": "linear", "discount": "log(rank+1)", "base": 2, "cutoff": None}, True)
    ['2/1', '3/1.585']
    """
    convention = Convention(gain=rule["gain"], discount=rule["discount"], base=rule["base"])
    gained = [brief(gain) for gain in plain.gains(grades, convention)[: rule["cutoff"]]]
    divisors = map(brief, plain.discounts(len(gained), convention))
    return [f"{gain}/{divisor}" if discounted else gain for gain, divisor in zip(gained, divisors, strict=True)]


def sums(drawing: Mapping[str, Any]) -> Iterator[tuple[str, list[str], str]]:
    """The formulas of a drawing: what is added up, its terms, the sum; a last one for NDCG."""
    rankings, discounted = drawing["rankings"], "term" in drawing["columns"]
    for ranking in rankings:
        values, grades = dict(ranking["totals"]), [float(result["grade"]) for result in ranking["results"]]
        first = next(iter(values))
        heading = f"{ranking['heading']}: " if len(rankings) > 1 else ""
        yield f"{heading}{first}", terms(grades, ranking["rule"], discounted), values[first]
        ideal, ndcg = (next((name for name in values if name.startswith(each)), "") for each in ("IDCG", "NDCG"))
        if ideal and len(rankings) == 1:
            yield ideal, terms(sorted(grades, reverse=True), ranking["rule"], discounted), values[ideal]
    values = dict(rankings[0]["totals"])
    if ideal and ndcg:
        yield ndcg, [f"{values[first]}/{values[ideal]}"], values[ndcg]


def _formula(label: str, added: Iterable[str], value: str) -> str:
    spans = " + ".join(f'<span class="ndcg-term">{escape(term)}</span>' for term in added)
    return f'<p>{escape(label)} = <span class="ndcg-terms">{spans}</span> = <span>{escape(value)}</span></p>'


def _choice(name: str, label: str, options: Iterable[str]) -> str:
    return f'<label>{label} <select name="{name}" autocomplete="off">{"".join(options)}</select></label>'


def _choices(names: Sequence[str], rule: Mapping[str, Any], book: Path) -> Iterator[str]:
    """The menus, each with the value that the drawing has."""
    for name in names:
        if name == "example":
            rankings = ((words, json.dumps(example(book / f"{place}.ipynb", key))) for words, place, key in EXAMPLES)
            options = [
                f'<option value="{i}" data-docs="{escape(docs)}">{escape(words)}</option>'
                for i, (words, docs) in enumerate(rankings)
            ]
            yield _choice(name, "Example", options)
            continue
        label, values = CHOICES[name]
        now = str(rule.get(name) or values[0][0])
        yield _choice(
            name,
            label,
            (f'<option value="{value}"{" selected" * (value == now)}>{words}</option>' for value, words in values),
        )


def panel(drawing: Mapping[str, Any], wanted: Mapping[str, Any], book: Path) -> str:
    """All that stands below a drawing, as HTML."""
    buttons = "".join(
        f'<button type="button" data-does="{does}">{sign} <span>{word}</span></button>' for does, sign, word in BUTTONS
    )
    choices = "".join(_choices(wanted.get("choices", ()), drawing["rankings"][0]["rule"], book))
    return "\n".join(
        [
            f'<div class="ndcg-editing" data-task="{wanted["task"]}" data-hint="{HINT}" data-below="{BELOW}"'
            f"{' data-best' if wanted.get('best') else ''}>",
            f'<div class="ndcg-tools" role="group" aria-label="Change the ranking">{buttons}</div>',
            '<p class="ndcg-said"><noscript>With JavaScript, this ranking can be edited.</noscript></p>',
            f'<div class="ndcg-sums">{"".join(_formula(*each) for each in sums(drawing))}</div>',
            f'<div class="ndcg-choices" role="group" aria-label="Choices">{choices}</div>' if choices else "",
            f'<p class="ndcg-task"><strong>Try it:</strong> {TASKS[wanted["task"]]} <span>So far 0 changes.</span></p>',
            "</div>",
        ]
    )


def add_panels(app: Sphinx, doctree: nodes.document, page: str) -> None:
    """Put a panel below the drawing of each cell with the tag."""
    if app.builder.format != "html":
        return
    for cell in list(doctree.findall(nodes.container)):
        if f"tag_{TAG}" in cell["classes"]:
            wanted = cell["cell_metadata"]["ndcg_ref"]["ranking"]
            (drawing,) = cell.findall(Drawing)
            text = panel(drawing["drawing"], wanted, Path(app.srcdir, "book"))
            drawing.parent.insert(drawing.parent.index(drawing) + 1, nodes.raw("", text, format="html"))


def setup(app: Sphinx) -> dict[str, Any]:
    """Add the panels when a page is ready."""
    app.connect("doctree-resolved", add_panels)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
