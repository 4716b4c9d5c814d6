"""The command `ndcg-ref`: judge a number, evaluate runs, read a book's ledger.

Exit code 0 says that all is well, 1 that a number is a slip or a mean drops, 2 that the input is bad, and 3 that
`check` met a bug of this package; a shell shows 130 for a command that was interrupted. What each command takes and
prints is in `ndcg_ref.commands`.
"""

import argparse
import io
import os
import re
import sys
from collections.abc import Sequence
from importlib import import_module
from typing import TYPE_CHECKING, Any

from ndcg_ref import __version__
from ndcg_ref.commands.shared import EXPANDED
from ndcg_ref.conventions.validation import shortened, visible

if TYPE_CHECKING:
    from typing import NoReturn

MODULES = {  # of `ndcg_ref.commands`, in the order of the help, and their commands
    "judge_command": ("judge",),
    "check_command": ("check",),
    "eval_command": ("eval",),
    "sql_command": ("sql",),
    "which_command": ("which", "explain"),
    "comparing_commands": ("compare", "gate"),
    "book_commands": ("myst", "pandoc", "new"),
    "list_commands": ("ledger", "presets", "measures"),
    "example_command": ("example",),
}
MOST_SAID = 400  # characters of what argparse says, which may repeat what was given


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command on the words after it; return the exit code: 0, 1 for a slip, 2 for bad input, 3 for a bug.

    >>> main(["judge", "0.98", "0.97868"])
    ✓ agrees: stated 0.98, computed 0.97868
    0.98 is what every value from 0.975 to 0.985 prints as
    0
    """
    words = sys.argv[1:] if arguments is None else arguments
    if sys.stderr is None:  # closed; print(file=None) would print to stdout
        sys.stderr = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115 - for as long as the process lasts
    if sys.stdout is None:
        return _refused("", "the output cannot be written: it is closed")
    sys.stdout, sys.stderr = _outliving_reader(sys.stdout), _outliving_reader(sys.stderr)
    _set_encodings(words[:1] in (["eval"], ["explain"], ["compare"], ["gate"]))
    try:
        words = as_argparse_takes(words)
    except ValueError as error:
        return _refused(words[0], error)
    return _run(words)


class _OutputError(OSError):
    """The output cannot be written."""


class _Output(io.FileIO):
    """What is written is lost, and no error, once its reader has left: the exit code still has to be the outcome."""

    def write(self, data: Any) -> int:
        try:
            return super().write(data)
        except BrokenPipeError:
            return len(data)
        except OSError as error:
            raise _OutputError(error.errno, error.strerror) from None


def _outliving_reader(stream: Any) -> Any:
    """The stdout or stderr of a process for a reader, such as head, that may have seen enough before the end."""
    buffer = getattr(stream, "buffer", None)
    is_of_process = stream in (sys.__stdout__, sys.__stderr__)
    if not is_of_process or type(getattr(buffer, "raw", buffer)) is not io.FileIO:  # else a console of Windows
        return stream
    stream.flush()
    raw = _Output(stream.fileno(), "w", closefd=False)
    return io.TextIOWrapper(
        raw if isinstance(buffer, io.FileIO) else io.BufferedWriter(raw),  # as python -u asks, or not
        stream.encoding,
        stream.errors,
        line_buffering=stream.line_buffering,
        write_through=stream.write_through,
    )


def _set_encodings(has_ids: bool) -> None:
    """Print the text even if the terminal lacks the marks, and ids byte for byte under any locale."""
    exact = {"encoding": "utf-8", "errors": "surrogateescape"}
    streams = [(sys.stdout, exact), (sys.stderr, exact)] if has_ids else [(sys.stdout, {"errors": "replace"})]
    for stream, options in streams:
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(**options)


def _run(words: Sequence[str]) -> int:
    """Run the command that was given, and turn what can go wrong into a line and an exit code."""
    command = words[0] if words and not words[0].startswith("-") else ""
    try:
        try:
            options = _parser(command).parse_args(words)
            code: int = options.run(options)
        finally:  # the output, a help text too, is written now or refused below
            sys.stdout.flush()
        return code
    except _OutputError as error:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return _refused(command, f"the output cannot be written: {error.strerror}")
    except OSError as error:
        where = f"{shortened(str(error.filename))}: " if error.filename else ""
        return _refused(command, f"{where}{error.strerror or error}")
    except (TypeError, ValueError) as error:
        return _refused(command, error)
    except MemoryError:
        return _refused(command, "there is not enough memory for this input")
    except KeyboardInterrupt:
        return 130  # as shells count it


def _refused(command: str, reason: Exception | str) -> int:
    """Print why a command ends, with advice for a shell where that of an error is for Python."""
    if isinstance(reason, KeyError):
        from ndcg_ref.conventions.presets import UnknownPresetError

        if isinstance(reason, UnknownPresetError):
            reason = reason.message("`ndcg-ref presets` lists all")
    print(visible(f"{f'ndcg-ref {command}'.strip()}: {reason}"), file=sys.stderr)
    return 2


class _CommandParser(argparse.ArgumentParser):
    def error(self, message: str) -> "NoReturn":
        known, _, words = message.partition(": ")
        expanded = known == "unrecognized arguments" and all(map(os.path.exists, words.split(" ")))
        super().error(shortened(message, MOST_SAID) + (f" ({EXPANDED})" if expanded else ""))


def _parser(command: str = "") -> argparse.ArgumentParser:
    """The parser of a command, or where it is none that of all commands, which takes longer to load."""
    parser = _CommandParser(prog="ndcg-ref", description="Is this NDCG right?")
    parser.add_argument("--version", action="version", version=f"ndcg-ref {__version__}")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", required=True)
    own = [module for module, names in MODULES.items() if command in names]
    for module in own or MODULES:
        import_module(f"ndcg_ref.commands.{module}").add_to(commands)
    return parser


def as_argparse_takes(words: Sequence[str]) -> list[str]:
    """The words, with several measures after one option, and negative numbers, rewritten; or a refusal.

    >>> as_argparse_takes(["judge", "-0.5", "-0.52"])
    ['judge', ' -0.5', ' -0.52']
    """
    command = words[0] if words else ""
    if command in ("judge", "which"):  # a negative number is no option, and after a blank it is not taken for one
        return [re.sub(r"^-(?=[0-9.])", " -", word) for word in words]
    return _each_measure_its_option(words) if command in ("eval", "compare", "gate") else list(words)


def _each_measure_its_option(words: Sequence[str]) -> list[str]:
    """Let -m take several measures, up to an option or a file: `-m AP P@5 qrels run` becomes `-m AP -m P@5 …`."""
    rewritten: list[str] = []
    for word in words:
        if rewritten[-2:-1] == ["-m"] and not word.startswith("-") and not os.path.exists(word):
            from ndcg_ref.conventions.spellings import parse_all

            try:
                parse_all(word)
            except ValueError as error:
                raise ValueError(f"{error}; there is no file of that name either") from None
            rewritten.append("-m")
        rewritten.append(word)
    return rewritten
