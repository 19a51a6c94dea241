"""Can an automatic judge stand in for a person? The alternative annotator test of Calderon et al. (2025).

For each person j, over the items that j judged together with somebody else, judge and j are compared with the answers
of the others: W_f = [S(judge) ≥ S(j)] and W_h = [S(j) ≥ S(judge)], so that a tie counts for both. A one-sided t-test
asks whether the mean of d = W_h − W_f lies below ε, the advantage that is given to the judge because people cost more;
p is corrected over persons (Benjamini & Yekutieli). The winning rate is the share of persons for whom the test rejects;
the judge passes at one half or more. ρ, the advantage probability, is the mean of W_f.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Literal, NamedTuple, get_args

import numpy as np
import numpy.typing as npt

from textassay.errors import DataError, UsageError
from textassay.known_names import check_choice
from textassay.meta.exchangeable_raters import exchangeable_categories, exchangeable_numbers
from textassay.results import Record, Result
from textassay.seeds import Stream
from textassay.stats.adjust_p import adjust_p
from textassay.stats.agreement.ratings import some
from textassay.stats.samples import FloatArray, IntArray

Scoring = Literal["accuracy", "rmse"]
"""How near an answer is to those of the others: the share that is the same, or the root of the mean squared error."""
PASSES = 0.5
"""The winning rate from which on a judge passes."""
USUAL_ITEMS = 30
"""With fewer items of a person the t-test is an approximation that the authors advise against."""
USUAL_PERSONS = 3
"""The fewest persons that the authors ask for."""
BoolArray = npt.NDArray[np.bool_]
_ROUNDING = 1e-9
"""Mean squared errors that differ by less than this share are equal."""
_CELLS = 1 << 22
"""Answers that are simulated together."""


@dataclass(frozen=True)
class PersonAgainstJudge:
    """One person's comparison with the judge."""

    person: str
    n: int
    """Items that the person judged together with the judge and somebody else."""
    difference: float
    """Mean of d: how much more often the person is as near to the others as the judge, than the reverse."""
    judge_wins: float
    """Mean of W_f: how often the judge is at least as near to the others as the person."""
    person_wins: float
    p: float
    """Of the hypothesis that the difference is ε or more."""
    p_adjusted: float


@dataclass(frozen=True, kw_only=True)
class JudgeTest(Result):
    """Whether a judge may stand in for a person."""

    judge: str
    epsilon: float
    persons: tuple[PersonAgainstJudge, ...]
    winning_rate: float
    """Share of persons whom the judge is shown to replace."""
    advantage: float
    """ρ: mean over persons of how often the judge is at least as near to the others."""
    passes: bool
    losing_rate: float
    """Share of persons who are shown to be nearer to the others than the judge by more than ε: the opposite test."""
    power: float
    """In how many of the simulated studies like this one a judge exactly as good as a person passes."""

    def records(self) -> list[Record]:
        """The winning rate, ρ, the power, and one record for each person."""
        of = {"of": self.judge}
        whole = [
            self.record(
                "winning rate",
                self.winning_rate,
                n=len(self.persons),
                passes=self.passes,
                losing_rate=self.losing_rate,
                **of,
            ),
            self.record("advantage probability", self.advantage, n=len(self.persons), **of),
            self.record("power of a judge as good as a person", self.power, **of),
        ]
        return whole + [
            self.record(
                "difference", one.difference, by=one.person, p=one.p, n=one.n, p_adjusted=one.p_adjusted,
                judge_wins=one.judge_wins, person_wins=one.person_wins, **of,
            )
            for one in self.persons
        ]  # fmt: skip


@dataclass(frozen=True)
class JudgeTestOptions:
    """How a judge is tested."""

    epsilon: float = 0.1
    """The advantage given to the judge: .2 for experts, .15 for trained people, .1 for a crowd."""
    scoring: Scoring = "accuracy"
    """`accuracy` for categories; `rmse` for numbers on people's own scale."""
    level: float = 0.05
    """The false discovery rate over persons."""
    least_items: int = 2
    """A person with fewer items is not tested."""
    draws: int = 1000
    """Simulated studies for the power; 0 for none."""
    seed: int = 1
    """Of the simulated studies."""

    def __post_init__(self) -> None:
        """Refuse what is outside its range."""
        check_choice("scoring", self.scoring, get_args(Scoring))
        if not 0 <= self.epsilon < 1:
            raise UsageError(f"epsilon is {self.epsilon}; it must be from 0 to below 1, such as 0.1")
        if not 0 < self.level < 1:
            raise UsageError(f"level is {self.level}; it must lie between 0 and 1, such as 0.05")
        if self.least_items < 2:
            raise UsageError(f"least_items is {self.least_items}; a t-test needs 2")
        if self.draws < 0:
            raise UsageError(f"draws is {self.draws}; give 0 for no power, or a number such as 1000")


