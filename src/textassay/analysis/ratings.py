"""Ratings from beginning to end: systems compared, the published analysis, agreement, by subjects and by items.

For every kind of trial whose answers are judgements with a value, where more is better.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pandas as pd

from textassay.analysis.agreement import shared_texts, shared_texts_table
from textassay.analysis.judgements import Judgements, read_judgements
from textassay.analysis.leading_test import leading_test
from textassay.analysis.options import RecipeOptions
from textassay.analysis.published_analysis import (
    PublishedResults,
    agreement_table,
    of_criteria,
    published_pairs_table,
    significance_table,
    variance_table,
    warnings_of,
)
from textassay.analysis.rating_comparison import compare_ratings, systems_compared
from textassay.analysis.subjects_items import SubjectsItems, ratios_table, subjects_items, tukey_pairs_table
from textassay.analysis.wording import named_warnings
from textassay.results import Analysis, Result
from textassay.stats import Anova, anova

TEXTS_AS_ITEMS = "F2, texts as items"


def ratings(judgements: pd.DataFrame, options: RecipeOptions) -> list[Analysis]:
    """All that is said of ratings: first whether systems differ, then what it rests on.

    Args:
        judgements: Columns `participant, item, system, criterion, value`; where known `kind, practice, repeat,
            position`.
        options: What is known besides.

    Raises:
        DataError: a column is missing.
    """
    judged = read_judgements(judgements)
    parts = of_criteria(judged, options)
    own = {part.criterion: judged.of(part.criterion).main for part in parts}
    units = [subjects_items(own[name], "value", of=name, alpha=options.alpha, better="higher") for name in own]
    compared = [compare_ratings(own[part.criterion], part, by, options) for part, by in zip(parts, units, strict=True)]
    found = [
        systems_compared(compared, options),
        _published(judged, parts),
        _agreement(judged, parts, options),
    ]
    return [*found, *([_by_units(own, units, options.alpha)] if any(part.lines for part in units) else [])]


def ratings_in_brief(judgements: pd.DataFrame, options: RecipeOptions) -> list[Analysis]:
    """What is set side by side with and without exclusions."""
    judged = read_judgements(judgements)
    parts = of_criteria(judged, options)
    results: list[Result] = []
    for part in parts:
        main = judged.of(part.criterion).main
        results += leading_test(main, "value", of=part.criterion, options=options, better="higher").results
        results += (*part.defined, part.repeats) if part.one_system else part.results
    return [Analysis("brief", "In brief", results=tuple(results))]


def _published(judged: Judgements, parts: Sequence[PublishedResults]) -> Analysis:
    """The analysis that Belz & Kow (2010) published."""
    return Analysis(
        name="system-text-evaluator",
        title="Systems, texts and evaluators, as published (Belz & Kow 2010)",
        results=tuple(result for part in parts for result in part.defined),
        tables=(variance_table(parts), significance_table(parts), published_pairs_table(parts)) if parts else (),
        warnings=warnings_of(judged, parts, agreement=False),
        place="published",
    )


def _agreement(judged: Judgements, parts: Sequence[PublishedResults], options: RecipeOptions) -> Analysis:
    """Of evaluators with each other and with themselves."""
    texts = [
        shared_texts(judged.of(part.criterion), part.criterion, confidence=options.confidence, seed=options.seed)
        for part in parts
    ]
    shared = shared_texts_table(texts)
    of_parts = [
        (part.criterion, (part.repeats,) if part.one_system else (part.between, part.within, part.repeats))
        for part in parts
    ]
    said = [(name, [text for result in results for text in result.warnings]) for name, results in of_parts]
    return Analysis(
        name="agreement",
        title="Agreement of evaluators",
        results=tuple(
            result
            for part, own in zip(parts, texts, strict=True)
            for result in (*(() if part.one_system else (part.within,)), part.repeats, *own.results)
        ),
        tables=(*((agreement_table(parts),) if parts else ()), *((shared,) if shared else ())),
        warnings=tuple(named_warnings([*said, *((own.criterion, own.warnings) for own in texts)])),
        place="agreement",
    )


def _by_units(own: Mapping[str, pd.DataFrame], units: Sequence[SubjectsItems], alpha: float) -> Analysis:
    """By subjects and by items, and the published F2, which takes each text as an item of its own (Lapata 2006)."""
    published = {name: _texts_as_items(main).about(f"{name}, {TEXTS_AS_ITEMS}") for name, main in own.items()}
    rows = [(name, TEXTS_AS_ITEMS, x.f, *x.df, x.p, None, x.eta2, x.n) for name, x in published.items()]
    note = (
        f"{TEXTS_AS_ITEMS}: as Lapata (2006) published it, with systems between items; F2 itself knows that the texts "
        "of an item belong together, and is the one to prefer."
    )
    return Analysis(
        "by-subjects-items",
        "By subjects and by items",
        results=(*(result for part in units for result in part.results), *published.values()),
        tables=(ratios_table(units, rows, note), tukey_pairs_table(units, alpha)),
        warnings=tuple(named_warnings([(part.of, part.warnings) for part in units])),
        place="details",
    )


def _texts_as_items(main: pd.DataFrame) -> Anova:
    """One-way over the means of texts."""
    texts = main.groupby(["item", "system"], sort=False)["value"].mean().reset_index()
    return anova(texts["value"].to_numpy(dtype=float), texts["system"].to_numpy(), factor="texts as items")
