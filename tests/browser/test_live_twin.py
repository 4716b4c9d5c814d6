"""The JavaScript twin reads, judges and computes as the package does, as the joined script that a page loads."""

import json
from pathlib import Path

from twin_cases import agreeing, as_json, draw_cases

from tools.book.live_ext import SOURCES, joined

DRIVER = Path(__file__).resolve().parents[2] / "live" / "tests" / "twin.js"


def test_the_twin_in_a_browser_agrees_with_the_package(browser, tmp_path, capsys):
    for module in ("numbers", "formulas"):
        (tmp_path / f"{module}.js").symlink_to(SOURCES / f"{module}.js")
    (tmp_path / "twin.js").write_text(DRIVER.read_text(encoding="utf-8").replace("../src/", "./"), encoding="utf-8")
    cases = draw_cases(numbers=200, tables=150, seed=20260202)
    page = browser.new_page()
    page.evaluate(joined(tmp_path, "twin"))
    answers = page.evaluate("cases => JSON.stringify(twin(JSON.parse(cases)))", json.dumps(as_json(vars(cases))))
    page.close()
    compared = agreeing(cases, json.loads(answers), texts=200, judged=7_000, equal=3_500)
    with capsys.disabled():
        print(f"\nThe twin in a browser: {compared}.")
