from __future__ import annotations

import math

import pandas as pd

from textassay.analysis.missing_answers import missing_answers, unjudged_answers, with_unjudged
from textassay.analysis.options import RecipeOptions
from textassay.design.plan import Trial
from textassay.results import Analysis

OPTIONS = RecipeOptions(systems=("b", "a"), draws=999)


def planned(*systems: str) -> list[Trial]:
    return [Trial(f"q-{n}", "q", "main", n, f"i{n}", tuple(each)) for n, each in enumerate(systems, 1)]


def answers(*places: int) -> set[str]:
    return {f"q-{place}" for place in places}


def test_complete_answers_say_nothing() -> None:
    assert missing_answers({"p1": planned("a", "b")}, {"p1": answers(1, 2)}, OPTIONS) is None


def test_rates_by_system_in_the_order_of_the_study() -> None:
    trials = {name: planned("a", "b", "a", "b") for name in ("p1", "p2", "p3")}
    # p3 never began the block: nothing is known of why
    found = missing_answers(trials, {"p1": answers(1, 2, 3, 4), "p2": answers(1, 2, 4)}, OPTIONS)
    assert found is not None
    (table,) = found.tables
    assert table.rows == (("b", 4, 0, 0.0), ("a", 4, 1, 0.25))
    assert "1 of 2 participants have trials without an answer" in table.note
    assert found.cautions == ()
    assert found.place == "participants"


def test_answers_that_are_missing_for_one_system_only_are_a_caution() -> None:
    trials = {f"p{n}": planned("a", "b", "a", "b", "a", "b") for n in range(6)}
    given = {name: answers(1, 3, 5) for name in trials}  # nobody answered b: 1 of 20 ways each, in either direction
    found = missing_answers(trials, given, OPTIONS)
    assert found is not None
    (said,) = found.cautions
    assert said == (
        "answers are missing more often for b (100 %, 18 of 18) than for a (0 %, 0 of 18): χ²(1) = 30.00, p = .001 "
        "(Cochran–Mantel–Haenszel test); this may bias every comparison of the systems, because those who did not "
        "answer might have answered differently"
    )


def test_trials_of_several_systems_count_for_each() -> None:
    found = missing_answers({"p1": planned("ab", "ac", "bc")}, {"p1": answers(2, 3)}, OPTIONS)
    assert found is not None
    assert [row[1:3] for row in found.tables[0].rows] == [(2, 1), (2, 1), (2, 0)]
    assert "counts for each of them" in found.tables[0].note


def test_where_every_trial_shows_all_systems_nothing_can_be_tested() -> None:
    found = missing_answers({"p1": planned("ab", "ab")}, {"p1": answers(1)}, OPTIONS)
    assert found is not None
    note = found.tables[0].note
    assert note.endswith("cannot be tested: nobody has missing and answered trials of different systems.")
    assert found.warnings == ()


def unjudged_table(**said: set[int]) -> pd.DataFrame:
    """Six people judge three texts of a and three of b; `said`: by criterion the items that could not be judged."""
    rows = [
        (f"p{person}", f"i{n}", "ab"[n % 2], criterion, math.nan if n in items else 3.0, n in items)
        for criterion, items in said.items()
        for person in range(6)
        for n in range(6)
    ]
    return pd.DataFrame(rows, columns=["participant", "item", "system", "criterion", "value", "cannot_judge"])


def test_texts_that_cannot_be_judged_are_counted_and_tested_like_missing_answers() -> None:
    found, cautions = unjudged_answers(unjudged_table(clarity={1, 3, 5}, style=set()), OPTIONS)
    assert found is not None
    (table,) = found.tables
    assert table.rows == (
        ("clarity", "b", 18, 18, 1.0),
        ("clarity", "a", 18, 0, 0.0),
        ("style", "b", 18, 0, 0.0),
        ("style", "a", 18, 0, 0.0),
    )
    # the same figures as for missing answers above; only one criterion can be tested, so that p is not adjusted
    (said,) = cautions
    assert said == (
        "clarity: “cannot judge” was answered more often for b (100 %, 18 of 18) than for a (0 %, 0 of 18): "
        "χ²(1) = 30.00, p = .001 (Cochran–Mantel–Haenszel test); the results are about texts that could be judged, "
        "and these may be the easier ones"
    )
    assert table.note.endswith("style: not testable.")


def test_rates_that_do_not_differ_and_nobody_who_could_not_judge() -> None:
    found, cautions = unjudged_answers(unjudged_table(clarity={0, 1}), OPTIONS)
    assert found is not None
    assert cautions == []
    before = Analysis("systems", "Systems")
    plain = unjudged_table(clarity=set())
    for table in (plain, plain.drop(columns="cannot_judge")):
        assert with_unjudged([before], table, OPTIONS) == [before]
    first, second = with_unjudged([before], unjudged_table(clarity={1, 3, 5}), OPTIONS)
    assert first.cautions
    assert second.name == "cannot-judge"
