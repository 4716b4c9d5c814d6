"""A PDF with a flaw is refused, by the page: what TeX, makeindex and the set-up tell of is read."""

import re
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest
from rows import every_row

from tools.make import pdf

ROOT = Path(__file__).resolve().parent.parent

# Lines as XeTeX writes them, after seven pages
LINES = [
    # line of the log; flaw
    ("Missing character: There is no ✗ (U+2717) in font TeX Gyre Pagella/OT:script=latn!", True),
    (r"Overfull \hbox (13.38844pt too wide) in paragraph at lines 9853--9853", True),
    (r"Underfull \hbox (badness 10000) in paragraph at lines 286--286", False),
    (r"Overfull \vbox (161.59912pt too high) has occurred while \output is active []", True),
    (r"Overfull \vbox (2.98647pt too high) detected at line 4279", False),  # code that runs over the page
    ("LaTeX Warning: Hyper reference `book/slips::doc' on page 8 undefined on input line 88.", True),
    ("LaTeX Warning: Float too large for page by 23.0pt on input line 2594.", True),
    ("LaTeX Warning: Label(s) may have changed. Rerun to get cross-references right.", False),
]


@every_row(("line", "flaw"), LINES)
def test_a_line_of_the_log_is_a_flaw_or_not(line, flaw):
    log = f"[6]\nPackage: a 2026\n[7\n\n] (./ndcg-ref.aux\n{line}\n \\TU/texgyrepagella(0)/m/n/10 see [2] \n\n[8]"
    assert pdf.flaws(log) == ([f"page 8: {line}"] if flaw else [])


SHIPPED = [
    # log before the flaw; page
    ("", 1),
    ("[1] [2] [3]", 4),
    ("(./ndcg-ref.ind [95\n\n] [96])", 97),
    ("[12]\n(/usr/share/a.sty [2002/01/01]\n", 13),  # a date
]


@every_row(("before", "page"), SHIPPED)
def test_a_flaw_has_its_page(before, page):
    flaw = "Missing character: There is no x in font y!"
    assert pdf.flaws(f"{before}\n{flaw}") == [f"page {page}: {flaw}"]


INDEXES = [
    # log of makeindex; what is said
    ("Scanning input file ndcg-ref.idx....done (243 entries accepted, 0 rejected).", []),
    ("done (242 entries accepted, 1 rejected).", ["the index: 1 entries were rejected, see ndcg-ref.ilg"]),
    ("done (0 entries accepted, 0 rejected).", ["the index: expected entries, found none"]),
    ("", ["the index: expected entries, found none"]),
]


@every_row(("log", "said"), INDEXES)
def test_an_entry_that_is_left_out_of_the_index_is_a_flaw(log, said):
    assert pdf.index_flaws(log, "ndcg-ref") == said


SOUND = "[1] [2]\nOutput written on ndcg-ref.xdv (2 pages, 100 bytes).\n"
SOUND_INDEX = "(3 entries accepted, 0 rejected)"
SOUND_CONTENTS = "\\contentsline {chapter}{\\numberline {1}The gain}{1}{chapter.1}%\n"
PAGE = "The gain    1\n" + "A line.\n" * 20 + "NDCG    1\n\f"
SHEET = "A line.\n" * 40 + "\f"
A4 = "Pages:          1\nPage size:      595.28 x 841.89 pts (A4)\nPage rot:       0\n"
RUNS = [
    # exit code of latexmk, log, log of makeindex; what is said
    (12, "x\n./ndcg-ref.tex:61: Missing = inserted for \\ifnum.\na\nb", "", r"ndcg-ref\.tex:61: Missing = inserted"),
    (12, '! Package fontspec Error: The font "x" cannot be found.', "", "apt-get install texlive-xetex .*fonts-tex"),
    (12, "", "", "TeX failed"),
    (0, f"{SOUND}Missing character: There is no x", SOUND_INDEX, "page 3: Missing character(.|\n)*flaws in ndcg"),
    (0, SOUND, "(0 entries accepted, 0 rejected)", "the index: expected entries, found none"),
    (0, "", SOUND_INDEX, "expected pages in the log of TeX, found none"),
]


@pytest.fixture
def run(monkeypatch, tmp_path):
    """Run the script on a folder in which TeX has left these logs."""

    def run(code, log, index_log, info=A4):
        def done(command, **_):
            said = {"pdfinfo": info, "pdftotext": SHEET if f"{pdf.SHEET}.pdf" in command else PAGE * 2}
            return SimpleNamespace(returncode=code, stderr=b"", stdout=said.get(command[0]))

        for name in (*pdf.VOLUMES, pdf.SHEET):
            (tmp_path / f"{name}.log").write_text(log, encoding="utf-8")
        for volume in pdf.VOLUMES:
            (tmp_path / f"{volume}.ilg").write_text(index_log, encoding="utf-8")
            (tmp_path / f"{volume}.toc").write_text(SOUND_CONTENTS, encoding="utf-8")
        monkeypatch.setattr(pdf, "LATEX", tmp_path)
        monkeypatch.setattr(pdf, "ROOT", tmp_path)
        monkeypatch.setattr(pdf, "HTML", tmp_path / "html")
        monkeypatch.setattr(pdf, "needs", lambda: "")
        monkeypatch.setattr(subprocess, "run", done)
        pdf.main([])

    return run


@pytest.mark.parametrize(("code", "log", "index_log", "said"), RUNS)
def test_a_flaw_or_an_error_ends_in_a_message_and_not_in_success(run, code, log, index_log, said):
    with pytest.raises(SystemExit, match=said):
        run(code, log, index_log)


