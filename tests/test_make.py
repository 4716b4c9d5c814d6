"""A clone works where the machine is slow, busy or new to it: what the Makefile does, and how long it waits."""

import fcntl
import os
import re
import shutil
import signal
import subprocess
import sys
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from types import SimpleNamespace

import pytest
import yaml
from nbclient import NotebookClient
from nbval.kernel import RunningKernel

from tools.make import patience

ROOT = Path(__file__).resolve().parent.parent
MAKEFILE = (ROOT / "Makefile").read_text(encoding="utf-8")
CONFIG = yaml.safe_load((ROOT / "_config.yml").read_text(encoding="utf-8"))

# A Python that writes down what it is asked for, makes an environment that has itself, and fails at what FAILS names
PYTHON = f"""#!/bin/sh
case "$*" in
    tools/make/patience.py*) exec '{sys.executable}' "$@" ;;
esac
echo "$*" >> calls
case "$*" in
    *.venv-node*) mkdir -p .venv-node/bin && cp "$0" .venv-node/bin/python ;;
    *venv*) mkdir -p .venv/bin && cp "$0" .venv/bin/python ;;
esac
if test -n "$FAILS"; then case "$*" in *"$FAILS"*) exit 1 ;; esac; fi
"""


@pytest.fixture
def clone(tmp_path):
    """A folder, with a blank in its path, that has what `make` reads to set up."""
    folder = tmp_path / "a clone"
    (folder / "tools" / "make").mkdir(parents=True)
    for name in ("Makefile", "tools/make/patience.py", "requirements.lock", "requirements-node.lock", "pyproject.toml"):
        (folder / name).write_bytes((ROOT / name).read_bytes())
    (folder / "python").write_text(PYTHON, encoding="utf-8")
    (folder / "python").chmod(0o755)
    return folder


def start(clone, *words, **environment):
    """Start `make`, as from a terminal, also where the tests run in a recipe of it."""
    kept = {name: value for name, value in os.environ.items() if "MAKE" not in name and name not in ("ALONE", "MFLAGS")}
    return subprocess.Popen(
        ["make", *words],
        cwd=clone,
        env={**kept, **environment},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
        preexec_fn=partial(signal.signal, signal.SIGINT, signal.SIG_DFL),  # also where the tests run in the background
    )


def make(clone, *words, **environment):
    """The exit code of `make`, and what it prints and complains of."""
    made = start(clone, *words, **environment)
    printed, complained = made.communicate(timeout=300)
    return made.returncode, printed, complained


# What the set-up asks of Python, in this order, each by a word of its own
SET_UP = ["import sys", "-m venv", "--require-hashes", "--no-build-isolation", "pip check", "font_manager"]


class TestTheSetUp:
    def calls(self, clone):
        """What the Python was asked for; then that is forgotten."""
        log = clone / "calls"
        lines = log.read_text(encoding="utf-8").splitlines()
        log.unlink()
        return [next(step for step in SET_UP if step in line) for line in lines]

    def test_the_set_up_is_done_once(self, clone):
        assert make(clone, "PYTHON=./python", ".venv/.installed")[0] == 0
        assert self.calls(clone) == SET_UP
        assert make(clone, "PYTHON=./python", ".venv/.installed")[0] == 0
        assert not (clone / "calls").exists()

    @pytest.mark.parametrize("step", SET_UP[1:])
    def test_the_set_up_is_done_again_where_it_was_stopped(self, clone, step):
        code, _, complained = make(clone, "PYTHON=./python", ".venv/.installed", FAILS=step)
        assert (code, "Error 1" in complained) == (2, True)
        assert self.calls(clone) == SET_UP[: SET_UP.index(step) + 1]
        assert make(clone, "PYTHON=./python", ".venv/.installed")[0] == 0
        downloaded = SET_UP.index("--require-hashes")
        assert self.calls(clone) == (SET_UP if SET_UP.index(step) <= downloaded else SET_UP[downloaded + 1 :])

    def test_the_set_up_names_what_is_missing(self, clone):
        code, _, complained = make(clone, "PYTHON=no-such-python", "book")
        assert code == 2
        assert complained.splitlines()[0] == (
            "This needs Python 3.11 or later, and finds no no-such-python: name one with 'make PYTHON=python3.12'."
        )


NODES = {
    # what is installed: scripts by their names
    "nothing": {},
    "a node that is too old": {"node": "exit 1", "npm": "exit 0"},
    "node without npm": {"node": "exit 0"},
}


