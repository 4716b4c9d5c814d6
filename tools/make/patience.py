"""How long the kernel of a chapter may take, so that a slow or busy machine is no failure.

Chapters run in three ways, each with default limits of a few seconds: in `tools/make/notebooks.py`, which imports the
limits from here; in the build, for which this is a Sphinx extension; and in nbval, for which it is a pytest plugin. The
limits here only stop what never ends.
"""

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
