"""The content security policy of a page: it blocks nothing of the book, and what is put into a page does not run."""

from conftest import BUILT, FOLDER
from rows import every_row
from test_pages import scripts_in_attributes

SLIDES = "_static/slides.html"
OF_EACH_KIND = ["book/concepts/ndcg.html", "book/worked-examples.html", "search.html", SLIDES]

# Each puts something into the page, and sets window.ran where the browser runs it
INJECTED = {
    "a script": """() => {
        const script = document.createElement("script");
        script.textContent = "window.ran = true";
        document.body.append(script);
    }""",
    "an onclick": """() => {
        const button = document.createElement("button");
        button.setAttribute("onclick", "window.ran = true");
        document.body.append(button);
        button.click();
    }""",
    "a picture with an onerror": """() => {
        document.body.insertAdjacentHTML("beforeend", "<img src='data:,' onerror='window.ran = true'>");
    }""",
    "a link to a script": """() => {
        const link = document.createElement("a");
        link.href = "javascript:window.ran = true";
        document.body.append(link);
        link.click();
    }""",
    "a string as a script": "() => { setTimeout('window.ran = true'); }",
}
SENT = {
    # what the page tries: the directive that stops it
    "fetch('https://example.org/')": "connect-src",
    "new Worker('data:text/javascript,0')": "worker-src",
    "document.body.insertAdjacentHTML('beforeend', '<object data=a.pdf></object>')": "object-src",
    "document.body.insertAdjacentHTML('beforeend', '<iframe src=https://example.org></iframe>')": "frame-src",
    "document.body.insertAdjacentHTML('beforeend', '<img src=https://example.org/a.png>')": "img-src",
    "document.head.append(Object.assign(document.createElement('base'), {href: 'https://example.org/'}))": "base-uri",
    "document.body.append(Object.assign(document.createElement('form'), {action: 'https://example.org/'})); "
    "document.forms[document.forms.length - 1].submit()": "form-action",
}


def blocked(seen):
    """What the console says was blocked; pictures that a page was left before it had them are complaints too."""
    return [said for said in seen.complaints if "Content Security Policy" in said]


def test_a_page_of_each_kind_opens_from_a_folder_with_nothing_blocked(visit):
    """Of every page, as a server gives it, the test of its complaints tells."""
    seen = visit(OF_EACH_KIND[0], home=FOLDER)
    for path in OF_EACH_KIND:
        seen.go(path)
        assert scripts_in_attributes(seen.page) == [], path
    assert blocked(seen) == []


# Does something to the page, and tells what of the policy stopped it
STOPPED = """(put) => new Promise((done) => {
    document.addEventListener("securitypolicyviolation", (event) => done(event.effectiveDirective), { once: true });
    try { Promise.resolve(PUT).catch(() => {}); } catch {}
})"""


@every_row("path", OF_EACH_KIND)
def test_what_is_put_into_a_page_does_not_run(visit, path):
    page = visit(path).page
    for what, put in INJECTED.items():
        assert page.evaluate(STOPPED.replace("PUT", f"({put})()")).startswith("script-src"), what
        assert page.evaluate("window.ran") is None, what


def test_a_script_written_into_the_file_of_a_page_does_not_run(visit):
    seen = visit(OF_EACH_KIND[1])
    text = (BUILT / OF_EACH_KIND[0]).read_text(encoding="utf-8")
    planted = text.replace("</body>", "<script>window.ran = true</script></body>")
    seen.page.route(f"**/{OF_EACH_KIND[0]}", lambda route: route.fulfill(body=planted, content_type="text/html"))
    seen.go(OF_EACH_KIND[0])
    assert seen.page.evaluate("window.ran") is None
    assert len(blocked(seen)) == 1


def test_a_page_cannot_reach_another_place(visit):
    seen, stopped = visit(OF_EACH_KIND[0]), {}
    for tried in SENT:
        stopped[tried] = seen.page.evaluate(STOPPED.replace("PUT", "Function(put)()"), tried)
    assert stopped == SENT
    assert seen.elsewhere == []


def test_the_one_script_that_a_page_holds_may_run(visit):
    """It sets the theme that the reader chose before anything is drawn."""
    seen = visit(OF_EACH_KIND[0])
    seen.page.evaluate("localStorage.theme = 'dark'")
    seen.go(OF_EACH_KIND[0])
    assert seen.page.evaluate("getComputedStyle(document.documentElement).colorScheme") == "dark"
    assert blocked(seen) == []


def test_a_search_from_the_bar_is_sent(visit):
    seen = visit(OF_EACH_KIND[0])
    seen.page.evaluate("document.querySelector('form[action*=search]').requestSubmit()")
    seen.page.wait_for_url("**/search.html*")
    assert blocked(seen) == []
