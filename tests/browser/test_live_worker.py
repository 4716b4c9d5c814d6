"""Python in the worker of the live pages: what it loads and when, what it answers, and what is said without it."""

import gzip
import json
import re
import shutil
from contextlib import contextmanager
from functools import partial
from http.server import ThreadingHTTPServer
from threading import Thread

import pytest
from conftest import BUILT, PATIENCE, Quiet
from rows import every_row

from ndcg_ref.live import answer
from tools.book.live_ext import SOURCES, joined

PAGE = "book/concepts/gain.html"
PLACE = "/_static/live/"
BUILT_WORKER = BUILT / "_static" / "live"
if not (BUILT_WORKER / "snapshot.bin").is_file():
    pytest.fail(f"expected the worker in {BUILT_WORKER}, found none: run `make live` first", pytrace=False)

WORKER_FILES = {
    "worker.js",
    "load.js",
    "start.js",
    "ndcg_ref.zip",
    "snapshot.bin",
    "pyodide/pyodide.mjs",
    "pyodide/pyodide.asm.mjs",
    "pyodide/pyodide.asm.wasm",
    "pyodide/pyodide-lock.json",
    "pyodide/python_stdlib.zip",
}
NOTE = {"ask": "note", "text": "Grades [3, 2, 3, 0, 1]. NDCG@5 = 6.15/6.32 = 0.98"}

# What a live page does with Python, for the tests to call
PROBE = """
import { ask, pythonState } from "./python.js";

window.states = [];
pythonState((state, words) => window.states.push([state, words]));
window.asked = (question) =>
  ask(question).then(
    (answer) => ({ answer }),
    ({ reason, message }) => ({ reason, message }),
  );
"""
# A worker that is ready at once, answers with the question, and is silent when asked to be slow
SIMPLE_WORKER = """
self.onmessage = ({ data: { id, question } }) => {
  if (question.includes("slow")) return;
  self.postMessage(question.includes("fail") ? { id, failed: "so it is" } : { id, answer: question });
};
self.postMessage({ ready: "test" });
"""


class Site:
    """The book on a server that counts what it is asked for, and has other files in the place of some."""

    def __init__(self):
        self.home, self.asked, self.sent, self.replaced = "", [], [], {}

    def files(self):
        """What was asked for below the folder of the worker."""
        return [path.partition(PLACE)[2] for path in self.asked if PLACE in path]

    def bytes(self):
        """How much was sent. Threads send at the same time, so each appends, and nobody adds up before."""
        return sum(self.sent)


class Counting(Quiet):
    def __init__(self, *args, site, **options):
        self.site = site
        super().__init__(*args, **options)

    def do_GET(self):
        path = self.path.partition("?")[0]
        self.site.asked.append(path)
        if path not in self.site.replaced:
            return super().do_GET()
        content = self.site.replaced[path]
        if content is None:
            return self.send_error(404)
        self.send_response(200)
        self.send_header("Content-Type", self.guess_type(path))
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        return self.wfile.write(content)

    def copyfile(self, source, outputfile):
        self.site.sent.append(BUILT.joinpath(self.path.partition("?")[0].lstrip("/")).stat().st_size)
        super().copyfile(source, outputfile)


@pytest.fixture(scope="module")
def probe(tmp_path_factory):
    """The script of a page that asks."""
    folder = tmp_path_factory.mktemp("live")
    shutil.copy(SOURCES / "python.js", folder)
    (folder / "probe.js").write_text(PROBE, encoding="utf-8")
    return joined(folder, "probe").encode()


@contextmanager
def serving(probe):
    """A server of the book; `replaced` gives other content to a path, or takes it away with None."""
    site = Site()
    site.replaced["/_static/live-probe.js"] = probe
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(Counting, site=site, directory=BUILT)) as server:
        Thread(target=server.serve_forever).start()
        site.home = f"http://127.0.0.1:{server.server_port}"
        yield site
        server.shutdown()


@contextmanager
def opening(browser, site):
    """A page of the book, with the script of a page that asks."""
    context = browser.new_context()
    context.set_default_timeout(PATIENCE)
    page = context.new_page()
    page.elsewhere = []
    context.on("request", lambda sent: sent.url.startswith(site.home) or page.elsewhere.append(sent.url))
    page.goto(f"{site.home}/{PAGE}")
    page.evaluate(ADD, f"{site.home}/_static/live-probe.js")
    yield page
    context.close()


@pytest.fixture
def counted(probe):
    with serving(probe) as site:
        yield site


@pytest.fixture
def opened(browser, counted):
    with opening(browser, counted) as page:
        yield page


