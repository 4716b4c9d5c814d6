r"""A homework sheet as a page, as a notebook to answer in, and as LaTeX; the key of all sheets as CSV.

Neither page nor notebook nor LaTeX has an answer: each is written from the question alone.
"""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Callable, Iterable
from html import escape

from ndcg_ref.teaching.questions import LETTERS, Question, Sheet

COLUMNS = ("sheet", "code", "question", "kind", "answer", "value")
FORMULA = re.compile(r"\$([^$]+)\$")
TOKEN = re.compile(r"\\[a-zA-Z]+|\d+(?:\.\d+)?|[{}_^]|\S")
STYLE = """
:root { color-scheme: light dark; }
body { max-width: 42rem; margin: 2rem auto; padding: 0 1rem; font: 1rem/1.5 system-ui, "DejaVu Sans", sans-serif; }
li { margin: 1.4rem 0; break-inside: avoid; }
li li { margin: 0.2rem 0; }
.line { overflow-x: auto; padding: 0.4rem 0; }
.answer { border-bottom: 1px solid; display: inline-block; width: 12rem; max-width: 60%; }
@media print { body { margin: 0; max-width: none; } }
"""


def as_mathml(tex: str) -> str:
    r"""A formula of a sheet as MathML: fractions, indices, powers, numbers, signs and a few names.

    >>> as_mathml(r"\frac{2}{\log_2 3}")
    '<mfrac><mn>2</mn><mrow><msub><mi>log</mi><mn>2</mn></msub><mspace width="0.17em"/><mn>3</mn></mrow></mfrac>'
    """
    tokens = TOKEN.findall(tex)
    return _row(tokens)


def _row(tokens: list[str]) -> str:
    """Everything up to the end of the group, as one element."""
    parts: list[str] = []
    while tokens and tokens[0] != "}":
        token = tokens.pop(0)
        if token in "_^":
            tag = "msub" if token == "_" else "msup"
            parts[-1] = f"<{tag}>{parts[-1]}{_one(tokens)}</{tag}>"
        else:
            parts.append(_element(token, tokens))
    return parts[0] if len(parts) == 1 else f"<mrow>{''.join(parts)}</mrow>"


def _one(tokens: list[str]) -> str:
    """A group in braces, or one token."""
    return _element(tokens.pop(0), tokens)


def _element(token: str, tokens: list[str]) -> str:
    if token == "{":
        inside = _row(tokens)
        tokens.pop(0)
        return inside
    if token == r"\frac":
        return f"<mfrac>{_one(tokens)}{_one(tokens)}</mfrac>"
    if token == r"\mathrm":
        tokens.pop(0)
        name = "".join(tokens[: tokens.index("}")])
        del tokens[: tokens.index("}") + 1]
        return f"<mi>{escape(name)}</mi>"
    if token == r"\log":
        base = f"<msub><mi>log</mi>{_one(tokens)}</msub>" if tokens.pop(0) == "_" else ""
        return f'{base}<mspace width="0.17em"/>'
    if token == r"\ell":
        return "<mi>&#8467;</mi>"
    kind = "mn" if token[0].isdigit() else "mi" if token.isalpha() else "mo"
    return f"<{kind}>{escape('−' if token == '-' else token)}</{kind}>"


def _in_html(text: str) -> str:
    parts = FORMULA.split(text)
    return "".join(f"<math>{as_mathml(part)}</math>" if i % 2 else escape(part) for i, part in enumerate(parts))


def as_html(sheet: Sheet) -> str:
    """A sheet as one page that needs no other file."""
    questions = "\n".join(f"<li>{_question_html(question)}</li>" for question in sheet.questions)
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>NDCG homework, sheet {sheet.number}</title>\n<style>{STYLE}</style>\n</head>\n<body>\n<main>\n"
        f"<h1>NDCG homework, sheet {sheet.number}</h1>\n<p>Sheet {sheet.number}, code {sheet.code}. "
        "The cutoff is the length of the ranking.</p>\n"
        f"<ol>\n{questions}\n</ol>\n</main>\n</body>\n</html>\n"
    )


