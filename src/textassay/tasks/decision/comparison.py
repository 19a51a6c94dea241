"""The scores of systems compared over one set of items: a mixed model, means, analyses of variance, paired tests."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import combinations

import pandas as pd

from textassay.analysis.agreement import OF_GAPS, Concordance, between_evaluators, concordance_columns
from textassay.analysis.compare_systems import (
    Interval,
    SystemComparison,
    compare_crossed,
    pairs_table,
    system_tests_table,
)
from textassay.analysis.crossed_model import ABOUT_MIXED, CrossedModel, crossed_model
from textassay.analysis.headlines import Evidence, Wording, system_headline
from textassay.analysis.judgements import Judgements
from textassay.analysis.leading_test import ABOUT_LEADING, ABOUT_PAIRS, LeadingTest, for_whom, leading_test
from textassay.analysis.options import RecipeOptions
from textassay.analysis.order_effects import OrderEffects, order_effects, order_table
from textassay.analysis.subjects_items import SubjectsItems, ratios_table, subjects_items
from textassay.analysis.system_means import groups_figure
from textassay.analysis.table_builder import PAIR, Columns, TableColumn, build_table, interval_columns
from textassay.analysis.variance_table import variance_table
from textassay.analysis.wording import per_cent
from textassay.headline import Headline
from textassay.pairwise import Better, PairwiseComparison, PairwiseComparisons
from textassay.results import Figure, Record, Result, Table
from textassay.stats import KendallW, MeanInterval, TTest, mean_interval, paired_t
from textassay.stats.adjust_p import adjust_pairs
from textassay.stats.mean_interval import cut_interval
from textassay.stats.statistic import Statistic
from textassay.tasks.decision.scores import SCORES

ALL, SOME = "all items", "without items whose target is no action"


@dataclass(frozen=True)
class ScoreComparison:
    """One score over one set of items."""

    items: str
    """`ALL` or `SOME`."""
    score: str
    means: tuple[MeanInterval, ...]
    """One per system, over participants' means."""
    ratios: SubjectsItems
    """F1, F2 and min F′."""
    leading: LeadingTest
    model: CrossedModel
    pairs: PairedTests
    agreement: Concordance
    """Over participants' means; its test is Friedman's."""
    order: OrderEffects | None = None
    """Of place and previous system, over all items."""

    @property
    def results(self) -> tuple[Result, ...]:
        """In the order of a report."""
        order = () if self.order is None else (self.order,)
        tests = (*self.leading.results, *self.model.results, self.pairs, *self.ratios.results)
        return *self.means, *tests, self.agreement, *order

    @cached_property
    def systems(self) -> SystemComparison:
        """Tests and pairs."""
        return compare_crossed(self.score, self.leading, self.model, self.ratios)

    @property
    def warnings(self) -> list[tuple[str, Sequence[str]]]:
        """What they are about, and what is to be said."""
        means = [(f"{mean.of}, {mean.by}", mean.warnings) for mean in self.means]
        tests = (
            self.leading.warnings,
            self.ratios.warnings,
            self.model.warnings,
            self.pairs.warnings,
            self.agreement.warnings,
        )
        return [*means, *((self.ratios.of, texts) for texts in tests)]


def compare_score(part: pd.DataFrame, score: str, items: str, options: RecipeOptions) -> ScoreComparison:
    """A score over these items.

    Args:
        part: First answers: `participant, item, system` and the score; undefined scores are omitted.
        score: Its column.
        items: Which items they are, for names of results.
        options: Levels of tests and intervals, and the order of systems.
    """
    of = _name(score, items)
    known, order = part[part[score].notna()], options.systems
    model = crossed_model(known, score, of=of, better=SCORES[score], alpha=options.alpha, confidence=options.confidence)
    leading = leading_score(known, score, items, options)
    return ScoreComparison(
        items,
        score,
        tuple(_mean(known, score, system, options.confidence).about(of, system) for system in order),
        subjects_items(known, score, of=of, alpha=None),
        leading.standardised(model.answer_sd),
        model,
        paired_tests(known, score, order=order, alpha=options.alpha, of=of, better=SCORES[score]),
        between_evaluators(Judgements(known.assign(value=known[score]), known.iloc[:0], ())).about(of),
        order_effects(known, score, leading, of=of, options=options) if items == ALL else None,
    )


def leading_score(part: pd.DataFrame, score: str, items: str, options: RecipeOptions) -> LeadingTest:
    """The leading test of a score over these items; see `compare_score`."""
    return leading_test(part, score, of=_name(score, items), options=options, better=SCORES[score])


def _name(score: str, items: str) -> str:
    return score if items == ALL else f"{score} {items}"


def _mean(known: pd.DataFrame, score: str, system: str, confidence: float) -> MeanInterval:
    per_person = known[known["system"] == system].groupby("participant")[score].mean()
    return mean_interval(per_person.to_numpy(dtype=float), confidence=confidence, bounds=_RANGES[score])


