"""Lines that a workflow of GitHub reads: each puts a message on the page of its run."""

from collections.abc import Mapping

CONTROLS = "".join(map(chr, [*range(1, 32), 127]))  # which a terminal would obey
IN_MESSAGE, IN_PROPERTY = f"%{CONTROLS}", f"%{CONTROLS}:,"  # signs that are escaped


def workflow_command(kind: str, message: str, properties: Mapping[str, object]) -> str:
    """A workflow command of GitHub.

    >>> workflow_command("error", "100 %", {"file": "a,b.md", "line": 3})
    '::error file=a%2Cb.md,line=3::100 %25'
    """
    named = ",".join(f"{name}={_escaped(str(value), IN_PROPERTY)}" for name, value in properties.items())
    return f"::{kind} {named}::{_escaped(message, IN_MESSAGE)}"


def _escaped(text: str, signs: str) -> str:
    """The text with some signs percent-encoded, the percent sign first of all."""
    for sign in signs:
        text = text.replace(sign, f"%{ord(sign):02X}")
    return text
