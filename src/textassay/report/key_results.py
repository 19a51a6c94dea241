"""The key results in plain sentences, made from the figures and records of an analysis.

Nothing is computed here: each sentence states what a record holds; where there is no record there is no sentence.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from textassay.report.figures.drawing import join_words
from textassay.report.figures.means import SystemMean, system_means
from textassay.report.numbers import NumberFormat, format_value
from textassay.report.summary import Section
from textassay.results import Analysis, Figure, Record

_COEFFICIENTS = {"pearson": "Pearson's r", "spearman": "Spearman's ρ", "kendall": "Kendall's τ"}
_MOST_COEFFICIENTS = 6
_MOST_ROWS = 12
"""A figure with more systems is too tall for the key results."""
_AGREEMENT = (
    (0.9, "agree unusually strongly"),
    (0.7, "agree strongly"),
    (0.5, "agree moderately"),
    (0.3, "agree weakly"),
    (0.1, "agree very weakly"),
    (-math.inf, "hardly agree"),
)
"""Words for Kendall's W after Schmidt (1997), with the lowest W that each stands for."""


@dataclass(frozen=True)
class SystemName:
    """A system's name inside a sentence."""

    system: str


Sentence = tuple[str | SystemName, ...]


@dataclass(frozen=True)
class KeyResult:
    """What was found about one criterion, or in one section of the report."""

    subject: str
    """The criterion, or the heading of the section."""
    sentences: tuple[Sentence, ...]
    section: int
    """Which section it comes from, counted from 0."""
    figure: int | None = None
    """Which figure of the section shows it, counted from 0."""


def key_results(sections: Sequence[Section]) -> list[KeyResult]:
    """One key result per criterion, in the order of the report, and one per section with correlations."""
    found: list[KeyResult] = []
    for place, section in enumerate(sections):
        for index, figure in enumerate(section.analysis.figures):
            if figure.kind == "means":
                small = len(figure.data.get("groups", ())) <= _MOST_ROWS
                subject = str(figure.data.get("criterion", figure.title))
                sentences = tuple(_about_criterion(figure, section.analysis))
                found.append(KeyResult(subject, sentences, place, index if small else None))
        coefficients = tuple(_coefficients(section.analysis))
        if coefficients:
            found.append(KeyResult(section.heading, coefficients, place, _simplest_scatter(section.analysis)))
    return found


def _simplest_scatter(analysis: Analysis) -> int | None:
    """Index of the scatter plot with the fewest points: systems rather than texts."""
    places = [place for place, figure in enumerate(analysis.figures) if figure.kind == "scatter"]
    return min(places, key=lambda place: len(analysis.figures[place].data.get("points", ())), default=None)


def _about_criterion(figure: Figure, analysis: Analysis) -> Iterator[Sentence]:
    yield _best_and_worst(figure, _confidence(analysis))
    criterion = figure.data.get("criterion")
    records = [record for record in analysis.records() if record.get("of") == criterion]
    yield from _differences(records)
    yield from _agreement(records)


def _best_and_worst(figure: Figure, confidence: str) -> Sentence:
    groups = [group for group in system_means(figure) if not math.isnan(group.mean)]
    if not groups:
        return ("No system has a mean.",)
    low, high = figure.data.get("scale_from"), figure.data.get("scale_to")
    scale = "" if low is None or high is None else f" on the scale from {low:g} to {high:g}"
    if groups[0].mean == groups[-1].mean:
        return (*_names(groups), f" {_have(groups)} the mean {_mean(groups[0], confidence)}{scale}.")
    best = [group for group in groups if group.mean == groups[0].mean]
    worst = [group for group in groups if group.mean == groups[-1].mean]
    return (
        *_names(best), f" {_have(best)} the highest mean, {_mean(best[0], confidence)}; ",
        *_names(worst), f" {_have(worst)} the lowest, {_mean(worst[0], confidence)}{scale}.",
    )  # fmt: skip


