"""What the README shows is what happens, and what it counts is what is there."""

import ast
import contextlib
import re
import shlex
import sys
from pathlib import Path

import pytest
from commands import run
from sphinx_external_toc.parsing import parse_toc_yaml

from ndcg_ref.commands.cli import main
from ndcg_ref.stated.display import MIME
from tools.book.contents import book_ledger
from tools.checks import prose

ROOT = Path(__file__).resolve().parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")


def blocks(language):
    return re.findall(rf"```{language}\n(.*?)```", README, re.DOTALL)


COMMANDS = {}  # each, with what is printed as the comments below it have it
for line in "".join(blocks("sh")).splitlines():
    if line.startswith("ndcg-ref "):
        COMMANDS[line] = []
    elif line.startswith("# "):
        COMMANDS[[*COMMANDS][-1]].append(line.removeprefix("# "))
FIRST, *OTHERS = COMMANDS
FINDS_SLIPS = "ndcg-ref check first/note.md"
assert FINDS_SLIPS in OTHERS
assert sum(map(bool, COMMANDS.values())) > 4


@pytest.fixture(scope="module", params=["after pip install", "in a clone"])
def shell(request, installed, numpy_alone, tmp_path_factory):
    """Runs a line of the README in a folder that has only what its first command writes."""
    folder = tmp_path_factory.mktemp("empty")
    bin_folder, lent = installed.parent, numpy_alone
    if request.param == "in a clone":
        bin_folder, lent = Path(sys.executable).parent, None  # what `. .venv/bin/activate` puts on the path
    assert (bin_folder / "ndcg-ref").exists()

    def call(*words):
        return run("sh", "-c", 'PATH="$0:$PATH"; "$@"', bin_folder, *words, cwd=folder, path=lent)

    assert call(*shlex.split(FIRST)).returncode == 0
    return call


@pytest.mark.built
class TestTheQuickstartWorks:
    @pytest.mark.parametrize("line", OTHERS)
    def test_a_command_prints_what_the_line_below_it_says(self, shell, line):
        done = shell(*shlex.split(line))
        assert done.returncode == (1 if line == FINDS_SLIPS else 0), done.stderr
        printed = [" ".join(each.split()) for each in done.stdout.splitlines()]
        assert printed
        assert [said for said in COMMANDS[line] if said not in printed] == []

    @pytest.mark.parametrize("code", blocks("python"))
    def test_an_example_prints_what_its_comments_say(self, shell, code):
        done = shell("python", "-c", code)
        said = re.findall(r"^# (.+)$", code, re.MULTILINE)
        assert len(said) > 2
        assert (said, done.returncode) == (done.stdout.splitlines(), 0), done.stderr

    def test_the_wheel_that_the_readme_names_is_the_one_that_is_built(self, dist):
        (path,) = dist.glob("*.whl")
        (named,) = re.findall(r"pip install (?:\S+/)?(\S+\.whl)", README)
        assert named == path.name


def test_the_folder_of_the_quickstart_leaves_a_clone_as_it_is():
    """Git passes over it, and so does a release, which refuses what was not committed."""
    assert FIRST == "ndcg-ref example first"
    assert "/first/" in (ROOT / ".gitignore").read_text(encoding="utf-8").splitlines()


def test_the_number_asked_about_agrees(capsys):
    [line] = [line for line in COMMANDS if "ndcg-ref judge" in line]
    assert main(shlex.split(line)[1:]) == 0
    assert capsys.readouterr().out.startswith("✓ agrees")
    assert "The exit code is 0 where it agrees, 1 where it is a slip" in README
    assert main(["judge", "0.97", *shlex.split(line)[3:]]) == 1


NOTES = re.findall(r"^\| (\S+) \| ([^|]+) \| (\d+) \| (\d+) \| \[([^]]+)\]\((\S+)\) \| (.+) \|$", README, re.MULTILINE)
NOTES_IN_WORDS = ("five texts on NDCG and the example of the original paper", 5 + 1)