@pytest.fixture(scope="module")
def first(browser, probe):
    """A page on which a reader has asked a first question, with all that is counted about it; some tests share it."""
    with serving(probe) as site, opening(browser, site) as page:
        page.wait_for_timeout(500)
        page.before, before = site.files(), site.bytes()
        page.answer = ask(page, NOTE)
        page.files, page.bytes = site.files(), site.bytes() - before
        yield page


ADD = """(src) => new Promise((done) => {
    document.head.append(Object.assign(document.createElement("script"), { src, onload: done }));
})"""


def ask(page, question):
    return page.evaluate("(question) => window.asked(question)", question)


def states(page):
    return page.evaluate("window.states.map(([state]) => state)")


def last_words(page):
    return page.evaluate("window.states.at(-1)[1]")


QUESTIONS = [
    # what is asked, whether it is refused
    (NOTE, False),
    (NOTE | {"text": NOTE["text"].replace("0.98", "0.97")}, False),
    (NOTE | {"text": "Grades [0, 1]. DCG = 0,63"}, False),
    (NOTE | {"text": "Nothing."}, False),
    (NOTE | {"text": 5}, True),
    ({"ask": "nothing"}, True),
    ({}, True),
]
HOSTILE = [
    # text, what the refusal says
    ("1" * 1_000_000, "at most 100,000 characters"),
    ("1" * 90_000, "at most 20,000 characters"),
    ("Grades: [" + "1," * 9_000 + "1]. DCG = 5", None),
    ("Grades [1, 1e999]. DCG = 1e999999", None),
    ("DCG = " + "(" * 2_400 + "1" + ")" * 2_400, None),
    ("<img src=x onerror=alert(1)> DCG = 1", None),
    ("DCG = __import__('os').getcwd()", None),
]


class TestTheFirstQuestion:
    def test_no_file_is_asked_for_before_and_then_each_once_so_the_snapshot_served(self, first):
        assert first.before == []
        assert sorted(first.files) == sorted(WORKER_FILES)

    def test_the_size_is_the_one_that_readers_are_told(self, first):
        (_, words), *_ = first.evaluate("window.states")
        ((before, said, after),) = re.findall(r"(.*about )(\d+)( MB.*)", words)
        assert (before, after) == ("Python is loading, about ", " MB, once.")
        assert abs(int(said) - first.bytes / 1e6) <= 1  # the snapshot of the memory is not the same everywhere

    def test_the_states_are_told_in_order(self, first):
        assert first.evaluate("window.states.slice(0, 2).map(([state]) => state)") == ["loading", "ready"]
        assert first.answer == {"answer": answer(NOTE)}

    @every_row(("question", "refused"), QUESTIONS)
    def test_an_answer_or_a_refusal_is_that_of_the_package(self, first, question, refused):
        expected = json.loads(json.dumps(answer(question)))
        assert ("error" in expected) is refused
        assert ask(first, question) == {"answer": expected}

    def test_questions_asked_at_once_get_their_own_answers(self, first):
        asked = [NOTE | {"text": f"Grades [0, 1]. NDCG = 0.{digits}"} for digits in range(60, 66)]
        answers = first.evaluate("(all) => Promise.all(all.map(window.asked))", asked)
        assert [each["answer"] for each in answers] == [answer(each) for each in asked]

    @every_row(("text", "refusal"), HOSTILE)
    def test_a_hostile_question_gets_an_answer_or_a_refusal(self, first, text, refusal):
        got = ask(first, NOTE | {"text": text})
        assert "reason" not in got
        assert refusal is None or refusal in got["answer"]["error"]

    def test_brackets_within_brackets_are_refused(self, first):
        nested = """(levels) => {
            let all = 1;
            for (let i = 0; i < levels; i += 1) all = [all];
            return window.asked({ grades: all });
        }"""
        for levels in (10, 10_000):
            assert "brackets" in first.evaluate(nested, levels)["answer"]["error"]

    def test_the_worker_answers_without_the_network_once_it_is_loaded(self, first):
        first.context.set_offline(True)
        got = ask(first, NOTE)
        first.context.set_offline(False)
        assert got == {"answer": answer(NOTE)}

    def test_no_other_host_is_asked_and_nothing_is_stored(self, first):
        assert first.elsewhere == []
        kept = first.evaluate("[...Object.keys(localStorage), ...Object.keys(sessionStorage), document.cookie]")
        assert set(kept) <= {"mode", "theme", ""}


def of_another_build():
    """A snapshot that pyodide cannot start from."""
    memory = bytearray(gzip.decompress((BUILT_WORKER / "snapshot.bin").read_bytes()))
    memory[16:20] = b"9999"  # in the name of the build
    return gzip.compress(memory, compresslevel=1)