def _names(groups: Sequence[SystemMean]) -> Iterator[str | SystemName]:
    for place, group in enumerate(groups):
        if place:
            yield " and " if place == len(groups) - 1 else ", "
        yield SystemName(group.system)


def _have(groups: Sequence[SystemMean]) -> str:
    return "has" if len(groups) == 1 else "share"


def _mean(group: SystemMean, confidence: str) -> str:
    interval = "" if math.isnan(group.low) else f" ({confidence}interval {format_value((group.low, group.high))})"
    return f"{format_value(group.mean)}{interval}"


def _confidence(analysis: Analysis) -> str:
    """The confidence level of the means' intervals, if they all have the same."""
    levels = {
        result.settings["confidence"]
        for result in analysis.results
        if "confidence" in result.settings and any(record["statistic"] == "mean" for record in result.records())
    }
    return f"{100 * levels.pop():g} % " if len(levels) == 1 else ""


def _differences(records: Sequence[Record]) -> Iterator[Sentence]:
    """F of the systems, and how many pairs differ significantly."""
    ratio = _first(records, "F", by="system")
    pairs = _first(records, "significant pairs")
    said = []
    if ratio is not None and _defined(ratio):
        said.append(f"F({format_value(ratio['df'], NumberFormat.WHOLE)}) = {format_value(ratio['value'])}, {_p(ratio)}")
    if pairs is not None and pairs.get("pairs"):
        level = f" at α = {pairs['alpha']:g}".replace("= 0.", "= .") if pairs.get("alpha") else ""
        said.append(
            f"{format_value(pairs['value'], NumberFormat.WHOLE)} of {pairs['pairs']} pairs of systems differ "
            f"significantly{level} ({pairs['method']})"
        )
    if said:
        yield (f"{'; '.join(said)}.",)


def _agreement(records: Sequence[Record]) -> Iterator[Sentence]:
    w = _first(records, "W")
    if w is not None and _defined(w):
        words = next(words for least, words in _AGREEMENT if w["value"] >= least)
        raters = f", {w['n']} participants" if w.get("n") else ""
        yield (f"Participants {words} on the order of the systems: Kendall's W = {_bounded(w)}{raters}.",)


def _coefficients(analysis: Analysis) -> Iterator[Sentence]:
    records = [record for record in analysis.records() if record["statistic"] in _COEFFICIENTS]
    records.sort(key=lambda record: record.get("level") != "system")  # the level of systems comes first
    for record in records[:_MOST_COEFFICIENTS]:
        what = join_words([str(record[key]) for key in ("of", "by") if record.get(key)])
        level = f", by {record['level']}" if record.get("level") else ""
        if record.get("systems") not in (None, "", "all"):
            level += f", {record['systems']}"
        coefficient = _COEFFICIENTS[record["statistic"]]
        if _defined(record):
            yield (f"{what}{level}: {coefficient} = {_bounded(record)}, {_p(record)}, n = {record['n']}.",)
        else:
            yield (f"{what}{level}: {coefficient} is undefined.",)
    more = len(records) - _MOST_COEFFICIENTS
    if more > 0:
        yield (f"{more} more coefficient{'s' if more > 1 else ''} in the table.",)


def _first(records: Sequence[Record], statistic: str, by: str = "") -> Record | None:
    fitting = (record for record in records if record["statistic"] == statistic)
    return next((record for record in fitting if not by or str(record.get("by")).casefold() == by), None)


def _defined(record: Record) -> bool:
    value: Any = record.get("value")
    return value is not None and not math.isnan(value)


def _bounded(record: Record) -> str:
    return format_value(float(record["value"]), NumberFormat.BOUNDED)


def _p(record: Record) -> str:
    if record.get("p") is None:
        return "p not given"
    text = format_value(float(record["p"]), NumberFormat.P)
    return f"p {text}" if text[0] in "<>" else f"p = {text}"
