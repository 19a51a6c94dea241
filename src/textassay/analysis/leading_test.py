"""The test that leads: whether systems differ for other participants and other items.

One test for every kind of trial, so that which p leads depends neither on the kind nor on the data. Other models stand
beside it. Where there are too few participants or items to stand for others, there is a test for these ones only.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import pandas as pd

from textassay.analysis.compare_systems import Interval, SignificantPairs, SystemTest, intervals_of
from textassay.analysis.crossed_model import known_rows
from textassay.analysis.options import RecipeOptions
from textassay.analysis.pair_equivalence import PairEquivalence, pair_equivalence
from textassay.pairwise import Better, PairwiseComparisons
from textassay.results import Result
from textassay.stats import AnovaTypeTest, anova_type_contrasts, anova_type_test
from textassay.stats.crossed.anova_type import FEWEST
from textassay.stats.mean_interval import NO_BOUNDS, Bounds

if TYPE_CHECKING:
    from textassay.analysis.contrast_models import Contrasts
    from textassay.stats.crossed.anova_type import Random

LEADING = "ANOVA-type test"
FIRST_CHOICE = "first choice: holds for other participants and other items; variances need not be equal"
OF_THESE = "first choice for these {} only: says nothing about others"
ABOUT_LEADING = (
    "The ANOVA-type test (Brunner, Dette & Munk 1997) has participants and items as random and takes no variances as "
    "equal: systems may differ in how much they vary between participants and between items."
)
ABOUT_PAIRS = (
    "Difference, interval and p are of the ANOVA-type test, each pair with a variance of its own; p is corrected after "
    "Holm over all pairs, and the intervals hold for all pairs together ({level}, Bonferroni)."
)


@dataclass(frozen=True)
class LeadingTest:
    """The leading test of one measure."""

    general: AnovaTypeTest
    """With participants and items as random; without a p where there are too few of them."""
    of_these: AnovaTypeTest | None = None
    """Where there are too few of one: with those taken as they are."""
    smallest: float | None = None
    """The smallest difference that matters, if the study declares one."""

    @property
    def found(self) -> AnovaTypeTest:
        """What estimates and pairs are taken from."""
        return self.general if self.of_these is None else self.of_these

    @property
    def results(self) -> tuple[Result, ...]:
        """The tests, and how many pairs differ."""
        if not self.found.means:
            return ()
        tests = tuple(test for test in (self.general, self.of_these) if test is not None and test.means)
        equivalent = () if self.equivalence is None else (self.equivalence,)
        return *tests, *([_counted(self.found)] if self.found.pairs.pairs else []), *equivalent

    @property
    def equivalence(self) -> PairEquivalence | None:
        """Which pairs differ by less than what matters; nothing where the study does not say what that is."""
        if self.smallest is None or self.pairs is None:
            return None
        return pair_equivalence(self.pairs, self.smallest, n=self.found.n)

    @property
    def tests(self) -> Iterator[SystemTest]:
        """As lines of a table of tests."""
        for test in (self.general, self.of_these):
            if test is None or math.isnan(test.p):
                continue
            fixed = _fixed(test)
            name = f"{LEADING}, for these {fixed}" if fixed else LEADING
            yield SystemTest(name, "F", test.f, test.df, test.p, OF_THESE.format(fixed) if fixed else FIRST_CHOICE)

    @property
    def pairs(self) -> PairwiseComparisons | None:
        """Nothing where nothing is compared."""
        return self.found.pairs if self.found.pairs.pairs else None

    def estimates(self, bounds: Bounds = NO_BOUNDS) -> dict[str, Interval]:
        """By system its adjusted mean and the ends of its interval, within the bounds of the measure."""
        return intervals_of(self.found.means, bounds)

    @property
    def warnings(self) -> tuple[str, ...]:
        """What is to be said, without the measure's name."""
        said = [f"{LEADING}: {text}" for test in (self.general, self.of_these) if test for text in test.warnings]
        few = min(self.general.participants, self.general.items)
        if not math.isnan(self.general.p) and few <= _FEW:
            scarce = "participants" if self.general.participants == few else "items"
            said.append(
                f"{LEADING}: with {few} {scarce} only large differences are found: pairs have about {few - 1} degrees "
                f"of freedom; more {scarce} bring more than more of anything else"
            )
        return tuple(dict.fromkeys(said))

    @property
    def caveat(self) -> str:
        """Whom the test does not speak for."""
        fixed = _fixed(self.found)
        return f"nothing is said about other {fixed}" if fixed else ""

    def about_means(self, level: str, means: str = "Means") -> str:
        """What the estimates are, and for whom their intervals hold, under a figure.

        Args:
            level: Of the intervals: `95 %`.
            means: What they are called.
        """
        return f"{means}, participants and items taken out, with {level} intervals that hold for {self.whom}."

    @property
    def whom(self) -> str:
        """For whom its intervals hold."""
        fixed = _fixed(self.found)
        return f"other {self.found.holds_for}, but for these {fixed} only" if fixed else _OTHERS

    def standardised(self, sd: float | None) -> LeadingTest:
        """The same with d of each pair: its difference in standard deviations of a single answer.

        That is the d of Westfall, Kenny & Judd (2014). R: `emmeans::eff_size`, with the root of all variances as sigma.

        Args:
            sd: The root of the sum of all variance components; nothing where it is not known.
        """
        if sd is None or not sd > 0:
            return self
        changed = [None if test is None else _with_d(test, sd) for test in (self.general, self.of_these)]
        return LeadingTest(changed[0] or self.general, changed[1], self.smallest)