THIN = "The gain    1\n" + "A line.\n" * 9 + "NDCG    1\n\f"
CONTENTS = [(1, "part"), (1, "chapter"), (4, "chapter")]  # a part that begins where its chapter does
PAGES = [
    # pages, after a cover; what is said
    ([PAGE, PAGE, PAGE, PAGE, PAGE], []),
    ([PAGE, PAGE, THIN, THIN, PAGE], []),  # the last of one chapter, and the first of the next
    ([PAGE, THIN, PAGE, PAGE, PAGE], ["page 3: expected 10 lines or more inside a chapter, found 9"]),
    ([PAGE, PAGE.replace("A line", "Click here", 1), PAGE, PAGE], ["page 3: paper cannot do this: Click here."]),
    ([PAGE, PAGE.replace("A line", "A tapestry, clicked once", 1), PAGE, PAGE], []),
]


@pytest.mark.parametrize(("pages", "said"), PAGES)
def test_a_page_that_is_nearly_empty_or_speaks_of_a_screen_is_a_flaw(monkeypatch, tmp_path, pages, said):
    lines = [
        f"\\contentsline {{{kind}}}{{\\numberline {{1}}A {{x}}}}{{{page}}}{{{kind}.1}}%\n" for page, kind in CONTENTS
    ]
    (tmp_path / "book.toc").write_text("".join(lines), encoding="utf-8")
    monkeypatch.setattr(pdf, "LATEX", tmp_path)
    monkeypatch.setattr(subprocess, "run", lambda *_, **__: SimpleNamespace(stdout="".join([THIN, *pages])))
    assert pdf.page_flaws("book", front=1) == said


def test_a_volume_without_chapters_is_a_flaw(monkeypatch, tmp_path):
    monkeypatch.setattr(pdf, "LATEX", tmp_path)
    monkeypatch.setattr(subprocess, "run", lambda *_, **__: SimpleNamespace(stdout=PAGE))
    assert pdf.page_flaws("book", front=0) == ["expected pages and chapters in book.pdf, found 1 and 0"]


SHEETS = [
    # pages, what pdfinfo says of them; what is said
    ([SHEET], A4, []),
    ([SHEET, "\f"], A4, ["expected one page, found 2"]),
    ([], A4, ["expected one page, found 0", "expected 40 lines or more on the sheet, found 0"]),
    ([SHEET], A4.replace("A4", "letter"), ["expected a page of A4, found 595.28 x 841.89 pts (letter)"]),
    ([SHEET], "Pages: 1", ["expected a page of A4, found no size"]),
    ([SHEET.replace("A line.\n", "\n", 1)], A4, ["expected 40 lines or more on the sheet, found 39"]),
    ([SHEET.replace("A line", "Click here", 1)], A4, ["page 1: paper cannot do this: Click here."]),
]


@every_row(("pages", "info", "said"), SHEETS)
def test_a_sheet_has_one_full_page_of_a4(pages, info, said):
    assert pdf.sheet_flaws(pages, info) == said


def test_a_sheet_of_another_size_is_refused(run):
    with pytest.raises(SystemExit, match=r"expected a page of A4(.|\n)*flaws in ndcg-ref-cheat-sheet\.pdf: 1"):
        run(0, SOUND, SOUND_INDEX, info="Page size: 612 x 792 pts (letter)")


def test_a_page_offers_its_own_document():
    pages = "book/intro", "book/reference/runs", "book/cheat-sheet"
    assert list(map(pdf.document_of, pages)) == ["ndcg-ref", "ndcg-ref-reference", "ndcg-ref-cheat-sheet"]


def test_a_figure_of_pixels_is_a_flaw(run, tmp_path):
    (tmp_path / "x.png").touch()
    with pytest.raises(SystemExit, match=r"x\.png: expected a figure of lines and text, found pixels"):
        run(0, SOUND, SOUND_INDEX)


def test_the_places_of_volumes_and_sheet_are_printed(run, capsys):
    run(0, SOUND, SOUND_INDEX)
    assert capsys.readouterr().out.splitlines()[1:] == [
        "The book is at ndcg-ref.pdf (2 pages)",
        "The book is at ndcg-ref-reference.pdf (2 pages)",
        "The sheet is at ndcg-ref-cheat-sheet.pdf",
    ]


def test_pages_that_are_built_get_all_documents_and_a_link_to_theirs(run, tmp_path):
    (tmp_path / "html" / "book").mkdir(parents=True)
    page = tmp_path / "html" / "book" / "x.html"
    page.write_text(f"<p>{pdf.PLACE.format('../ndcg-ref.pdf')}</p>", encoding="utf-8")
    names = (*pdf.VOLUMES, pdf.SHEET)
    for name in names:
        (tmp_path / f"{name}.pdf").write_bytes(b"%PDF")
    run(0, SOUND, SOUND_INDEX)
    assert page.read_text(encoding="utf-8") == '<p><a href="../ndcg-ref.pdf">PDF</a></p>'
    assert {path.stem for path in (tmp_path / "html").glob("*.pdf")} == set(names)


def test_the_readme_names_the_same_packages():
    """The line that `.ci/run` installs."""
    (line,) = re.findall("^apt-get install (.*)", (ROOT / "README.md").read_text(encoding="utf-8"), re.MULTILINE)
    assert set(pdf.PACKAGES.split()) <= set(line.split())


def test_without_tex_the_packages_are_named(tmp_path):
    done = subprocess.run(
        [sys.executable, ROOT / "tools" / "make" / "pdf.py", "needs"],
        env={"PATH": str(tmp_path)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 1
    assert "no xelatex and no latexmk and no makeindex and no pdftotext and no pdfinfo on the PATH" in done.stderr
    assert "apt-get install texlive-xetex texlive-latex-extra" in done.stderr
