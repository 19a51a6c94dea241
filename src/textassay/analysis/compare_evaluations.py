"""Two versions of one evaluation side by side, such as rating scales and preferences (Belz & Kow 2010).

A good version tells systems apart (much variance due to System, many significant pairs), depends little on text and
evaluator, makes evaluators agree with each other and with themselves, and costs little.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Literal

from textassay.analysis.evaluation_summary import EvaluationSummary
from textassay.analysis.metric_headlines import FEWEST_SYSTEMS
from textassay.analysis.published_layout import published_layout
from textassay.analysis.system_means import system_correlation, systems_scatter
from textassay.analysis.table_builder import (
    CORRELATIONS,
    Columns,
    TableColumn,
    build_table,
    f_columns,
    interval_columns,
)
from textassay.analysis.wording import slug
from textassay.errors import UsageError
from textassay.headline import Headline, Sentence, SystemName
from textassay.prose import numbered
from textassay.report.numbers import NumberFormat, format_value, p_in_words
from textassay.results import Analysis, Record, Result, Table
from textassay.stats import Correlation
from textassay.stats.statistic import Statistic

SharedCriteria = Mapping[str, tuple[str, str]]
"""What to call a criterion that two evaluations share → its name in each."""
Wanted = Literal["more", "less"]
_ROUNDING = 1e-12
AS_PUBLISHED = (
    "shares of variance, F and Tukey's pairs are those of the published one-way analyses, which take all answers as "
    "independent: compare the versions by them, but ask each version's own mixed model whether its systems differ. The "
    "share of a factor is ω², which unlike η² does not grow with the number of its levels"
)


@dataclass(frozen=True)
class Line:
    """One figure of both versions."""

    criterion: str
    what: str
    wanted: Wanted
    values: tuple[float, float]
    words: tuple[str, str] | None = None
    """As a table shows the values, if not as numbers."""
    floor: float = -math.inf
    """Values below count as this one: an estimated share of variance below 0 stands for none."""

    def better(self, names: tuple[str, str]) -> str:
        """The name of the version that has more, or less, of it; nothing where they are equal or one is undefined."""
        one, other = (max(value, self.floor) for value in self.values)  # nan stays nan
        if math.isnan(one) or math.isnan(other) or abs(one - other) <= _ROUNDING * max(abs(one), abs(other)):
            return ""
        return names[0 if (one > other) == (self.wanted == "more") else 1]


@dataclass(frozen=True, kw_only=True)
class EvaluationComparison(Statistic):
    """Two versions, figure by figure."""

    names: tuple[str, str]
    lines: tuple[Line, ...]

    def records(self) -> list[Record]:
        """One record per figure and version."""
        return [
            self.record(
                line.what, value, of=line.criterion, by=name, wanted=line.wanted, better=line.better(self.names)
            )
            for line in self.lines
            for name, value in zip(self.names, line.values, strict=True)
        ]


def compare_all(one: Sequence[EvaluationSummary], other: Sequence[EvaluationSummary]) -> list[Analysis]:
    """Each evaluation of the one with each of the other that asks the same.

    Raises:
        UsageError: no two of them have a criterion and a system in common.
    """
    found: list[Analysis] = []
    refused: list[UsageError] = []
    for first, second in product(one, other):
        try:
            found.append(compare_evaluations(first, second))
        except UsageError as error:
            refused.append(error)
    if not found:
        raise refused[0]
    return [analysis.within(str(place)) for place, analysis in enumerate(found, 1)] if len(found) > 1 else found


def compare_evaluations(one: EvaluationSummary, other: EvaluationSummary) -> Analysis:
    """Two versions of one evaluation, criterion by criterion.

    Raises:
        UsageError: the two have the same name, or no criterion and no system in common.
    """
    if one.name == other.name:
        raise UsageError(f"both versions are called {one.name!r}; give them different names")
    pairs = shared_criteria(one, other)
    correlations = {
        name: system_correlation(one.means[own], other.means[theirs], f"{one.name} ({own})", f"{other.name} ({theirs})")
        for name, (own, theirs) in pairs.items()
    }
    names = (one.name, other.name)
    lines = [line for criterion, both in pairs.items() for line in _lines(one, other, criterion, both)]
    lines += _costs(one, other)
    result = EvaluationComparison(
        method="comparison of two versions",
        settings={"versions": " and ".join(names), "factors": "one-way analyses of variance (Belz & Kow 2010)"},
        names=names,
        lines=tuple(lines),
    )
    found: list[Result] = [result, *(each for both in correlations.values() for each in both)]
    return Analysis(
        "comparison",
        f"{one.name} and {other.name} compared",
        results=tuple(found),
        tables=(
            _figures_table(lines, names),
            _variance_table((one, other), pairs),
            _correlations_table(correlations),
            published_layout((one, other), pairs),
        ),
        figures=tuple(
            systems_scatter(
                f"comparison-{slug(name)}",
                f"Mean {name} of each system in both versions",
                {one.name: one.means[own], other.name: other.means[theirs]},
                correlations[name][0],
            )
            for name, (own, theirs) in pairs.items()
        ),
        warnings=tuple(_warnings(one, other, pairs)),
        headlines=tuple(
            comparison_headline(one, other, name, both, correlations[name][0]) for name, both in pairs.items()
        ),
    )


def comparison_headline(
    one: EvaluationSummary, other: EvaluationSummary, criterion: str, names: tuple[str, str], linear: Correlation
) -> Headline:
    """Whether both versions find the same systems best and worst, and the same pairs different.

    Args:
        one: A version.
        other: The other.
        criterion: What the headline is about.
        names: Of the criterion in each version.
        linear: The correlation of the systems' means.
    """
    people = [f"{numbered(side.cost.participants, 'participant')} in {side.name}" for side in (one, other)]
    return Headline(
        criterion,
        (
            *_orders_agree(one, other, criterion, names, linear),
            *_pairs_agree(one, other, names),
            (f"Based on {' and '.join(people)}.",),
        ),
    )


def _orders_agree(
    one: EvaluationSummary, other: EvaluationSummary, criterion: str, names: tuple[str, str], linear: Correlation
) -> Iterator[Sentence]:
    """Which systems each version puts first and last, and how closely their means go together."""
    means = one.means[names[0]], other.means[names[1]]
    shared = [system for system in means[0] if system in means[1]]
    orders = [[system for _, system in sorted((-own[each], each) for each in shared)] for own in means]
    n, (first, last) = len(shared), ([order[place] for order in orders] for place in (0, -1))
    both = f"{one.name} and {other.name}"
    if n < 2:
        yield (
            f"Only one system is in both {both}, ",
            SystemName(first[0]),
            f", so that no order on {criterion} is compared.",
        )
        return
    ends = (SystemName(first[0]), " first and ", SystemName(last[0]), " last")
    if orders[0] == orders[1]:
        yield f"{both} agree on the order of all {n} systems on {criterion}: ", *ends, "."
    elif first[0] == first[1] and last[0] == last[1]:
        yield (
            f"{both} agree on the best and the worst of {n} systems on {criterion} (",
            *ends,
            "), but not on all between.",
        )
    else:
        for what, (own, theirs) in (("best", first), ("worst", last)):
            if own == theirs:
                yield f"{both} agree on the {what} system on {criterion}: ", SystemName(own), "."
            else:
                winners = [side.pairs.get(name, {}) for side, name in zip((one, other), names, strict=True)]
                level = all(found.get(frozenset((own, theirs))) == "" for found in winners)
                yield (
                    f"{both} do not agree on the {what} system on {criterion}: ", SystemName(own), f" in {one.name}, ",
                    SystemName(theirs), f" in {other.name}",
                    "; the two do not differ significantly in either." if level else ".",
                )  # fmt: skip
    if n >= FEWEST_SYSTEMS:
        r = format_value(linear.r, NumberFormat.BOUNDED)
        yield (f"Pearson's r of the systems' means = {r}, {p_in_words(linear.p)} (n = {n}).",)
    else:
        yield (f"Too few systems to tell whether their means go together (n = {n}).",)


def _pairs_agree(one: EvaluationSummary, other: EvaluationSummary, names: tuple[str, str]) -> Iterator[Sentence]:
    """In how many pairs both versions have the same winner, one has, and none."""
    winners = one.pairs.get(names[0], {}), other.pairs.get(names[1], {})
    shared = [pair for pair in winners[0] if pair in winners[1]]
    if not shared:
        return
    found = [(winners[0][pair], winners[1][pair]) for pair in shared]
    same = sum(bool(own) and own == theirs for own, theirs in found)
    only = [sum(bool(own) and not theirs for own, theirs in each) for each in (found, [pair[::-1] for pair in found])]
    opposed = sum(bool(own) and bool(theirs) and own != theirs for own, theirs in found)
    neither = len(found) - same - sum(only) - opposed
    parts = [
        f"{same} with the same winner in both",
        *(f"{count} in {side.name} only" for side, count in zip((one, other), only, strict=True) if count),
        *([f"{opposed} with opposite winners"] if opposed else []),
        *([f"{neither} in neither"] if neither else []),
    ]
    yield (f"Significant differences, of {numbered(len(found), 'pair')} of systems: {', '.join(parts)}.",)


def shared_criteria(one: EvaluationSummary, other: EvaluationSummary) -> dict[str, tuple[str, str]]:
    """What to call each criterion that both have → its name in each; one criterion each are the same question.

    Raises:
        UsageError: they have none in common, or no system.
    """
    if len(one.criteria) == len(other.criteria) == 1:
        own, theirs = one.criteria[0], other.criteria[0]
        pairs = {own if own == theirs else f"{own} / {theirs}": (own, theirs)}
    else:
        pairs = {name: (name, name) for name in one.criteria if name in other.criteria}
    if not pairs:
        raise UsageError(
            f"{one.name} and {other.name} have no criterion in common ({', '.join(one.criteria) or 'none'}; "
            f"{', '.join(other.criteria) or 'none'}); rename the criteria in one of the two"
        )
    for own, theirs in pairs.values():
        if not one.means[own].keys() & other.means[theirs].keys():
            seen = f"{', '.join(one.means[own])}; {', '.join(other.means[theirs])}"
            raise UsageError(f"{one.name} and {other.name} have no system in common ({seen})")
    return pairs


def _lines(one: EvaluationSummary, other: EvaluationSummary, criterion: str, names: tuple[str, str]) -> Iterator[Line]:
    sides = list(zip((one, other), names, strict=True))
    shares = [{record["by"]: float(record["omega2"]) for record in side.factors(name)} for side, name in sides]
    for factor in (name for name in shares[0] if name in shares[1]):
        wanted: Wanted = "more" if factor == "System" else "less"
        yield Line(criterion, f"variance due to {factor}", wanted, (shares[0][factor], shares[1][factor]), floor=0.0)
    published = [side.find(name, "significant pairs", "System", "Tukey's HSD") for side, name in sides]
    shares_of_pairs = _both([_share(record) for record in published])
    words = [f"{record['value']} of {record['pairs']}" if record else "" for record in published]
    yield Line(criterion, "significant pairs (share)", "more", shares_of_pairs, (words[0], words[1]))
    for what, statistic in (("W between evaluators", "W"), ("W within evaluators", "mean W within evaluators")):
        found = [side.find(name, statistic) for side, name in sides]
        values = [math.nan if record is None else float(record["value"]) for record in found]
        if not all(map(math.isnan, values)):
            yield Line(criterion, what, "more", _both(values))


def _share(record: Record | None) -> float:
    return float(record["value"]) / record["pairs"] if record is not None and record.get("pairs") else math.nan


def _both(values: Sequence[float]) -> tuple[float, float]:
    return values[0], values[1]


def _costs(one: EvaluationSummary, other: EvaluationSummary) -> Iterator[Line]:
    costs = one.cost, other.cost
    yield Line("all", "participants", "less", _both([float(cost.participants) for cost in costs]))
    if all(cost.trials is not None for cost in costs):
        yield Line("all", "trials", "less", _both([float(cost.trials or 0) for cost in costs]))
    if not all(math.isnan(cost.minutes) for cost in costs):
        yield Line("all", "minutes in all", "less", _both([cost.minutes for cost in costs]))
        yield Line("all", "seconds a trial (median)", "less", _both([cost.seconds_a_trial for cost in costs]))


def _warnings(one: EvaluationSummary, other: EvaluationSummary, pairs: SharedCriteria) -> Iterator[str]:
    yield AS_PUBLISHED
    for place, (side, against) in enumerate(((one, other), (other, one))):
        left = [name for name in side.criteria if name not in {both[place] for both in pairs.values()}]
        if left:
            yield f"{side.name}: {', '.join(left)} is omitted, since {against.name} has no such criterion"
        if side.cost.trials is None:
            yield f"{side.name}: trials are not counted, for its table has no column 'trial'"
        if math.isnan(side.cost.minutes):
            yield f"{side.name}: times are not known"
    for criterion, (own, theirs) in pairs.items():
        only = one.means[own].keys() ^ other.means[theirs].keys()
        if only:
            yield f"{criterion}: {', '.join(sorted(only))} is in one version only, which makes them harder to compare"


def _figures_table(lines: Sequence[Line], names: tuple[str, str]) -> Table:
    """What both evaluations found, line by line, and which did better."""
    columns: Columns[Line] = (
        TableColumn("Criterion", lambda line: line.criterion),
        TableColumn("Statistic", lambda line: line.what),
        TableColumn("Wanted", lambda line: line.wanted),
        *interval_columns(lambda line: line.values if line.words is None else line.words, *names),
        TableColumn("Better", lambda line: line.better(names)),
    )
    return build_table(
        "comparison",
        "Which version is better?",
        columns,
        lines,
        note="Variance: share due to each factor by itself (ω²); an estimate below 0 counts as none. Significant "
        "pairs: Tukey's HSD, out of all pairs. W: Kendall's, 0 to 1; within evaluators it tells self-consistency. "
        "Better: by these figures, without a test.",
    )


def _variance_table(versions: tuple[EvaluationSummary, EvaluationSummary], pairs: SharedCriteria) -> Table:
    """F of each factor, the two versions under each other."""
    rows = [
        (criterion, factor, side.name, record)
        for criterion, both in pairs.items()
        for factor in dict.fromkeys(r["by"] for s, n in zip(versions, both, strict=True) for r in s.factors(n))
        for side, name in zip(versions, both, strict=True)
        for record in side.factors(name)
        if record["by"] == factor
    ]
    columns: Columns[Record] = (
        *f_columns(lambda record: (record["value"], *record["df"], record["p"])),
        TableColumn("omega squared", lambda record: record["omega2"]),
    )
    return build_table(
        "comparison-variance",
        "What the answers depend on in each version",
        columns,
        rows,
        labels=("Criterion", "Factor", "Version"),
        note="One-way analyses of variance, as in Belz & Kow (2010).",
    )


def _correlations_table(found: Mapping[str, tuple[Correlation, Correlation]]) -> Table:
    """Of the means of systems."""
    return build_table(
        "comparison-systems",
        "Do both versions put the systems in the same places?",
        CORRELATIONS,
        found.items(),
        labels=("Criterion",),
        note="Pearson's and Spearman's correlation of the means of systems, over the systems (n) that both have; p "
        "counts all orders where there are few.",
    )
