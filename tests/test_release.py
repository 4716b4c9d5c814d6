"""A release is made up to its upload, and what only the owner can say has one file and one list."""

import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import sysconfig
import tomllib
import venv
import zipfile
from html import unescape
from pathlib import Path

import pytest
import yaml
from pybtex.database import parse_file, parse_string
from rows import every_row

from ndcg_ref import __version__
from tools.book.contents import book_ledger
from tools.book.lists_ext import bibtex
from tools.make.release import FIELDS, OWNER, PAPER, begin, date_of_citation, empty_fields, finish, written

ROOT = Path(__file__).resolve().parent.parent
STORED = (ROOT / PAPER).read_text(encoding="utf-8")
DATE = date_of_citation(ROOT)
FILLED = """
repository = "https://github.com/somewhere/a-book"
site = "https://somewhere.github.io/a-book/"
doi = "10.5281/zenodo.1234567"
contact = "book@example.org"
[[authors]]
given = "Ada \\\\u"
family = 'Le "Count"'
orcid = "0000-0002-1825-0097"
affiliation = "A University"
[[authors]]
given = "Grace"
family = "Hopper"
orcid = "0000-0001-5109-3700"
affiliation = "A University"
"""


def text_of(name, root=ROOT):
    return (root / name).read_text(encoding="utf-8")


def copied(folder, owner=FILLED):
    """The files that a release reads or writes, in a folder, with fields of an owner."""
    data = [f"book/_data/{name}.json" for name in ("interop", "note-scores")]
    for name in (*written(ROOT, __version__, DATE), *data, "CHANGELOG.md"):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, folder / name)
    (folder / OWNER).write_text(owner, encoding="utf-8")
    return folder


def write(folder, texts):
    for name, text in texts.items():
        (folder / name).write_text(text, encoding="utf-8")


def test_each_file_has_what_a_release_of_this_version_would_write_into_it():
    """The figures of the paper among it: `python -m tools.make.release write` writes them anew."""
    assert [name for name, text in written(ROOT, __version__, DATE).items() if text != text_of(name)] == []


