"""Prepare a run of the chapters as readers have them: downloaded into empty folders, with the extra `chapters` alone.

The book has to be built. Below the folder that is named, `chapters` gets each chapter, unpacked if it comes with files,
and `kernels` a kernel whose Python finds the standard library, the wheel of the book, and what `ndcg-ref[chapters]`
needs, by links to what is installed here. So nbval, told of both, fails where a chapter needs anything else.
"""

import json
import os
import re
import shutil
import sys
from collections.abc import Iterator
from importlib.metadata import Distribution, distribution
from pathlib import Path
from zipfile import ZipFile

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from tools.book.contents import chapters
from tools.book.downloads_ext import EXTRA
from tools.book.lists_ext import FOLDER, WHEEL

ROOT = Path(__file__).resolve().parents[2]
PAGES = ROOT / "_build" / "html"
KERNEL = "chapters"


def needed(of: Distribution, extra: str, seen: set[str]) -> Iterator[Distribution]:
    """What a distribution needs with an extra, and what that needs, each once, as it is installed."""
    for line in of.requires or ():
        need = Requirement(line)
        if (need.marker is None or need.marker.evaluate({"extra": extra})) and canonicalize_name(need.name) not in seen:
            seen.add(canonicalize_name(need.name))
            found = distribution(need.name)
            yield found
            yield from needed(found, "", seen)


def link_all(wheel: Path, target: Path) -> None:
    """Link the files of what the wheel needs with the extra into a folder, as if they were installed there."""
    target.mkdir(parents=True)
    (info,) = wheel.glob("*.dist-info")
    for found in needed(Distribution.at(info), EXTRA, set()):
        for top in {file.parts[0] for file in found.files or () if file.parts[0] not in ("..", "__pycache__")}:
            place = Path(str(found.locate_file(top)))
            if not (target / top).exists():
                (target / top).symlink_to(place)


def write_kernel(folder: Path, *paths: Path) -> None:
    """Write the kernel, which finds modules in these folders and in the standard library."""
    target, profile = folder / "kernels" / KERNEL, folder / "ipython" / "profile_default"
    target.mkdir(parents=True)
    profile.mkdir(parents=True)
    shutil.copy(Path(sys.prefix, "etc", "ipython", "ipython_kernel_config.py"), profile)  # figures as SVG, as stored
    start = [sys.executable, "-S", "-m", "ipykernel_launcher", "-f", "{connection_file}"]
    found = {"PYTHONPATH": os.pathsep.join(map(str, paths)), "IPYTHONDIR": str(folder / "ipython")}
    spec = {"argv": start, "display_name": KERNEL, "language": "python", "env": found}
    (target / "kernel.json").write_text(json.dumps(spec), encoding="utf-8")


def download(chapter: Path, folder: Path) -> None:
    """Put what the button of a chapter's page gives into a folder, unpacked if need be."""
    page = PAGES / chapter.relative_to(ROOT).with_suffix(".html")
    (link,) = re.findall(r'<a href="([^"]*)"[^>]*\bbtn-download-source-button', page.read_text(encoding="utf-8"))
    folder.mkdir(parents=True)
    if link.endswith(".zip"):
        ZipFile(page.parent / link).extractall(folder)
    else:
        shutil.copy(page.parent / link, folder)


def prepare(folder: Path) -> None:
    """Write chapters and kernel."""
    if not PAGES.exists():
        sys.exit("expected the built book in _build/html, found none: run `make book` first")
    shutil.rmtree(folder, ignore_errors=True)
    for chapter in chapters(ROOT):
        download(chapter, folder / "chapters" / "-".join(chapter.relative_to(ROOT / "book").with_suffix("").parts))
    wheel, installed = folder / "wheel", folder / "installed"
    ZipFile(PAGES / FOLDER / WHEEL).extractall(wheel)
    link_all(wheel, installed)
    write_kernel(folder, wheel, installed)


if __name__ == "__main__":
    prepare(Path(sys.argv[1]).resolve())
