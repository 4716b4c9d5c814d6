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
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
LATEX = ROOT / "_build" / "latex"
VOLUMES = ("ndcg-ref", "ndcg-ref-reference")
HTML = ROOT / "_build" / "html"
PLACE = "<!-- PDF: {} -->"  # on each page, for a link to its volume
PACKAGES = (
    "texlive-xetex texlive-latex-extra texlive-fonts-recommended texlive-plain-generic latexmk "
    "fonts-texgyre fonts-texgyre-math fonts-dejavu-core"
)
PROGRAMS = ("xelatex", "latexmk", "makeindex")
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
WRITTEN = re.compile(r"Output written on \S+ \((\d+) pages")
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
        elif "\\TU/" not in line and (shipped := SHIPPED.findall(line)):  # not the text of a box
            page = int(shipped[-1])
    return found


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


def raster_figures() -> list[str]:
    """The figures that would be printed as pixels."""
    names = sorted(path.name for path in LATEX.iterdir() if path.suffix in (".png", ".jpg", ".jpeg"))
    return [f"{name}: expected a figure of lines and text, found pixels" for name in names]


def log_of(name: str, suffix: str) -> str:
    """The text of a log in the folder of the LaTeX; empty if there is none."""
    path = LATEX / f"{name}.{suffix}"
    return path.read_text(encoding="utf-8", errors="replace") if path.is_file() else ""


def set_volume(name: str) -> tuple[int, list[str]]:
    """Set a volume: the number of its pages, and its flaws."""
    unwrapped = {**os.environ, "max_print_line": "10000"}  # else TeX wraps the lines of its log
    done = subprocess.run([*COMMAND, f"{name}.tex"], cwd=LATEX, env=unwrapped, capture_output=True, check=False)
    log = log_of(name, "log")
    if done.returncode:
        said = errors(log) or [done.stderr.decode(errors="replace")[-1000:]]
        sys.exit("\n".join([*said, f"make pdf: TeX failed; for a missing file or font: apt-get install {PACKAGES}"]))
    written = WRITTEN.search(log)
    if not written:
        return 0, ["expected pages in the log of TeX, found none"]
    return int(written[1]), [*flaws(log), *index_flaws(log_of(name, "ilg"), name)]


def offer_volumes() -> None:
    """Copy the volumes to the pages, if these have been built, and link to them from each."""
    if HTML.is_dir():
        for name in VOLUMES:
            shutil.copy(LATEX / f"{name}.pdf", HTML)
        for page in HTML.rglob("*.html"):
            text = page.read_text(encoding="utf-8")
            linked = re.sub(PLACE.format("(.*?)"), r'<a href="\1">PDF</a>', text)
            if linked != text:
                page.write_text(linked, encoding="utf-8")


def main(arguments: list[str]) -> None:
    """Set the volumes, or only say which programs are missing."""
    missing = needs()
    if missing:
        sys.exit(f"make pdf: {missing}")
    if arguments == ["needs"]:
        return
    print("Setting the pages (about two minutes)", flush=True)
    pixels = raster_figures()
    for name in VOLUMES:
        pages, found = set_volume(name)
        book = LATEX / f"{name}.pdf"
        place = book.relative_to(ROOT)
        found += pixels
        if found:
            sys.exit("\n".join([*found, f"make pdf: flaws in {place}: {len(found)}"]))
        print(f"The book is at {place} ({pages} pages)")
    offer_volumes()


if __name__ == "__main__":
    main(sys.argv[1:])
