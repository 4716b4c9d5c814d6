"""Draw the sum of a ranking as a length: its terms end to end, against the best order, and among all its orders.

What is drawn is stored in the JSON of a drawing (`ndcg_ref.sphinx_ext.drawing`): places and widths as shares of the
longest length, all else as texts. `live/src/lengths.js` computes the same for a reader who changes a ranking, and
changes the elements that are written here.
"""

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from html import escape
from typing import Any

MOST_ORDERS = 5040  # as many as seven different results have; of more, a sample is drawn
SAMPLE = 2000
PLACES = 60  # of dots, side by side
NARROW = 0.09  # a term below this share of the whole has no room for its text
HEADING, THIS, BEST = "End to end", "This order", "Best order"
DOT, HIGHEST = 0.62, 5.6  # from a dot to the next, and the highest pile of dots, in em
Term = tuple[str, int, float, str]  # title, shade, value and its text


def ribbon(label: str, terms: Iterable[Term], total: str, whole: float) -> dict[str, Any]:
    """The terms of a ranking, one behind the other.

    >>> made = ribbon("A", [("x", 2, 2, "2.00"), ("y", 3, 1, "1.00")], "3.000", 4)
    >>> [(each["title"], each["at"], each["width"]) for each in made["terms"]], made["reaches"]
    ([('x', 0.0, 0.5), ('y', 0.5, 0.25)], 0.75)
    """
    made, reached = [], 0.0
    for title, level, value, text in terms:
        share = value / whole if whole else 0.0
        at, width = round(reached, 4), round(share, 4)
        made.append({"title": title, "level": level, "text": text, "at": at, "width": width})
        reached += share
    return {"label": label, "terms": made, "total": total, "reaches": round(reached, 4)}


def count_of_orders(values: Sequence[float]) -> int:
    """In how many ways some values can be ordered, equal ones being alike.

    >>> count_of_orders([2, 3, 0, 1, 2])
    60
    """
    count = math.factorial(len(values))
    for alike in Counter(values).values():
        count //= math.factorial(alike)
    return count


def all_orders(values: Sequence[float]) -> Iterator[list[float]]:
    """Each order of some values, and those that look alike once.

    >>> list(all_orders([1, 0, 1]))
    [[0, 1, 1], [1, 0, 1], [1, 1, 0]]
    """
    if not values:
        yield []
    for first in sorted(set(values)):
        rest = list(values)
        rest.remove(first)
        yield from ([first, *order] for order in all_orders(rest))


def some_orders(values: Sequence[float], count: int) -> Iterator[list[float]]:
    """Orders drawn at random, and the same ones each time: Park and Miller's generator, Fisher and Yates's shuffle."""
    drawn, order = 1, sorted(values)
    for _ in range(count):
        for last in range(len(order) - 1, 0, -1):
            drawn = drawn * 16807 % 2147483647
            other = drawn % (last + 1)
            order[last], order[other] = order[other], order[last]
        yield list(order)


def among(gains: Sequence[float], weights: Sequence[float], ideal: float) -> dict[str, Any] | None:
    """Where a ranking is among all orders of its results: how many there are, the worst, the mean, and their dots.

    The weight of a rank is what its gain is multiplied by, 0 below the cutoff. Of a single order nothing is said.

    >>> found = among([2, 3, 0, 1, 2], [1 / math.log2(rank + 1) for rank in range(1, 6)], 5.692657)
    >>> found["said"], found["worst"], found["mean"], found["low"]
    ('All 60 orders of these grades: this one beats 40', '0.642', '0.829', 0.5)
    """
    count = count_of_orders(gains)
    if count == 1:
        return None
    every = count <= MOST_ORDERS
    orders = all_orders(gains) if every else some_orders(gains, SAMPLE)
    own, *values = (
        sum(gain * weight for gain, weight in zip(order, weights, strict=True)) / ideal for order in (gains, *orders)
    )
    worst = min(values)
    low = min(math.floor(4 * worst), 3) / 4
    # A last bit, which differs between machines, decides nothing
    dots = Counter(math.floor(PLACES * (value - low) / (1 - low) + 0.5 + 1e-9) for value in values)
    what = f"All {count:,} orders of these grades" if every else f"{SAMPLE:,} of the {count:,} orders, drawn at random"
    return {
        "said": f"{what}: this one beats {sum(value < own - 1e-9 for value in values):,}",
        "worst": f"{worst:.3f}",
        "mean": f"{math.fsum(values) / len(values):.3f}",
        "low": low,
        "at": round((own - low) / (1 - low), 4),
        "dots": sorted(map(list, dots.items())),
    }


