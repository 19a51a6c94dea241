"""How near the orders of each text and condition come to given orders, and whether conditions differ in that.

The scores are kappa of positions and the agreement of the means vector; the tests are those of Madnani et al. (2007).
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from textassay.errors import DataError, UsageError
from textassay.ordering.measures.position_kappa import KAPPAS, means_agreement, position_kappa
from textassay.ordering.orders import Order
from textassay.ordering.permutations import Floats, numbered
from textassay.ordering.variability.reorderings import Codes, ExchangedLists, Reorderings
from textassay.results import Record
from textassay.stats import Anova, Tukey, adjust_p, anova, tukey
from textassay.stats.statistic import Statistic

Targets = Mapping[str, Mapping[str, Order]]
"""Orders to compare with: name of the target → text → order."""
MEASURES = ("kappa", "r", "rho", "tau")
"""Of a set of orders against one: kappa of positions; Pearson's, Spearman's and Kendall's coefficient of the means."""
BY_TEXTS = (
    "scores of texts and conditions are made by the same people, so that this analysis holds for other texts and these "
    "people; where it and the exchange of lists disagree, trust the exchange of lists"
)

Cells = list[tuple[str, str, float]]
_AT_ONCE = 1 << 22
"""Pairs of units in memory at once."""


@dataclass(frozen=True)
class TargetScore:
    """One set of orders against one order."""

    text: str
    condition: str
    target: str
    values: Mapping[str, float]
    """Measure → value."""
    orders: int


@dataclass(frozen=True, kw_only=True)
class TargetScores(Statistic):
    """All texts and conditions against all targets: four measures each."""

    scores: tuple[TargetScore, ...]

    @property
    def targets(self) -> tuple[str, ...]:
        """In the order in which they were given."""
        return tuple(dict.fromkeys(score.target for score in self.scores))

    def records(self) -> list[Record]:
        """One record per score."""
        return [
            self.record(f"{name} with {each.target}", value, of=each.text, by=each.condition, n=each.orders)
            for each in self.scores
            for name, value in each.values.items()
        ]


def target_scores(people: Reorderings, targets: Targets, *, numbering: str | None = None) -> TargetScores:
    """Kappa of positions, and r, rho and tau of the means vector, for each text, condition and target.

    These are the scores that Madnani et al. (2007) analyse: with three conditions and their three orders as targets,
    twelve for each text and condition. Units have the numbers of the target; with `numbering` those of one order for
    all targets, as in the paper (see `means_agreement`).

    Args:
        people: All orders.
        targets: Orders to compare with.
        numbering: The target whose order numbers the units; by default each target numbers them for itself.

    Raises:
        DataError: a target with other units than the orders; the message names text and target.
        UsageError: `numbering` is no target, or lacks the order of a text.

    >>> from textassay.ordering import GivenOrder, reorderings
    >>> people = reorderings([GivenOrder("s", "p", "abc"), GivenOrder("s", "q", "acb")])
    >>> found = target_scores(people, {"gold": {"s": "abc"}})
    >>> {name: round(value, 4) for name, value in found.scores[0].values.items()}
    {'kappa': 0.5, 'r': 0.866, 'rho': 0.866, 'tau': 0.8165}
    """
    given = _numbers(people, targets, numbering)
    found, warnings = [], []
    for name, by_text in targets.items():
        absent = [text for text in people.texts if text not in by_text]
        if absent:
            warnings.append(f"target {name} has no order of {len(absent)} of {len(people.texts)} texts")
        for place, text in enumerate(people.texts):
            if text in by_text:
                found += _target_scores_of_text(people, place, name, by_text[text], given.get(text))
    undefined = sum(bool(np.isnan(value)) for each in found for value in each.values.values())
    if undefined:
        warnings.append(f"{undefined} score(s) are undefined: all means of a set are equal, or there is one unit only")
    return TargetScores(
        method="kappa of positions and means vector",
        settings={"numbering": numbering or "target", "texts": len(people.texts), "targets": len(targets)},
        warnings=tuple(warnings),
        scores=tuple(found),
    )