DEFAULTS = JudgeTestOptions()


def judge_test(
    answers: npt.ArrayLike,
    judge: npt.ArrayLike,
    options: JudgeTestOptions = DEFAULTS,
    *,
    persons: Sequence[str] | None = None,
    name: str = "judge",
) -> JudgeTest:
    """The alternative annotator test: is the judge as near to people as they are to each other?

    Args:
        answers: Shape (persons, items), nan where a person did not judge; categories as numbers for `accuracy`.
        judge: The judge's answer to each item, nan where there is none.
        options: How it is tested.
        persons: Their names; numbered from 1 if not given.
        name: What the judge is called.

    Raises:
        DataError: shapes do not fit, values are infinite, or fewer than two persons can be tested.

    >>> people = [[0, 0, 1, 1, 2, 2, 0, 1], [0, 0, 1, 1, 2, 0, 0, 1], [0, 1, 1, 1, 2, 2, 0, 0]]
    >>> found = judge_test(people, [0, 0, 1, 0, 2, 2, 0, 1], JudgeTestOptions(draws=0))
    >>> [one.difference for one in found.persons], found.advantage, found.winning_rate
    ([0.125, 0.0, -0.125], 0.875, 0.0)
    """
    table, its, names = _read(answers, judge, persons)
    usable = _usable(table, its)
    tested = usable.sum(axis=1) >= options.least_items
    if tested.sum() < 2:
        raise DataError(
            f"the judge test needs two persons with {options.least_items} items or more that the judge and somebody "
            f"else judged too; there are {int(tested.sum())} of {len(names)}"
        )
    study = _Study(table[None], its[None], usable & tested[:, None], options)
    found = _compared(study)
    studies = _studies(table.size, options.draws)
    rate = float(_winning_rates(found.p[:, tested], options.level)[0])
    counts = usable.sum(axis=1)[tested]
    return JudgeTest(
        method="alternative annotator test (Calderon et al. 2025)",
        settings={
            "scoring": options.scoring, "epsilon": options.epsilon, "correction": "Benjamini-Yekutieli",
            "level": options.level, "least_items": options.least_items,
            "passes": f"winning rate of {PASSES} or more", "power_draws": studies,
        },
        warnings=tuple(_warnings(names, tested, counts, options.least_items)),
        judge=name,
        epsilon=options.epsilon,
        persons=_persons(found, [names[place] for place in np.flatnonzero(tested)], tested, counts),
        winning_rate=rate,
        advantage=float(found.judge_wins[0, tested].mean()),
        passes=rate >= PASSES,
        losing_rate=float(_winning_rates(found.p_worse[:, tested], options.level)[0]),
        power=_power(replace(study, answers=table, judge=its), studies) if studies else math.nan,
    )  # fmt: skip


@dataclass(frozen=True, eq=False)
class _Study:
    """Studies with the same gaps, and how they are tested."""

    answers: FloatArray
    """Shape (studies, persons, items)."""
    judge: FloatArray
    usable: BoolArray
    """Shape (persons, items): what counts."""
    options: JudgeTestOptions


class _Comparison(NamedTuple):
    """Each of the shape (studies, persons)."""

    difference: FloatArray
    judge_wins: FloatArray
    person_wins: FloatArray
    p: FloatArray
    """That the difference is ε or more, were it so."""
    p_worse: FloatArray
    """That it is ε or less."""


def _persons(
    found: _Comparison, names: Sequence[str], tested: BoolArray, counts: IntArray
) -> tuple[PersonAgainstJudge, ...]:
    adjusted = adjust_p(found.p[0][tested], method="benjamini-yekutieli").adjusted
    rows = np.column_stack([*(each[0][tested] for each in found[:4]), adjusted])
    return tuple(
        PersonAgainstJudge(name, int(n), *map(float, row)) for name, n, row in zip(names, counts, rows, strict=True)
    )


def _read(
    answers: npt.ArrayLike, judge: npt.ArrayLike, persons: Sequence[str] | None
) -> tuple[FloatArray, FloatArray, list[str]]:
    table, its = np.asarray(answers, dtype=float), np.asarray(judge, dtype=float)
    if table.ndim != 2 or its.shape != table.shape[1:]:
        raise DataError(
            "answers must have the shape (persons, items) and judge one value an item; "
            f"got {table.shape} and {its.shape}"
        )
    for what, values in (("answers", table), ("judge", its)):
        if np.isinf(values).any():
            raise DataError(f"{what} has an infinite value; correct it or use nan")
    names = [str(number) for number in range(1, len(table) + 1)] if persons is None else list(map(str, persons))
    if len(names) != len(table):
        raise DataError(f"there are {len(table)} persons in answers and {len(names)} names")
    return table, its, names


