"""The built book, served from a folder below the root of a server, and opened in an installed Chromium."""

import json
import shutil
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from urllib.parse import quote

import pytest
from playwright.sync_api import sync_playwright

from ndcg_ref.live import answer

BUILT = Path(__file__).resolve().parents[2] / "_build" / "html"
FOLDER = BUILT.resolve().as_uri()  # the address of the book where no server is
PATIENCE = 300_000  # milliseconds until the browser or a page answers: the machine may be busy
COMMANDS = ("chromium", "chromium-browser", "google-chrome")
ARGUMENTS = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",  # no test reaches another host
]
# In place of the worker: none, or the package, so that no test waits for Python to load
WITHOUT_WORKER = "window.Worker = class { constructor() { throw new Error('no worker'); } };"
PACKAGE = """
window.Worker = class {
    constructor() { setTimeout(() => this.onmessage({data: {ready: true}})); }
    postMessage({id, question}) {
        window.answered(question).then((answer) => this.onmessage({data: {id, answer}}));
    }
    terminate() {}
};
"""


class Quiet(SimpleHTTPRequestHandler):
    def log_message(self, *_):
        pass


class Cached(Quiet):
    """Files that a browser need not ask for twice."""

    def end_headers(self):
        self.send_header("Cache-Control", "max-age=3600")
        super().end_headers()


@pytest.fixture(scope="session")
def site(tmp_path_factory):
    """The address of the book, which lies somewhere below the root."""
    root = tmp_path_factory.mktemp("server")
    (root / "some").mkdir()
    (root / "some" / "where").symlink_to(BUILT, target_is_directory=True)
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(Cached, directory=root)) as server:
        Thread(target=server.serve_forever).start()
        yield f"http://127.0.0.1:{server.server_port}/some/where"
        server.shutdown()


@pytest.fixture(scope="session")
def browser():
    found = next(filter(None, map(shutil.which, COMMANDS)), None)
    if found is None:
        pytest.exit(f"expected one of {', '.join(COMMANDS)} on the path, found none: install the package chromium", 1)
    with (
        sync_playwright() as playwright,
        playwright.chromium.launch(executable_path=found, args=ARGUMENTS, timeout=PATIENCE) as browser,
    ):
        yield browser


# The windows of a reader: what one page has loaded, the next takes from the cache
KINDS = {
    "wide": {"viewport": {"width": 1280, "height": 900}, "permissions": ["clipboard-read", "clipboard-write"]},
    "without scripts": {"viewport": {"width": 1280, "height": 900}, "java_script_enabled": False},
    "phone": {"viewport": {"width": 360, "height": 740}, "has_touch": True, "is_mobile": True},
}


@pytest.fixture(scope="session")
def contexts(browser):
    contexts = {kind: browser.new_context(reduced_motion="reduce", **options) for kind, options in KINDS.items()}
    for context in contexts.values():
        context.set_default_timeout(PATIENCE)
    return contexts


class Visit:
    """A page, with all that it complained of and every address it asked for elsewhere."""

    def __init__(self, page, home):
        self.page, self.home, self.complaints, self.requests = page, home, [], []
        self.listeners = {
            "console": lambda said: said.type in ("error", "warning") and self.complaints.append(said.text),
            "pageerror": lambda error: self.complaints.append(str(error)),
            "request": lambda request: self.requests.append(request.url),
            "requestfailed": self._failed,
            "response": lambda got: got.status >= 400 and self.complaints.append(f"{got.url}: status {got.status}"),
        }
        for event, listener in self.listeners.items():
            page.on(event, listener)

    @property
    def elsewhere(self):
        return [url for url in self.requests if not url.startswith((self.home, "data:"))]

    def _failed(self, request):
        if request.failure == "csp" and request.url in self.requests:
            self.requests.remove(request.url)  # it was stopped before it was sent
        if request.failure != "net::ERR_ABORTED":  # that one is given up by a page that was left while it loaded
            self.complaints.append(f"{request.url}: {request.failure}")

    def go(self, path):
        self.page.goto(f"{self.home}/{path}")
        return self

    def leave(self):
        """Leave nothing behind: the next page starts with no theme chosen."""
        self.page.evaluate("localStorage.clear()")
        for event, listener in self.listeners.items():
            self.page.remove_listener(event, listener)

    def open_all(self):
        """Ask for everything that is hidden until asked for."""
        self.page.evaluate("for (const box of document.querySelectorAll('details')) box.open = true")
        # What is opened fades in, and half faded it has too little contrast
        self.page.evaluate("Promise.allSettled(document.getAnimations().map(each => each.finished)).then(() => true)")


@pytest.fixture
def home(site):
    """Where the pages of the book are."""
    return site


@pytest.fixture
def blank(contexts, home):
    """Makes a page in a window of some kind, for a first visit."""
    made = []

    def make(kind="wide", home=home):
        made.append(Visit(contexts[kind].new_page(), home))
        return made[-1]

    yield make
    for visit in made:
        visit.leave()
        visit.page.close()


@pytest.fixture(scope="session")
def left():
    """Pages that a test has left: to open another takes as long as to load it."""
    return {kind: [] for kind in KINDS}


@pytest.fixture
def visit(contexts, home, left):
    """Visits a page, by its path in the book, where another may have been."""
    made = []

    def go(path, kind="wide", home=home):
        page = left[kind].pop() if left[kind] else contexts[kind].new_page()
        made.append((kind, Visit(page, home)))
        return made[-1][1].go(path)

    yield go
    for kind, visit in made:
        visit.leave()
        visit.page.unroute_all()
        visit.page.mouse.move(0, 0)
        visit.page.emulate_media(media="null", color_scheme="light", reduced_motion="reduce")
        visit.page.set_viewport_size(KINDS[kind]["viewport"])
        visit.page.goto("about:blank")
        left[kind].append(visit.page)


@pytest.fixture
def opened(blank):
    """Opens a page whose questions the package answers."""

    def go(path, package=True):
        visit = blank()
        visit.page.expose_function("answered", lambda question: json.dumps(answer(json.loads(question))))
        visit.page.add_init_script(PACKAGE if package else WITHOUT_WORKER)
        return visit.go(path)

    return go


def link(path, **state):
    """The address of a page with a state."""
    return f"{path}#live1={quote(json.dumps(state), safe='')}"


def go_to_section(page, name):
    """Follow a link to a section of the page; what listens to the address has answered then."""
    page.evaluate(
        "(name) => new Promise((done) => {"
        " addEventListener('hashchange', () => setTimeout(done), {once: true}); location.hash = name; })",
        name,
    )
