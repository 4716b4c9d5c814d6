"""How long the kernel of a chapter may take: a slow or busy machine is no failure.

The chapters run in three ways, and each has limits of its own, some of a few seconds: `tools/notebooks.py`, which takes
the limits from here; the build, for which this is a Sphinx extension; and nbval, for which it is a pytest plugin. These
are there for what never ends.
"""

from typing import Any

START = 300  # seconds until a kernel answers
CELL = 1200  # seconds a cell, in _config.yml too
OUTPUT = 300  # seconds until the last output of a cell is there, after it has ended
LIMITS: dict[str, Any] = {"startup_timeout": START, "iopub_timeout": OUTPUT, "raise_on_iopub_timeout": True}


def setup(app: Any) -> dict[str, Any]:
    """Let the client wait that the build runs chapters with, and fail where outputs do not arrive."""
    from nbclient import NotebookClient

    make = NotebookClient.__init__

    def patient(self: Any, *arguments: Any, **keywords: Any) -> None:
        make(self, *arguments, **{**LIMITS, **keywords})

    NotebookClient.__init__ = patient  # type: ignore[method-assign]
    return {"parallel_read_safe": True, "parallel_write_safe": True}


def pytest_configure(config: Any) -> None:
    """Let nbval wait for a kernel, and for its first answers."""
    from nbval.kernel import RunningKernel

    config.option.nbval_kernel_startup_timeout = START
    config.option.nbval_cell_timeout = CELL
    get = RunningKernel.get_message

    def patient(self: Any, stream: str, timeout: float | None = None) -> Any:
        # Of the other stream a first message may be lost, which nbval finds out by waiting for a second
        return get(self, stream, max(timeout or 0, START) if stream == "shell" else timeout)

    RunningKernel.get_message = patient


def pytest_collection_modifyitems(items: list[Any]) -> None:
    """Let nbval wait for the outputs of each cell."""
    for cell in items:
        cell.output_timeout = OUTPUT