class TestTheFieldsOfTheOwner:
    def test_each_is_in_the_file_and_in_the_list(self):
        fields = tomllib.loads(text_of(OWNER))
        named = [name for name in fields if name != "authors"] + [f"authors.{name}" for name in fields["authors"][0]]
        assert named == [*FIELDS]

    def test_each_that_is_empty_is_named_once_and_no_other(self, tmp_path):
        (tmp_path / OWNER).write_text(FILLED, encoding="utf-8")
        assert empty_fields(tmp_path) == []
        for name in FIELDS:
            key = name.removeprefix("authors.")
            (tmp_path / OWNER).write_text(re.sub(rf"(?m)^{key} = .*$", f'{key} = ""', FILLED), encoding="utf-8")
            assert empty_fields(tmp_path) == [f"{OWNER}: {name} is empty: {FIELDS[name]}"]

    @every_row(
        ("before", "after", "message"),
        [
            ('site = "https', 'address = "https', "expected the fields repository, site, .*, found address, "),
            ("0000-0002-1825-0097", "0000-0002", r"authors.orcid: expected .*, got '0000-0002'"),
            ("10.5281/", "https://doi.org/10.5281/", "doi: expected 10.*, got 'https"),
            ("a-book/", "a-book", "site: expected https.*, got"),
            ("book@example.org", "the office", "contact: expected .*, got 'the office'"),
            ('"book@example.org"', "7", "contact: expected .*, got 7"),
        ],
    )
    def test_one_that_is_unknown_or_malformed_is_refused(self, tmp_path, before, after, message):
        assert before in FILLED
        (tmp_path / OWNER).write_text(FILLED.replace(before, after), encoding="utf-8")
        with pytest.raises(SystemExit, match=f"{OWNER}: {message}"):
            empty_fields(tmp_path)

    def test_they_reach_every_file_that_shows_them_and_stay_where_it_is_done_twice(self, tmp_path):
        texts = written(copied(tmp_path), "0.2.0", "2027-03-09")
        write(tmp_path, texts)
        assert written(tmp_path, "0.2.0", "2027-03-09") == texts
        citation = yaml.safe_load(texts["CITATION.cff"])
        assert citation["authors"][0] == {
            "family-names": 'Le "Count"',
            "given-names": "Ada \\u",
            "orcid": "https://orcid.org/0000-0002-1825-0097",
            "affiliation": "A University",
        }
        assert (len(citation["authors"]), citation["doi"]) == (2, "10.5281/zenodo.1234567")
        assert (citation["version"], citation["date-released"].isoformat()) == ("0.2.0", "2027-03-09")
        assert citation["repository-code"] == "https://github.com/somewhere/a-book"
        config = yaml.safe_load(texts["_config.yml"])
        assert config["repository"] == {"url": "https://github.com/somewhere/a-book", "branch": "main"}
        assert set(config["launch_buttons"]) == {"binderhub_url", "colab_url", "notebook_interface"}
        assert config["html"]["baseurl"] == citation["url"] == "https://somewhere.github.io/a-book/"
        project = tomllib.loads(texts["pyproject.toml"])["project"]
        assert project["authors"] == [{"name": 'Ada \\u Le "Count"'}, {"name": "Grace Hopper"}]
        assert project["urls"] == {"Repository": citation["repository-code"], "Documentation": citation["url"]}
        assert f"pip install {citation['url']}_downloads/ndcg_ref-0.2.0-py3-none-any.whl\n" in texts["README.md"]
        assert '__version__ = "0.2.0"\n' in texts["ndcg_ref/__init__.py"]
        for page in ("SECURITY.md", "CODE_OF_CONDUCT.md"):
            assert re.findall("^Contact: .*$", texts[page], re.MULTILINE) == ["Contact: book@example.org"]
        header = yaml.safe_load(texts[PAPER].split("---")[1])
        assert header["authors"][1] == {"name": "Grace Hopper", "orcid": "0000-0001-5109-3700", "affiliation": 1}
        assert header["affiliations"] == [{"name": "A University", "index": 1}]
        assert header["date"] == "9 March 2027"

    def test_a_citation_with_them_is_valid_and_becomes_bibtex(self, tmp_path):
        texts = written(copied(tmp_path), "0.2.0", "2027-03-09")
        (tmp_path / "CITATION.cff").write_text(texts["CITATION.cff"], encoding="utf-8")
        schema = "--builtin-schema", "vendor.citation-file-format", "--default-filetype", "yaml"
        check = [sys.executable, "-m", "check_jsonschema", *schema, str(tmp_path / "CITATION.cff")]
        assert subprocess.run(check, check=False, capture_output=True).returncode == 0
        entry = parse_string(bibtex(texts["CITATION.cff"]), "bibtex").entries["ndcgref2027"]
        assert [str(person) for person in entry.persons["author"]] == ['Le "Count", Ada \\u', "Hopper, Grace"]
        assert (entry.fields["doi"], entry.fields["version"]) == ("10.5281/zenodo.1234567", "0.2.0")