def _question_html(question: Question) -> str:
    found = f"<p>{_in_html(question.text)}</p>"
    if question.line:
        found += f'<div class="line" tabindex="0"><math display="block">{as_mathml(question.line)}</math></div>'
    if question.options:
        found += f'<ol type="a">{"".join(f"<li>{_in_html(option)}</li>" for option in question.options)}</ol>'
    return found + '<p>Answer: <span class="answer">&nbsp;</span></p>'


def as_notebook(sheet: Sheet) -> str:
    """A sheet as a notebook: each question, and below it the cell for its answer."""
    intro = (
        f"# NDCG homework, sheet {sheet.number}\n\nSheet {sheet.number}, code {sheet.code}. Write each answer between "
        "the quotation marks of its cell, and nothing else there. The cutoff is the length of the ranking."
    )
    cells = [_cell("markdown", "sheet", intro, {})]
    for place, question in enumerate(sheet.questions, start=1):
        text = f"**{place}.** {question.text}"
        if question.line:
            text += f"\n\n$$\n{question.line}\n$$"
        if question.options:
            text += "\n\n" + "\n".join(
                f"- {letter}: {each}" for letter, each in zip(LETTERS, question.options, strict=True)
            )
        cells.append(_cell("markdown", f"question-{place}", text, {}))
        cells.append(_cell("code", f"answer-{place}", 'answer = ""', {"ndcg_ref": {"answer": place}}))
    metadata = {
        "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
        "ndcg_ref": {"sheet": sheet.number, "code": sheet.code},
    }
    return json.dumps({"cells": cells, "metadata": metadata, "nbformat": 4, "nbformat_minor": 5}, indent=1) + "\n"


def _cell(kind: str, name: str, source: str, metadata: dict[str, object]) -> dict[str, object]:
    cell: dict[str, object] = {"cell_type": kind, "id": name, "metadata": metadata, "source": source}
    return cell | {"execution_count": None, "outputs": []} if kind == "code" else cell


def as_latex(sheet: Sheet) -> str:
    """A sheet as a document for xelatex."""
    items = []
    for question in sheet.questions:
        text = question.text
        if question.line:
            text += f"\n\\[ {question.line} \\]"
        if question.options:
            choices = "\n".join(
                f"\\item[{letter})] {each}" for letter, each in zip(LETTERS, question.options, strict=True)
            )
            text += f"\n\\begin{{description}}\n{choices}\n\\end{{description}}"
        items.append(f"\\item {text}\n\n\\noindent Answer: \\underline{{\\hspace{{5cm}}}}")
    return (
        "\\documentclass[a4paper,11pt]{article}\n\\usepackage[margin=2.5cm]{geometry}\n\\usepackage{amsmath}\n"
        "\\begin{document}\n"
        f"\\section*{{NDCG homework, sheet {sheet.number}}}\nSheet {sheet.number}, code {sheet.code}. "
        "The cutoff is the length of the ranking.\n\\begin{enumerate}\n"
        + "\n\\bigskip\n".join(items)
        + "\n\\end{enumerate}\n\\end{document}\n"
    )


def key(sheets: Iterable[Sheet]) -> str:
    """The answers of all sheets, as CSV with a header row."""
    target = io.StringIO()
    rows = csv.writer(target, lineterminator="\n")
    rows.writerow(COLUMNS)
    for sheet in sheets:
        for place, question in enumerate(sheet.questions, start=1):
            value = "" if question.options else f"{question.value:.6f}"
            rows.writerow([sheet.number, sheet.code, place, question.kind, question.answer, value])
    return target.getvalue()


FORMS: dict[str, Callable[[Sheet], str]] = {".html": as_html, ".ipynb": as_notebook}