STARTED = """(address) => new Promise((done) => {
    const worker = new Worker(address, { type: "module" });
    worker.onmessage = ({ data }) => {
        if (!data.ready) return done(data);
        worker.onmessage = (event) => { worker.terminate(); done([data.ready, event.data.answer]); };
        worker.postMessage({ id: 1, question: QUESTION });
    };
})""".replace("QUESTION", json.dumps(json.dumps(NOTE)))


def test_without_a_snapshot_that_fits_python_is_loaded_from_its_files_and_answers_the_same(opened, counted):
    """One that is not there ends in the same place."""
    counted.replaced[f"{PLACE}snapshot.bin"] = of_another_build()
    started, answered = opened.evaluate(STARTED, f"{counted.home}{PLACE}worker.js")
    assert started == "files"
    assert json.loads(answered) == answer(NOTE)


class TestAWorkerThatDoesNotAnswer:
    @pytest.fixture(autouse=True)
    def simple(self, counted):
        counted.replaced[f"{PLACE}worker.js"] = SIMPLE_WORKER.encode()

    def test_a_slow_answer_is_stopped_and_the_next_question_answered(self, opened, counted):
        opened.clock.install()
        opened.evaluate("() => { window.both = Promise.all([{ ask: 'slow' }, { ask: 'next' }].map(window.asked)); }")
        while states(opened) != ["loading", "ready"]:
            opened.wait_for_timeout(20)
        opened.clock.fast_forward("05")
        first, second = opened.evaluate("window.both")
        assert first["reason"] == "slow"
        assert "longer than 5 seconds" in first["message"]
        assert second == {"answer": {"ask": "next"}}
        assert states(opened) == ["loading", "ready", "loading", "ready"]
        assert counted.files() in (["worker.js"], ["worker.js"] * 2)  # the second may come from the cache

    def test_a_failure_is_told_and_the_next_question_answered(self, opened):
        first, second = opened.evaluate("Promise.all([{ ask: 'fail' }, { ask: 'next' }].map(window.asked))")
        assert first["reason"] == "failed"
        assert second == {"answer": {"ask": "next"}}

    def test_the_worker_answers_after_the_back_button(self, opened, counted):
        assert ask(opened, {"ask": 1}) == {"answer": {"ask": 1}}
        opened.goto(f"{counted.home}/book/glossary.html")
        opened.go_back()
        if not opened.evaluate("'asked' in window"):  # the browser loaded the page again
            opened.evaluate(ADD, f"{counted.home}/_static/live-probe.js")
        assert ask(opened, {"ask": 2}) == {"answer": {"ask": 2}}


class TestNoWorker:
    @pytest.mark.parametrize("missing", ["worker.js", "start.js", "pyodide/pyodide.asm.wasm"])
    def test_a_file_that_is_not_served_is_told_and_asked_for_once(self, opened, counted, missing):
        counted.replaced[PLACE + missing] = None
        for _ in range(2):
            got = ask(opened, NOTE)
            assert got == {"reason": "no-worker", "message": "Python could not be loaded."}
        assert states(opened) == ["loading", "missing"]
        assert last_words(opened) == got["message"]
        assert counted.files().count("worker.js") == 1

    def test_a_reader_without_the_network_can_ask_again_with_it(self, opened, counted):
        counted.replaced[f"{PLACE}worker.js"] = SIMPLE_WORKER.encode()
        opened.context.set_offline(True)
        assert ask(opened, {"ask": 1})["reason"] == "no-worker"
        opened.context.set_offline(False)
        opened.evaluate("navigator.onLine || new Promise((done) => addEventListener('online', done, {once: true}))")
        assert ask(opened, {"ask": 1}) == {"answer": {"ask": 1}}
        assert states(opened) == ["loading", "missing", "loading", "ready"]

    def test_a_page_opened_as_a_file_asks_for_nothing_and_says_so(self, browser, probe, tmp_path):
        (tmp_path / "live").symlink_to(BUILT_WORKER.resolve(), target_is_directory=True)
        (tmp_path / "live-probe.js").write_bytes(probe)
        (tmp_path / "page.html").write_text("<!DOCTYPE html><script src=live-probe.js></script>", encoding="utf-8")
        context = browser.new_context()
        page, sent = context.new_page(), []
        page.goto((tmp_path / "page.html").as_uri())
        context.on("request", lambda request: sent.append(request.url))
        got = ask(page, NOTE)
        assert got["reason"] == "no-worker"
        assert got["message"] == "Python does not run on a page that was opened as a file."
        assert states(page) == ["missing"]
        assert sent == []
        context.close()
