"""People's orders as figures: texts by agreement, the distribution of tau, where units end up."""

from __future__ import annotations

import math
from collections import Counter
from typing import TYPE_CHECKING

import numpy as np

from textassay.ordering.measures.position_kappa import position_matrix
from textassay.results import Figure

if TYPE_CHECKING:
    from textassay.analysis.orders.variability import Variability

_BINS = 10
_MOST_FIGURES = 4
_SLACK = 1e-9


def text_agreement_figure(found: Variability) -> Figure | None:
    """Mean tau between people on each text."""
    test = found.texts
    shown = [
        (text, mean, ci, size)
        for text, mean, ci, size in zip(test.groups, test.means, test.intervals, test.sizes, strict=True)
        if not math.isnan(mean)
    ]
    groups = [{"system": text, "mean": mean, "low": ci[0], "high": ci[1], "n": n} for text, mean, ci, n in shown]
    # agreement below chance is rare; the lower half of the scale is shown only where something lies in it
    low = -1 if any(min(mean, ci[0]) < 0 for _, mean, ci, _ in shown) else 0
    data = {"criterion": "tau between people", "scale_from": low, "scale_to": 1, "groups": groups}
    note = "Mean tau over all pairs of people; intervals hold for other people."
    return Figure("texts-by-agreement", "Texts by agreement", "text-means", data, note) if groups else None


def tau_figure(found: Variability) -> Figure | None:
    """How tau is distributed over pairs of people who had a text in the same condition."""
    people = found.people
    first, second = np.triu_indices(len(people.people), 1)
    values = people.taus[:, first, second]
    one, other = people.condition[:, first], people.condition[:, second]
    counts = []
    for number in range(len(people.conditions)):
        own = values[(one == number) & (other == number)]
        own = own[~np.isnan(own)]
        # a value on an edge belongs to the upper bin
        bins = np.minimum(np.floor((own + 1) / 2 * _BINS + _SLACK).astype(int), _BINS - 1)
        counts.append(np.bincount(bins, minlength=_BINS).tolist())
    if not any(map(sum, counts)):
        return None
    labels = [f"{-1 + 2 * (place + 0.5) / _BINS:.1f}".replace("-", "−") for place in range(_BINS)]
    data = {
        "criterion": "tau between two people",
        "values": labels,
        "systems": list(people.conditions),
        "counts": counts,
        "counted": "pairs",
    }
    note = f"Pairs of people who had a text in the same condition; bins of {2 / _BINS:g}, named by their middle."
    return Figure("tau-between-people", "How alike two people's orders are", "distribution", data, note)


def position_figures(found: Variability) -> tuple[Figure, ...]:
    """Where the units of a given order end up, for each condition, over the texts of the most usual length."""
    people, by_name = found.people, found.targets
    if not by_name:
        return ()
    length, _ = Counter(len(one.order) for one, _ in found.consensus).most_common(1)[0]
    figures = []
    for number, condition in enumerate(people.conditions[:_MOST_FIGURES]):
        name = condition if condition in by_name else next(iter(by_name))
        matrix, used = np.zeros((length, length)), 0
        for place, text in enumerate(people.texts):
            orders = people.orders(place, number)
            if orders and text in by_name[name] and len(by_name[name][text]) == length:
                matrix += position_matrix(orders, by_name[name][text])
                used += len(orders)
        if used:
            figures.append(_matrix(condition, name, matrix / used, used))
    return tuple(figures)


def _matrix(condition: str, target: str, shares: np.ndarray, orders: int) -> Figure:
    places = [str(place) for place in range(1, len(shares) + 1)]
    data = {
        "rows": places,
        "columns": places,
        "values": shares.round(4).tolist(),
        "row_label": "position in people's orders",
        "column_label": f"place in the order {target}",
        "shown": "share of orders",
    }
    return Figure(
        f"positions-{condition.lower().replace(' ', '-')}",
        f"Where units end up: {condition} against {target}",
        "heatmap",
        data,
        note=f"{orders} orders of texts of {len(shares)} units. On the diagonal: units where {target} has them.",
    )