@dataclass(frozen=True, kw_only=True)
class PairedTests(Statistic):
    """The differences of all pairs of systems."""

    pairs: PairwiseComparisons

    def records(self) -> list[Record]:
        """One record per pair, then how many differ."""
        pairs, n = self.pairs, max((pair.n for pair in self.pairs), default=0)
        count = self.record("significant pairs", pairs.n_significant, n=n, pairs=len(pairs), alpha=pairs.alpha)
        return [*pairs.records(self), count]


def paired_tests(
    part: pd.DataFrame, score: str, *, order: Sequence[str], alpha: float, of: str, better: Better = "none"
) -> PairedTests:
    """The means of each participant with two systems, for all pairs of systems.

    Args:
        part: Columns `participant, system` and that of the score.
        score: Its column.
        order: The systems; of a pair, the earlier one is the first.
        alpha: Level of all comparisons of the score together.
        of: What the score is called in results.
        better: Which values of the score are the better ones.
    """
    means = part.pivot_table(index="participant", columns="system", values=score, aggfunc="mean")
    named = [pair for pair in combinations(order, 2) if set(pair) <= set(means.columns)]
    # Bonferroni's level: all intervals hold together. Holm's p are sharper, but have no intervals.
    level = 1 - alpha / max(len(named), 1)
    tests = {names: _paired(means, *names, level) for names in named}
    method, said = (
        "paired t-tests, Holm",
        [f"{first} − {second}: {text}" for (first, second), test in tests.items() for text in test.warnings],
    )
    settings = {"over": "participants' means", "correction": "holm", "intervals": "bonferroni", "pairs": len(tests)}
    pairs = PairwiseComparisons(
        method=method,
        settings=settings,
        pairs=adjust_pairs([_comparison(*names, test) for names, test in tests.items()]),
        of=of,
        by="system",
        better=better,
        adjustment="Holm",
        alpha=alpha,
        confidence=1 - alpha,
        interval="simultaneous",
        test="t",
        effect_size="Cohen's d_z",
    )
    return PairedTests(method=method, settings=settings, warnings=tuple(said), of=of, by="system", pairs=pairs)


def _paired(means: pd.DataFrame, first: str, second: str, level: float) -> TTest:
    both = means[[first, second]].dropna().astype(float)
    return paired_t(both[first].to_numpy(), both[second].to_numpy(), confidence=level)


def _comparison(first: str, second: str, test: TTest) -> PairwiseComparison:
    return PairwiseComparison(
        first=first,
        second=second,
        difference=test.difference,
        ci=test.ci,
        p=test.p,
        p_raw=test.p,
        n=test.n,
        se=test.se,
        test_value=test.t,
        df=test.df,
        effect_size=test.d,
        effect_size_ci=test.d_ci,
    )


SUBJECTS = {
    "P": "Suitable choices (P)",
    "P_AP": "Appropriate actions chosen (P_AP)",
    "P_INAP": "Inappropriate actions chosen (P_INAP)",
    "SP_AP": "Appropriate ones among the actions chosen (SP_AP)",
}
"""Score → heading of its section."""
_TITLES = {
    "P": "Suitable choices: mean P",
    "P_AP": "Appropriate actions chosen: mean P_AP",
    "P_INAP": "Inappropriate actions chosen: mean P_INAP",
    "SP_AP": "Appropriate ones among the actions chosen: mean SP_AP",
}
_RANGES = {"P": (-1.0, 1.0), "P_AP": (0.0, 1.0), "P_INAP": (0.0, 1.0), "SP_AP": (0.0, 1.0)}


def score_tables(found: Sequence[ScoreComparison], options: RecipeOptions) -> list[Table]:
    """Tests over all items, means, pairs; tests without items that need no action; the published analyses."""
    every = [each.systems for each in found if each.items == ALL]
    some = [each for each in found if each.items == SOME]
    few = [each.systems for each in some]
    without = system_tests_table(few, of="Score", note=_TESTS)
    level = per_cent(options.confidence)
    spread = variance_table([each.model for each in found if each.items == ALL], of="Score")
    order = order_table([each.order for each in found], of="Score")
    return [
        _means_table([each for each in found if each.items == ALL], level),
        system_tests_table(every, of="Score", note=_TESTS),
        pairs_table(every, of="Score", note=_PAIRS.format(level=level)),
        *(
            replace(table, detail=True)
            for table in (
                *([_means_table(some, level, f" ({SOME})")] if some else []),
                *([replace(without, name="tests-without-no-action", title=f"{without.title} ({SOME})")] if few else []),
                *(table for table in (spread, order) if table is not None),
                _paired_table(found, options),
                ratios_table([each.ratios for each in found], note="Gatt & Portet (2010) report F1."),
                _agreement_table(found),
            )
        ),
    ]


_TESTS = f"{ABOUT_LEADING} {ABOUT_MIXED}."
_PAIRS = f"Difference: adjusted mean of First − that of Second. {ABOUT_PAIRS}"


