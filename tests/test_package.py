"""What is given away is complete: the sdist, the wheel that it builds, and how to cite them."""

import re
import sys
import tarfile
import zipfile
from email.parser import Parser
from pathlib import Path

import pytest
from commands import run
from rows import every_row

import ndcg_ref
from ndcg_ref.commands.example_command import FILES

pytestmark = pytest.mark.built

ROOT = Path(__file__).resolve().parent.parent
VERSION = ndcg_ref.__version__
TEMPLATE = ROOT / "ndcg_ref" / "commands" / "book_template"
CODE = sorted(
    path.relative_to(ROOT).as_posix() for path in (ROOT / "ndcg_ref").rglob("*.py") if path.parent != TEMPLATE
)
assert CODE
STATIC = ("figures.mplstyle", "ndcg-ref-drawing.css", "ndcg-ref-drawing.sty", "ndcg-ref.css", "ndcg-ref.js")
BESIDES = [
    "ndcg_ref/py.typed",
    "ndcg_ref/commands/html_report.css",
    *(f"ndcg_ref/commands/example/{name}" for name in FILES),
    *(f"ndcg_ref/sphinx_ext/static/{name}" for name in STATIC),
    *(f"ndcg_ref/markdown_books/{name}" for name in ("ndcg.lua", "verdicts.css")),
    *(path.relative_to(ROOT).as_posix() for path in TEMPLATE.iterdir() if path.is_file()),
]

EXAMPLES = sorted(path.relative_to(ROOT).as_posix() for path in (ROOT / "examples").rglob("*") if path.is_file())
assert EXAMPLES
BESIDE_THE_CODE = ["CHANGELOG.md", "CITATION.cff", "LICENSE", "PKG-INFO", "README.md", "pyproject.toml"]
ABOUT_THE_WHEEL = ["METADATA", "RECORD", "WHEEL", "entry_points.txt", "licenses/LICENSE"]


class TestTheArchivesAreComplete:
    def test_the_sdist_has_all_files_and_no_others(self, dist):
        (path,) = dist.glob("*.tar.gz")
        with tarfile.open(path) as archive:
            names = archive.getnames()
        expected = [*CODE, *BESIDES, *BESIDE_THE_CODE, *EXAMPLES]
        assert sorted(names) == sorted(f"ndcg_ref-{VERSION}/{name}" for name in expected)

    def test_the_wheel_has_all_files_and_no_others_and_needs_numpy_alone(self, dist):
        (path,) = dist.glob("*.whl")
        about = [f"ndcg_ref-{VERSION}.dist-info/{name}" for name in ABOUT_THE_WHEEL]
        assert sorted(zipfile.ZipFile(path).namelist()) == sorted([*CODE, *BESIDES, *about])
        metadata = zipfile.ZipFile(path).read(f"ndcg_ref-{VERSION}.dist-info/METADATA").decode()
        needs = Parser().parsestr(metadata).get_all("Requires-Dist")
        assert [need.partition(">")[0] for need in needs if "extra ==" not in need] == ["numpy"]


ALONE = [
    # words, exit code, what is said
    (["judge", "0.98", "--grades", "2,3,1,2,1,0,1", "--as", "ORIGINAL"], 0, "agrees"),
    (["judge", "0.97", "0.97868"], 1, "slip"),
    (["--help"], 0, "Is this NDCG right?"),
]

DOCTESTS = """
import doctest, pkgutil, sys
from importlib import import_module
import ndcg_ref
names = [each.name for each in pkgutil.walk_packages(ndcg_ref.__path__, "ndcg_ref.")]
others = [name for name in names if name.endswith(("_ext", "_plugin")) or name.startswith("ndcg_ref.sphinx_ext")]
modules = [import_module(name) for name in names if name not in ("ndcg_ref.__main__", *others)]
runner = doctest.DocTestRunner()
for module in modules:
    for test in doctest.DocTestFinder().find(module):
        runner.run(test)
print(len(modules) + len(others), *runner.summarize(verbose=False))
"""


