"""Modules of JavaScript become one classic script: an entry of `live/src`, and all that it imports.

Python does it, without tools of JavaScript, as the modules are written in a part of the language that can be joined by
putting one after another; `live/README.md` says which. What cannot be joined is refused with file and line.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

COMMENT = re.compile(r"^[ \t]*(?://[^\n]*|/\*(?:(?!\*/).)*\*/[ \t]*)\n", re.MULTILINE | re.DOTALL)
CAST = re.compile(r"/\*\* @type (?:(?!\*/).)*\*/ ?")
IMPORT = re.compile(r'^import \{([^}]*)\} from "\./([a-z-]+)\.js";\n', re.MULTILINE)
EXPORT = re.compile(r"^export (?=(?:async function|function|const|class)\b)", re.MULTILINE)
NAMED = re.compile(r"^(export )?(?:(?:async )?function\*?|const|let|class) +([\w$]+)", re.MULTILINE)

FUNCTION = re.compile(r"^(?:async )?function\*? ([\w$]+)[^\n]*[({]\n(?:(?!\}).*\n)*\}\n", re.MULTILINE)

BEHIND = re.compile(r"^([^\"'`/]*[^\"'`/ ]) +//.*$")
QUOTED = re.compile(r"""("(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')""")
SIGN = re.compile(r"(?<=[\w)\]]) ([-+]) (?=[\w(\[])")
BLANKS = re.compile(r" *([=<>(){}\[\],;:?|&!*%]) *")
ENDS = ("(", "[", "{", ",", ";")  # behind these no line needs its end

REFUSED = {
    # what the text would have at the beginning of a line, or anywhere in it: what to write instead
    re.compile(r"^import\b", re.MULTILINE): 'expected import { a, b } from "./module.js"',
    re.compile(r"^export\b", re.MULTILINE): "expected export function, export const or export class",
    re.compile(r"^(?:var\b|(?:const|let) *[\[{])", re.MULTILINE): "expected one const, let, function or class",
    re.compile(r"\bimport *\("): "expected all imports at the top, as one script has no modules to load",
    re.compile(r"\bimport\.meta\b"): "expected document.currentScript.src, as one script has no import.meta",
    re.compile(r"^(?:\w+ \w+ = )?await\b", re.MULTILINE): "expected no await outside a function",
    re.compile(r"^[^`\n]*(?:`[^`\n]*`[^`\n]*)*`[^`\n]*$", re.MULTILINE): "expected a text in backticks on one line",
}


class JoinError(ValueError):
    """What cannot be joined, with its place."""


@dataclass(frozen=True)
class Module:
    """A module of `live/src`: its text without comments, imports and exports, and its names."""

    name: str
    text: str
    imports: tuple[tuple[str, tuple[str, ...]], ...]
    exports: frozenset[str]
    names: frozenset[str]


def read_module(folder: Path, name: str) -> Module:
    """Read a module; what cannot be joined is refused."""
    path = folder / f"{name}.js"
    source = path.read_text(encoding="utf-8")
    text = COMMENT.sub(lambda found: "\n" * found[0].count("\n"), source)
    imports = tuple((found[2], tuple(_words(found[1]))) for found in IMPORT.finditer(text))
    bare = IMPORT.sub(lambda found: "\n" * found[0].count("\n"), text)
    named = [(found[1], found[2]) for found in NAMED.finditer(bare)]
    bare = EXPORT.sub("", bare)
    for wrong, expected in REFUSED.items():
        found = wrong.search(bare)
        if found:
            line = bare.count("\n", 0, found.start()) + 1
            raise JoinError(f"{path.name}:{line}: {expected}, got {source.splitlines()[line - 1].strip()!r}")
    for _, words in imports:
        for word in words:
            if not re.fullmatch(r"[\w$]+", word):
                raise JoinError(f"{path.name}: expected imports without another name, got {word!r}")
    exports = frozenset(word for exported, word in named if exported)
    return Module(name, CAST.sub("", bare), imports, exports, frozenset(word for _, word in named))


def _words(text: str) -> list[str]:
    return [" ".join(word.split()) for word in text.split(",") if word.strip()]


def in_order(folder: Path, name: str, above: tuple[str, ...] = ()) -> Iterator[Module]:
    """What a module imports, directly or not, and then itself; each as often as it is imported."""
    if name in above:
        raise JoinError(f"{above[-1]}.js: expected modules in one direction, got {' -> '.join([*above, name])}")
    if not (folder / f"{name}.js").is_file():
        raise JoinError(f"{above[-1]}.js: expected a module in live/src, got ./{name}.js")
    module = read_module(folder, name)
    for other, words in module.imports:
        imported = list(in_order(folder, other, (*above, name)))
        yield from imported
        for word in words:
            if word not in imported[-1].exports:
                raise JoinError(f"{name}.js: expected a name that {other}.js exports, got {word}")
    yield module


def entries(folder: Path) -> list[str]:
    """The modules that are entries: those that export nothing, as they are imported nowhere."""
    return [path.stem for path in sorted(folder.glob("*.js")) if not EXPORT.search(path.read_text(encoding="utf-8"))]


def modules_of(folder: Path, entry: str) -> list[Module]:
    """The modules of an entry, in the order in which they are joined; a name at the top of two is refused."""
    if entry not in entries(folder):
        known = ", ".join(entries(folder)) or "none yet"
        raise JoinError(f"expected one of the entries in live/src ({known}), got {entry!r}")
    modules = list({module.name: module for module in in_order(folder, entry)}.values())
    owners: dict[str, str] = {}
    for module in modules:
        for word in sorted(module.names):
            if word in owners:
                raise JoinError(f"{module.name}.js: expected a name of its own, got {word}, as in {owners[word]}.js")
            owners[word] = module.name
    return modules


def joined(folder: Path, entry: str) -> str:
    """One classic script of an entry and all that it imports."""
    text = without_unused("".join(module.text for module in modules_of(folder, entry)))
    return f'(() => {{\n"use strict";\n{squeezed(text)}}})();\n'


def without_unused(text: str) -> str:
    """A text without the functions that nothing in it names: a script has no use for all that a module offers.

    >>> without_unused("function a() {\\n}\\nfunction b() {\\n  a();\\n}\\nfunction c() {\\n}\\nc();\\n")
    'function c() {\\n}\\nc();\\n'
    """
    for found in FUNCTION.finditer(text):
        name = re.compile(rf"\b{re.escape(found[1])}\b")
        if len(name.findall(text)) == len(name.findall(found[0])):
            return without_unused(text[: found.start()] + text[found.end() :])
    return text


def squeezed(text: str) -> str:
    """A text without indentation, blank lines, comments behind code, and blanks that stand beside a sign.

    What is in quotes stays as it is; so does a line with backticks or slashes, which may be a text or a pattern.

    >>> squeezed('if (a) {\\n  b = "c = d";\\n\\n  e(); // f\\n  g(/h = i/);\\n}\\n')
    'if(a){b="c = d";e();g(/h = i/);\\n}\\n'
    """
    lines = (_squeezed_line(line.strip()) for line in text.splitlines() if line.strip())
    return "".join(line if line.endswith(ENDS) and "/" not in line else f"{line}\n" for line in lines)


def _squeezed_line(line: str) -> str:
    line = BEHIND.sub(r"\1", line)
    if "`" in line or "/" in line:
        return line
    pieces = QUOTED.split(line)
    pieces[::2] = [BLANKS.sub(r"\1", SIGN.sub(r"\1", piece)) for piece in pieces[::2]]
    return "".join(pieces)
