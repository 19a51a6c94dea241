"""F of each score in every exchange of lists, all exchanges at once."""

from __future__ import annotations

import math

import numpy as np

from textassay.ordering.measures.measure import Floats
from textassay.ordering.measures.position_kappa import KAPPAS
from textassay.ordering.orders import Order
from textassay.ordering.permutations import numbered
from textassay.ordering.variability.reorderings import Codes, Reorderings
from textassay.ordering.variability.target_scores import MEASURES, Targets

_AT_ONCE = 1 << 22
"""Pairs of units in memory at once."""


def chance_scores(people: Reorderings, targets: Targets, whose: Codes) -> dict[tuple[str, str], Floats]:
    """F of the conditions, texts as blocks, by measure and target; one number a way to exchange lists.

    Targets that lack a text have none, nor have texts that lack a condition.

    Args:
        people: All orders.
        targets: What the scores are about.
        whose: Shape (ways, people): whose list each person gets.
    """
    found = {}
    for target, by_text in targets.items():
        if not all(text in by_text for text in people.texts):
            continue
        shape = (len(MEASURES), len(whose), len(people.texts), len(people.conditions))
        scores = np.full(shape, math.nan)
        for place, text in enumerate(people.texts):
            scores[:, :, place] = _of_text(people, place, by_text[text], whose)
        for number, measure in enumerate(MEASURES):
            found[measure, target] = block_f(scores[number])
    return found


def _of_text(people: Reorderings, place: int, target: Order, whose: Codes) -> Floats:
    """All measures of a text, shape (measures, ways, conditions)."""
    there = np.flatnonzero(people.which[place] >= 0)
    rows, units = numbered([people.order(place, int(person)) for person in there], target)
    condition = people.condition[place][whose[:, there]]
    kappas = KAPPAS["none"].of_places(rows)
    found = np.full((len(MEASURES), len(whose), len(people.conditions)), math.nan)
    for number in range(len(people.conditions)):
        shown = (condition == number).astype(float)
        count = shown.sum(axis=1)
        if not count.all() or len(units) < 2:
            continue
        found[0, :, number] = shown @ kappas / count
        found[1:, :, number] = coefficients(shown @ (rows + 1.0))
    return found


def coefficients(sums: Floats) -> Floats:
    """Pearson's r, Spearman's rho and Kendall's tau-b of each row with 1 … n; shape (3, rows).

    Rows are sums of whole numbers and not means, so that ties are exact; no coefficient changes by a factor.

    >>> coefficients(np.array([[24.0, 12, 18, 24, 30, 18]])).round(4).tolist()
    [[0.2548], [0.206], [0.2148]]
    """
    rows, n = sums.shape
    found = np.empty((3, rows))
    upper = np.triu(np.ones((n, n)), 1)
    for start in range(0, rows, size := max(1, _AT_ONCE // (n * n))):
        part = sums[start : start + size]
        signs = np.sign(part[:, None, :] - part[:, :, None])
        s = (signs * upper).sum(axis=(1, 2))
        untied = (np.abs(signs) * upper).sum(axis=(1, 2))
        ranks = -signs.sum(axis=2) / 2
        with np.errstate(invalid="ignore", divide="ignore"):
            tau = s / np.sqrt(untied * (n * (n - 1) / 2))
        found[:, start : start + size] = _pearson(part), _pearson(ranks), tau
    return found


def _pearson(rows: Floats) -> Floats:
    n = rows.shape[1]
    wanted = np.arange(n) - (n - 1) / 2
    centred = rows - rows.mean(axis=1, keepdims=True)
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.asarray(centred @ wanted / np.sqrt((centred**2).sum(axis=1) * (wanted @ wanted)))


def block_f(table: Floats) -> Floats:
    """F of the columns with rows as blocks; shape (ways, rows, columns) in, one number a way out.

    >>> block_f(np.array([[[1.0, 3.0], [2.0, 6.0]]])).tolist()  # SS 9 on 1, error 1 on 1
    [9.0]
    """
    _, rows, columns = table.shape
    if rows < 2 or columns < 2:
        return np.full(len(table), math.nan)
    grand = table.mean(axis=(1, 2), keepdims=True)
    across = table.mean(axis=1, keepdims=True)
    left = table - across - table.mean(axis=2, keepdims=True) + grand
    between = rows * ((across - grand) ** 2).sum(axis=(1, 2))
    error = (left**2).sum(axis=(1, 2))
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.asarray(between / (columns - 1) / (error / ((rows - 1) * (columns - 1))))
