"""Run a command after any other one that was started by this file has ended.

``python alone.py make book`` becomes the process ``make book``. The lock is on this file and belongs to that process
alone: it is released when the process ends, however it ends, and whatever it started may go on.
"""

import fcntl
import os
import signal
import sys


def main(command: list[str]) -> None:
    """Wait if necessary, then become the command."""
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, signal.SIG_DFL)  # an interrupt ends the wait without a traceback
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
