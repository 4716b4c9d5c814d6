"""A function that the reader writes runs on the page when asked, is judged, is ended in time, and reaches nothing."""

import json
from urllib.parse import quote

import pytest
from conftest import FOLDER
from test_live_worker import BUILT_WORKER
from test_pages import everywhere, violations

PAGE = "book/concepts/ndcg.html"
PLACE = '[data-live="write"]'
FIELD, RESULT = f"{PLACE} textarea", f"{PLACE} .ndcg-live-result"
SOLUTION = """from math import log2

def dcg(grades):
    return sum(grade / log2(rank + 1) for rank, grade in enumerate(grades, start=1))
"""
OVER = f"{RESULT}:not(:has(.write-waiting))"
# The two seconds are over when a test says so, however busy the machine is
HELD = """
const after = window.setTimeout;
window.held = [];
window.setTimeout = (call, wait) => (wait === 2000 ? 1e9 + window.held.push(call) : after(call, wait));
"""

# Each tries to reach the network or to run text as a script, and says whether it did
REACHING = """
import js
from pyodide.code import run_js
from urllib.request import urlopen
import pyodide.http

def fetched(): js.fetch(ADDRESS)
def asked(): js.XMLHttpRequest.new()
def imported(): js.importScripts(ADDRESS)
def socket(): js.WebSocket.new(ADDRESS.replace("http", "ws"))
def worker(): js.Worker.new(ADDRESS)
def evaluated(): run_js("fetch('" + ADDRESS + "')")
def module(): run_js("import('" + ADDRESS + "')")
def made(): js.Object.constructor("return fetch")()
def opened(): urlopen(ADDRESS)
def text(): pyodide.http.open_url(ADDRESS)

for reach in (fetched, asked, imported, socket, worker, evaluated, module, made, opened, text):
    try:
        reach()
    except BaseException:
        print(reach.__name__, "refused")
    else:
        print(reach.__name__, "reached")
"""


@pytest.fixture
def writing(blank):
    """The page, with the field that takes the place of the lines when the reader comes to them."""

    def opened(path=PAGE, **options):
        made = blank(**options)
        made.page.add_init_script(HELD)
        made.go(path)
        made.page.locator(f"{PLACE} summary").first.press("Enter")
        made.page.wait_for_selector(FIELD)
        return made

    return opened


def elsewhere(made):
    """What was asked for at another host; the worker itself is a text of the page."""
    return [url for url in made.elsewhere if not url.startswith("blob:http://127.0.0.1:")]


def run(page, code=None):
    """Run the lines, or others in their place, and give what is said of them."""
    if code is not None:
        page.fill(FIELD, code)
    page.locator(f"{PLACE} button", has_text="Run").click()
    page.wait_for_selector(OVER)
    return page.locator(RESULT).inner_text()


def test_the_lines_run_when_asked_and_the_tests_say_what_is_wrong(writing):
    made = writing()
    page = made.page
    assert "live/" not in " ".join(made.requests).replace("_static/live-", "")
    assert page.locator(f"{PLACE} summary").first.evaluate("each => each === document.activeElement")
    said = run(page)
    assert "✗ dcg([2, 3]) is 5, and should be 3.8928" in said
    assert said.strip().endswith("Nothing is discounted: each grade is to be divided by log2(rank + 1).")
    assert violations(page, PLACE) == []
    for code, expected in SAID:
        assert expected in run(page, code), code
        assert page.locator(f"{RESULT} :is(img, b)").count() == 0
    said = run(page, SOLUTION)
    assert "✗" not in said
    assert "All tests pass: this is DCG." in said
    assert made.complaints == []
    assert elsewhere(made) == []
    assert everywhere(page, PLACE) == []


SAID = [
    # the code, what is said of it
    ("def dcg(grades):\n    return grades[0]", "Only the first result counts. Is the return inside the loop?"),
    ("def dcg(grades)\n    return 1", "Line 1: SyntaxError: expected ':'"),
    ("x = 1\ny = 1 / 0", "Line 2: ZeroDivisionError: division by zero"),
    ("dgc = sum", "There is no function dcg: begin with def dcg(grades):"),
    ("def dcg(grades):\n    return '<img src=x onerror=alert(1)>'", "returns '<img src=x onerror=alert(1)>'"),
    ("print('<b>' * 9999)", "<b><b>"),
    ("def dcg(grades):\n    return dcg(grades)", "RecursionError"),
]


def test_a_loop_without_an_end_is_ended_after_two_seconds_and_the_network_is_refused(writing, site):
    made = writing()
    page = made.page
    run(page, SOLUTION)  # so that the files are there
    page.fill(FIELD, "def dcg(grades):\n    while True:\n        pass")
    page.locator(f"{PLACE} button", has_text="Run").click()
    page.wait_for_selector(f"{RESULT}:has-text('Your code is running')")
    page.wait_for_timeout(300)
    assert page.locator(RESULT).inner_text() == "Your code is running."
    page.evaluate("held.at(-1)()")
    assert page.locator(RESULT).inner_text() == "Your code ran for 2 seconds and was ended. Does a loop never end?"
    assert "All tests pass" in run(page, SOLUTION)
    reached = f"{site}/reached"
    said = run(made.page, f"ADDRESS = {json.dumps(reached)}\n{REACHING}")
    tried = [line for line in said.splitlines() if line.endswith((" refused", " reached"))]
    assert len(tried) == 10
    assert [line for line in tried if line.endswith(" reached")] == []
    assert "reached" not in run(made.page, f"ADDRESS = 'https://example.org/'\n{REACHING}")
    assert reached not in made.requests
    assert elsewhere(made) == []


def test_no_link_puts_code_into_the_field_or_runs_it(writing):
    state = quote(json.dumps({"code": "print(1)", "source": "print(1)"}))
    for fragment in (f"#live1={state}", "#code=print(1)", f"#run={state}"):
        made = writing(PAGE + fragment)
        assert made.page.input_value(FIELD).startswith("from math import log2\n\n\ndef dcg(grades):")
        made.page.wait_for_timeout(300)
        assert made.page.locator(RESULT).inner_text() == "Nothing has run yet."
        assert not any("_static/live/" in url for url in made.requests)


def test_a_new_line_begins_where_it_should_and_the_lines_can_be_had_again(writing):
    page = writing().page
    given = page.input_value(FIELD)
    page.fill(FIELD, "def dcg(grades):")
    page.locator(FIELD).press("End")
    page.locator(FIELD).press("Enter")
    page.keyboard.type("return 1")
    assert page.input_value(FIELD) == "def dcg(grades):\n    return 1"
    page.locator(f"{PLACE} button", has_text="Start again").click()
    assert page.input_value(FIELD) == given


def test_a_page_that_was_opened_as_a_file_says_that_python_does_not_run(writing):
    page = writing(home=FOLDER).page
    assert run(page) == "Python does not run on a page that was opened as a file. The notebook has the same tests."


def test_without_a_script_the_lines_the_answer_and_the_notebook_are_there(visit):
    page = visit(PAGE, "without scripts").page
    assert "total += grade" in page.locator(f"{PLACE} pre").first.text_content()
    assert page.locator(f"{PLACE} details").count() == 2  # the lines, and the answer
    assert page.locator("a.download[href$='write-dcg.ipynb']").count() == 1
    assert page.locator(f"{PLACE} :is(button, textarea)").count() == 0


def test_the_files_of_its_worker_are_in_the_book():
    assert all((BUILT_WORKER / name).is_file() for name in ("own.js", "load.js"))
