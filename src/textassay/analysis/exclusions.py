"""Whose answers count, and what difference it makes: the same analysis with and without exclusions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import replace

import pandas as pd

from textassay.headline import Headline
from textassay.report.numbers import p_in_words
from textassay.results import Analysis, Record, Table


def excluded(participants: pd.DataFrame) -> list[str]:
    """The participants whom screening has excluded; nobody where the table has no column `verdict`."""
    if "verdict" not in participants:
        return []
    return [str(name) for name in participants.loc[participants["verdict"] == "excluded", "participant"]]


_COMPARED = ("mean", "F", "W", "mean W within evaluators", "significant pairs")
"""Statistics that are set side by side, in this order."""

_Key = tuple[str, str, str]


def compare_exclusions(everyone: Analysis, kept: Analysis, *, note: str = "", in_both: bool = False) -> Table:
    """Means, F and W of two analyses in one table.

    Args:
        everyone: The analysis of all participants.
        kept: The analysis of those who were not excluded.
        note: What else is to be said.
        in_both: Whether to leave out what the analysis of all participants does not have.
    """
    before, after = _by_key(everyone), _by_key(kept)
    wanted = before if in_both else before | after
    keys = sorted(wanted, key=lambda key: (_first_seen(key, before, after), _COMPARED.index(key[1])))
    named = _names(keys, after | before)
    rows = [(key[0], key[1], named[key], *_figures(before.get(key)), *_figures(after.get(key))) for key in keys]
    return Table(
        "with-and-without-exclusions",
        "Results with and without exclusions",
        ("Criterion", "Statistic", "Of", "All", "All: n", "All: p", "Kept", "Kept: n", "Kept: p"),
        tuple(rows),
        note=f"All: every participant. Kept: those who were not excluded. {note}".strip(),
    )


def _by_key(analysis: Analysis) -> dict[_Key, Record]:
    """The first record of each kind: what is most important comes first."""
    found: dict[_Key, Record] = {}
    for record in analysis.records():
        if record["statistic"] in _COMPARED:
            found.setdefault((record["of"], record["statistic"], record["by"]), record)
    return found


def _names(keys: Collection[_Key], records: dict[_Key, Record]) -> dict[_Key, str]:
    """What each is of; where two methods say it of the same, with the method."""
    times = Counter((of, statistic, by.casefold()) for of, statistic, by in keys)
    return {
        key: key[2] if times[key[0], key[1], key[2].casefold()] == 1 else f"{key[2]} ({records[key]['method']})"
        for key in keys
    }


def _first_seen(key: _Key, *tables: dict[_Key, Record]) -> int:
    """Place of the criterion in the first table that has it: criteria keep their order."""
    criteria = list(dict.fromkeys(criterion for table in tables for criterion, _, _ in table))
    return criteria.index(key[0])


def _figures(record: Record | None) -> tuple[float | None, int | None, float | None]:
    return (record["value"], record["n"], record["p"]) if record else (None, None, None)


Recipe = Callable[[pd.DataFrame], Sequence[Analysis]]
"""From a table of answers to what is said of them."""


def with_and_without_exclusions(
    everyone: pd.DataFrame,
    participants: pd.DataFrame,
    recipe: Recipe,
    *,
    of_everyone: Recipe | None = None,
    alpha: float = 0.05,
    note: str = "",
) -> list[Analysis]:
    """The recipe's analyses of those kept; where participants were excluded, also beside those of everyone.

    Args:
        everyone: Answers of all participants.
        participants: With a column `verdict`, if participants were screened.
        recipe: What is found in answers.
        of_everyone: A shorter recipe for the answers of everyone; what it does not find is not set side by side.
        alpha: Level at which a test is significant.
        note: What else is to be said under the table.
    """
    kept = everyone[~everyone["participant"].isin(excluded(participants))]
    found = list(recipe(kept))
    if len(kept) == len(everyone):
        return found
    beside, own = _together((of_everyone or recipe)(everyone)), _together(found)
    table = compare_exclusions(beside, own, note=note, in_both=of_everyone is not None)
    tests = _first_tests(_by_key(beside), _by_key(own))
    changed = tuple(_changed(tests, alpha))
    return [
        *found,
        Analysis(
            "exclusions",
            "With and without exclusions",
            tables=(replace(table, detail=True),),
            headlines=() if changed or not tests else (_unchanged(tests, alpha),),
            cautions=changed,
            place="participants",
        ),
    ]


def _first_tests(everyone: dict[_Key, Record], kept: dict[_Key, Record]) -> dict[str, tuple[Record, Record]]:
    """By criterion its first F that has a p in both, of everyone and of those kept."""
    first: dict[str, tuple[Record, Record]] = {}
    for key, own in kept.items():
        if key[1] == "F" and key in everyone and None not in (own["p"], everyone[key]["p"]):
            first.setdefault(key[0], (everyone[key], own))
    return first


def _unchanged(tests: dict[str, tuple[Record, Record]], alpha: float) -> Headline:
    methods = ", ".join(dict.fromkeys(own["method"] for _, own in tests.values()))
    level = f"{alpha:g}".lstrip("0")
    text = f"No F test ({methods}) becomes or ceases to be significant at {level} by excluding participants."
    return Headline("exclusions", ((text,),))


def _changed(tests: dict[str, tuple[Record, Record]], alpha: float) -> Iterator[str]:
    """The criteria whose F is significant either with or without exclusions but not both."""
    for criterion, (everyone, kept) in tests.items():
        if (everyone["p"] < alpha) != (kept["p"] < alpha):
            yield (
                f"{criterion}: whether {kept['by'].lower() or 'the test'} is significant depends on who is excluded: "
                f"{p_in_words(kept['p'])} as analysed, {p_in_words(everyone['p'])} with the answers of everyone "
                f"({kept['method']})"
            )


def _together(analyses: Sequence[Analysis]) -> Analysis:
    return Analysis("all", "All", results=tuple(result for analysis in analyses for result in analysis.results))
