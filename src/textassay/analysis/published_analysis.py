"""What the answers depend on: system, text, evaluator — and how far evaluators agree (Belz & Kow 2010)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import pandas as pd

from textassay.analysis.agreement import (
    OF_GAPS,
    Concordance,
    RepeatConsistency,
    WithinEvaluators,
    between_evaluators,
    concordance_columns,
    repeat_consistency,
    within_evaluators,
)
from textassay.analysis.judgements import Judgements, in_order, read_judgements
from textassay.analysis.options import RecipeOptions
from textassay.analysis.table_builder import PAIR, Columns, TableColumn, build_table, f_columns
from textassay.results import Analysis, Result, Table
from textassay.stats import Anova, KendallW, MeanInterval, Tukey, anova, mean_interval, tukey
from textassay.stats.mean_interval import NO_BOUNDS

FACTORS = {"System": "system", "Text": "item", "Evaluator": "participant"}
"""Factor as papers call it → column."""
NOT_INDEPENDENT = (
    "the one-way analyses of variance, Tukey's HSD and the intervals take all answers as independent, but each "
    "participant and each item gives several: this is the analysis that Belz & Kow (2010) published, and its p are "
    "not exact; Kendall's W and its test, on each participant's mean for each system, do not take that for granted"
)


@dataclass(frozen=True)
class PublishedResults:
    """All results for one criterion."""

    criterion: str
    means: tuple[MeanInterval, ...]
    """One per system; its name is in `by`."""
    variance: tuple[Anova, ...]
    """One per factor: System, Text, Evaluator, then properties of the items."""
    pairs: Tukey
    between: Concordance
    within: WithinEvaluators
    repeats: RepeatConsistency

    @property
    def results(self) -> tuple[Result, ...]:
        """In the order of a report."""
        return *self.of_variance, self.between, self.within, self.repeats

    @property
    def one_system(self) -> bool:
        """Whether there is nothing to compare."""
        return len(self.means) == 1

    @property
    def of_variance(self) -> tuple[Result, ...]:
        """Those that compare means, without agreement."""
        return *self.means, *self.variance, self.pairs

    @property
    def defined(self) -> tuple[Result, ...]:
        """The same of a single system without F and pairs of systems, which then do not exist."""
        return (*self.means, *self.variance[1:]) if self.one_system else self.of_variance


def system_text_evaluator(judgements: pd.DataFrame, options: RecipeOptions | None = None) -> Analysis:
    """For each criterion: means, F for System, Text and Evaluator, Tukey's HSD, Kendall's W between and within.

    Repeats of a trial do not enter means and F ratios; they tell how consistent participants are with themselves.

    Args:
        judgements: Columns `participant, item, system, criterion, value`; where known `kind, practice, repeat,
            position`.
        options: Levels, the order of systems, properties of items.

    Raises:
        DataError: a column is missing.
    """
    judged = read_judgements(judgements)
    parts = of_criteria(judged, options or RecipeOptions())
    return Analysis(
        name="system-text-evaluator",
        title="Systems, texts and evaluators",
        results=tuple(result for part in parts for result in part.results),
        tables=(variance_table(parts), significance_table(parts), agreement_table(parts)) if parts else (),
        warnings=warnings_of(judged, parts),
    )


def of_criteria(judged: Judgements, options: RecipeOptions) -> tuple[PublishedResults, ...]:
    """The results of each criterion, in the order in which criteria first appear."""
    return tuple(_analyse(judged.of(criterion), criterion, options) for criterion in judged.criteria)


def warnings_of(judged: Judgements, parts: Sequence[PublishedResults], *, agreement: bool = True) -> tuple[str, ...]:
    """What a reader of these results must know; of agreement too, unless it is said elsewhere."""
    warnings = list(judged.warnings)
    if not parts:
        warnings.append("there are no answers to analyse")
    if _has_repeated_measures(judged.main):
        warnings.append(NOT_INDEPENDENT)
    told = [(part, part.results if agreement else part.defined) for part in parts]
    warnings += [f"{part.criterion}: {warning}" for part, results in told for warning in _warnings(results)]
    return tuple(warnings)


def _analyse(judged: Judgements, criterion: str, options: RecipeOptions) -> PublishedResults:
    main = judged.main
    values, labels = main["value"].to_numpy(dtype=float), main["system"].to_numpy()
    rows = main.reset_index(drop=True).groupby("system").indices
    bounds = options.scales.get(criterion) or NO_BOUNDS
    mode = {"mode": "published (Belz & Kow 2010)", "answers": "taken as independent"}
    variance = [anova(values, main[column].to_numpy(), factor=factor) for factor, column in FACTORS.items()]
    variance += [_of_item_factor(main, name, levels) for name, levels in options.item_factors.items()]
    return PublishedResults(
        criterion=criterion,
        means=tuple(
            mean_interval(values[rows[system]], confidence=options.confidence, bounds=bounds).about(criterion, system)
            for system in in_order(list(map(str, rows)), options.systems)
        ),
        variance=tuple(replace(result, of=criterion, settings={**result.settings, **mode}) for result in variance),
        pairs=tukey(values, labels, alpha=options.alpha, factor="System").about(criterion, better="higher"),
        between=between_evaluators(judged).about(criterion),
        within=within_evaluators(judged).about(criterion),
        repeats=repeat_consistency(judged).about(criterion),
    )


def _of_item_factor(main: pd.DataFrame, name: str, levels: Mapping[str, str]) -> Anova:
    """One-way over a property of items; a name that is taken says where it comes from."""
    known = main[main["item"].isin(list(levels))]
    factor = f"{name} (items)" if name in FACTORS else name
    found = anova(known["value"].to_numpy(dtype=float), known["item"].map(levels).to_numpy(), factor=factor)
    lost = len(main) - len(known)
    left_out = (f"{lost} of {len(main)} answers are to items without {name}; its F leaves them out",) if lost else ()
    return replace(found, warnings=(*found.warnings, *left_out))


def _has_repeated_measures(main: pd.DataFrame) -> bool:
    return any(bool(main.duplicated(["criterion", column]).any()) for column in ("participant", "item"))


def _warnings(results: Sequence[Result]) -> list[str]:
    named = [f"{each.by}: {text}" for each in results if isinstance(each, MeanInterval) for text in each.warnings]
    others = [text for each in results if not isinstance(each, MeanInterval) for text in each.warnings]
    return list(dict.fromkeys([*named, *others]))


_VARIANCE: Columns[Anova] = (
    TableColumn("Factor", lambda x: x.by),
    *f_columns(lambda x: (x.f, *x.df, x.p)),
    TableColumn("eta squared", lambda x: x.eta2),
    TableColumn("omega squared", lambda x: x.omega2),
)
_SIGNIFICANT: Columns[PublishedResults] = (
    TableColumn("Criterion", lambda part: part.criterion),
    TableColumn("Significant pairs", lambda part: part.pairs.n_significant),
    TableColumn("All pairs", lambda part: len(part.pairs.pairs)),
    TableColumn("alpha", lambda part: part.pairs.pairs.alpha),
    TableColumn("HSD", lambda part: part.pairs.hsd),
)


def _within(part: PublishedResults) -> list[float]:
    return [w for _, w in part.within.per_evaluator]


def _between(part: PublishedResults) -> Concordance | None:
    return part.between if len(part.means) > 1 else None


def _f_of_w(part: PublishedResults) -> tuple[float, float, float, float] | None:
    found = _between(part)
    return (found.f, *found.f_df, found.f_p) if isinstance(found, KendallW) else None


_OF_ORDERS: Columns[PublishedResults] = (
    *f_columns(_f_of_w),
    TableColumn("Evaluators", lambda part: part.between.raters),
    TableColumn("Mean W within", lambda part: part.within.mean_w if len(part.means) > 1 else None),
    TableColumn("Least W within", lambda part: min(_within(part), default=None)),
    TableColumn("Greatest W within", lambda part: max(_within(part), default=None)),
    TableColumn("Evaluators within", lambda part: len(part.within.per_evaluator)),
)
_OF_REPEATS: Columns[PublishedResults] = (
    TableColumn("Repeats", lambda part: part.repeats.n),
    TableColumn("Mean absolute difference", lambda part: part.repeats.mean_absolute_difference),
    TableColumn("Share equal", lambda part: part.repeats.share_equal),
)


def variance_table(parts: Sequence[PublishedResults]) -> Table:
    """F ratios of System, Text, Evaluator and properties of items."""
    rows = [(part.criterion, result) for part in parts for result in part.variance if result.df[0] > 0]
    note = (
        "One-way analyses of variance over single answers, as in Belz & Kow (2010). Of a good experiment one wants "
        "much variance due to System, and little due to Text and Evaluator."
    )
    return build_table("variance", "What the answers depend on", _VARIANCE, rows, labels=("Criterion",), note=note)


def significance_table(parts: Sequence[PublishedResults]) -> Table:
    """How many pairs of systems differ."""
    title = "Pairs of systems that differ significantly"
    note = "Tukey's test; HSD is the least difference of two means that is significant."
    compared = [part for part in parts if len(part.pairs.pairs)]
    return build_table("significant-pairs", title, _SIGNIFICANT, compared, note=note)


def published_pairs_table(parts: Sequence[PublishedResults]) -> Table:
    """Tukey's HSD of every pair of systems."""
    rows = [(part.criterion, pair) for part in parts for pair in part.pairs.pairs]
    title, note = "All pairs of systems, as published", "Tukey's HSD over single answers: Difference is First − Second."
    return build_table("pairs-published", title, PAIR, rows, labels=("Criterion",), note=note)


def agreement_table(parts: Sequence[PublishedResults]) -> Table:
    """Kendall's W between and within evaluators, and answers to repeated trials; of single systems only the latter."""
    criterion: Columns[PublishedResults] = (TableColumn("Criterion", lambda part: part.criterion),)
    if all(part.one_system for part in parts):
        title, note = "Agreement of evaluators with themselves", "Two answers to the same trial are compared."
        return build_table("agreement", title, (*criterion, *_OF_REPEATS), parts, note=note)
    note = (
        "W between: Kendall's W on each evaluator's mean for each system, with its F test; Evaluators: how many it "
        f"rests on. It needs every system of everyone: {OF_GAPS}. W within: on each evaluator's rounds through the "
        "systems. The last columns compare two answers to the same trial."
    )
    columns = (*criterion, *concordance_columns(_between, parts, "W between"), *_OF_ORDERS, *_OF_REPEATS)
    return build_table("agreement", "Agreement between and within evaluators", columns, parts, note=note)