@pytest.mark.parametrize("installed", NODES)
def test_make_live_sets_up_node_first_where_the_system_has_none(clone, installed):
    """Before the set-up and the book, which take longer."""
    path = clone / "path"
    path.mkdir()
    for name in ("make", "mkdir", "cp"):
        (path / name).symlink_to(shutil.which(name))
    for name, code in NODES[installed].items():
        (path / name).write_text(f"#!/bin/sh\n{code}\n", encoding="utf-8")
        (path / name).chmod(0o755)
    code, printed, complained = make(clone, "live", "PYTHON=./python", PATH=str(path), FAILS="requirements-node.lock")
    assert code == 2
    assert "Setting up node in .venv-node (once)" in printed
    assert complained.splitlines()[0] == (
        "Node needs the network, once, and could not be had: run make again, or install node 20 or later."
    )
    assert not (clone / ".venv" / "bin").exists()


@contextmanager
def at_work(folder):
    """Holds what another `make` there would hold."""
    held = os.open(folder / "tools" / "make" / "patience.py", os.O_RDWR)
    fcntl.lockf(held, fcntl.LOCK_EX)
    try:
        yield
    finally:
        os.close(held)


def ended(made):
    """The exit code, and what it complains of from now on."""
    _, complained = made.communicate(timeout=300)
    return made.returncode, complained


class TestTwoAtOnce:
    def test_a_second_make_waits_for_the_first(self, clone):
        with at_work(clone):
            second = start(clone, "clean")
            said = second.stderr.readline()
            assert said == "Another make is running in this folder: waiting for it to end.\n"
            with pytest.raises(subprocess.TimeoutExpired):
                second.wait(timeout=0.5)
        assert ended(second) == (0, "")

    def test_a_second_make_can_be_interrupted(self, clone):
        with at_work(clone):
            second = start(clone, "clean")
            second.stderr.readline()
            os.killpg(second.pid, signal.SIGINT)
            code, complained = ended(second)
        assert code != 0
        assert "Traceback" not in complained

    def test_the_lock_lasts_as_long_as_the_recipes(self, clone):
        first = subprocess.Popen(
            [sys.executable, "tools/make/patience.py", "sh", "-c", "echo busy; read line"],
            cwd=clone,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        assert first.stdout.readline() == "busy\n"
        second = start(clone, "clean")
        assert "waiting" in second.stderr.readline()
        first.communicate("\n", timeout=300)
        assert ended(second) == (0, "")

    def test_what_outlives_the_first_make_holds_nothing(self, clone):
        started = "sleep 300 >/dev/null 2>&1 & echo $!"
        first = subprocess.run(
            [sys.executable, "tools/make/patience.py", "sh", "-c", started],
            cwd=clone,
            capture_output=True,
            text=True,
            check=True,
        )
        second = start(clone, "clean")
        try:
            assert second.stderr.readline() == ""
        finally:
            os.kill(int(first.stdout), signal.SIGTERM)
        assert ended(second) == (0, "")

    def test_help_waits_for_nobody(self, clone):
        with at_work(clone):
            code, printed, complained = make(clone, "help", "PYTHON=no-such-python")
        assert (code, complained) == (0, "")
        assert "make book" in printed


class TestNothingHurries:
    """Limits are there for what never ends."""

    def test_a_kernel_of_the_build_has_time_to_start_and_to_answer(self, monkeypatch):
        monkeypatch.setattr(NotebookClient, "__init__", NotebookClient.__init__)
        assert CONFIG["sphinx"]["local_extensions"]["tools.make.patience"] == "."
        patience.setup(None)
        client = NotebookClient(None, timeout=1)
        assert client.timeout == 1
        assert (client.startup_timeout, client.iopub_timeout) == (patience.START, patience.OUTPUT)
        assert client.raise_on_iopub_timeout  # else outputs that come late are lost in silence

    def test_nbval_waits_as_long_as_the_build(self, monkeypatch):
        assert re.search(r"pytest --nbval .* -p tools.make.patience ", MAKEFILE)
        asked = []
        monkeypatch.setattr(RunningKernel, "get_message", lambda *asking: asked.append(asking[1:]))
        options = SimpleNamespace()
        patience.pytest_configure(SimpleNamespace(option=options))
        assert (options.nbval_kernel_startup_timeout, options.nbval_cell_timeout) == (patience.START, patience.CELL)
        RunningKernel.get_message(None, "shell", timeout=10)
        RunningKernel.get_message(None, "shell", timeout=patience.CELL)
        RunningKernel.get_message(None, "iopub", timeout=1)
        assert asked == [("shell", patience.START), ("shell", patience.CELL), ("iopub", 1)]
        cell = SimpleNamespace(output_timeout=5)
        patience.pytest_collection_modifyitems([cell])
        assert cell.output_timeout == patience.OUTPUT
