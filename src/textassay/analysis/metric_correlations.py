"""How far metrics agree with people: both levels, both coefficients, and the order of the systems."""

from __future__ import annotations

import math
import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace

import pandas as pd

from textassay import catalogue
from textassay.analysis.wording import per_cent
from textassay.headline import Headline, Sentence
from textassay.meta.align import AlignedScores, PeopleAndScores, read_tables
from textassay.meta.correlation import Correlations, MetricAgreement, correlate_tables
from textassay.report.numbers import NumberFormat, format_value, p_in_words
from textassay.results import Analysis, Figure, Record, Table, table_of_records
from textassay.stats import adjust_p

_SHOWN = ("level", "metric", "criterion", "systems", "statistic", "value", "p", "p_holm", "ci", "n", "exact")


def metric_correlations(
    judgements: pd.DataFrame, scores: pd.DataFrame, *, reference_system: str | None = None, confidence: float = 0.95
) -> Analysis:
    """How far each metric agrees with people, by text and by system.

    Args:
        judgements: Columns `participant, item, system, criterion, value`.
        scores: Columns `item, system, metric, value`; rows of whole systems have no item. Where there is a `signature`,
            it tells which metric a label stands for, and so whether more of it is better.
        reference_system: A system that is also the reference: everything is given with and without it.
        confidence: Of the intervals.
    """
    tables, errors = read_tables(judgements, scores), error_metrics(scores)
    results = tuple(
        correlate_tables(tables, level, None, coefficient, reference_system=reference_system, confidence=confidence)
        for level in ("segment", "system")
        for coefficient in ("pearson", "spearman")
    )
    return Analysis(
        name="metrics-and-people",
        title="Metrics and people",
        results=results,
        tables=(_correlations_table(results), *_system_order_tables(tables, errors, reference_system)),
        figures=tuple(_scatters(tables, results, errors)),
        warnings=tuple(dict.fromkeys(text for result in results for text in result.warnings)),
        headlines=tuple(_headlines(results, errors, confidence)),
        place="metrics",
    )


FEWEST_SYSTEMS = 5
"""With fewer, hardly any correlation of systems is significant, and chance makes most of it: nothing is said."""


def error_metrics(scores: pd.DataFrame) -> frozenset[str]:
    """The metrics of a table of scores that count errors, by their names or labels there: less of them is better.

    A label says nothing of that; the signature of its scores begins with the metric's own name. Of a metric that is not
    in the catalogue it is taken for granted that more is better.
    """
    names = scores[["metric"]].astype(str)
    given = scores["signature"].fillna("").astype(str) if "signature" in scores else names["metric"].map(lambda _: "")
    own = given.map(lambda signature: signature.partition("|")[0])
    known = names.assign(own=own.where(own != "", names["metric"])).drop_duplicates()
    pairs = zip(known["metric"], known["own"], strict=True)
    return frozenset(label for label, name in pairs if not _higher_is_better(name))


def _higher_is_better(metric: str) -> bool:
    return metric not in catalogue.names("metric") or bool(catalogue.find("metric", metric).higher_is_better)


def _headlines(results: Sequence[Correlations], errors: Collection[str], confidence: float) -> Iterator[Headline]:
    """For each criterion, which metric agrees best with people, by system and by text."""
    linear = {result.level: result for result in results if result.coefficient == "pearson"}
    every = [one for result in linear.values() for one in result.agreements]
    for criterion in dict.fromkeys(one.criterion for one in every):
        sentences = [
            _best_metric(level, [one for one in result.agreements if _counts(one, criterion)], errors, confidence)
            for level, result in sorted(linear.items(), key=lambda each: each[0] != "system")
        ]
        yield Headline(f"Metrics and {criterion}", tuple(sentences))


def _oriented(one: MetricAgreement, errors: Collection[str]) -> float:
    """The correlation, turned for a metric that counts errors: such a one agrees with people where it is negative."""
    return -one.r if one.metric in errors else one.r


def _counts(one: MetricAgreement, criterion: str) -> bool:
    return one.criterion == criterion and one.systems == "all"


def _best(found: Sequence[MetricAgreement], errors: Collection[str]) -> MetricAgreement:
    return max(found, key=lambda one: _oriented(one, errors))


def _best_metric(level: str, found: Sequence[MetricAgreement], errors: Collection[str], confidence: float) -> Sentence:
    unit = "systems" if level == "system" else "texts"
    known = [one for one in found if not math.isnan(one.r)]
    n = max((one.n for one in found), default=0)
    if level == "system" and n < FEWEST_SYSTEMS:
        return (f"Too few systems to tell whether metrics order them as people do (n = {n}).",)
    if not known:
        return (f"No metric has a correlation with people over {unit}.",)
    best = _best(known, errors)
    r, ends = (format_value(each, NumberFormat.BOUNDED) for each in (best.r, best.ci))
    # the best of several is picked by its correlation, so that only a corrected p may be believed
    corrected = adjust_p([math.nan if one.p is None else one.p for one in known]).adjusted
    p = float(corrected[known.index(best)])
    sure = f"{per_cent(confidence)} CI {ends}, {p_in_words(p)}"
    agrees = _agrees(best.metric, len(known), right=_oriented(best, errors) > 0, clear=p < 1 - confidence)
    return (f"Over {best.n} {unit}, {agrees}: Pearson's r = {r} ({sure}).",)


