"""`ndcg-ref ledger`, `presets` and `measures`: list what notebooks have stored, and what other commands take."""

import argparse
import json
from typing import Any

from ndcg_ref.commands.shared import add_format
from ndcg_ref.conventions.convention import as_convention
from ndcg_ref.conventions.presets import ABOUT, NAMED, PRESETS
from ndcg_ref.conventions.spellings import SPELLINGS
from ndcg_ref.conventions.validation import visible
from ndcg_ref.stated.ledgers import ledger


def add_to(commands: Any) -> None:
    """Add the commands."""
    listing = commands.add_parser(
        "ledger",
        help="list every verdict that notebooks have stored",
        description="List every verdict that the notebooks of a folder have stored, and count those of the notes. "
        'A notebook is a note unless its metadata say {"ndcg_ref": {"role": "lesson"}}.',
    )
    listing.add_argument("path", nargs="?", default=".", help="a folder with notebooks, or one (default: this folder)")
    listing.add_argument("--slips", action="store_true", help="list the slips alone")
    add_format(listing)
    listing.set_defaults(run=_ledger)

    presets = commands.add_parser(
        "presets",
        help="list the conventions that --as takes",
        description="List the conventions that --as takes, each with its gain, its discount, and what else differs "
        "from STANDARD; or say how one of them is known, and what it does not cover.",
    )
    presets.add_argument("name", metavar="NAME", nargs="?", help="one of them, such as trec_eval")
    presets.set_defaults(run=_presets)

    measures = commands.add_parser(
        "measures",
        help="list the measures that eval -m takes",
        description="List the measures that eval -m takes, in each of their spellings.",
    )
    measures.set_defaults(run=_measures)


def _ledger(options: argparse.Namespace) -> int:
    whole = ledger(options.path)
    listed = whole.slips if options.slips else whole
    if options.format == "json":
        print(json.dumps({**listed.as_json(), "counts": whole.counts}, ensure_ascii=False, indent=1))
        return 0
    for line in [*listed.lines, *filter(None, [*whole.totals, listed.besides])]:
        print(visible(line))
    return 0


def _presets(options: argparse.Namespace) -> int:
    if options.name is not None:
        convention = as_convention(options.name)
        about = [preset for preset in ABOUT.values() if options.name in (preset.name, preset.alias)]
        print(about[-1] if about else f"{options.name}: {convention}")  # the newest
        return 0
    names = [*(name for name in NAMED if name not in PRESETS), *ABOUT]
    width = max(map(len, names))
    for name in names:
        print(f"{name:<{width}}  {NAMED[name]}")
    print("\nOther choices are those of STANDARD. A name without its version, such as trec_eval, means the newest.")
    return 0


def _measures(options: argparse.Namespace) -> int:
    print(SPELLINGS)
    return 0
