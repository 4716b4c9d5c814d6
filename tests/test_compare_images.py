"""A picture that differs from the stored one fails its chapter."""

import base64
import json
import sys
from pathlib import Path

import pytest
from commands import run

pytestmark = pytest.mark.built

TOOLS = Path(__file__).resolve().parent.parent / "tools"
DOT = "from IPython.display import display\ndisplay({'image/png': '%s', 'text/plain': 'a dot'}, raw=True)"


def picture(text):
    return base64.b64encode(text.encode()).decode()


@pytest.mark.parametrize(("stored", "failed"), [("one", False), ("another", True)])
def test_a_picture_is_compared_with_the_stored_one(tmp_path, stored, failed):
    data = {"image/png": picture(stored), "text/plain": "a dot"}
    cell = {
        "cell_type": "code",
        "id": "cell-01",
        "metadata": {},
        "source": DOT % picture("one"),
        "execution_count": 1,
        "outputs": [{"output_type": "display_data", "metadata": {}, "data": data}],
    }
    kernel = {"name": "python3", "display_name": "x", "language": "python"}
    book = {"cells": [cell], "metadata": {"kernelspec": kernel}, "nbformat": 4, "nbformat_minor": 5}
    (tmp_path / "x.ipynb").write_text(json.dumps(book), encoding="utf-8")
    command = ["-m", "pytest", "--nbval", "--nbval-current-env", "-p", "compare_images", "-p", "no:cacheprovider"]
    done = run(sys.executable, *command, tmp_path, path=TOOLS, cwd=tmp_path)
    assert done.returncode == (1 if failed else 0), done.stdout + done.stderr
