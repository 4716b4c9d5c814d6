"""A figure of the differences between runs, query by query, with matplotlib."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ndcg_ref.conventions.validation import shortened

if TYPE_CHECKING:
    from collections.abc import Sequence

    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from ndcg_ref.compare.comparing import Pair

MOST_NAMED = 5  # queries that lost most
MOST_PANELS = 60
LONGEST_NAME, LONGEST_TITLE = 20, 60
WIDTH, HEIGHT = 6.0, 2.4  # of a panel, in inches
GAINED, LOST = "#0072b2", "#d55e00"  # told apart by readers who do not see red and green


def figure_of(pairs: Sequence[Pair]) -> Figure:
    """A panel for each pair: a bar for each query, from the largest gain to the largest loss.

    Below the axis the panel says how many queries gained and lost, and names the worst of them.
    """
    try:
        from matplotlib.figure import Figure
    except ImportError:
        raise ValueError("plot: expected matplotlib, which is not installed (pip install 'ndcg-ref[plot]')") from None
    if len(pairs) > MOST_PANELS:
        raise ValueError(
            f"plot: expected at most {MOST_PANELS} pairs of runs and measures, got {len(pairs)} (name a baseline?)"
        )
    figure = Figure(figsize=(WIDTH, HEIGHT * len(pairs)), layout="constrained")
    for axes, pair in zip(figure.subplots(len(pairs), squeeze=False).flat, pairs, strict=True):
        _draw(axes, pair)
    return figure


def _draw(axes: Axes, pair: Pair) -> None:
    """The bars of one pair."""
    ordered = sorted(pair.by_query.values(), reverse=True)
    axes.bar(range(len(ordered)), ordered, width=1.0, color=[GAINED if by > 0 else LOST for by in ordered])
    axes.axhline(0, color="black", linewidth=0.8)
    axes.set_title(
        shortened(f"{pair.measure}: {pair.name}", LONGEST_TITLE), loc="left", fontsize="medium", parse_math=False
    )
    moved = f"{len(pair.gained)} queries gained, {len(pair.lost)} lost"
    worst = [shortened(query, LONGEST_NAME) for query in list(pair.lost)[:MOST_NAMED]]
    axes.set_xlabel(f"{moved}; worst:\n{', '.join(worst)}" if worst else moved, parse_math=False)
    axes.set_ylabel("difference")
    axes.set_xticks([])
    axes.margins(x=0.01)
