"""What can be said of metrics and people, in sentences; above all what so few systems do not allow to say."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from fractions import Fraction

from textassay.analysis.wording import per_cent
from textassay.headline import Headline, Sentence
from textassay.meta.correlation import Correlations, MetricAgreement
from textassay.report.numbers import NumberFormat, format_value, p_in_words
from textassay.stats import adjust_p

FEWEST_SYSTEMS = 5
"""With fewer, hardly any correlation of systems is significant, and chance makes most of it: nothing is said."""
NAMES = {
    "pearson": "Pearson's r", "spearman": "Spearman's ρ", "tau-a": "Kendall's τ_a", "tau-b": "Kendall's τ_b",
    "tau-c": "Kendall's τ_c", "accuracy": "pairwise accuracy", "acc-eq": "pairwise accuracy with ties",
}  # fmt: skip
"""Coefficients in sentences."""


def metric_headlines(results: Sequence[Correlations], alpha: float) -> Iterator[Headline]:
    """For each criterion, which metric agrees best with people: over systems, and within items.

    Args:
        results: Of one coefficient, at all levels.
        alpha: Level of significance.
    """
    levels = {result.name: result for result in results}
    shown = [levels[name] for name in ("within items", "systems") if name in levels]
    for criterion in dict.fromkeys(one.criterion for result in shown for one in result.agreements):
        own = {result.name: leading(result, criterion) for result in shown}
        sentences: list[Sentence] = []
        for result in shown:
            used = result
            if result.name == "within items" and not _known(own[result.name]) and "all texts" in levels:
                used = levels["all texts"]
            found = leading(used, criterion)
            if found:
                sentences.append(_best_metric(used, found, alpha))
            if used.level == "segment":
                sentences += [*_ceiling(found), *_least_p(own, alpha)]
        yield Headline(f"Metrics and {criterion}", (*sentences, *_no_ranking(own)))


def leading(result: Correlations, criterion: str) -> list[MetricAgreement]:
    """The agreements on a criterion that stand in key results: those without a system that is the reference."""
    return [one for one in result.agreements if one.criterion == criterion and one.leads]


def best(found: Sequence[MetricAgreement]) -> MetricAgreement | None:
    """The one with the closest agreement; nothing where none is defined."""
    return max(_known(found), key=lambda one: one.value, default=None)


def _known(found: Sequence[MetricAgreement]) -> list[MetricAgreement]:
    return [one for one in found if not math.isnan(one.value)]


def _best_metric(result: Correlations, found: Sequence[MetricAgreement], alpha: float) -> Sentence:
    n = max((one.n for one in found), default=0)
    if result.name == "systems" and n < FEWEST_SYSTEMS:
        return (f"There are too few systems to tell whether metrics order them as people do (n = {n}).",)
    leads = best(found)
    if leads is None:
        return (f"No metric has a correlation with people {_where(result, None)}.",)
    known = _known(found)
    # the best of several is picked by its correlation, so that only a corrected p may be believed
    p = float(adjust_p([one.p for one in known]).adjusted[known.index(leads)])
    where = _where(result, leads)
    where = where[0].upper() + where[1:]
    value = _figure(result, leads)
    if math.isnan(p):
        several = f"the closest to people{_on(leads)} of {len(known)} metrics is {leads.metric}"
        closest = several if len(known) > 1 else f"{leads.metric} and people{_on(leads)}"
        return (f"{where}, {closest}: {value}; {_untested(result)}.",)
    agrees = _agrees(leads, len(known), clear=p < alpha)
    sure = "; ".join(filter(None, (p_in_words(p), interval_in_words(result, leads))))
    return (f"{where}, {agrees}: {value} ({sure}).",)


def _on(one: MetricAgreement) -> str:
    return f" on {one.criterion}{' (less is better)' if one.less_is_better else ''}"


def _figure(result: Correlations, one: MetricAgreement) -> str:
    mean = "mean " if result.by is not None else ""
    return f"{mean}{NAMES[result.coefficient]} = {format_value(result.shown(one), NumberFormat.BOUNDED)}"


def interval_in_words(result: Correlations, one: MetricAgreement) -> str:
    """The interval, with what it holds for where that is less than other systems and items; empty without one."""
    if math.isnan(one.ci[0]):
        return ""
    ends = format_value(result.shown_ci(one), NumberFormat.BOUNDED)
    only = f"{one.scope} alone, " if one.scope in ("for these systems", "for these items") else ""
    return f"{only}{per_cent(result.confidence)} CI {ends}"


def _untested(result: Correlations) -> str:
    if result.significant_groups is None:
        return "there is no p, for which the notes give the reason"
    return f"choosing {result.unit} by their own p makes a metric look better than it is, so there is no p"


def _where(result: Correlations, one: MetricAgreement | None) -> str:
    preposition = "within" if result.by is not None else "over"
    chosen = ""
    if result.significant_groups is not None:
        chosen = f" with a p ≤ {format_value(result.significant_groups, NumberFormat.P)} of their own"
    return f"{preposition} {f'{one.n} ' if one is not None else ''}{result.unit}{chosen}"


def _agrees(leads: MetricAgreement, metrics: int, *, clear: bool) -> str:
    """How far the best of the metrics can be said to agree with people."""
    name, people, right = leads.metric, f"people{_on(leads)}", leads.value > 0
    if metrics > 1:
        if clear and right:
            return f"of {metrics} metrics {name} agrees best with {people}"
        return f"none of {metrics} metrics clearly agrees with {people}; the closest is {name}"
    if not clear:
        return f"it is not clear that {name} agrees with {people}"
    return f"{name} {'agrees' if right else 'disagrees'} with {people}"


def _ceiling(found: Sequence[MetricAgreement]) -> Iterator[Sentence]:
    """What people's own means allow a metric to reach, at the level of the last figure."""
    leads = best(found)
    if leads is None or math.isnan(leads.ceiling):
        return
    if leads.reliability <= 0:
        yield ("People agree so little among themselves that no metric can be expected to agree with them.",)
        return
    reliability, most = (format_value(value, NumberFormat.BOUNDED) for value in (leads.reliability, leads.ceiling))
    yield (f"People's own means are reliable to {reliability}, so no metric can be expected above {most}.",)


def _least_p(own: dict[str, list[MetricAgreement]], alpha: float) -> Iterator[Sentence]:
    """That so few systems cannot have a small p, whatever the figures are."""
    within = _known(own.get("within items", []))
    tested = [one for one in within if one.exact]
    if not tested:
        return
    least = min(one.least_p for one in tested)
    if least * len(within) > alpha:
        after = f", and {len(within)} metrics are tested" if len(within) > 1 else ""
        systems = f"With {_systems(own)} systems" if _systems(own) else "With so few systems"
        few = f"{systems} the least p is {Fraction(least).limit_denominator(50_000)}{after}"
        yield (f"{few}: no metric can be shown to agree with people within items.",)


def _no_ranking(own: dict[str, list[MetricAgreement]]) -> Iterator[Sentence]:
    """That so few systems do not tell metrics apart."""
    if len(_known(own.get("within items", []))) > 1 and 0 < _systems(own) < FEWEST_SYSTEMS:
        yield no_ranking(_systems(own))


def no_ranking(systems: int) -> Sentence:
    """What so few systems do not allow to say, whatever a comparison of metrics for these systems finds."""
    return (f"With {systems} systems no ranking of metrics is possible.",)


def _systems(own: dict[str, list[MetricAgreement]]) -> int:
    return max((one.n for one in own.get("systems", [])), default=0)
