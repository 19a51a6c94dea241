"""Two studies of the same texts set against each other: ratings with reading times, as in Lapata (2006)."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

from textassay.analysis.metric_correlations import MetricOptions, beside_notes, correlations_table, metric_notes
from textassay.analysis.metric_headlines import NAMES, interval_in_words
from textassay.headline import Headline
from textassay.meta.correlation import LEVELS, Correlations, correlate_grids
from textassay.meta.judged_texts import JudgedTexts
from textassay.meta.two_studies import TwoStudies, two_studies
from textassay.report.numbers import NumberFormat, format_value, p_in_words
from textassay.results import Analysis, Table


def study_correlations(
    first: JudgedTexts, second: JudgedTexts, match: str | None = None, options: MetricOptions | None = None
) -> Analysis:
    """The correlation of what people say or do in two studies, over the texts that both have.

    Over all texts first, which is what such studies report; then within items, within systems and over systems.

    Args:
        first: One study.
        second: The other; its criteria take the place of metrics.
        match: How texts are matched; see `two_studies`.
        options: Coefficients, and what several raters make of a text.

    Raises:
        UsageError: no text is in both, or there is nothing to match by.
    """
    options = options or MetricOptions()
    found = two_studies(first, second, match, options.correlation.alignment)
    levels = sorted(LEVELS, key=lambda level: LEVELS[level] != "all texts")
    results = tuple(
        correlate_grids(found.grids, level, by, coefficient, options.correlation)
        for level, by in levels
        for coefficient in options.coefficients
    )
    return Analysis(
        name="two-studies",
        title=f"{found.first} and {found.second}",
        results=results,
        tables=(_table(results, found), *_alone(found)),
        warnings=(*found.notes, *metric_notes(found.grids, results)),
        headlines=tuple(_headlines(results[0], found)),
        place="metrics",
    )


def _headlines(leads: Correlations, found: TwoStudies) -> list[Headline]:
    headlines = []
    for one in leads.agreements:
        value = format_value(leads.shown(one), NumberFormat.BOUNDED)
        sure = "; ".join(filter(None, (p_in_words(one.p), interval_in_words(leads, one))))
        both = f"{one.criterion} ({found.first}) and {one.metric} ({found.second})"
        sentence = f"Over {one.n} texts that both studies have, {both}: {NAMES[leads.coefficient]} = {value} ({sure})."
        headlines.append(Headline(f"{one.criterion} and {one.metric}", ((sentence,),)))
    return headlines


def _table(results: Sequence[Correlations], found: TwoStudies) -> Table:
    """The table of metrics and people with the names of the studies in their place."""
    # what a perfect metric can reach is not what a second study can: its own means are not perfect either
    alone = [
        replace(result, agreements=tuple(replace(one, ceiling=math.nan) for one in result.agreements))
        for result in results
    ]
    table = correlations_table(alone)
    names = {"metric": found.second, "criterion": found.first}
    note = (
        f"Means over participants, of {found.shared} texts that both studies have, by {found.match}. Signs are turned "
        "where less is better. p exchanges whole systems and items; it never takes texts as independent."
        f"{''.join(beside_notes(alone))}"
    )
    columns = tuple(names.get(column, column) for column in table.columns)
    return replace(table, name="two-studies", title="Correlation of two studies", columns=columns, note=note)


def _alone(found: TwoStudies) -> list[Table]:
    if found.alone.empty:
        return []
    rows = tuple(found.alone.itertuples(index=False, name=None))
    return [Table("texts-not-shared", "Texts of one study only", ("Study", "Item", "System"), rows, detail=True)]