NUMBERS = {"two": 2, "three": 3, "four": 4, "five": 5, "ten": 10, "fourteen": 14}
EXAMPLES = {
    # the note; of its chapter, what the words of the table count, in their order
    "two-queries": lambda cells: [sum(bool(re.fullmatch(r"q\d", name)) for name in literals(cells)), formulas(cells)],
    "five-grades": lambda cells: [len(literals(cells)["grades"])],
    "four-documents": lambda cells: [len(literals(cells)["grades"])],
    "items-a-e": lambda cells: [len(literals(cells)["relevance"]), len(tables(cells))],
    "fourteen-ranks": lambda cells: [len(tables(cells)), *{len(table["rows"]) for table in tables(cells)}],
    "original-table": lambda cells: judged_columns_and_rows(*tables(cells)),
}


def own_cells(note, chapter):
    """The cells of a chapter, or of the section that is the note's."""
    found = {"": []}
    for cell in prose.cells(chapter):
        label = re.match(r"\(([\w-]+)\)=\n", cell.source) if cell.kind == "markdown" else None
        found.setdefault(label[1] if label else list(found)[-1], []).append(cell)
    return found.get(note, found[""])


def literals(cells):
    """What the code of the cells gives a name to and writes out."""
    found = {}
    for cell in cells:
        for line in ast.parse(cell.source).body if cell.kind == "code" else ():
            with contextlib.suppress(ValueError, AttributeError):
                found[line.targets[0].id] = ast.literal_eval(line.value)
    return found


def formulas(cells):
    """How many conventions the definitions name."""
    return len(set(re.findall(r"\| `([A-Z]+)` \|", "\n".join(cell.source for cell in cells))))


def tables(cells):
    """The printed tables that the cells judge."""
    payloads = [data.get(MIME, {}) for cell in cells for data in cell.data]
    return [payload["table"] for payload in payloads if "table" in payload]


def judged_columns_and_rows(table):
    """How many columns of a printed table are judged, and how many rows it has."""
    return [sum(isinstance(cell, int) for cell in table["rows"][0]), len(table["rows"])]


def defined_rows(note, chapter):
    """The rows of what a chapter's notes define; in a table of several notes, those with the note's formula."""
    text = "\n\n".join(cell.source for cell in prose.cells(chapter) if cell.kind == "markdown")
    section = re.split(
        r"^#+ ", re.split(r"^#+ What the \w+ defines?$", text, flags=re.MULTILINE)[1], flags=re.MULTILINE
    )[0]
    rows = [line for line in section.splitlines() if line.startswith("|")]
    cells = [[cell.strip() for cell in row.split("|")] for row in rows]
    columns = [
        at for at, heading in enumerate(cells[0]) if heading.casefold().replace(" to ", " ").split() == note.split("-")
    ]
    return [row for row, of_row in zip(rows, cells, strict=True) if all(of_row[at] for at in columns)]


def test_the_table_has_each_of_the_notes_once():
    said, count = NOTES_IN_WORDS
    assert said in " ".join(README.split())
    assert len({name for name, *_ in NOTES}) == len(NOTES) == count


@pytest.mark.parametrize(("name", "example", "results", "slips", "title", "chapter", "functions"), NOTES)
def test_a_note_is_as_the_table_says(name, example, results, slips, title, chapter, functions):
    """Its example, its counts, its chapter with the title of the contents, and the functions of what it defines."""
    counted = book_ledger(ROOT).counts["by_note"][name]
    assert (int(results), int(slips)) == (counted["checked"], counted["slip"])
    assert parse_toc_yaml(ROOT / "_toc.yml")[chapter.removesuffix(".ipynb")].title == title
    cells = own_cells(name, ROOT / chapter)
    assert [NUMBERS[word] for word in re.findall(r"\w+", example) if word in NUMBERS] == EXAMPLES[name](cells)
    own = "\n\n".join(cell.source for cell in cells if cell.kind == "markdown")
    assert ("a program" in example) == ("# What the programs do" in own)
    defined = "\n".join(defined_rows(name, ROOT / chapter))
    named = re.findall(r"\{py:func\}`~ndcg_ref\.formulas\.plain\.(\w+)`", defined)
    assert [each.strip("`") for each in functions.split(", ")] == list(dict.fromkeys(named))


def test_the_page_about_the_book_names_python_and_licence_as_they_are():
    about = (ROOT / "book" / "about.md").read_text(encoding="utf-8")
    needed = re.search(r'requires-python = "(.*)"', (ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    assert needed
    assert f"Python `{needed[1]}`" in about
    licence = (ROOT / "LICENSE-book").read_text(encoding="utf-8").splitlines()[0]
    assert licence == "Creative Commons Attribution 4.0 International"
    assert "`CC-BY-4.0`" in about