class TestThePaper:
    HEADER, BODY = STORED.split("---\n", 2)[1:]

    def test_it_has_the_form_of_the_journal(self):
        header = yaml.safe_load(self.HEADER)
        assert [*header] == ["title", "tags", "authors", "affiliations", "date", "bibliography"]
        assert {each["affiliation"] for each in header["authors"]} == {each["index"] for each in header["affiliations"]}
        headings = re.findall(r"^# (.+)$", self.BODY, re.MULTILINE)
        assert headings[:3] == ["Summary", "Statement of need", "Learning objectives and design"]
        assert headings[-1] == "References"
        assert 250 < len(self.BODY.split()) <= 1000

    def test_it_cites_what_its_bibliography_has_as_the_book_has_it(self):
        entries = parse_file(str(ROOT / "paper" / "paper.bib")).entries
        assert set(re.findall(r"@(\w+)[;\]]", self.BODY)) == {*entries}
        book = parse_file(str(ROOT / "book" / "references.bib")).entries
        assert len(shared := entries.keys() & book.keys()) > 2
        assert [key for key in shared if entries[key] != book[key]] == []

    def test_its_figures_are_those_of_the_ledger_and_of_what_was_stored(self):
        """A second witness: the sums of the code are taken from README."""
        said = " ".join(self.BODY.split())
        notes = [counts for note, counts in book_ledger(ROOT).counts["by_note"].items() if note]
        printed, slips = (sum(each[key] for each in notes) for key in ("checked", "slip"))
        assert f"The {len(notes)} recomputed texts print {printed} results, of which {slips} are slips." in said
        libraries = json.loads(text_of("book/_data/interop.json"))["libraries"]
        assert f" {len(libraries)} versions and settings of libraries were run on " in said

    @every_row("number", ["293", "18 are", "308", "62 slips"])
    def test_a_figure_that_is_changed_is_seen(self, tmp_path, number):
        copied(tmp_path, text_of(OWNER))
        assert number in STORED
        (tmp_path / PAPER).write_text(STORED.replace(number, "7" + number), encoding="utf-8")
        assert written(tmp_path, __version__, DATE)[PAPER] == STORED


def git(folder, *words):
    """What git prints in a folder, for someone with a name."""
    own = ["-c", "user.name=x", "-c", "user.email=x@example.org"]
    return subprocess.run(["git", *own, *words], cwd=folder, check=True, capture_output=True, text=True).stdout


def committed(folder):
    """A repository of all files of a folder."""
    commands = "init --quiet", "config user.name x", "config user.email x@example.org", "add .", "commit --quiet -m x"
    for words in commands:
        git(folder, *words.split())
    return folder


@pytest.fixture
def repository(tmp_path):
    """A repository of the files that a release reads or writes."""
    return committed(copied(tmp_path, text_of(OWNER)))


class TestWhatIsRefused:
    def refused(self, folder, version=__version__):
        with pytest.raises(SystemExit) as error:
            begin(folder, version)
        assert git(folder, "diff", "--", "CITATION.cff", "ndcg_ref") == ""
        return str(error.value)

    @every_row("version", ["v0.1.0", "0.1", "", "0.1.0rc"])
    def test_what_is_no_version(self, version):
        with pytest.raises(SystemExit, match=r"expected a version such as VERSION=0\.1\.0, got"):
            begin(ROOT, version)

    def test_a_version_that_the_changelog_does_not_begin_with(self, repository):
        assert "expected its first version to be '## 9.8.7, unreleased'" in self.refused(repository, "9.8.7")

    def test_a_version_that_has_a_tag(self, repository):
        git(repository, "tag", f"v{__version__}")
        assert f"there is a tag v{__version__} already" in self.refused(repository)

    def test_a_folder_with_other_changes(self, repository):
        (repository / "more.py").write_text("1\n", encoding="utf-8")
        assert self.refused(repository).endswith("commit these first, or put them aside: more.py")

    def test_an_upload_of_what_was_not_built(self, repository):
        (repository / "dist").mkdir()
        with pytest.raises(SystemExit, match=rf"has not made dist/ndcg_ref-{__version__}-py3-none-any.whl, "):
            finish(repository, __version__)
        assert git(repository, "tag") == ""

    def test_a_beginning_may_be_made_again_and_with_fields_just_filled_in(self, repository):
        (repository / OWNER).write_text(FILLED, encoding="utf-8")
        begin(repository, __version__)
        begin(repository, __version__)
        assert re.search(rf"^## {__version__}, \d{{4}}-\d\d-\d\d$", text_of("CHANGELOG.md", repository), re.MULTILINE)


