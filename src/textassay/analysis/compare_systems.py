"""Systems compared on one measure, by every method that a kind of trial offers: one form for all, and so one look.

A recipe fits its models and puts what they found into a `SystemComparison`: tests from the one to prefer to the ones
that are there to be set beside published work, estimates and pairs of the preferred model, and what other methods say
of the same pairs. The tables of tests and pairs are made from it here.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Protocol

from textassay.analysis.table_builder import DIFFERENCE, RATIO, Columns, TableColumn, build_table
from textassay.pairwise import PairwiseComparison, PairwiseComparisons
from textassay.results import Record, Table
from textassay.stats import adjust_p
from textassay.stats.mean_interval import NO_BOUNDS, Bounds, cut_interval
from textassay.stats.statistic import Statistic

if TYPE_CHECKING:
    from textassay.analysis.crossed_model import CrossedModel
    from textassay.analysis.leading_test import LeadingTest
    from textassay.analysis.pair_equivalence import PairEquivalence
    from textassay.analysis.subjects_items import SubjectsItems

LEADS = "first choice"
"""How the advice of a test begins that may lead."""
Names = tuple[str, str]
Interval = tuple[float, float, float]
"""An estimate and the two ends of its interval."""


@dataclass(frozen=True)
class SystemTest:
    """One test of whether the systems differ."""

    name: str
    statistic: str
    """`F` or `χ²`."""
    value: float
    df: tuple[float, float | None]
    """Of χ² the second is nothing."""
    p: float
    advice: str
    """When to prefer it."""


class Estimate(Protocol):
    """A number of one system with its interval."""

    @property
    def name(self) -> str:
        """The system."""

    @property
    def estimate(self) -> float:
        """The number."""

    @property
    def ci(self) -> tuple[float, float]:
        """The ends of its interval."""


def intervals_of(estimates: Iterable[Estimate], bounds: Bounds = NO_BOUNDS) -> dict[str, Interval]:
    """By system its estimate and the ends of its interval, as far as it is within the bounds of the measure."""
    return {each.name: (each.estimate, *cut_interval(each.ci, bounds)) for each in estimates}


@dataclass(frozen=True, kw_only=True)
class SystemComparison:
    """Systems compared on one measure."""

    measure: str
    """A criterion, a score, a time."""
    tests: tuple[SystemTest, ...] = ()
    """The one to prefer first."""
    estimates: Mapping[str, Interval] = field(default_factory=dict)
    """Of the preferred model, by system; empty where there is none."""
    pairs: PairwiseComparisons | None = None
    """Of the preferred model."""
    further_pairs: Mapping[str, PairwiseComparisons | None] = field(default_factory=dict)
    """What other methods say of the same pairs: the heading of their p → the comparisons."""
    direct: Mapping[Names, Sequence[object]] = field(default_factory=dict)
    """What was counted in each pair, as cells of the table; these pairs come first in it."""
    plain: PairwiseComparisons | None = None
    """Whose differences are shown, without interval and p, where there is no model."""
    ratios: bool = False
    """Whether the model is of logarithms, so that a pair is shown as a ratio, exp(difference)."""
    equivalence: PairEquivalence | None = None
    """Which pairs differ by less than what matters, where the study says what that is."""

    @property
    def leading(self) -> SystemTest | None:
        """The test that may be believed; nothing where there is none."""
        return next((test for test in self.tests if test.advice.startswith(LEADS)), None)

    def pair_names(self) -> Iterator[Names]:
        """All pairs once, as the first of these sources names them."""
        met: set[frozenset[str]] = set()
        sources = [list(self.direct), *map(_names, (self.pairs, self.plain, *self.further_pairs.values()))]
        for names in (names for source in sources for names in source):
            if frozenset(names) not in met:
                met.add(frozenset(names))
                yield names


CROSSED = {
    "mixed model": "beside it: takes the variances of all systems as equal",
    "min F′": "beside older work; safe, but blunt",
    "F1": "beside published work: says nothing about other items",
    "F2": "beside published work: says nothing about other participants",
}
"""Tests that stand beside the leading one, where participants and items are crossed → when to prefer them."""


def compare_crossed(
    measure: str, leading: LeadingTest, model: CrossedModel, by: SubjectsItems, *, logarithms: bool = False
) -> SystemComparison:
    """A measure with crossed participants and items: by the leading test, a mixed model, and by subjects and by items.

    Args:
        measure: Its name.
        leading: The leading test.
        model: The mixed model.
        by: F1, F2 and min F′.
        logarithms: Whether leading test and model are of the measure's logarithms.
    """
    tests = list(leading.tests)
    if logarithms:
        tests = [replace(test, name=f"{test.name}, logarithms") for test in tests]
    if model.model is not None:
        found, name = model.model.test("system"), "mixed model"
        shown = f"{name}, logarithms" if logarithms else name
        tests.append(SystemTest(shown, "F", found.f, found.df, found.p, CROSSED[name]))
    lines = sorted(by.lines, key=lambda line: list(CROSSED).index(line.test))
    tests += [SystemTest(line.test, "F", line.f, line.df, line.p, CROSSED[line.test]) for line in lines]
    return SystemComparison(
        measure=measure,
        tests=tuple(tests),
        estimates=leading.estimates(),
        pairs=leading.pairs,
        ratios=logarithms,
        equivalence=leading.equivalence,
    )


def _names(pairs: PairwiseComparisons | None) -> list[Names]:
    return [] if pairs is None else [(pair.first, pair.second) for pair in pairs]


def _get(pairs: PairwiseComparisons | None, names: Names) -> PairwiseComparison | None:
    return None if pairs is None else pairs.get(*names)


@dataclass(frozen=True, kw_only=True)
class SignificantPairs(Statistic):
    """How many pairs of systems differ, out of all."""

    significant: int
    pairs: int
    alpha: float
    n: int
    """Answers."""

    def records(self) -> list[Record]:
        """One record."""
        return [self.record("significant pairs", self.significant, n=self.n, pairs=self.pairs, alpha=self.alpha)]


def corrected_over(parts: Sequence[SystemComparison]) -> dict[str, float]:
    """By measure the p of its leading test, corrected after Holm over all of them; empty where there are not several.

    >>> tests = [SystemTest("t", "F", 5.0, (1, 9), p, f"{LEADS} of all") for p in (0.01, 0.03)]
    >>> parts = [SystemComparison(measure=name, tests=(test,)) for name, test in zip("ab", tests)]
    >>> corrected_over(parts)
    {'a': 0.02, 'b': 0.03}
    """
    led = {part.measure: part.leading.p for part in parts if part.leading is not None}
    known = {name: p for name, p in led.items() if not math.isnan(p)}
    if len(known) < 2:
        return {}
    return dict(zip(known, adjust_p(list(known.values())).adjusted, strict=True))


_TESTS: Columns[SystemTest] = (
    TableColumn("Test", lambda test: test.name),
    TableColumn("Statistic", lambda test: test.statistic),
    TableColumn("Value", lambda test: test.value),
    TableColumn("df 1", lambda test: test.df[0]),
    TableColumn("df 2", lambda test: test.df[1]),
    TableColumn("p", lambda test: test.p),
    TableColumn("When to prefer it", lambda test: test.advice),
)


def system_tests_table(
    parts: Sequence[SystemComparison], *, title: str = "Do the systems differ?", of: str = "Criterion", note: str = ""
) -> Table:
    """Every test that systems differ, the one to prefer first.

    Args:
        parts: One per measure.
        title: Of the table.
        of: Heading of the measures.
        note: What the tests are.
    """
    corrected = corrected_over(parts)
    rows = [(part.measure, test) for part in parts for test in part.tests]
    these = sorted({test.name.partition(_THESE)[2].partition(",")[0] for _, test in rows} - {""})
    taken = (f"The test for these {who} takes them as they are and says nothing about other {who}." for who in these)
    note = " ".join(filter(None, [note, *taken]))
    if not corrected:
        return build_table("tests", title, _TESTS, rows, labels=(of,), note=note)
    led = {id(part.leading): corrected.get(part.measure) for part in parts}
    holm = TableColumn[SystemTest]("p Holm", lambda test: led.get(id(test)))
    columns = (*_TESTS[:-1], holm, _TESTS[-1])
    said = (_OVER_CRITERIA if of == "Criterion" else _OVER_MEASURES).format(what=of.lower(), count=len(corrected))
    return build_table("tests", title, columns, rows, labels=(of,), note=f"{note} {said}".strip())


_THESE = "for these "
"""In the name of a test that takes participants, or items, as they are."""
_OVER_CRITERIA = (
    "p is that of one criterion by itself. p Holm: of the test that leads, corrected for the {count} criteria; go by "
    "it unless you had one criterion in mind before you looked."
)
_OVER_MEASURES = (
    "p is that of one {what} by itself; the first leads, whatever the answers are. p Holm: of the tests that lead, "
    "corrected for the {count} {what}s, since all of them are tested."
)


def pairs_table(
    parts: Sequence[SystemComparison],
    *,
    name: str = "pairs",
    title: str = "All pairs of systems",
    of: str = "Criterion",
    direct: Sequence[str] = (),
    note: str = "",
) -> Table:
    """Every pair of systems: what was counted, the difference in the preferred model, and the p of other methods.

    Args:
        parts: One per measure.
        name: Of its files.
        title: Of the table.
        of: Heading of the measures.
        direct: Headings of what was counted in each pair.
        note: What the numbers are.
    """
    sizes = list(dict.fromkeys(part.pairs.effect_size for part in parts if part.pairs and part.pairs.effect_size))[:1]
    bounded = any(part.equivalence for part in parts)
    further = list(dict.fromkeys(heading for part in parts for heading in part.further_pairs))
    rows = [
        (
            part.measure,
            *names,
            *part.direct.get(names, (None,) * len(direct)),
            *_difference(part, names),
            *(_effect_size(part, names) for _ in sizes),
            *_further(part, names, further),
            *(_equivalent(part, names) if bounded else ()),
        )
        for part in parts
        for names in part.pair_names()
    ]
    difference = RATIO if any(part.ratios for part in parts) else DIFFERENCE
    headings = (of, "First", "Second", *direct, *(column.heading for column in difference), *sizes, *further)
    headings += ("p equivalent", "Equivalent") if bounded else ()
    notes = (note, _D if sizes else "", _EQUIVALENT if bounded else "")
    return Table(name, title, headings, tuple(rows), " ".join(filter(None, notes)))


_D = (
    "d: the difference over the standard deviation of a single answer, which is the root of all variance components of "
    "the mixed model together (participants, items, their combinations with systems, and what is left); where an "
    "answer compares systems, of a single comparison of two."
)


_EQUIVALENT = (
    "p equivalent: two one-sided tests, from the same difference, standard error and degrees of freedom, of whether "
    "the two differ by less than the smallest difference that matters, as the study declares it; corrected after Holm "
    "over all pairs."
)


def _equivalent(part: SystemComparison, names: Names) -> tuple[float | None, bool | None]:
    found = None if part.equivalence is None else part.equivalence.get(*names)
    return (None, None) if found is None else (found.p, found.equivalent)


def _difference(part: SystemComparison, names: Names) -> tuple[object, ...]:
    found = _get(part.pairs, names)
    if found is not None:
        return tuple(column.value(found) for column in (RATIO if part.ratios else DIFFERENCE))
    plain = _get(part.plain, names)
    return (None if plain is None else plain.difference, *[None] * (len(DIFFERENCE) - 1))


def _effect_size(part: SystemComparison, names: Names) -> float | None:
    found = _get(part.pairs, names)
    return None if found is None else found.effect_size


def _further(part: SystemComparison, names: Names, headings: Sequence[str]) -> Iterator[float | None]:
    for heading in headings:
        found = _get(part.further_pairs.get(heading), names)
        yield None if found is None else found.p
