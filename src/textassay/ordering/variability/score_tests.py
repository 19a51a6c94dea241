"""Whether conditions differ in how near their orders come to given ones: the analysis of Madnani et al. (2007)."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from textassay.ordering.measures.measure import Floats
from textassay.ordering.measures.position_kappa import KAPPAS
from textassay.ordering.orders import Order
from textassay.ordering.permutations import numbered
from textassay.ordering.variability.exchanged_lists import ExchangedLists
from textassay.ordering.variability.reorderings import Codes, Reorderings
from textassay.ordering.variability.target_scores import MEASURES, Targets, TargetScores
from textassay.results import Record
from textassay.stats import Anova, Tukey, adjust_p, anova, tukey
from textassay.stats.statistic import Statistic

BY_TEXTS = (
    "scores of texts and conditions are made by the same people, so that this analysis holds for other texts and these "
    "people; where it and the exchange of lists disagree, trust the exchange of lists"
)
Cells = list[tuple[str, str, float]]
_AT_ONCE = 1 << 22
"""Pairs of units in memory at once."""


@dataclass(frozen=True)
class ScoreTest:
    """One measure with one target: do its means differ between conditions?"""

    measure: str
    target: str
    two_way: Anova
    """Text and condition as factors: with 9 texts and 3 conditions, 16 degrees of freedom are left for error."""
    one_way: Anova
    """Condition alone: 24 degrees of freedom for error. What the paper's figures fit."""
    tukey: Tukey
    """By the error of the two-way analysis."""
    tukey_one_way: Tukey
    p: float
    """By exchanging lists between people, which is valid under any dependence; adjusted for all scores (Holm)."""
    p_raw: float
    """The same of this score alone."""

    @property
    def name(self) -> str:
        """For a table."""
        return f"{self.measure} with {self.target}"


@dataclass(frozen=True, kw_only=True)
class ScoreTests(Statistic):
    """All scores."""

    tests: tuple[ScoreTest, ...]
    exchange: Mapping[str, object]

    def records(self) -> list[Record]:
        """Of each score both analyses, all pairs, and the p of exchanged lists."""
        found: list[Record] = []
        for test in self.tests:
            for result in (test.two_way, test.one_way, test.tukey, test.tukey_one_way):
                found += result.about(test.name).records()
            f = test.two_way["condition"].f
            more: Record = {"p": test.p, "p_raw": test.p_raw, "n": test.two_way.n, **self.exchange}
            found.append(self.record("F, lists exchanged", f, of=test.name, by="condition", **more))
        return found


def score_tests(
    people: Reorderings, targets: Targets, scores: TargetScores, lists: ExchangedLists, *, alpha: float = 0.05
) -> ScoreTests | None:
    """Analyse each score by condition; None where there is one condition, or no score in two of them.

    Two analyses of variance of the scores, with texts as a factor (randomised blocks) and without, and Tukey's HSD with
    either error: the paper says the first and its figures fit the second, with an HSD too small by √2. Beside them the
    F of the first among those that come from exchanging lists between people.

    Args:
        people: All orders.
        targets: What the scores are about.
        scores: Of the same orders and targets.
        lists: Ways to exchange lists.
        alpha: Level of Tukey's comparisons.
    """
    cells = _cells(scores)
    kept = [key for key, own in cells.items() if len({condition for _, condition, _ in own}) > 1]
    if len(people.conditions) < 2 or not kept:
        return None
    chance = {} if lists.reason else chance_scores(people, targets, lists.whose)
    p = [lists.p(chance[key]) if key in chance else math.nan for key in kept]
    adjusted = adjust_p(p).adjusted
    tests = tuple(
        _test(key, cells[key], own, corrected, alpha) for key, own, corrected in zip(kept, p, adjusted, strict=True)
    )
    without = () if not lists.reason else (f"lists cannot be exchanged: {lists.reason}",)
    said = dict.fromkeys(text for test in tests for text in (*test.two_way.warnings, *test.tukey.warnings))
    return ScoreTests(
        method="scores by condition",
        settings={"alpha": alpha, **lists.settings},
        warnings=(BY_TEXTS, *without, *said),
        tests=tests,
        exchange={"ways": len(lists.whose), "exact": lists.exact},
    )


def _cells(scores: TargetScores) -> dict[tuple[str, str], Cells]:
    """(measure, target) → text, condition and value of each score that is defined."""
    return {
        (measure, target): [
            (each.text, each.condition, each.values[measure])
            for each in scores.scores
            if each.target == target and not math.isnan(each.values[measure])
        ]
        for measure in MEASURES
        for target in scores.targets
    }


def _test(key: tuple[str, str], cells: Cells, p: float, adjusted: float, alpha: float) -> ScoreTest:
    texts, conditions, values = (list(column) for column in zip(*cells, strict=True))
    several = len(set(texts)) > 1
    one = anova(values, conditions, factor="condition")
    two = anova(values, {"text": texts, "condition": conditions}, terms=["text", "condition"]) if several else one
    return ScoreTest(
        *key,
        two_way=two,
        one_way=one,
        tukey=tukey(values, conditions, factor="condition", alpha=alpha, error=two.error),
        tukey_one_way=tukey(values, conditions, factor="condition", alpha=alpha),
        p_raw=p,
        p=adjusted,
    )


def greater_means(found: Tukey) -> list[tuple[str, str, float]]:
    """The pairs whose means differ by more than the HSD: greater, smaller and difference, the largest first."""
    pairs = [
        (pair.first, pair.second, pair.difference)
        if pair.difference > 0
        else (pair.second, pair.first, -pair.difference)
        for pair in found.pairs
        if pair.significant
    ]
    return sorted(pairs, key=lambda pair: -pair[2])


def chance_scores(people: Reorderings, targets: Targets, whose: Codes) -> dict[tuple[str, str], Floats]:
    """F of the conditions, texts as blocks, by measure and target; one number per way to exchange lists.

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
    """F of the columns with rows as blocks; shape (ways, rows, columns) in, one number per way out.

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