def _usable(table: FloatArray, judge: FloatArray) -> BoolArray:
    """Shape (persons, items): judged by the person, by the judge, and by somebody else."""
    there = ~np.isnan(table)
    usable: BoolArray = there & (there.sum(axis=0) >= 2) & ~np.isnan(judge)
    return usable


def _compared(study: _Study) -> _Comparison:
    studies, persons, _ = study.answers.shape
    found = _Comparison(*(np.full((studies, persons), math.nan) for _ in range(5)))
    for person in np.flatnonzero(study.usable.any(axis=1)):
        items = np.flatnonzero(study.usable[person])
        others = np.delete(study.answers[:, :, items], person, axis=1)
        judge_far = _distance(study.judge[:, None, items], others, study.options.scoring)
        person_far = _distance(study.answers[:, person][:, None, items], others, study.options.scoring)
        slack = _ROUNDING * np.maximum(judge_far, person_far)
        judge_won, person_won = judge_far <= person_far + slack, person_far <= judge_far + slack
        d = person_won.astype(float) - judge_won
        found.difference[:, person] = d.mean(axis=1)
        found.judge_wins[:, person], found.person_wins[:, person] = judge_won.mean(axis=1), person_won.mean(axis=1)
        found.p[:, person] = _p_below(d, study.options.epsilon)
        found.p_worse[:, person] = _p_below(-d, -study.options.epsilon)
    return found


def _distance(own: FloatArray, others: FloatArray, scoring: Scoring) -> FloatArray:
    """How far answers are from those of the others; its order is that of accuracy or of the root mean squared error."""
    apart = (own != others) & ~np.isnan(others) if scoring == "accuracy" else (own - others) ** 2
    found: FloatArray = np.nansum(apart, axis=1)
    return found


def _p_below(d: FloatArray, epsilon: float) -> FloatArray:
    """One-sided p of the t-test that the mean of each row is below ε; 0 or 1 where a row is constant."""
    n = d.shape[1]
    mean, sd = d.mean(axis=1), d.std(axis=1, ddof=1)
    constant = np.ptp(d, axis=1) == 0
    from scipy.special import stdtr  # noqa: PLC0415 -- scipy is loaded by those who test

    t = (mean - epsilon) / np.where(constant, 1.0, sd) * math.sqrt(n)
    return np.where(constant, np.where(mean < epsilon, 0.0, 1.0), stdtr(n - 1, t))


def _winning_rates(p: FloatArray, level: float) -> FloatArray:
    """The share of persons for whom the test rejects, for each row, by Benjamini and Yekutieli's step-up rule."""
    persons = p.shape[1]
    place = np.arange(1, persons + 1)
    limits = level * place / (persons * np.sum(1 / place))
    below = np.sort(p, axis=1) <= limits
    rejected: FloatArray = np.where(below, place, 0).max(axis=1) / persons
    return rejected


def _studies(cells: int, draws: int) -> int:
    """As many simulated studies as asked for, fewer where one is large: at most some 10⁹ answers in all."""
    return min(draws, max(100, 10**9 // cells)) if draws else 0


def _power(study: _Study, draws: int) -> float:
    """The share of simulated studies in which a judge exactly as good as a person passes.

    Persons and judge answer alike: they are drawn from one model of exchangeable raters with the agreement that was
    observed, and have the gaps of the study.
    """
    table, judge = study.answers, study.judge
    drawn_by = exchangeable_categories if study.options.scoring == "accuracy" else exchangeable_numbers
    stream = Stream(study.options.seed, "judge test", "power")
    gaps, tested = np.isnan(table), study.usable.any(axis=1)
    passed, step = 0, max(_CELLS // table.size, 1)
    for start in range(0, draws, step):
        size = min(step, draws - start)
        drawn = drawn_by(table, stream, raters=len(table) + 1, copies=size)
        answers = np.where(gaps, math.nan, drawn[:, :-1])
        its = np.where(np.isnan(judge), math.nan, drawn[:, -1])
        p = _compared(replace(study, answers=answers, judge=its)).p[:, tested]
        passed += int(np.sum(_winning_rates(p, study.options.level) >= PASSES))
    return passed / draws


def _warnings(names: Sequence[str], tested: BoolArray, counts: IntArray, least_items: int) -> Iterator[str]:
    left = [name for name, good in zip(names, tested, strict=True) if not good]
    if left:
        yield f"{len(left)} person(s) share fewer than {least_items} items with judge and others: {some(left)}"
    few = int(np.sum(counts < USUAL_ITEMS))
    if few:
        yield (
            f"{few} of {len(counts)} persons have fewer than {USUAL_ITEMS} items; the t-test is an approximation "
            "there, and the authors advise against it"
        )
    if len(counts) < USUAL_PERSONS:
        yield f"{len(counts)} persons; the authors ask for {USUAL_PERSONS} or more"
