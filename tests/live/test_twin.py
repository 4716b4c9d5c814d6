"""The JavaScript twin reads, judges and computes as the package does, in node."""

import json
import re
import shutil
import subprocess
from itertools import islice
from pathlib import Path

import pytest
from twin_cases import as_json, differing, draw_cases

from tools.book.live_ext import SOURCES, entries, joined

LIVE = Path(__file__).resolve().parents[2] / "live"
NODE = shutil.which("node")


def node(*words, given=""):
    """What node prints."""
    if NODE is None:
        pytest.fail("expected node on the path, found none: install node 20 or later, with npm")
    done = subprocess.run([NODE, *words], cwd=LIVE, input=given, capture_output=True, text=True, timeout=600)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_the_twin_in_node_agrees_with_the_package():
    cases = draw_cases(numbers=5000, tables=4000)
    answers = json.loads(node("tests/stdin.js", given=json.dumps(as_json(vars(cases)))))
    assert list(islice(differing(cases, answers), 3)) == []


def test_node_can_parse_each_joined_script(tmp_path):
    for entry in entries(SOURCES):
        script = tmp_path / f"{entry}.cjs"
        script.write_text(joined(SOURCES, entry), encoding="utf-8")
        node("--check", str(script))


@pytest.mark.parametrize(("version", "code"), [("18.20.1", 1), ("20.0.0", 0), ("120.1.0", 0)])
def test_make_live_asks_for_a_node_of_version_20_or_later(version, code):
    asked = re.search(r"node -e '([^']*)'", (LIVE.parent / "Makefile").read_text(encoding="utf-8"))[1]
    pretend = f'Object.defineProperty(process, "versions", {{ value: {{ node: "{version}" }} }});'
    assert subprocess.run([NODE, "-e", pretend + asked], check=False).returncode == code
