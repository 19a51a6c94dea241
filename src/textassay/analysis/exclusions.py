"""Whose answers count, and what difference it makes: the same analysis with and without exclusions."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import replace

import pandas as pd

from textassay.analysis.leading_test import LEADING
from textassay.headline import Headline
from textassay.report.numbers import format_value, p_in_words
from textassay.results import Analysis, Record, Table


def excluded(participants: pd.DataFrame) -> list[str]:
    """The participants whom screening has excluded; nobody where the table has no column `verdict`."""
    if "verdict" not in participants:
        return []
    return [str(name) for name in participants.loc[participants["verdict"] == "excluded", "participant"]]


def unfinished(participants: pd.DataFrame) -> set[str]:
    """Those of them who are excluded for nothing but that they did not finish; nobody where that is not known."""
    if "unfinished" not in participants:
        return set()
    return set(excluded(participants)) & set(participants.loc[participants["unfinished"].astype(bool), "participant"])


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
    """The first record of each kind that is defined: what is most important comes first."""
    found: dict[_Key, Record] = {}
    for record in analysis.records():
        key = (record["of"], record["statistic"], record["by"])
        if record["statistic"] in _COMPARED and (key not in found or math.isnan(found[key]["value"])):
            found[key] = record
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
    tests: Recipe | None = None,
    alpha: float = 0.05,
    note: str = "",
) -> list[Analysis]:
    """The recipe's analyses of those kept; where participants were excluded, also beside those of everyone.

    Where some were excluded for nothing but that they did not finish, the leading tests are repeated with them.

    Args:
        everyone: Answers of all participants.
        participants: With a column `verdict`, if participants were screened, and `unfinished`.
        recipe: What is found in answers.
        of_everyone: A shorter recipe for the answers of everyone; what it does not find is not set side by side.
        tests: A still shorter one, of the leading tests alone, for the answers with those who did not finish.
        alpha: Level at which a test is significant.
        note: What else is to be said under the table.
    """
    out, began = excluded(participants), unfinished(participants)
    kept = everyone[~everyone["participant"].isin(out)]
    found = list(recipe(kept))
    if len(kept) == len(everyone):
        return found
    shorter = of_everyone or recipe
    beside, own = _together(shorter(everyone)), _together(found)
    table = compare_exclusions(beside, own, note=note, in_both=of_everyone is not None)
    compared = _first_tests(_by_key(beside), _by_key(own))
    changed = tuple(_changed(compared, alpha))
    analysis = Analysis(
        "exclusions",
        "With and without exclusions",
        tables=(replace(table, detail=True),),
        headlines=() if changed or not compared else (_unchanged(compared, alpha),),
        cautions=changed,
        place="participants",
    )
    rows = everyone[~everyone["participant"].isin(set(out) - began)]
    if len(rows) == len(kept):
        return [*found, analysis]
    everybody = len(rows) == len(everyone)
    with_them = beside if everybody else _together((tests or shorter)(rows))
    again = _first_tests(_by_key(_leading(with_them)), _by_key(_leading(own)))
    people = rows["participant"].nunique() - kept["participant"].nunique()
    return [*found, _with_unfinished(replace(analysis, cautions=() if everybody else changed), again, people, alpha)]


def _with_unfinished(
    analysis: Analysis, tests: dict[str, tuple[Record, Record]], people: int, alpha: float
) -> Analysis:
    """The analysis with the leading tests repeated with those who did not finish."""
    if not tests:
        return analysis
    who = f"the {people} participants who" if people > 1 else "the one participant who"
    rows = [
        (criterion, whom, record["value"], *record["df"], record["p"], record["n"])
        for criterion, (with_them, own) in tests.items()
        for whom, record in (("as analysed", own), ("with those who did not finish", with_them))
    ]
    table = Table(
        "with-unfinished",
        "The leading test with those who did not finish",
        ("Criterion", "Participants", "F", "df 1", "df 2", "p", "n"),
        tuple(rows),
        note=f"With {who} did not finish and broke no other rule, as far as they answered. n: values.",
    )
    changed = tuple(
        f"{criterion}: whether {_what(own)} is significant depends on {who} did not finish: {p_in_words(own['p'])} as "
        f"analysed, {p_in_words(with_them['p'])} with them ({own['method']})"
        for criterion, (with_them, own) in tests.items()
        if (with_them["p"] < alpha) != (own["p"] < alpha)
    )
    said = Headline("exclusions", ((_repeated(tests, who),),))
    return replace(
        analysis,
        tables=(table, *analysis.tables),
        headlines=(*analysis.headlines, said),
        cautions=(*analysis.cautions, *changed),
    )


_MOST_NAMED = 3
"""A sentence gives no more tests than this."""


def _repeated(tests: dict[str, tuple[Record, Record]], who: str) -> str:
    """With {who} did not finish: what the tests are then."""
    shown = [
        f"{criterion} {_f_in_words(with_them)} (as analysed {p_in_words(own['p'])})"
        for criterion, (with_them, own) in list(tests.items())[:_MOST_NAMED]
    ]
    more = [f"and {len(tests) - _MOST_NAMED} more in the table"] if len(tests) > _MOST_NAMED else []
    return f"With {who} did not finish: {'; '.join([*shown, *more])}."


def _f_in_words(record: Record) -> str:
    df = ", ".join(f"{each:.2f}".rstrip("0").rstrip(".") for each in record["df"])
    return f"F({df}) = {format_value(float(record['value']))}, {p_in_words(record['p'])}"


def _first_tests(everyone: dict[_Key, Record], kept: dict[_Key, Record]) -> dict[str, tuple[Record, Record]]:
    """By criterion its first F that has a p in both, of everyone and of those kept."""
    first: dict[str, tuple[Record, Record]] = {}
    for key, own in kept.items():
        if key[1] == "F" and key in everyone and _has_p(own) and _has_p(everyone[key]):
            first.setdefault(key[0], (everyone[key], own))
    return first


def _has_p(record: Record) -> bool:
    return record["p"] is not None and not math.isnan(record["p"])


def _what(record: Record) -> str:
    return str(record["by"]).lower() or "the test"


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
                f"{criterion}: whether {_what(kept)} is significant depends on who is excluded: "
                f"{p_in_words(kept['p'])} as analysed, {p_in_words(everyone['p'])} with the answers of everyone "
                f"({kept['method']})"
            )


def _leading(analysis: Analysis) -> Analysis:
    return replace(analysis, results=tuple(each for each in analysis.results if each.method == LEADING))


def _together(analyses: Sequence[Analysis]) -> Analysis:
    return Analysis("all", "All", results=tuple(result for analysis in analyses for result in analysis.results))
