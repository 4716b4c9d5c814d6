"""The built book, served from a folder below the root of a server, and opened in an installed Chromium."""

import json
import shutil
from contextlib import suppress
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from urllib.parse import quote

import pytest
from playwright.sync_api import Error, sync_playwright

from ndcg_ref.live import answer

BUILT = Path(__file__).resolve().parents[2] / "_build" / "html"
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


@pytest.fixture(scope="session")
def site(tmp_path_factory):
    """The address of the book, which lies somewhere below the root."""
    root = tmp_path_factory.mktemp("server")
    (root / "some").mkdir()
    (root / "some" / "where").symlink_to(BUILT, target_is_directory=True)
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=root)) as server:
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


class Visit:
    """A page in a window of its own, with all that it complained of and every address it asked for elsewhere."""

    def __init__(self, browser, address, home):
        self.home, self.complaints, self.elsewhere, self.weight = home, [], [], 0
        self.context = browser.new_context(viewport={"width": 1280, "height": 900}, reduced_motion="reduce")
        self.context.set_default_timeout(PATIENCE)
        self.context.grant_permissions(["clipboard-read", "clipboard-write"])
        self.context.route(lambda url: not url.startswith((home, "data:")), self._refuse)
        self.page = self.context.new_page()
        self.page.on("console", lambda said: said.type in ("error", "warning") and self.complaints.append(said.text))
        self.page.on("pageerror", lambda error: self.complaints.append(str(error)))
        self.page.on("requestfailed", self._failed)
        self.page.on(
            "response", lambda got: got.status >= 400 and self.complaints.append(f"{got.url}: status {got.status}")
        )
        self.page.on("requestfinished", self._weigh)
        self.go(address)

    def _failed(self, request):
        if request.failure != "net::ERR_ABORTED":  # that one is given up by a page that was left while it loaded
            self.complaints.append(f"{request.url}: {request.failure}")

    def _weigh(self, request):
        response = request.response()
        with suppress(Error):  # a page that was left meanwhile has no bodies any more
            self.weight += len(response.body()) if response and response.status == 200 else 0

    def _refuse(self, route):
        self.elsewhere.append(route.request.url)
        route.abort()

    def go(self, address):
        self.page.goto(address)

    def open_all(self):
        """Ask for everything that is hidden until asked for."""
        self.page.evaluate("for (const box of document.querySelectorAll('details')) box.open = true")
        self.page.evaluate("for (const one of document.querySelectorAll('.toggle-button-hidden')) one.click()")
        # What is opened fades in, and half faded it has too little contrast
        self.page.evaluate("Promise.allSettled(document.getAnimations().map(each => each.finished)).then(() => true)")


@pytest.fixture
def home(site):
    """Where the pages of the book are."""
    return site


@pytest.fixture
def visit(browser, home):
    """Visits a page, by its path in the book."""
    made = []

    def go(path):
        made.append(Visit(browser, f"{home}/{path}", home))
        return made[-1]

    yield go
    for each in made:
        each.context.close()


@pytest.fixture
def opened(visit):
    """Opens a page whose questions the package answers."""

    def go(path, package=True):
        page = visit("book/about.html")
        page.page.expose_function("answered", lambda question: json.dumps(answer(json.loads(question))))
        page.page.add_init_script(PACKAGE if package else WITHOUT_WORKER)
        page.go(f"{page.home}/{path}")
        return page

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
