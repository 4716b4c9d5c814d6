"""Commands in a process of their own, without what is set for Python outside of the tests."""

import os
import pty
import subprocess
import sys


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


def on_a_terminal(words, **environment):
    """What the command writes to a terminal on stderr."""
    leader, follower = pty.openpty()
    code = f"from ndcg_ref.commands import cli, shared; shared.PATIENCE = 0; cli.main({words!r})"
    command = [sys.executable, "-c", code]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=follower) as done:
        os.close(follower)
        said = b""
        try:
            while part := os.read(leader, 4096):
                said += part
        except OSError:  # the other end is closed
            pass
        done.wait(timeout=60)
    os.close(leader)
    return said.decode()
