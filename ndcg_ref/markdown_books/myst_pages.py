"""Read the pages that mystmd has built, and list what is wrong with them."""

import json
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from hashlib import sha256
from operator import itemgetter
from pathlib import Path

from ndcg_ref.markdown_books.myst_plugin import KEY
from ndcg_ref.markdown_books.places import SUFFIXES
from ndcg_ref.sphinx_ext.prose_numbers import location_of
from ndcg_ref.stated.display import Outcome, Record

_TOC = re.compile(r"^([ \t]*)toc:[^\n]*\n((?:\1[ \t]*-.*\n?|\1[ \t]+\S.*\n?|[ \t]*\n)*)", re.MULTILINE)
_NAMED = re.compile(r"\b(file|pattern):\s*(['\"]?)([^'\"\n,}#]+)\2")


@dataclass(frozen=True)
class BuiltBook:
    """What was found in the pages of a book: each verdict and its place, the problems, and pages that are not there."""

    verdicts: list[tuple[str, Record]] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)
    missing: list[str] = field(default_factory=list)

    @property
    def counts(self) -> str:
        """How many numbers were judged, as the ledger counts them."""
        found = Counter(record["outcome"] for _, record in self.verdicts if record["kind"] == "number")
        checked = found.total() - found[Outcome.UNCHECKED]
        return f"{checked} checked, {', '.join(f'{found[outcome]} {outcome}' for outcome in Outcome)}"


def read_book(content: Path) -> BuiltBook:
    """Read the folder ``_build/site/content`` of a book, and hold it to the files that its ``myst.yml`` names."""
    root = content.absolute().parent.parent.parent
    stored = (json.loads(path.read_text(encoding="utf-8")) for path in sorted(content.rglob("*.json")))
    pages = {page["location"].lstrip("/"): page for page in stored if "mdast" in page}
    book = BuiltBook()
    for name in sorted({*pages, *_files(root)}):
        page = pages.get(name, {"mdast": {"data": {KEY: {"problem": "the build has left this page out"}}}})
        kept = page["mdast"].get("data", {}).get(KEY, {"problem": "built without the plugin (does myst.yml name it?)"})
        if kept["problem"]:
            book.missing.append(f"{name}: {kept['problem']}")
            continue
        if sha256((root / name).read_bytes()).hexdigest() != page["sha256"]:
            book.missing.append(f"{name}: the file was changed after the build")
        for each in sorted(kept["entries"], key=itemgetter("cell", "line")):
            place = name + (location_of(each["cell"], each["line"]) if each["line"] else f":cell {each['cell']}")
            book.problems.extend([f"{place}: {each['problem']}"] if each["problem"] else [])
            book.verdicts.extend([(place, each["record"])] if each["record"] else [])
    return book


def _files(root: Path) -> Iterator[str]:
    """The files of the contents in ``myst.yml``; a refusal where it has none, as no missing page would be noticed."""
    if not (root / "myst.yml").is_file():
        raise ValueError(f"{root}: expected the folder _build/site/content of a book with a myst.yml, found none there")
    contents = _TOC.search((root / "myst.yml").read_text(encoding="utf-8"))
    named = _NAMED.findall(contents[2]) if contents else []
    if not named:
        raise ValueError(f"{root / 'myst.yml'}: expected a toc that names each file, so that a missing page is noticed")
    for kind, _, said in named:
        name = said.strip()
        ends = [end for end in ("", *SUFFIXES) if (root / f"{name}{end}").is_file()]
        found = root.glob(name) if kind == "pattern" else [root / f"{name}{(ends or [''])[0]}"]
        yield from (path.relative_to(root).as_posix() for path in found)
