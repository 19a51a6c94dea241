"""Many systems by letters: who shares one does not differ, the best first; few systems keep their table of pairs."""

from __future__ import annotations

import math
from dataclasses import replace
from itertools import combinations
from typing import Any

import pytest

from textassay.analysis.letters import MANY, with_letters, without_long_tables
from textassay.results import Analysis, Table

NAMES = [f"s{n:02d}" for n in range(MANY + 1)]


def pairs(names: list[str], far: int = 3, *, lower: bool = False, ratio: bool = False) -> Table:
    """Systems in one line, the later the higher; those that are `far` or more places apart differ significantly."""
    rows: list[tuple[Any, ...]] = []
    for (one, first), (other, second) in combinations(enumerate(names), 2):
        gap, significant = float(one - other), other - one >= far
        winner = (first if lower else second) if significant else ""
        rows.append(("clarity", first, second, math.exp(gap) if ratio else gap, significant, winner))
    heads = ("Criterion", "First", "Second", "Ratio" if ratio else "Difference", "Significant", "Winner")
    return Table("pairs", "All pairs", heads, tuple(rows))


def test_few_systems_keep_their_table() -> None:
    analysis = Analysis("systems", "Systems", tables=(pairs(NAMES[:MANY]), Table("means", "Means", ("n",), ((1,),))))
    assert with_letters(analysis) == analysis


@pytest.mark.parametrize(("lower", "ratio"), [(False, False), (True, False), (True, True)])
def test_letters_of_many_systems(lower: bool, ratio: bool) -> None:
    given = pairs(NAMES, lower=lower, ratio=ratio)
    letters, folded = with_letters(Analysis("systems", "Systems", tables=(given,))).tables
    assert (folded.rows, folded.detail, letters.detail) == (given.rows, True, False)
    assert letters.columns == ("Criterion", "System", "Letters", "Better than", "Worse than")
    best_first = NAMES if lower else NAMES[::-1]
    assert [row[1] for row in letters.rows] == best_first
    # three neighbours share a letter: the best has only the first one, the next two, the third three
    assert [row[2] for row in letters.rows[:4]] == ["a", "ab", "abc", "bcd"]
    assert [row[3:] for row in letters.rows[:4]] == [(13, 0), (12, 0), (11, 0), (10, 1)]
    shared = {row[1]: set(row[2]) for row in letters.rows}
    for row in given.records():
        assert bool(shared[row["First"]] & shared[row["Second"]]) != row["Significant"]


def test_what_is_kept_beside_published_work_stays_a_table() -> None:
    published = Analysis("old", "Old", tables=(pairs(NAMES),), place="published")
    assert with_letters(published) == published


def test_terminal_has_letters_and_says_where_the_pairs_are() -> None:
    few, many = pairs(NAMES[:MANY]), pairs(NAMES)
    analysis = Analysis("systems", "Systems", tables=(few, many), warnings=("before",))
    shown = without_long_tables(with_letters(analysis, "Elsewhere."), "See there.")
    assert [table.name for table in shown.tables] == ["pairs", "letters-pairs"]
    assert shown.tables[1].note.endswith("count those that do. Elsewhere.")
    assert shown.warnings == ("before", f"not shown: All pairs ({len(many.rows)} rows). See there.")
    people = Table("participants", "Participants", ("n",), ((1,),) * 501)
    assert without_long_tables(replace(analysis, tables=(few, people)), "").tables == (few,)
    alone = replace(analysis, tables=(few,))
    assert without_long_tables(alone, "See there.") == alone
