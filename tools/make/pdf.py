"""Set the LaTeX that Sphinx has written, and refuse a book for which the log of TeX reports a flaw.

With the argument ``needs`` it only says which programs are missing. Otherwise the PDF stays beside the LaTeX, even if
it is refused, so that it can be inspected.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from itertools import pairwise
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
LATEX = ROOT / "_build" / "latex"
VOLUMES = ("ndcg-ref", "ndcg-ref-reference")
SHEET = "ndcg-ref-cheat-sheet"
HTML = ROOT / "_build" / "html"
PLACE = "<!-- PDF: {} -->"  # on each page, for a link to its document
PACKAGES = (
    "texlive-xetex texlive-latex-extra texlive-fonts-recommended texlive-plain-generic latexmk "
    "fonts-texgyre fonts-texgyre-math fonts-dejavu-core poppler-utils"
)
PROGRAMS = ("xelatex", "latexmk", "makeindex", "pdftotext", "pdfinfo")
COMMAND = ("latexmk", "-xelatex", "-interaction=nonstopmode", "-halt-on-error", "-file-line-error", "-silent")
TOO_WIDE, TOO_HIGH = 2.0, 5.0  # points; boxes of code that run over a page are up to 3 too high

FLAW = re.compile(
    r"""Missing\ character:
      | Overfull\ \\hbox\ \((?P<wide>[\d.]+)pt
      | Overfull\ \\vbox\ \((?P<high>[\d.]+)pt
      | LaTeX\ Warning:\ (Hyper\ reference|Reference|Citation)\ .*\ undefined
      | LaTeX\ Warning:\ Label\ .*\ multiply\ defined
      | LaTeX\ Warning:\ Float\ too\ large""",
    re.VERBOSE,
)
WRITTEN = re.compile(r"Output written on \S+ \((\d+) pages?\b")
CHAPTER = re.compile(r"\\contentsline \{(?:part|chapter)\}.*\{(\d+)\}\{[\w*.]+\}%", re.MULTILINE)
# Clicks of users are a subject of this book: a click is of a screen where the reader is told to click on something.
ON_SCREEN = re.compile(
    r"\b(?:click(?:ing)? (?:on|here|it|the|an?|any|one)"
    r"|(?:tap|hover|scroll|tooltip|popover|unfold|sidebar)(?:s|p?ing)?)\b",
    re.IGNORECASE,
)
LINES, AROUND = 10, 2  # of text on an inner page of a chapter; of its header and footer
ON_SHEET = 40  # lines
SHIPPED = re.compile(r"(?:^|[\s)\]])\[(\d+)(?=[\s\]]|$)")


def needs() -> str:
    """What to install, or nothing."""
    missing = [program for program in PROGRAMS if shutil.which(program) is None]
    return f"no {' and no '.join(missing)} on the PATH; on Debian: apt-get install {PACKAGES}" if missing else ""


def flaws(log: str) -> list[str]:
    """Each line of the log of TeX that reports a flaw, with the page.

    >>> flaws("[6]\\nOverfull \\\\hbox (13.4pt too wide) in paragraph at lines 98--99")
    ['page 7: Overfull \\\\hbox (13.4pt too wide) in paragraph at lines 98--99']
    """
    page, found = 0, []
    for line in log.splitlines():
        flaw = FLAW.match(line)
        if flaw and float(flaw["wide"] or TOO_WIDE + 1) > TOO_WIDE and float(flaw["high"] or TOO_HIGH + 1) > TOO_HIGH:
            found.append(f"page {page + 1}: {line}")
        elif numbers := shipped(line):
            page = numbers[-1]
    return found


def shipped(line: str) -> list[int]:
    """The pages that are done by a line of the log, which is not the text of a box."""
    return [] if "\\TU/" in line else [int(number) for number in SHIPPED.findall(line)]


def errors(log: str) -> list[str]:
    """The errors that stopped TeX, each with the lines that say where."""
    lines = log.splitlines()
    starts = [i for i, line in enumerate(lines) if re.match(r"!|\S+\.\w+:\d+: ", line)]
    return ["\n".join(lines[i : i + 4]) for i in starts]


def index_flaws(log: str, name: str) -> list[str]:
    """The problems that makeindex reports in its log."""
    counts = re.search(r"\((\d+) entries accepted, (\d+) rejected\)", log)
    if counts is None or counts[1] == "0":
        return ["the index: expected entries, found none"]
    return [f"the index: {counts[2]} entries were rejected, see {name}.ilg"] if counts[2] != "0" else []


def thin_pages(pages: list[str], starts: list[int]) -> list[str]:
    """The pages inside a chapter, neither its first nor its last, that are nearly empty, by their places from 1.

    >>> full, thin = "header\\n" + "a line\\n" * 30, "header\\na line\\n"
    >>> thin_pages([thin, full, thin, thin, full], [1, 5])
    ['page 3: expected 10 lines or more inside a chapter, found 0']
    """
    found = []
    for first, after in pairwise([*sorted(set(starts)), len(pages) + 1]):
        for place in range(first + 1, after - 1):
            lines = max(0, sum(map(bool, map(str.strip, pages[place - 1].splitlines()))) - AROUND)
            if lines < LINES:
                found.append(f"page {place}: expected {LINES} lines or more inside a chapter, found {lines}")
    return found


def of_a_screen(pages: list[str]) -> list[str]:
    """Each mention of what a reader can do on a screen alone, with its page.

    >>> of_a_screen(["Two results, no click at all.", "Click on it, or\\nhover over it."])
    ['page 2: paper cannot do this: Click on it, or', 'page 2: paper cannot do this: hover over it.']
    """
    return [
        f"page {place}: paper cannot do this: {line.strip()}"
        for place, page in enumerate(pages, start=1)
        for line in page.splitlines()
        if ON_SCREEN.search(line)
    ]


def said_by(*command: str) -> str:
    """What a program says that is run in the folder of the LaTeX."""
    return subprocess.run(command, cwd=LATEX, capture_output=True, text=True, check=True).stdout


def pages_of(name: str) -> list[str]:
    """The text of each page of a PDF."""
    return said_by("pdftotext", "-layout", f"{name}.pdf", "-").split("\f")[:-1]


def page_flaws(name: str, front: int) -> list[str]:
    """What is wrong with the pages of a volume, of which so many come before page 1."""
    pages = pages_of(name)
    starts = [front + int(number) for number in CHAPTER.findall(log_of(name, "toc"))]
    if not pages or not starts:
        return [f"expected pages and chapters in {name}.pdf, found {len(pages)} and {len(starts)}"]
    return [*thin_pages(pages, starts), *of_a_screen(pages)]


def sheet_flaws(pages: list[str], info: str) -> list[str]:
    """What is wrong with a sheet, of which `pdfinfo` says this.

    >>> sheet_flaws(["a line\\n" * 40] * 2, "Page size: 612 x 792 pts (letter)")
    ['expected one page, found 2', 'expected a page of A4, found 612 x 792 pts (letter)']
    """
    found = [] if len(pages) == 1 else [f"expected one page, found {len(pages)}"]
    size = re.search(r"^Page size:\s*(.*)", info, re.MULTILINE)
    if not (size and "(A4)" in size[1]):
        found.append(f"expected a page of A4, found {size[1] if size else 'no size'}")
    lines = sum(map(bool, map(str.strip, pages[0].splitlines()))) if pages else 0
    if lines < ON_SHEET:
        found.append(f"expected {ON_SHEET} lines or more on the sheet, found {lines}")
    return [*found, *of_a_screen(pages)]


def raster_figures() -> list[str]:
    """The figures that would be printed as pixels."""
    names = sorted(path.name for path in LATEX.iterdir() if path.suffix in (".png", ".jpg", ".jpeg"))
    return [f"{name}: expected a figure of lines and text, found pixels" for name in names]


def log_of(name: str, suffix: str) -> str:
    """The text of a log in the folder of the LaTeX; empty if there is none."""
    path = LATEX / f"{name}.{suffix}"
    return path.read_text(encoding="utf-8", errors="replace") if path.is_file() else ""


def typeset(name: str) -> tuple[int, str]:
    """Set a document: the number of its pages, and the log of TeX."""
    unwrapped = {**os.environ, "max_print_line": "10000"}  # else TeX wraps the lines of its log
    done = subprocess.run([*COMMAND, f"{name}.tex"], cwd=LATEX, env=unwrapped, capture_output=True, check=False)
    log = log_of(name, "log")
    if done.returncode:
        said = errors(log) or [done.stderr.decode(errors="replace")[-1000:]]
        sys.exit("\n".join([*said, f"make pdf: TeX failed; for a missing file or font: apt-get install {PACKAGES}"]))
    written = WRITTEN.search(log)
    return int(written[1]) if written else 0, log


def set_document(name: str) -> tuple[int, list[str]]:
    """Set a volume or the sheet: the number of its pages, and its flaws."""
    count, log = typeset(name)
    if not count:
        return 0, ["expected pages in the log of TeX, found none"]
    if name == SHEET:
        return count, [*flaws(log), *sheet_flaws(pages_of(name), said_by("pdfinfo", f"{name}.pdf"))]
    numbered = [number for line in log.splitlines() for number in shipped(line)][-1]
    return count, [*flaws(log), *index_flaws(log_of(name, "ilg"), name), *page_flaws(name, count - numbered)]


def document_of(page: str) -> str:
    """The document that a page of the book links to."""
    return SHEET if page == "book/cheat-sheet" else VOLUMES[page.startswith("book/reference/")]


HOSTILE = ("a_b & 100%", "$x^2$ #1 ~{}", "\\end{table}", "[c] <d> |e| \"f\" 'g' `h`", "*i--j---k")  # names of runs
TRIED = "ndcg-ref-table"


def table_flaws() -> list[str]:
    """What TeX says of a table as `ndcg-ref compare --format latex` prints it, with names that it could obey."""
    from ndcg_ref import compare_runs

    qrels = {f"q{i}": {"d": 1} for i in range(12)}
    runs = {
        name: {q: {"d": 1.0, "x": 2.0 * (3 * i + j > 11)} for j, q in enumerate(qrels)}
        for i, name in enumerate(HOSTILE)
    }
    table = compare_runs(qrels, runs, ["RR", "P(rel=1)@1"], baseline=HOSTILE[0]).to_latex()
    packages = r"\usepackage[margin=1cm]{geometry}\usepackage{booktabs}"
    document = f"\\documentclass{{article}}{packages}\\begin{{document}}\n{table}\n\\end{{document}}\n"
    (LATEX / f"{TRIED}.tex").write_text(document, encoding="utf-8")
    _, log = typeset(TRIED)
    return flaws(log)


def offer_documents() -> None:
    """Copy volumes and sheet to the pages, if these have been built, and link from each page to its own."""
    if HTML.is_dir():
        for name in (*VOLUMES, SHEET):
            shutil.copy(LATEX / f"{name}.pdf", HTML)
        for page in HTML.rglob("*.html"):
            text = page.read_text(encoding="utf-8")
            linked = re.sub(PLACE.format("(.*?)"), r'<a href="\1">PDF</a>', text)
            if linked != text:
                page.write_text(linked, encoding="utf-8")


def main(arguments: list[str]) -> None:
    """Set volumes and sheet, or only say which programs are missing."""
    missing = needs()
    if missing:
        sys.exit(f"make pdf: {missing}")
    if arguments == ["needs"]:
        return
    print("Setting the pages (about two minutes)", flush=True)
    pixels = raster_figures()
    for name in (*VOLUMES, SHEET):
        pages, found = set_document(name)
        book = LATEX / f"{name}.pdf"
        place = book.relative_to(ROOT)
        found += pixels
        if found:
            sys.exit("\n".join([*found, f"make pdf: flaws in {place}: {len(found)}"]))
        print(f"The sheet is at {place}" if name == SHEET else f"The book is at {place} ({pages} pages)")
    if found := table_flaws():
        sys.exit("\n".join([*found, "make pdf: flaws in a table for a paper"]))
    offer_documents()


if __name__ == "__main__":
    main(sys.argv[1:])
