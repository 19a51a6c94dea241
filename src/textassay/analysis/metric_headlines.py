"""What can be said of metrics and people, in sentences; above all what so few systems do not allow to say."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from fractions import Fraction

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
    shown = [levels[name] for name in ("systems", "within items") if name in levels]
    for criterion in dict.fromkeys(one.criterion for result in shown for one in result.agreements):
        own = {result.name: leading(result, criterion) for result in shown}
        sentences = [_best_metric(result, own[result.name], alpha) for result in shown if own[result.name]]
        if "within items" in own and not _known(own["within items"]) and "all texts" in levels:
            pooled = levels["all texts"]
            sentences[-1:] = [_best_metric(pooled, leading(pooled, criterion), alpha)]
        yield Headline(f"Metrics and {criterion}", (*sentences, *_limits(own, alpha)))


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
        return (f"Too few systems to tell whether metrics order them as people do (n = {n}).",)
    leads = best(found)
    if leads is None:
        return (f"No metric has a correlation with people {_where(result, None)}.",)
    known = _known(found)
    # the best of several is picked by its correlation, so that only a corrected p may be believed
    p = float(adjust_p([one.p for one in known]).adjusted[known.index(leads)])
    value = format_value(result.shown(leads), NumberFormat.BOUNDED)
    clear = not math.isnan(p) and p < alpha
    agrees = _agrees(leads.metric, len(known), right=leads.value > 0, clear=clear)
    mean = "mean " if result.by is not None else ""
    sure = "no p" if math.isnan(p) else p_in_words(p)
    where = _where(result, leads)
    return (f"{where[0].upper()}{where[1:]}, {agrees}: {mean}{NAMES[result.coefficient]} = {value} ({sure}).",)


def _where(result: Correlations, one: MetricAgreement | None) -> str:
    preposition = "within" if result.by is not None else "over"
    return f"{preposition} {f'{one.n} ' if one is not None else ''}{result.unit}"


def _agrees(name: str, metrics: int, *, right: bool, clear: bool) -> str:
    """How far the best of the metrics can be said to agree with people; `right` where it orders texts as they do."""
    if clear and right:
        which = "" if metrics == 1 else f" best of {metrics} metrics"
        return f"{name} agrees{which} with people"
    if metrics == 1:
        return f"{name} disagrees with people" if clear else f"it is not clear that {name} agrees with people"
    return f"none of {metrics} metrics clearly agrees with people; the closest is {name}"


def _limits(own: dict[str, list[MetricAgreement]], alpha: float) -> Iterator[Sentence]:
    """What the number of systems does not allow to say, whatever the figures are."""
    within, systems = (_known(own.get(name, [])) for name in ("within items", "systems"))
    tested = [one for one in within if one.exact]
    number = max((one.n for one in systems), default=0)
    if tested:
        least = min(one.least_p for one in tested)
        if least * len(within) > alpha:
            after = f", and {len(within)} metrics are tested" if len(within) > 1 else ""
            few = f"With {number} systems the least p is {Fraction(least).limit_denominator(50_000)}{after}"
            yield (f"{few}: no metric can be shown to agree with people within items.",)
    if len(within) > 1 and 0 < number < FEWEST_SYSTEMS:
        yield no_ranking(number)


def no_ranking(systems: int) -> Sentence:
    """What so few systems do not allow to say, whatever a comparison of metrics for these systems finds."""
    return (f"With {systems} systems no ranking of metrics is possible.",)