@pytest.fixture
def clone(tmp_path):
    """All that is tracked, in a repository of its own, with what .venv has by links, and no network."""
    folder = tmp_path / "clone"
    for name in git(ROOT, "ls-files", "--cached", "--others", "--exclude-standard").splitlines():
        if (ROOT / name).is_file():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / name, folder / name)
    (folder / OWNER).write_text(re.sub("(?m)^doi = .*", 'doi = ""', FILLED), encoding="utf-8")  # as at a first release
    committed(folder)
    venv.create(folder / ".venv", symlinks=True)
    (site,) = (folder / ".venv" / "lib").glob("python*/site-packages")
    (site / "lent.pth").write_text(sysconfig.get_path("purelib") + "\n", encoding="utf-8")
    own = Path(sys.executable).parent
    script = folder / ".venv" / "bin" / "jupyter-book"
    script.write_text((own / script.name).read_text("utf-8").replace(str(own), str(script.parent)), encoding="utf-8")
    script.chmod(0o755)
    (folder / ".venv" / ".locked").touch()
    return folder


@pytest.mark.slow
@pytest.mark.built
def test_a_release_is_made_in_a_clone_without_network_up_to_the_upload(clone):
    """With the book and the archives in place of all checks, which need a browser and node."""
    dead = dict.fromkeys(("http_proxy", "https_proxy", "HTTP_PROXY", "HTTPS_PROXY"), "http://127.0.0.1:9")
    kept = {name: value for name, value in os.environ.items() if "MAKE" not in name and name not in ("ALONE", "MFLAGS")}
    done = subprocess.run(
        ["make", "release", f"VERSION={__version__}", "CHECKS=book dist", f"PYTHON={sys.executable}"],
        cwd=clone,
        env={**kept, **dead, "PIP_NO_INDEX": "1"},
        check=False,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    (empty,) = empty_fields(clone)
    assert empty.startswith(f"{OWNER}: doi is empty: ")
    assert [line for line in done.stderr.splitlines() if line.startswith(f"{OWNER}: ")] == [empty]  # by the build
    assert [line for line in done.stdout.splitlines() if line.startswith(f"{OWNER}: ")] == [empty]  # and at the end
    assert git(clone, "tag").split() == [f"v{__version__}"]
    assert git(clone, "status", "--porcelain") == ""
    assert git(clone, "log", "--format=%s", "-1") == f"Release {__version__}\n"
    names = {path.name: path for path in (clone / "dist").iterdir()}
    name = f"ndcg-ref-{__version__}"
    wheel, sdist = f"ndcg_ref-{__version__}-py3-none-any.whl", f"ndcg_ref-{__version__}.tar.gz"
    assert {*names} == {wheel, sdist, f"{name}.zip", f"{name}-site.zip", "SHA256SUMS"}
    sums = dict(line.split("  ")[::-1] for line in names.pop("SHA256SUMS").read_text("utf-8").splitlines())
    assert sums == {each: hashlib.sha256(path.read_bytes()).hexdigest() for each, path in names.items()}
    tracked = git(clone, "ls-files").splitlines()
    archived = zipfile.ZipFile(names[f"{name}.zip"]).namelist()
    assert {f"{name}/{each}" for each in tracked} == {each for each in archived if not each.endswith("/")}
    site = zipfile.ZipFile(names[f"{name}-site.zip"]).namelist()
    assert {f"{name}/index.html", f"{name}/book/about.html", f"{name}/_downloads/{wheel}"} <= {*site}
    page = zipfile.ZipFile(names[f"{name}-site.zip"]).read(f"{name}/book/about.html").decode()
    shown = unescape(re.sub("<[^>]*>", "", page))
    assert bibtex(text_of("CITATION.cff", clone)) in shown
    assert f"python3 -m pip install https://somewhere.github.io/a-book/_downloads/{wheel}" in shown
    changelog = text_of("CHANGELOG.md", clone)
    assert f"## {__version__}, {date_of_citation(clone)}\n" in changelog
