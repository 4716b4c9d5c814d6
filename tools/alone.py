"""Run a command after any other one that was started in this way in the current folder has ended.

``python alone.py make book`` becomes the process ``make book``. The lock is on the folder, belongs to the command, and
is released when it ends, however it ends.
"""

import fcntl
import os
import signal
import sys


def main(command: list[str]) -> None:
    """Wait if necessary, then become the command."""
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, signal.SIG_DFL)  # an interrupt ends the wait without a traceback
    folder = os.open(".", os.O_RDONLY)
    try:
        fcntl.flock(folder, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        print("Another make is running in this folder: waiting for it to end.", file=sys.stderr, flush=True)
        fcntl.flock(folder, fcntl.LOCK_EX)
    except OSError:
        pass  # a file system without locks, such as some network file systems
    os.set_inheritable(folder, True)
    os.execvp(command[0], command)


if __name__ == "__main__":
    main(sys.argv[1:])