def lines_of(lengths: Mapping[str, Any]) -> Iterator[str]:
    """Lengths as lines of text."""
    yield from map(_sum, lengths["ribbons"])
    if share := lengths["share"]:
        yield f"{share['name']} {share['text']}"
        if orders := share["among"]:
            yield f"{orders['said']}. {_ends(orders)}."


def _sum(of: Mapping[str, Any]) -> str:
    return f"{of['label']}: {' + '.join(each['text'] for each in of['terms'])} = {of['total']}"


def _ends(orders: Mapping[str, Any]) -> str:
    return f"Worst {orders['worst']}, mean {orders['mean']}"


def html_of(lengths: Mapping[str, Any]) -> str:
    """Lengths as HTML with SVG, whose coordinates are shares of its width, so that texts keep their size.

    >>> html_of({"ribbons": [ribbon("A", [("x", 2, 2, "2.00")], "2.000", 2)], "share": None}).count("<text")
    1
    """
    longest = max(each["reaches"] for each in lengths["ribbons"])
    rows = "".join(_ribbon_html(each, longest) for each in lengths["ribbons"])
    share = lengths["share"]
    below = _share_html(share) if share else ""
    ruler = _ruler_html(share) if share else ""
    return (
        f'<div class="ndcg-lengths"><p class="ndcg-heading">{HEADING}</p>\n'
        f'<div class="ndcg-tracks">\n{rows}{ruler}</div>\n{below}</div>\n'
    )


def _percent(share: float) -> str:
    return f"{100 * share:.2f}%"


def _ribbon_html(of: Mapping[str, Any], longest: float) -> str:
    terms = "".join(
        f'<svg class="ndcg-segment ndcg-level-{each["level"]}" data-title="{escape(each["title"])}" '
        f'x="{_percent(each["at"])}" width="{_percent(each["width"])}"><rect width="100%" height="100%"/>'
        f'<text x="50%" y="50%">{each["text"] if each["width"] >= NARROW else ""}</text></svg>'
        for each in of["terms"]
    )
    gap = (
        f'<svg class="ndcg-gap" x="{_percent(of["reaches"])}" width="{_percent(longest - of["reaches"])}">'
        '<line x1="-50%" x2="150%" y1="50%" y2="50%"/></svg>'
    )
    return (
        f'<span class="ndcg-label">{escape(of["label"])}</span>'
        f'<svg class="ndcg-ribbon" role="img" aria-label="{escape(_sum(of))}">{terms}{gap}</svg>'
        f'<strong class="ndcg-total">{of["total"]}</strong>\n'
    )


def _ruler_html(share: Mapping[str, Any]) -> str:
    at = _percent(share["at"])
    return (
        f'<svg class="ndcg-marks" aria-hidden="true"><line x1="{at}" x2="{at}" y2="100%"/></svg>'
        f'<svg class="ndcg-ruler" aria-hidden="true">{_axis(0.0)}'
        f'<text class="ndcg-here" x="{at}" y="2.5em">{share["text"]}</text></svg>\n'
    )


def _axis(low: float) -> str:
    """A line with three numbers."""
    ticks = "".join(
        f'<line x1="{end}%" x2="{end}%" y2="0.35em"/><text x="{end}%" y="1.3em">{low + (1 - low) * end / 100:g}</text>'
        for end in (0, 50, 100)
    )
    return f'<line x2="100%"/>{ticks}'


def _share_html(share: Mapping[str, Any]) -> str:
    orders = share["among"]
    words = f'<p class="ndcg-share"><span>{share["name"]}</span> <strong>{share["text"]}</strong></p>\n'
    if not orders:
        return words
    highest = max(count for _, count in orders["dots"])
    step = min(DOT, HIGHEST / highest)
    piles = "".join(
        f'<line x1="{_percent(place / PLACES)}" x2="{_percent(place / PLACES)}" y1="-0.4em" y2="{pile(count, step)}"/>'
        for place, count in orders["dots"]
    )
    return (
        f'{words}<p class="ndcg-heading ndcg-said-of-orders">{orders["said"]}</p>\n'
        f'<div class="ndcg-orders"><p>{_ends(orders)}</p>'
        f'<svg aria-hidden="true"><svg y="6.5em"><g class="ndcg-dots" stroke-dasharray="0 {step:.4f}em">{piles}</g>'
        f'<circle cx="{_percent(orders["at"])}" cy="-0.4em" r="0.5em"/>{_axis(orders["low"])}</svg></svg></div>\n'
    )


def pile(count: int, step: float) -> str:
    """How high a pile of dots goes; dots are dashes without length, of a line that has some."""
    return f"{-0.4 - step * (count - 1) - 0.001:.4f}em"
