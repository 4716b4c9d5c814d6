"""Make a release, up to its upload: what `make release` runs before and after the checks.

`owner.toml` has what only the owner can say. `python -m tools.make.release fields` names each field that is empty.
`begin VERSION` writes version, date and fields where readers look for them, and `finish VERSION` commits that, tags it
and puts into `dist` all that is uploaded. `write` writes fields and the figures of the paper alone.

A field that is empty leaves each place as it is. So all of this can be run again, after a check that failed or once the
archive has given a DOI.
"""

import hashlib
import json
import re
import shutil
import subprocess
import sys
import textwrap
import tomllib
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from zipfile import ZIP_DEFLATED, ZipFile

from ndcg_ref import __version__

ROOT = Path(__file__).resolve().parents[2]
OWNER, PAPER = "owner.toml", "paper/paper.md"
FIELDS = {  # each field, and what is missing without it
    "repository": "buttons for Colab and Binder, and links from the citation and the package to the source",
    "site": "the address of the wheel in README, canonical links, a site map",
    "doi": "the DOI of the citation, which the archive gives at the first upload",
    "contact": "where bad conduct and weak points are reported in private",
    "authors.given": "names of the authors in the citation, the package and the paper",
    "authors.family": "the same",
    "authors.orcid": "who an author is, for the archive and the journal",
    "authors.affiliation": "what the journal prints below the names",
}
FORMS = {
    "repository": r"https://github\.com/[\w.-]+/[\w.-]+",
    "site": r"https://\S+/",
    "doi": r"10\.\d{4,}/\S+",
    "contact": r"\S+@\S+\.\w+",
    "authors.orcid": r"\d{4}-\d{4}-\d{4}-\d{3}[\dX]",
}
ALL = "the ndcg-ref authors"  # as long as none is named
HEADING = re.compile(r"^## (\S+), (?:unreleased|\d{4}-\d\d-\d\d)$", re.MULTILINE)


def owner(root: Path) -> dict[str, Any]:
    """The fields of the owner; an unknown, a missing and a malformed one are refused."""
    fields = tomllib.loads((root / OWNER).read_text(encoding="utf-8"))
    found = [*_named(fields)]
    names = {name for name, _ in found}
    if names != FIELDS.keys():
        sys.exit(f"{OWNER}: expected the fields {', '.join(FIELDS)}, found {', '.join(sorted(names))}")
    for name, value in found:
        if not isinstance(value, str) or (value and not re.fullmatch(FORMS.get(name, ".+"), value)):
            sys.exit(f"{OWNER}: {name}: expected {FORMS.get(name, 'a text')}, got {value!r}")
    return fields


def _named(fields: dict[str, Any]) -> Iterator[tuple[str, Any]]:
    """Each field with its name in `FIELDS`."""
    for name, value in fields.items():
        if name == "authors":
            yield from ((f"authors.{key}", each[key]) for each in value for key in each)
        else:
            yield name, value


def empty_fields(root: Path) -> list[str]:
    """A line for each field that is empty: its name, and what is missing without it."""
    empty = [name for name, value in _named(owner(root)) if not value]
    return [f"{OWNER}: {name} is empty: {FIELDS[name]}" for name in dict.fromkeys(empty)]


