"""Pandoc's pages have a mark for what `ndcg-ref check` finds, and are else what they are without the filter."""

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from commands import run

BIN = Path(sys.executable).parent
PANDOC = ("env", f"PATH={BIN}{os.pathsep}{os.environ['PATH']}", "pandoc", "page.md")
TEXT = r"""# NDCG of 0.9

The grades are 3, 0, 2, and the NDCG@3 is *4.00* / 4.26 = 0.939, "so they say" ([0.939](https://example.org)).

```{python}
x = ndcg([3, 0, 2])  # NDCG = 0.7
```

$$\mathrm{DCG} = 3/\log_2 2 + 2/\log_2 4 = 3 + 1 = 4.00$$

| rank | gain | DCG |
|-----:|-----:|----:|
| 1 | 3 | 3.00 |
| 2 | 0 | 3.00 |
| 3 | 2 | 4.10 |

- NDCG@2 = 3 / 4.26 = 0.704
"""


@pytest.fixture(scope="module")
def page(tmp_path_factory):
    """A folder with the page, where pandoc is installed, as Debian's package is named in the README."""
    assert shutil.which("pandoc"), "expected pandoc, found none: install the packages that README.md names"
    folder = tmp_path_factory.mktemp("pandoc")
    (folder / "page.md").write_text(TEXT, encoding="utf-8")
    return folder


def written(folder, wheel, *words):
    """What pandoc writes."""
    done = run(*PANDOC, *words, path=wheel, cwd=folder)
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout


@pytest.fixture(scope="module")
def filter_of_wheel(wheel, page):
    """The path of the filter, as the command prints it."""
    done = run(sys.executable, "-m", "ndcg_ref", "pandoc", path=wheel, cwd=page)
    assert Path(done.stdout.strip()).is_relative_to(wheel)
    return done.stdout.strip()


@pytest.mark.built
def test_what_is_found_is_marked(page, wheel, filter_of_wheel):
    plain = written(page, wheel, "--lua-filter", filter_of_wheel, "--to", "plain", "--columns", "200")
    marked = re.findall(r"([\d.]+)\s?([✓✗])", plain)
    assert marked == [
        ("4.00", "✓"),
        ("0.939", "✓"),
        ("4.00", "✓"),
        ("3.00", "✓"),
        ("3.00", "✓"),
        ("4.10", "✗"),
        ("0.704", "✓"),
    ]
    assert "NDCG OF 0.9" in plain.upper()


@pytest.mark.built
def test_all_else_stays_as_it_is(page, wheel, filter_of_wheel):
    """The marks taken away, both trees are the same text."""
    said = [written(page, wheel, "--to", "plain", *more) for more in ((), ("--lua-filter", filter_of_wheel))]
    without = [re.sub(r"[\s✓✗-]+", "", text) for text in said]
    assert without[0] == without[1]


@pytest.mark.built
def test_the_marks_say_what_was_found(page, wheel, filter_of_wheel):
    html = written(page, wheel, "--lua-filter", filter_of_wheel, "--mathml", "--wrap", "none")
    titles = re.findall(r'class="ndcg-tick ndcg-\w+" title="([^"]*)"', html)
    assert "slip: printed 4.10, computed 4.00000, correct 4.00, DCG; unexplained" in titles
    assert len(titles) == 7
    labels = re.findall(r'<span id="(prose-[^"]+)"', html)
    assert len(set(labels)) == 7


def test_a_text_from_stdin_is_refused():
    done = subprocess.run(
        [sys.executable, "-m", "ndcg_ref", "pandoc", "--mark"],
        input=json.dumps({"blocks": []}),
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 2
    assert "expected the name of a file behind pandoc" in done.stderr