def _agrees(name: str, metrics: int, *, right: bool, clear: bool) -> str:
    """How far the best of the metrics can be said to agree with people; `right` where it orders texts as they do."""
    if clear and right:
        which = "" if metrics == 1 else f" best of {metrics} metrics"
        return f"{name} agrees{which} with people"
    if metrics == 1:
        return f"{name} disagrees with people" if clear else f"it is not clear that {name} agrees with people"
    return f"none of {metrics} metrics clearly agrees with people; the closest is {name}"


def _correlations_table(results: tuple[Correlations, ...]) -> Table:
    records = [{key: record[key] for key in _SHOWN} for result in results for record in result.records()]
    note = (
        "Level: segment, one pair per text; system, one pair per system. Judgements are means over participants. "
        "A system's value is the mean over its texts. p is two-sided; exact ones count all orders. "
        "p_holm is corrected (Holm) for all metrics and criteria of one level and coefficient."
    )
    return table_of_records(records, name="correlations", title="Correlation of metrics with people", note=note)


def _system_order_tables(tables: PeopleAndScores, errors: Collection[str], reference_system: str | None) -> list[Table]:
    """The order in which each metric puts the systems beside the order in which people do."""
    records = [row for aligned in tables.aligned("system") for row in _ranks(aligned, errors, reference_system)]
    if not records:
        return []
    note = (
        "Rank 1 is the best: the highest value, or the lowest of a metric that counts errors. Equal values share the "
        "mean rank."
    )
    if reference_system is not None:
        note += f" The texts of {reference_system} are also the references."
    return [table_of_records(records, name="system-orders", title="Order of the systems", note=note)]


def _ranks(aligned: AlignedScores, errors: Collection[str], reference_system: str | None) -> list[Record]:
    pairs = aligned.pairs
    people = pairs["judgement"].rank(ascending=False)
    metric = pairs["score"].rank(ascending=aligned.metric in errors)
    rows = zip(pairs["system"], pairs["judgement"], pairs["score"], people, metric, strict=True)
    return [
        {
            "metric": aligned.metric,
            "criterion": aligned.criterion,
            "system": f"{system} (reference)" if system == reference_system else system,
            "people": judgement,
            "score": score,
            "people_rank": people_rank,
            "metric_rank": metric_rank,
        }
        for system, judgement, score, people_rank, metric_rank in sorted(rows, key=lambda row: row[3])
    ]


def _scatters(tables: PeopleAndScores, results: tuple[Correlations, ...], errors: Collection[str]) -> list[Figure]:
    """One figure a metric, criterion and level, with Pearson's r over all systems; those of the headlines first."""
    figures = []
    linear = [result for result in results if result.coefficient == "pearson"]
    first = _leading(linear, errors)
    for result in linear:
        found = {(one.metric, one.criterion): one for one in result.agreements if one.systems == "all"}
        for aligned in tables.aligned(result.level):
            figure = _scatter(aligned, found[aligned.metric, aligned.criterion], result.coefficient)
            leads = (result.level, aligned.metric, aligned.criterion) in first
            figures.append(replace(figure, detail=not leads))
    return figures


def _leading(linear: Sequence[Correlations], errors: Collection[str]) -> set[tuple[str, str, str]]:
    """For each criterion, level and metric of the best correlation: by system where there are enough, else by text."""
    found: dict[str, tuple[str, str, str]] = {}
    for result in sorted(linear, key=lambda each: each.level != "system"):
        for criterion in dict.fromkeys(one.criterion for one in result.agreements):
            own = [one for one in result.agreements if _counts(one, criterion) and not math.isnan(one.r)]
            if own and (result.level != "system" or own[0].n >= FEWEST_SYSTEMS):
                found.setdefault(criterion, (result.level, _best(own, errors).metric, criterion))
    return set(found.values())


def _scatter(aligned: AlignedScores, agreement: MetricAgreement, coefficient: str) -> Figure:
    """A point for each text or system: the metric's score across, people's mean judgement up."""
    unit = "system" if aligned.level == "system" else "text"
    points = [
        {"label": f"{item}, {system}" if item else system, "system": system, "x": x, "y": y}
        for item, system, x, y in aligned.pairs[["item", "system", "score", "judgement"]].itertuples(index=False)
    ]
    data = {
        "x_label": aligned.metric,
        "y_label": aligned.criterion,
        "points": points,
        "r": agreement.r,
        "p": agreement.p,
        "n": agreement.n,
        "coefficient": coefficient,
    }
    name = _slug(f"{aligned.metric} {aligned.criterion} by {unit}")
    title = f"{aligned.metric} and {aligned.criterion}, by {unit}"
    return Figure(
        name, title, "scatter", data, f"{coefficient.title()} correlation; judgements are means over participants."
    )


def _slug(text: str) -> str:
    return re.sub(r"[\W_]+", "-", text.casefold()).strip("-")
