"""How long is waited: for another make in this folder, and for the kernel of a chapter, so that no slow machine fails.

``python patience.py make book`` becomes the process ``make book``, once any other one has ended that was started so.
The lock is on this file and belongs to that process alone: it is released when the process ends, however it ends, and
whatever it started may go on.

Chapters run in three ways, each with default limits of a few seconds: in `tools/make/notebooks.py`, which imports the
limits from here; in the build, for which this is a Sphinx extension; and in nbval, for which it is a pytest plugin. The
limits here only stop what never ends.
"""

import sys
from typing import Any

START = 300  # seconds until a kernel answers
CELL = 1200  # seconds for a cell, also in _config.yml
OUTPUT = 300  # seconds to wait for the last output of a cell after it has ended
LIMITS: dict[str, Any] = {"startup_timeout": START, "iopub_timeout": OUTPUT, "raise_on_iopub_timeout": True}


def setup(app: Any) -> dict[str, Any]:
    """Make the client of the build wait for these limits, and fail if outputs do not arrive."""
    from nbclient import NotebookClient

    make = NotebookClient.__init__

    def patient(self: Any, *arguments: Any, **keywords: Any) -> None:
        make(self, *arguments, **{**LIMITS, **keywords})

    NotebookClient.__init__ = patient  # type: ignore[method-assign]
    return {"parallel_read_safe": True, "parallel_write_safe": True}


def pytest_configure(config: Any) -> None:
    """Make nbval wait for a kernel, and for its first answers."""
    from nbval.kernel import RunningKernel

    config.option.nbval_kernel_startup_timeout = START
    config.option.nbval_cell_timeout = CELL
    get = RunningKernel.get_message

    def patient(self: Any, stream: str, timeout: float | None = None) -> Any:
        # The first message of the other stream may be lost, which nbval notices by waiting for a second
        return get(self, stream, max(timeout or 0, START) if stream == "shell" else timeout)

    RunningKernel.get_message = patient


def pytest_collection_modifyitems(items: list[Any]) -> None:
    """Make nbval wait for the outputs of each cell."""
    for cell in items:
        cell.output_timeout = OUTPUT


def main(command: list[str]) -> None:
    """Wait for another make if necessary, then become the command; any Python runs this, before anything is set up."""
    import fcntl
    import os
    from signal import SIG_DFL, SIGINT, default_int_handler, getsignal, signal

    if getsignal(SIGINT) is default_int_handler:
        signal(SIGINT, SIG_DFL)  # an interrupt ends the wait without a traceback
    try:
        # lockf, as a lock of flock is also that of every process that inherits the file
        file = os.open(__file__, os.O_RDWR)
        os.set_inheritable(file, True)
        try:
            fcntl.lockf(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except (BlockingIOError, PermissionError):  # either, as the system likes
            print("Another make is running in this folder: waiting for it to end.", file=sys.stderr, flush=True)
            fcntl.lockf(file, fcntl.LOCK_EX)
    except OSError:
        pass  # a file that cannot be written, or a file system without locks, such as some network file systems
    os.execvp(command[0], command)


if __name__ == "__main__":
    main(sys.argv[1:])