def _numbers(people: Reorderings, targets: Targets, numbering: str | None) -> Mapping[str, Order]:
    """By text the order that numbers its units; nothing where each target does it for itself."""
    if numbering is None:
        return {}
    lacking = [text for text in people.texts if text not in targets.get(numbering, {})]
    if lacking:
        there = f"there are {', '.join(targets) or 'none'}" if numbering not in targets else f"it lacks {lacking[0]}"
        raise UsageError(f"numbering must be a target with an order of every text, got {numbering!r}; {there}")
    return targets[numbering]


@dataclass(frozen=True)
class ScoreAnalysis:
    """One measure with one target: do its means differ between conditions? With texts as what was sampled."""

    measure: str
    target: str
    two_way: Anova
    """Text and condition as factors: with 9 texts and 3 conditions, 16 degrees of freedom are left for error."""
    one_way: Anova
    """Condition alone: 24 degrees of freedom for error. What the paper's figures fit."""
    tukey: Tukey
    """By the error of the two-way analysis."""
    tukey_one_way: Tukey

    @property
    def name(self) -> str:
        """For a table."""
        return f"{self.measure} with {self.target}"

    def records(self) -> list[Record]:
        """Of both analyses, and all pairs after each."""
        results = (self.two_way, self.one_way, self.tukey, self.tukey_one_way)
        return [record for result in results for record in result.about(self.name).records()]


@dataclass(frozen=True)
class ScoreTest(ScoreAnalysis):
    """The same with a test that holds for these texts, however people and texts depend on each other."""

    p: float
    """By exchanging lists between people; adjusted for all scores (Holm)."""
    p_raw: float
    """The same of this score alone."""


@dataclass(frozen=True, kw_only=True)
class ScoreTests(Statistic):
    """All scores."""

    tests: tuple[ScoreTest, ...]
    exchange: Mapping[str, object]

    def records(self) -> list[Record]:
        """Of each score both analyses, all pairs, and the p of exchanged lists."""
        found: list[Record] = []
        for test in self.tests:
            found += test.records()
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
    cells = score_cells(scores)
    kept = [key for key, own in cells.items() if len({condition for _, condition, _ in own}) > 1]
    if len(people.conditions) < 2 or not kept:
        return None
    chance = {} if lists.reason else chance_scores(people, targets, lists.whose)
    p = [lists.p(chance[key]) if key in chance else math.nan for key in kept]
    adjusted = adjust_p(p).adjusted
    tests = tuple(
        ScoreTest(**vars(analysed(key, cells[key], alpha)), p=corrected, p_raw=own)
        for key, own, corrected in zip(kept, p, adjusted, strict=True)
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


def _target_scores_of_text(
    people: Reorderings, place: int, name: str, target: Order, numbering: Order | None
) -> list[TargetScore]:
    found = []
    for number, condition in enumerate(people.conditions):
        orders = people.orders(place, number)
        if not orders:
            continue
        try:
            kappa, means = position_kappa(orders, target), means_agreement(orders, target, numbering=numbering)
        except DataError as error:
            raise DataError(f"text {people.texts[place]}, target {name}: {error}") from None
        values = dict(zip(MEASURES, (kappa.kappa, means.r, means.rho, means.tau_b), strict=True))
        found.append(TargetScore(people.texts[place], condition, name, values, len(orders)))
    return found


def score_cells(scores: TargetScores) -> dict[tuple[str, str], Cells]:
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


def analysed(key: tuple[str, str], cells: Cells, alpha: float) -> ScoreAnalysis:
    """Two-way and one-way analysis, and Tukey's comparisons by the error of either."""
    texts, conditions, values = (list(column) for column in zip(*cells, strict=True))
    several = len(set(texts)) > 1
    one = anova(values, conditions, factor="condition")
    two = anova(values, {"text": texts, "condition": conditions}, terms=["text", "condition"]) if several else one
    return ScoreAnalysis(
        *key,
        two_way=two,
        one_way=one,
        tukey=tukey(values, conditions, factor="condition", alpha=alpha, error=two.error),
        tukey_one_way=tukey(values, conditions, factor="condition", alpha=alpha),
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