def figures(root: Path) -> str:
    """What the paper says in numbers: sums of the table of notes in README, and of what `make` stored in book/_data."""
    rows = re.findall(r"^\| \S+ \| [^|]+ \| (\d+) \| (\d+) \|", (root / "README.md").read_text("utf-8"), re.MULTILINE)
    printed, slips = (sum(map(int, column)) for column in zip(*rows, strict=True))
    data = [
        json.loads((root / "book/_data" / f"{name}.json").read_text("utf-8")) for name in ("interop", "note-scores")
    ]
    unseen = [each for each in data[1]["sets"] if each["set"].startswith("unseen")]
    keys = ("notes", "found", "slips", "alarms", "right", "agrees", "wrong")
    of = {key: sum(each[key] for each in unseen) for key in keys}
    text = (
        f"The {len(rows)} recomputed texts print {printed} results, of which {slips} are slips. "
        f"{len(data[0]['libraries'])} versions and settings of libraries were run on {len(data[0]['queries'])} queries "
        "that are made of what they may treat differently, and each convention is held to every value of an input that "
        f"it claims to cover. The check of notes was scored on {of['notes']} unseen notes by {len(unseen)} writers. "
        f"It found {of['found']} of {of['slips']} slips, and raised {of['alarms']} false alarms on {of['right']} right "
        f"numbers; {of['agrees']} of {of['wrong']} wrong numbers it called right."
    )
    return textwrap.fill(text, 120, break_on_hyphens=False)


def _citation(text: str, fields: dict[str, Any], version: str, date: str) -> str:
    """CITATION.cff, whose lines keep their order; addresses come behind the version."""
    text = re.sub(r"^(?:repository-code|url|doi): .*\n", "", text, flags=re.MULTILINE)
    text = re.sub(r"^authors:\n(?:  .*\n)+", lambda _: _authors_of_citation(fields), text, flags=re.MULTILINE)
    known = {"repository-code": fields["repository"], "url": fields["site"], "doi": fields["doi"]}
    added = "".join(f"{key}: {value}\n" for key, value in known.items() if value)
    text = re.sub(r"^version: .*\n", f"version: {version}\n{added}", text, flags=re.MULTILINE)
    return re.sub(r"^date-released: .*$", f"date-released: {date}", text, flags=re.MULTILINE)


def _people(fields: dict[str, Any]) -> list[dict[str, str]]:
    """The authors that have a name."""
    return [each for each in fields["authors"] if each["given"] and each["family"]]


def _authors_of_citation(fields: dict[str, Any]) -> str:
    lines = []
    for each in _people(fields):
        lines += [f"  - family-names: {json.dumps(each['family'], ensure_ascii=False)}"]
        lines += [f"    given-names: {json.dumps(each['given'], ensure_ascii=False)}"]
        lines += [f"    orcid: https://orcid.org/{each['orcid']}"] if each["orcid"] else []
        lines += (
            [f"    affiliation: {json.dumps(each['affiliation'], ensure_ascii=False)}"] if each["affiliation"] else []
        )
    return "\n".join(["authors:", *(lines or [f"  - name: {ALL}"]), ""])


def _paper(text: str, fields: dict[str, Any], date: str, counted: str) -> str:
    """The paper, with the header that the journal wants, and its figures."""
    people = _people(fields) or [{"given": "The ndcg-ref", "family": "authors", "orcid": "", "affiliation": ""}]
    places = [*dict.fromkeys(each["affiliation"] or "not named yet" for each in people)]
    lines = ["authors:"]
    for each in people:
        lines += [f"  - name: {json.dumps(each['given'] + ' ' + each['family'], ensure_ascii=False)}"]
        lines += [f"    orcid: {each['orcid']}"] if each["orcid"] else []
        lines += [f"    affiliation: {places.index(each['affiliation'] or 'not named yet') + 1}"]
    lines += ["affiliations:"]
    for number, place in enumerate(places, 1):
        lines += [f"  - name: {json.dumps(place, ensure_ascii=False)}", f"    index: {number}"]
    day = datetime.fromisoformat(date)
    lines += [f"date: {day.day} {day:%B %Y}", "bibliography: "]
    text = re.sub(r"^authors:\n.*?^bibliography: ", lambda _: "\n".join(lines), text, flags=re.MULTILINE | re.DOTALL)
    held = f"<!-- figures -->\n{counted}\n<!-- end of figures -->"
    return re.sub(r"<!-- figures -->.*<!-- end of figures -->", lambda _: held, text, flags=re.DOTALL)


