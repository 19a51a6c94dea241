from __future__ import annotations

from textassay.analysis.missing_answers import missing_answers
from textassay.analysis.options import RecipeOptions
from textassay.design.plan import Trial

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
