"""What all tests share: the two witnesses, draws that are the same in every run, the package as it is given away."""

import re
import sys
import venv
import zipfile
from pathlib import Path

import numpy as np
import pytest
from commands import run
from hypothesis import HealthCheck, settings
from IPython.core.interactiveshell import InteractiveShell
from IPython.utils.capture import capture_output
from traitlets.config import Config
from xdist.scheduler import LoadScopeScheduling

from ndcg_ref.commands.cli import main
from ndcg_ref.formulas import arrays, plain
from ndcg_ref.notes.facts import facts_in

pytest.register_assert_rewrite("marked")  # whose failures are shown as those of a test
settings.register_profile(
    "same every time",
    derandomize=True,
    database=None,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow],  # the machine may be busy
)
settings.register_profile("quick", parent=settings.get_profile("same every time"), max_examples=15)
settings.load_profile("same every time")


# These run notebooks. A kernel picks free ports and lets them go before it takes them, so two must not start at once.
START_KERNELS = {
    "test_assignment",
    "test_classification",
    "test_compare_images",
    "test_downloads",
    "test_example_book",
    "test_foreign_book",
    "test_growth",
    "test_notebooks",
}


# A test of these takes seconds: it tries thousands of inputs, or starts processes. `make quick` does not collect them.
LONG = {
    "test_check_files",
    "test_check_hostile",
    "test_check_notes",
    "test_check_your_notes",
    "test_engines",
    "test_ledger_ext",
    "test_live_build",
    "test_planted",
    "test_presets",
    "test_prose",
    "test_pytest_plugin",
    "test_quiz",
    "test_slip_plants",
}


def pytest_ignore_collect(collection_path, config):
    missing = {name for name in LONG if not (Path(__file__).parent / f"{name}.py").exists()}
    assert not missing, f"expected the files in LONG, found none for {sorted(missing)}"
    if config.getoption("--hypothesis-profile") == "quick" and collection_path.stem in LONG:
        return True
    return None


class Together(LoadScopeScheduling):
    """The tests of one file stay on one core, as they share what they build; those of a page on that of the page."""

    def _split_scope(self, nodeid):
        file, page = nodeid.partition("::")[0], re.search(r"\[([\w/-]+\.html)", nodeid)
        return page[1] if page else "kernels" if Path(file).stem in START_KERNELS else file


def pytest_xdist_make_scheduler(config, log):
    config.option.loadscopereorder = False  # so that what takes longest begins first, as below
    return Together(config, log)


def pytest_collection_modifyitems(items):
    # What takes longest begins first, and the pages, one by one, fill both cores up to the end
    items.sort(key=lambda item: (item.path.stem not in START_KERNELS, item.path.stem == "test_pages"))


@pytest.fixture(params=[plain, arrays], ids=["plain", "measures"])
def witness(request):
    """The formulas as loops, then the same over arrays: what is tested of one is tested of the other."""
    return request.param


@pytest.fixture(scope="session")
def dist(tmp_path_factory):
    """A folder with the sdist and the wheel, built as `make dist` does, without any network."""
    folder = tmp_path_factory.mktemp("dist")
    root = Path(__file__).resolve().parent.parent
    done = run(sys.executable, "-m", "build", "--no-isolation", "--outdir", folder, root)
    assert done.returncode == 0, done.stdout + done.stderr
    return folder


@pytest.fixture(scope="session")
def wheel(dist, tmp_path_factory):
    """A folder with the modules of the wheel, for a Python to find before those of this repository."""
    (path,) = dist.glob("*.whl")
    folder = tmp_path_factory.mktemp("wheel")
    zipfile.ZipFile(path).extractall(folder)
    return folder


@pytest.fixture(scope="session")
def installed(dist, tmp_path_factory):
    """The Python of an environment that has the wheel and nothing else."""
    folder = tmp_path_factory.mktemp("alone")
    venv.create(folder / "venv", symlinks=True)
    python = folder / "venv" / "bin" / "python"
    pip = sys.executable, "-m", "pip", "--python", python
    done = run(*pip, "install", "--no-deps", "--no-index", *dist.glob("*.whl"))
    assert done.returncode == 0, done.stderr
    return python


@pytest.fixture(scope="session")
def numpy_alone(tmp_path_factory):
    """A folder that lends numpy from the environment of the tests, and nothing else, to a Python without it."""
    folder, home = tmp_path_factory.mktemp("numpy"), Path(np.__file__).parent
    for lent in (home, home.parent / "numpy.libs"):
        if lent.exists():
            (folder / lent.name).symlink_to(lent)
    return folder


@pytest.fixture
def notebook(tmp_path, monkeypatch):
    """What a cell of code displays, as (MIME bundles, printed text)."""
    monkeypatch.setenv("IPYTHONDIR", str(tmp_path))
    config = Config()
    config.HistoryManager.enabled = False
    shell = InteractiveShell.instance(config=config)
    shell.run_cell("import math\nfrom ndcg_ref.stated import *", silent=True)

    def run(code, error=None):
        with capture_output() as captured:
            done = shell.run_cell(code)
        assert isinstance(done.error_in_exec, error or type(None)), done.error_in_exec
        return [output.data for output in captured.outputs], captured.stdout

    yield run
    InteractiveShell.clear_instance()


@pytest.fixture
def file(tmp_path):
    """Write a file and give its path."""

    def write(content, name="a.txt"):
        path = tmp_path / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return path

    return write


@pytest.fixture
def trec_files(tmp_path, monkeypatch):
    """Write judgments, and runs by their names, as files of the folder that a command then works in."""
    monkeypatch.chdir(tmp_path)

    def write(qrels, **runs):
        for name, side in {"qrels": qrels, **runs}.items():
            line = "{} 0 {} {}\n" if name == "qrels" else "{} Q0 {} 1 {} t\n"
            rows = [line.format(query, *row) for query, values in side.items() for row in values.items()]
            (tmp_path / name).write_text("".join(rows), encoding="utf-8")

    return write


@pytest.fixture
def check(tmp_path, monkeypatch, capfdbinary):
    """Write notes, check them in their folder, and give the exit code, what was printed, and the errors."""
    monkeypatch.chdir(tmp_path)

    def run(files, *words):
        for name, text in files.items():
            path = tmp_path / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(text if isinstance(text, bytes) else text.encode())
        code = main(["check", *words])
        printed = capfdbinary.readouterr()
        return code, printed.out.decode(), printed.err.decode()

    return run


@pytest.fixture
def bug(monkeypatch):
    """A word that leads the reader of notes to an error that no input should lead to."""
    word = "bug-of-the-reader"

    def wrong(region, *given):
        return facts_in(region, *given) if word not in region.text else ()[0]

    monkeypatch.setattr("ndcg_ref.notes.reading.facts_in", wrong)
    return word
