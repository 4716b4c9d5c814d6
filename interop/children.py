"""Run work in a separate process, so that a crash or an endless loop is a result like any other."""

import json
import os
import re
import select
import signal
import time


class NotTakenError(ValueError):
    """The library cannot take such input, so there is nothing to record."""


def in_child(work, seconds):
    """What `work` returns; otherwise the first line of its error, a crash, or that there was no answer in time."""
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reader)
        _answer(work, writer)
    os.close(writer)
    text = _read(reader, time.monotonic() + seconds)
    os.close(reader)
    if text is None:
        os.kill(child, signal.SIGKILL)
    _, status = os.waitpid(child, 0)
    if text is None:
        return {"error": f"no answer within {seconds} s"}
    return json.loads(text) if text else {"error": f"crashed: {signal.Signals(os.WTERMSIG(status)).name}"}


def _answer(work, writer):
    with open(os.devnull, "w") as null:  # what libraries print, from C too
        os.dup2(null.fileno(), 1)
        os.dup2(null.fileno(), 2)
    try:
        answer = json.dumps(work(), allow_nan=False)
    except NotTakenError as reason:
        answer = json.dumps({"not taken": str(reason)})
    except Exception as error:
        answer = json.dumps({"error": f"{type(error).__name__}: {first_line(error)}"})
    with open(writer, "w") as stream:
        stream.write(answer)
    os._exit(0)


def first_line(error):
    """The first line of a message, without what differs between runs and machines."""
    line = (str(error).strip().splitlines() or [""])[0]
    line = re.sub(r"(?:/[\w.+-]+)+/([\w.+-]+)", r"\1", line)  # a file without its folder
    return re.sub(r"\btmp\w{8}\b", "FILE", re.sub(r"^\[[\d:]+\] ", "", line))


def _read(reader, deadline):
    """Everything until the other end is closed, or None if time runs out."""
    parts = []
    while (left := deadline - time.monotonic()) > 0:
        if select.select([reader], [], [], left)[0]:
            parts.append(os.read(reader, 1 << 16))
            if not parts[-1]:
                return b"".join(parts)
    return None