class TestTheWheelWorksAlone:
    @every_row(("words", "code", "said"), ALONE)
    def test_the_command_works_without_numpy(self, installed, tmp_path, words, code, said):
        for command in ([installed, "-m", "ndcg_ref"], [installed.parent / "ndcg-ref"]):
            done = run(*command, *words, cwd=tmp_path)
            assert (done.returncode, said in done.stdout) == (code, True), done.stderr

    def test_every_example_holds_with_numpy(self, installed, numpy_alone, tmp_path):
        """Numpy is lent from the environment of the tests; what needs Sphinx or pytest is left out."""
        done = run(installed, "-c", DOCTESTS, cwd=tmp_path, path=numpy_alone)
        modules, failed, attempted = map(int, done.stdout.splitlines()[-1].split())
        assert (modules, failed) == (len(CODE) - 2, 0), done.stdout  # neither __main__, nor ndcg_ref itself
        assert attempted > modules


CITATION = ROOT / "CITATION.cff"
CITED = CITATION.read_text(encoding="utf-8")

NOT_VALID = [
    # a part of the file, what is in its place instead
    (re.search(r"^authors:\n(?:  .*\n)+", CITED, re.MULTILINE)[0], ""),
    ("license: BSD-3-Clause", "license: BSD"),
]


def schema_errors(path, schema, *options):
    """What a schema says to a file, and the exit code; check-jsonschema brings the schemas."""
    done = run(sys.executable, "-m", "check_jsonschema", "--builtin-schema", f"vendor.{schema}", *options, path)
    return done.returncode, done.stdout


def test_the_citation_is_valid_and_one_with_a_mistake_is_not(tmp_path):
    schema = "citation-file-format", "--default-filetype", "yaml"
    assert schema_errors(CITATION, *schema)[0] == 0
    for part, instead in NOT_VALID:
        assert CITED.count(part) == 1
        (tmp_path / "CITATION.cff").write_text(CITED.replace(part, instead), encoding="utf-8")
        code, errors = schema_errors(tmp_path / "CITATION.cff", *schema)
        assert (code, "Schema validation errors" in errors) == (1, True), part


def test_citation_and_changelog_have_the_version_of_the_package():
    assert f"version: {VERSION}" in CITED.splitlines()
    headings = [line for line in (ROOT / "CHANGELOG.md").read_text(encoding="utf-8").splitlines() if "##" in line]
    assert headings[0].removeprefix("## ").startswith(f"{VERSION},")


FORMS = sorted((ROOT / ".github" / "ISSUE_TEMPLATE").glob("*.yml"))


def test_the_workflow_and_the_forms_for_issues_follow_the_schemas_of_their_formats():
    """The one for their list has its own; without a label and a text to fill in a form is refused."""
    assert schema_errors(ROOT / ".github" / "workflows" / "book.yml", "github-workflows")[0] == 0
    assert len(FORMS) > 3
    for path in FORMS:
        schema = "github-issue-config" if path.stem == "config" else "github-issue-forms"
        assert schema_errors(path, schema) == (0, "ok -- validation done\n"), path


WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))
PINNED = re.compile(r"[\w.-]+/[\w./-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+")  # the version is for people
CONTAINER = re.compile(r"[\w./-]+:[\w.-]+@sha256:[0-9a-f]{64} # \S+")


def values_of(key):
    """Every value of a key of the workflows, with its comment."""
    text = "".join(path.read_text(encoding="utf-8") for path in WORKFLOWS)
    values = re.findall(rf"^[ -]*{key}: *(.+)$", text, re.MULTILINE)
    assert values
    assert len(values) == len(re.findall(rf"\b{key}:", text))  # none in another form
    return values


def test_the_workflow_pins_each_action_by_its_commit_and_the_container_by_its_digest():
    """What a tag names today can be something else tomorrow; a hash cannot."""
    assert [value for value in values_of("uses") if not PINNED.fullmatch(value)] == []
    assert [value for value in values_of("container") if not CONTAINER.fullmatch(value)] == []
    pins = set(values_of("uses"))
    assert len({pin.partition("@")[0] for pin in pins}) == len(pins)  # an action has one commit
    for tag in ("actions/checkout@v4", "actions/checkout@11d5960a326750d5838078e36cf38b85af677262"):
        assert not PINNED.fullmatch(tag)
    assert not CONTAINER.fullmatch("debian:12")
