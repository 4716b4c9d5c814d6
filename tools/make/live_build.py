"""Put Python for the live pages into the built book: `make live` runs this after `make book`.

Into `_static/live` go the worker, the files of pyodide that npm installed by their hashes, the part of the package that
needs the standard library alone, and a snapshot of the memory in which it is imported already.
"""

import json
import re
import subprocess
import sys
from pathlib import Path
from shutil import copyfile, rmtree
from textwrap import dedent
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

ROOT = Path(__file__).resolve().parents[2]
LIVE = ROOT / "live"
PYODIDE = LIVE / "node_modules" / "pyodide"
PLACE = Path("_static", "live")
WORKER = ("worker.js", "own.js", "load.js", "start.js")
FILES = ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", "python_stdlib.zip")  # and the lock, which is cut
LOCK = "pyodide-lock.json"
ARCHIVE = "ndcg_ref.zip"
# The presets are imported by a note that names one
START = ("ndcg_ref.live", "ndcg_ref.live.own_dcg", "ndcg_ref.conventions.presets")

# What a module imports where there is no numpy; a fresh Python has nothing imported before
IMPORTED = dedent("""\
    import sys
    sys.modules["numpy"] = None
    for name in sys.argv[1:]:
        __import__(name)
    for name, module in sorted(sys.modules.items()):
        if name.partition(".")[0] == "ndcg_ref":
            print(module.__file__)
""")

# The npm package comes without the text of its licence
LICENCE = """\
Pyodide {version}: CPython and its standard library, compiled to WebAssembly.
Copyright (C) 2018-2026, Pyodide contributors and Mozilla.

pyodide.mjs, pyodide.asm.mjs, pyodide.asm.wasm and python_stdlib.zip are distributed as npm has them, unchanged;
pyodide-lock.json lists no packages. They are subject to the terms of the Mozilla Public License, v. 2.0, which is at
https://mozilla.org/MPL/2.0/. Their source is at https://github.com/pyodide/pyodide.
Python is under the licence of the Python Software Foundation, https://docs.python.org/3/license.html.
"""


def package_files() -> list[Path]:
    """The files of the package that the workers import, with numpy blocked."""
    command = [sys.executable, "-c", IMPORTED, *START]
    found = subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True).stdout
    return [Path(line) for line in found.splitlines()]


def write_archive(target: Path) -> None:
    """Write the package as an archive that Python imports from; the same files give the same bytes."""
    with ZipFile(target, "w", ZIP_DEFLATED) as archive:
        for path in package_files():
            entry = ZipInfo(path.relative_to(ROOT).as_posix())
            entry.compress_type = ZIP_DEFLATED
            archive.writestr(entry, path.read_bytes())


def write_lock(target: Path) -> None:
    """Write pyodide's list of packages without any: nothing is ever loaded from elsewhere."""
    lock = json.loads((PYODIDE / LOCK).read_text(encoding="utf-8"))
    target.write_text(json.dumps(lock | {"packages": {}}), encoding="utf-8")


def build(book: Path) -> str:
    """Write all files into the book, and say in one line what they are."""
    if not (book / "_static").is_dir():
        raise SystemExit(f"expected the built book in {book}, found none: run `make book` first")
    if not PYODIDE.is_dir():
        raise SystemExit(f"expected pyodide in {PYODIDE}, found none: run `npm ci --ignore-scripts` in live")
    folder = book / PLACE
    rmtree(folder, ignore_errors=True)
    (folder / "pyodide").mkdir(parents=True)
    for name in FILES:
        copyfile(PYODIDE / name, folder / "pyodide" / name)
    for name in WORKER:
        copyfile(LIVE / "src" / "worker" / name, folder / name)
    write_lock(folder / "pyodide" / LOCK)
    version = json.loads((PYODIDE / "package.json").read_text(encoding="utf-8"))["version"]
    (folder / "pyodide" / "LICENSE.txt").write_text(LICENCE.format(version=version), encoding="utf-8")
    write_archive(folder / ARCHIVE)
    subprocess.run(["node", LIVE / "src" / "worker" / "make-snapshot.mjs", folder], check=True)
    megabytes = sum(path.stat().st_size for path in folder.rglob("*") if path.is_file()) / 1e6
    check_words(megabytes)
    return f"Python {version} for the live pages is at {folder}: {megabytes:.0f} MB"


def check_words(megabytes: float) -> None:
    """Hold what the pages tell readers about the size."""
    for name in ("check.js", "python.js", "write.js"):
        (said,) = re.findall(r"about (\d+) MB", (LIVE / "src" / name).read_text(encoding="utf-8"))
        if abs(int(said) - megabytes) >= 1:  # the snapshot differs a little from build to build
            raise SystemExit(f"live/src/{name}: expected about {megabytes:.0f} MB, got about {said} MB")


if __name__ == "__main__":
    print(build(ROOT / "_build" / "html"))