def _config(text: str, fields: dict[str, Any]) -> str:
    """_config.yml, with the address of the pages, and the repository and the buttons that come with it."""
    if people := _people(fields):
        named = json.dumps(_names(people), ensure_ascii=False)
        text = re.sub(r"^author: .*$", lambda _: f"author: {named}", text, flags=re.MULTILINE)
    if fields["repository"]:
        text = re.sub(r"^(?:# )?(repository: \{url: )[^,]*", rf"\g<1>{fields['repository']}", text, flags=re.MULTILINE)
        text = re.sub(r"^# (launch_buttons:\n)# (  \{.*\n)", r"\1\2", text, flags=re.MULTILINE)
    if fields["site"]:
        text = re.sub(r"^  baseurl: .*\n", "", text, flags=re.MULTILINE)
        text = re.sub(r"^html:\n", f"html:\n  baseurl: {fields['site']}\n", text, flags=re.MULTILINE)
    return text


def _names(people: list[dict[str, str]]) -> str:
    return ", ".join(f"{each['given']} {each['family']}" for each in people)


def _project(text: str, fields: dict[str, Any]) -> str:
    """pyproject.toml, with the names of the authors and the addresses that package indexes show."""
    if people := _people(fields):
        named = ", ".join(f"{{ name = {json.dumps(_names([each]), ensure_ascii=False)} }}" for each in people)
        text = re.sub(r"^authors = .*$", lambda _: f"authors = [{named}]", text, flags=re.MULTILINE)
    text = re.sub(r"^\[project\.urls\]\n(?:.+\n)*\n", "", text, flags=re.MULTILINE)
    known = {"Repository": fields["repository"], "Documentation": fields["site"]}
    added = "".join(f'{key} = "{value}"\n' for key, value in known.items() if value)
    return text.replace(
        "[project.optional-dependencies]\n",
        f"[project.urls]\n{added}\n[project.optional-dependencies]\n" if added else "[project.optional-dependencies]\n",
    )


def _readme(text: str, fields: dict[str, Any], version: str) -> str:
    """README.md, with the name of the wheel, and its address once there is one."""
    wheel = f"ndcg_ref-{version}-py3-none-any.whl"
    line = f"{wheel} # where you have downloaded it"
    if fields["site"]:
        line = f"{fields['site']}_downloads/{wheel}"
    return re.sub(r"(pip install )\S+\.whl.*", lambda found: found[1] + line, text)


def _contact(text: str, fields: dict[str, Any]) -> str:
    return (
        re.sub(r"^Contact: .*$", f"Contact: {fields['contact']}", text, flags=re.MULTILINE)
        if fields["contact"]
        else text
    )


def written(root: Path, version: str, date: str) -> dict[str, str]:
    """The files that have version, date, fields or figures, as they should be."""
    fields = owner(root)
    changes: dict[str, Callable[[str], str]] = {
        "CITATION.cff": lambda text: _citation(text, fields, version, date),
        "README.md": lambda text: _readme(text, fields, version),
        "_config.yml": lambda text: _config(text, fields),
        "pyproject.toml": lambda text: _project(text, fields),
        PAPER: lambda text: _paper(text, fields, date, figures(root)),
        "SECURITY.md": lambda text: _contact(text, fields),
        "CODE_OF_CONDUCT.md": lambda text: _contact(text, fields),
        "ndcg_ref/__init__.py": lambda text: re.sub(
            r'^(__version__ = ").*"', rf'\g<1>{version}"', text, flags=re.MULTILINE
        ),
    }
    return {name: change((root / name).read_text(encoding="utf-8")) for name, change in changes.items()}


def date_of_citation(root: Path) -> str:
    """The date that CITATION.cff has."""
    found = re.search(r"^date-released: (\S+)", (root / "CITATION.cff").read_text(encoding="utf-8"), re.MULTILINE)
    assert found
    return found[1]


