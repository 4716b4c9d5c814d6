"""Commands in a process of their own, without what is set for Python outside of the tests."""

import os
import subprocess

from ndcg_ref.commands.cli import main


def code_of(*words):
    """The exit code, whether `main` returned it or argparse left with it."""
    try:
        return main(words)
    except SystemExit as left:
        return left.code


def run(*command, path=None, **options):
    """What a command did; modules below `path`, if given, come before those that are installed."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    environment |= {"PYTHONUTF8": "1", "PYTHONNOUSERSITE": "1", **({"PYTHONPATH": str(path)} if path else {})}
    return subprocess.run(
        [str(word) for word in command],
        env=environment,
        capture_output=True,
        encoding="utf-8",
        check=False,
        timeout=300,
        **options,
    )