_OTHERS = "other participants and other items"


def for_whom(tests: Iterable[LeadingTest]) -> str:
    """For whom the intervals of several measures hold, under a table of them all."""
    told = list(dict.fromkeys(test.whom for test in tests))
    if len(told) < 2:
        return told[0] if told else _OTHERS
    return f"{_OTHERS}, or, where the table of tests says so, for these participants or items only"


_FEW = 4
"""Participants, or items, with which pairs hardly have any degrees of freedom."""


def leading_test(
    frame: pd.DataFrame,
    value: str,
    *,
    of: str,
    options: RecipeOptions,
    better: Better = "none",
    covariates: Sequence[str] = (),
) -> LeadingTest:
    """The leading test of values that each belong to a system.

    Args:
        frame: Columns `participant, item, system` and that of the measure; rows without a value are omitted.
        value: The measure's column.
        of: What it is called in results.
        options: Levels of tests and intervals.
        better: Which of its values are the better ones.
        covariates: Columns of numbers whose effects are taken out.
    """
    known = known_rows(frame, [value, *covariates])
    columns = [known[name].to_numpy() for name in ("system", "participant", "item")]

    def run(random: tuple[Random, ...]) -> AnovaTypeTest:
        return anova_type_test(
            known[value].to_numpy(dtype=float),
            *columns,
            covariates={name: known[name].to_numpy(dtype=float) for name in covariates},
            random=random,
            confidence=options.confidence,
            alpha=options.alpha,
        ).about(of, better=better)

    return _with_fallback(run, options.smallest.get(of))


def leading_contrasts(given: Contrasts, *, of: str, options: RecipeOptions, better: Better = "none") -> LeadingTest:
    """The leading test of values that each compare systems: preferences, ranks within a trial.

    Args:
        given: Values and what they compare.
        of: What they are called in results.
        options: Levels of tests and intervals.
        better: Which of the values are the better ones.
    """
    covariates = {name: column for name, column in given.covariates.items() if given.tell_apart(name)}

    def run(random: tuple[Random, ...]) -> AnovaTypeTest:
        return anova_type_contrasts(
            given.values,
            given.rows,
            given.participants,
            given.items,
            systems=given.systems,
            covariates=covariates,
            random=random,
            confidence=options.confidence,
            alpha=options.alpha,
        ).about(of, better=better)

    return _with_fallback(run, options.smallest.get(of))


def leading_p(frame: pd.DataFrame, value: str) -> float:
    """The p of the leading test, for power by simulation; nan where there is none."""
    return leading_test(frame, value, of=value, options=RecipeOptions()).found.p


def _with_fallback(run: Callable[[tuple[Random, ...]], AnovaTypeTest], smallest: float | None) -> LeadingTest:
    """The test; where there are too few participants, or items, the test of these ones beside it."""
    general = run(("participants", "items"))
    few = [name for name, count in (("participants", general.participants), ("items", general.items)) if count < FEWEST]
    if len(few) != 1 or general.means:
        return LeadingTest(general, smallest=smallest)
    of_these = run(("items",) if few == ["participants"] else ("participants",))
    return LeadingTest(general, of_these, smallest)


def _fixed(test: AnovaTypeTest) -> str:
    """Who is taken as they are; empty where nobody is."""
    return {"items": "participants", "participants": "items"}.get(test.holds_for, "")


def _with_d(test: AnovaTypeTest, sd: float) -> AnovaTypeTest:
    each = tuple(replace(pair, effect_size=pair.difference / sd) for pair in test.pairs)
    return replace(test, pairs=replace(test.pairs, pairs=each, effect_size="d"))


def _counted(test: AnovaTypeTest) -> SignificantPairs:
    """Pairs whose p, adjusted for all pairs, is below alpha."""
    return SignificantPairs(
        method=f"{LEADING}, Holm",
        settings={"alpha": test.pairs.alpha, **test.settings},
        of=test.of,
        by="system",
        significant=test.pairs.n_significant,
        pairs=len(test.pairs),
        alpha=test.pairs.alpha,
        n=test.n,
    )
