"""The command `ndcg-ref`, and `python -m ndcg_ref`: a start that an interrupt ends without a traceback."""

import gc
import sys
from signal import SIG_DFL, SIGINT, default_int_handler, getsignal, signal


def main() -> int:
    """Run the command; an interrupt ends the process at once, as it ends other commands.

    Python turns an interrupt into an exception, which may come out of the middle of an import and show a traceback.
    """
    if getsignal(SIGINT) is default_int_handler:  # a shell may have it ignored
        signal(SIGINT, SIG_DFL)
    from ndcg_ref.commands.cli import main as run

    code = run()
    if "duckdb" not in sys.modules:  # which counts its objects at the end, and reports each that is left
        gc.freeze()  # all ends with the process: to look for unused objects first takes a tenth of a short run
    return code


if __name__ == "__main__":
    sys.exit(main())