def git(root: Path, *words: str) -> str:
    """What git prints."""
    return subprocess.run(["git", *words], cwd=root, check=True, capture_output=True, encoding="utf-8").stdout


def begin(root: Path, version: str) -> None:
    """Refuse what cannot be released, then write version, date and fields."""
    if not re.fullmatch(r"\d+\.\d+\.\d+", version):
        sys.exit(f"make release: expected a version such as VERSION=0.1.0, got {version!r}")
    if git(root, "tag", "--list", f"v{version}"):
        sys.exit(f"make release: there is a tag v{version} already")
    changelog = (root / "CHANGELOG.md").read_text(encoding="utf-8")
    newest = HEADING.search(changelog)
    if newest is None or newest[1] != version:
        sys.exit(f"CHANGELOG.md: expected its first version to be '## {version}, unreleased'")
    date = datetime.now(UTC).date().isoformat()
    texts = written(root, version, date)
    texts["CHANGELOG.md"] = HEADING.sub(f"## {version}, {date}", changelog, count=1)
    changed = {line[3:] for line in git(root, "status", "--porcelain").splitlines()}
    if others := sorted(name for name in changed - {OWNER, *texts} if not name.endswith(".ipynb")):
        sys.exit(f"make release: commit these first, or put them aside: {', '.join(others)}")
    for name, text in texts.items():
        (root / name).write_text(text, encoding="utf-8")
    print(f"{version} of {date} is written into {', '.join(texts)}")


def finish(root: Path, version: str) -> None:
    """Commit, tag, and put into `dist` what is uploaded: archives, PDFs, and the sums of all."""
    dist, name = root / "dist", f"ndcg-ref-{version}"
    expected = [dist / f"ndcg_ref-{version}{end}" for end in ("-py3-none-any.whl", ".tar.gz")]
    expected += [root / "_build/html/index.html"]
    if missing := [str(path.relative_to(root)) for path in expected if not path.exists()]:
        sys.exit(f"make release: the build has not made {', '.join(missing)}")
    if git(root, "status", "--porcelain", "--untracked-files=no"):
        git(root, "commit", "--quiet", "--all", "--message", f"Release {version}")
    git(root, "tag", "--annotate", f"v{version}", "--message", f"Release {version}")
    git(root, "archive", f"--prefix={name}/", f"--output={dist / name}.zip", f"v{version}")
    with ZipFile(dist / f"{name}-site.zip", "w", ZIP_DEFLATED) as site:
        for path in sorted((root / "_build/html").rglob("*")):
            site.write(path, Path(name, path.relative_to(root / "_build/html")))
    for path in sorted((root / "_build/latex").glob("ndcg-ref*.pdf")):
        shutil.copy(path, dist)
    files = sorted(path for path in dist.iterdir() if path.name != "SHA256SUMS")
    sums = "".join(f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {path.name}\n" for path in files)
    (dist / "SHA256SUMS").write_text(sums, encoding="utf-8")
    print(f"v{version} is tagged, and in dist there are:", *(f"  {path.name}" for path in files), sep="\n")
    print(*empty_fields(root), sep="\n")
    print("Next: CONTRIBUTING.md, Release, from step 3 on. Nothing was pushed or uploaded.")


def main(words: list[str]) -> None:
    """Do what the first word says."""
    match words:
        case ["fields"]:
            print(*empty_fields(ROOT), sep="\n", end="\n" if empty_fields(ROOT) else "")
        case ["write"]:
            for name, text in written(ROOT, __version__, date_of_citation(ROOT)).items():
                (ROOT / name).write_text(text, encoding="utf-8")
        case ["begin", version]:
            begin(ROOT, version)
        case ["finish", version]:
            finish(ROOT, version)
        case _:
            sys.exit("make release: expected a version, as in `make release VERSION=0.1.0`")


if __name__ == "__main__":
    main(sys.argv[1:])
