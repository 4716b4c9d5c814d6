"""`python -m ndcg_ref`: the same as the command `ndcg-ref`."""

import sys

from ndcg_ref.cli import main

sys.exit(main())
