"""Every page says which scripts may run on it and where it may send requests: a content security policy.

A Sphinx extension that changes the HTML builder alone. The policy stands in a `<meta>`, so it holds on any server, and
in a folder too. Scripts come from the book's own files. Those that the theme writes into a page are named by their
hashes, which are taken when all pages are written; a script or an `onclick` that gets into a page later does not run.
"""

import re
from base64 import b64encode
from hashlib import sha256
from pathlib import Path
from typing import Any

from sphinx.application import Sphinx

POLICY = {
    "default-src": "'self'",
    "script-src": "'self' 'wasm-unsafe-eval'",  # and the hashes
    "style-src": "'self' 'unsafe-inline'",  # widths of columns and colours of plots stand in style attributes
    "img-src": "'self' data:",
    "font-src": "'self' data:",  # the icons
    "connect-src": "'self'",
    "worker-src": "'self'",
    "object-src": "'none'",
    "base-uri": "'self'",
    "form-action": "'self'",
}
# The theme's buttons call a script from an attribute, which no policy but a lax one allows; book.js listens instead
CLICKS = {
    'onclick="toggleFullScreen()"': 'data-click="fullscreen"',
    'onclick="window.print()"': 'data-click="print"',
}
CHARSET = re.compile(r'<meta charset="utf-8"\s*/?>')
INLINE = re.compile(r"<script(?![^>]*\ssrc=)[^>]*>(.*?)</script>", re.DOTALL)
META = '<meta http-equiv="Content-Security-Policy"'


def hashes(page: str) -> list[str]:
    """The hashes of the scripts that stand in a page, as a policy names them.

    >>> hashes('<script src="a.js"></script><script>let a = 1;</script><script>let a = 1;</script>')
    ["'sha256-xY6QKfH9PRsQnLz56nj6MBwiK5oHg+im1Jkpdp1x/Ck='"]
    """
    found = (sha256(text.encode()).digest() for text in INLINE.findall(page))
    return list(dict.fromkeys(f"'sha256-{b64encode(digest).decode()}'" for digest in found))


def secured(page: str) -> str:
    """A page with its policy, and without the attributes that the policy would disable."""
    if META in page:  # written by an earlier build, and not since
        return page
    for attribute, named in CLICKS.items():
        page = page.replace(attribute, named)
    policy = POLICY | {"script-src": " ".join([POLICY["script-src"], *hashes(page)])}
    content = "; ".join(f"{name} {sources}" for name, sources in policy.items())
    return CHARSET.sub(lambda charset: f'{charset[0]}\n{META} content="{content}">', page, count=1)


def secure(app: Sphinx, error: Exception | None) -> None:
    """Give every page that was written its policy; the theme's own templates among the files have no charset."""
    if error or app.builder.name != "html":
        return
    for path in Path(app.outdir).rglob("*.html"):
        page = path.read_text(encoding="utf-8")
        if (changed := secured(page)) != page:
            path.write_text(changed, encoding="utf-8")


def setup(app: Sphinx) -> dict[str, Any]:
    """Add the policy, after all pages are written."""
    app.connect("build-finished", secure, priority=900)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
