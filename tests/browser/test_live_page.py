"""What all live pages share, on a page that was opened as a file: elements, entries, results, the address."""

import pytest
from rows import every_row

from tools.book.live_ext import SOURCES, joined

NAMES = "announce, make, onEntry, readFragment, writeFragment"
PROBE = f'import {{ {NAMES} }} from "./page.js";\nObject.assign(globalThis, {{ {NAMES} }});\n'
BODY = (
    '<!doctype html><title>x</title><input id="field"><textarea id="other"></textarea><p id="result" role="status"></p>'
)
PAUSE = 700  # milliseconds without a key


@pytest.fixture
def page(browser, tmp_path):
    """A page with two fields and a result, and the address of its file."""
    (tmp_path / "page.js").symlink_to(SOURCES / "page.js")
    (tmp_path / "probe.js").write_text(PROBE, encoding="utf-8")
    (tmp_path / "index.html").write_text(f"{BODY}<script>{joined(tmp_path, 'probe')}</script>", encoding="utf-8")
    page = browser.new_page()
    page.address = (tmp_path / "index.html").as_uri()
    page.goto(page.address)
    yield page
    page.close()


def test_text_in_an_element_stays_text(page):
    markup = '<img src="x" onerror="globalThis.ran = 1">'
    made = page.evaluate(
        "text => { const made = make('p', { title: text, hidden: true, lang: null }, text, make('b', {}, 2));"
        " document.body.append(made);"
        " return [made.children.length, made.textContent, made.title, made.hidden, made.hasAttribute('lang')]; }",
        markup,
    )
    assert made == [1, f"{markup}2", markup, True, False]
    assert page.evaluate("globalThis.ran") is None


class TestAnEntry:
    @pytest.fixture(autouse=True)
    def listen(self, page):
        page.clock.install()  # it stands still but for what a test lets pass
        page.clock.pause_at("2100-01-01")
        page.evaluate("globalThis.taken = []; onEntry(field, text => taken.push(text))")

    def test_an_entry_is_taken_once_when_the_reader_pauses(self, page):
        page.locator("#field").press_sequentially("0.6")
        page.clock.run_for(PAUSE - 1)
        assert page.evaluate("taken") == []
        page.clock.run_for(1)
        page.locator("#other").focus()
        page.clock.run_for(PAUSE)
        assert page.evaluate("taken") == ["0.6"]

    @pytest.mark.parametrize("key", ["Enter", "Tab"])
    def test_an_entry_is_taken_at_once_with_enter_and_on_leaving(self, page, key):
        page.locator("#field").press_sequentially("0.6")
        page.keyboard.press(key)
        assert page.evaluate("taken") == ["0.6"]

    def test_an_entry_that_is_as_before_is_not_taken(self, page):
        page.locator("#field").press_sequentially("1")
        page.keyboard.press("Backspace")
        page.keyboard.press("Tab")
        page.clock.run_for(PAUSE)
        assert page.evaluate("taken") == []


def test_a_result_is_read_aloud_when_it_changes_and_only_then(page):
    changed = page.evaluate(
        "async () => { let changes = 0; new MutationObserver((all) => { changes += all.length; })"
        ".observe(result, { childList: true });"
        " for (const text of ['✓ agrees', '✓ agrees', '✗ slip']) announce(result, make('b', {}, text));"
        " await Promise.resolve(); return [changes, result.textContent, result.getAttribute('aria-live')]; }"
    )
    assert changed == [2, "✗ slip", "polite"]


STATES = [{"grades": "3 2 0"}, {"a": ["<b>", "%", "#", "…", "0,63"], "k": None}, {}]


@every_row("state", STATES)
def test_the_address_keeps_a_state_through_a_reload(page, state):
    assert page.evaluate("state => writeFragment(state)", state) is True
    assert page.url.startswith(f"{page.address}#live1=")
    page.reload()
    assert page.evaluate("readFragment()") == {"state": state, "problem": ""}


def test_a_state_that_is_too_long_is_left_out_of_the_address(page):
    page.evaluate("writeFragment({ a: 1 })")
    assert page.evaluate("writeFragment({ a: 'x'.repeat(30000) })") is False
    assert page.url == page.address


FRAGMENTS = {
    # what is in the address: whether it is refused with a reason
    "": False,
    "#a-heading": False,
    "#live1=%7B%22a%22": True,
    "#live1=%": True,
    "#live1=[1]": True,
    "#live2=%7B%7D": True,  # another version
    f"#live1={'x' * 30000}": True,
}


@every_row("fragment", FRAGMENTS)
def test_a_fragment_made_by_hand_is_no_state(page, fragment):
    page.goto(f"{page.address}{fragment}")
    problem = "The link to this page could not be read." if FRAGMENTS[fragment] else ""
    assert page.evaluate("readFragment()") == {"state": None, "problem": problem}


def test_a_fragment_changes_no_prototype(page):
    page.goto(f'{page.address}#live1={{"__proto__":{{"x":1}},"a":{{"__proto__":{{"x":1}}}}}}')
    assert page.evaluate("Object.assign({}, readFragment().state, readFragment().state.a).x") is None