def _means_table(found: Sequence[ScoreComparison], level: str, which: str = "") -> Table:
    rows = [
        (each.score, (mean, each.leading.estimates(_RANGES[each.score]).get(mean.by)))
        for each in found
        for mean in each.means
    ]
    columns: Columns[tuple[MeanInterval, Interval | None]] = (
        TableColumn("System", lambda both: both[0].by),
        TableColumn("Participants", lambda both: both[0].n),
        TableColumn("Mean", lambda both: both[0].mean),
        TableColumn("SD", lambda both: both[0].sd),
        TableColumn("Estimate", lambda both: None if both[1] is None else both[1][0]),
        *interval_columns(lambda both: None if both[1] is None else both[1][1:]),
    )
    return build_table(
        "scores-without-no-action" if which else "scores",
        f"How well what was chosen suits{which}",
        columns,
        rows,
        labels=("Score",),
        note="P_AP and P_INAP: share of the appropriate and of the inappropriate actions that were chosen. "
        "P = P_AP - P_INAP. SP_AP: share of what was chosen that is appropriate. Mean and SD: over participants' "
        "means. Estimate: mean with the differences between participants and between items taken out, with its "
        f"{level} interval, which holds for {for_whom(each.leading for each in found)}.",
    )


def _paired_table(found: Sequence[ScoreComparison], options: RecipeOptions) -> Table:
    columns: Columns[PairwiseComparison] = (
        *PAIR[:2],
        TableColumn("Participants", lambda x: x.n),
        *PAIR[2:5],
        TableColumn("t", lambda x: x.test_value),
        TableColumn("df", lambda x: x.df),
        TableColumn("p", lambda x: x.p),
        TableColumn("p raw", lambda x: x.p_raw),
        *PAIR[6:],
    )
    return build_table(
        "paired-differences",
        "Differences between systems within participants",
        columns,
        [(each.score, each.items, pair) for each in found for pair in each.pairs.pairs],
        labels=("Score", "Items"),
        note="Paired t-tests of participants' means, First − Second. p: after Holm's correction for the pairs of one "
        f"score, significant below {options.alpha:g}; p raw: of the pair alone. The intervals of one score hold "
        f"together at {per_cent(1 - options.alpha)} (Bonferroni). They say nothing about other items: prefer the mixed "
        "model for that.",
    )


def _agreement_table(found: Sequence[ScoreComparison]) -> Table:
    columns: Columns[ScoreComparison] = (
        TableColumn("Score", lambda x: x.score),
        TableColumn("Items", lambda x: x.items),
        *concordance_columns(lambda x: x.agreement, found),
        TableColumn("p", lambda x: x.agreement.p if isinstance(x.agreement, KendallW) else None),
        TableColumn("Participants", lambda x: x.agreement.raters),
    )
    note = (
        "Kendall's W on participants' means for each system; its test is Friedman's, which takes ranks only. "
        f"Participants: how many it rests on. It needs every system of everyone: {OF_GAPS}."
    )
    return build_table("by-participants", "Systems put in order by participants", columns, found, note=note)


def score_headline(found: Sequence[ScoreComparison], first: pd.DataFrame, options: RecipeOptions) -> Headline | None:
    """With which system the most suitable actions were chosen: by the score P over all items."""
    part = next((each for each in found if (each.items, each.score) == (ALL, "P")), None)
    if part is None:
        return None
    words = Wording(
        best="led to the most suitable choices",
        worst="to the least suitable",
        beats="led to more suitable choices than",
        value="mean score {}",
        scale=" on the scale from −1 (all inappropriate actions chosen, no appropriate one) to 1 (the reverse)",
        bounds=_RANGES["P"],
    )
    means = {mean.by: (mean.mean, *mean.ci) for mean in part.means}
    evidence = Evidence(
        values={name: part.systems.estimates.get(name, each) for name, each in means.items()},
        participants=first["participant"].nunique(),
        items=first["item"].nunique(),
        confidence=options.confidence,
        alpha=options.alpha,
        caveat=part.leading.caveat,
    )
    return system_headline(part.systems, words, evidence)


def score_figures(found: Sequence[ScoreComparison], options: RecipeOptions) -> list[Figure]:
    """The means of each score over all items."""
    return [_figure(each, options.confidence) for each in found if each.items == ALL]


def _figure(part: ScoreComparison, confidence: float) -> Figure:
    """Adjusted means; without them, means over participants."""
    bounds, known = _RANGES[part.score], part.systems.estimates
    groups = []
    for mean in part.means:
        value, low, high = known.get(mean.by, (mean.mean, *mean.ci))
        low, high = cut_interval((low, high), bounds)
        groups.append({"system": mean.by, "mean": value, "low": low, "high": high, "n": mean.n})
    level = per_cent(confidence)
    return groups_figure(
        f"means-{part.score.lower().replace('_', '-')}",
        _TITLES[part.score],
        part.score,
        groups,
        bounds,
        part.leading.about_means(level) if known else f"Over participants' means, with {level} confidence intervals.",
    )
