"""Run a command as the only one that is run in this way in the current folder, waiting for another to end.

``python alone.py make book`` turns into ``make book``. The lock is on the folder itself, belongs to the command, and
ends with it, however it ends.
"""

import fcntl
import os
import signal
import sys


def main(command: list[str]) -> None:
    """Wait, if need be, and turn into the command."""
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, signal.SIG_DFL)  # an interrupt ends the wait without a traceback
    folder = os.open(".", os.O_RDONLY)
    try:
        fcntl.flock(folder, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        print("Another make is at work in this folder: waiting for it to end.", file=sys.stderr, flush=True)
        fcntl.flock(folder, fcntl.LOCK_EX)
    except OSError:
        pass  # a file system without locks, as some that are shared over a network
    os.set_inheritable(folder, True)
    os.execvp(command[0], command)


if __name__ == "__main__":
    main(sys.argv[1:])
