"""What a reader is told first, to the letter: each kind of trial with two systems, several, one, or no clear result."""

# ruff: noqa: E501, ISC004 -- long sentences, in rows of a table

from __future__ import annotations

import math
from dataclasses import replace
from itertools import combinations
from types import SimpleNamespace
from typing import Any

import pandas as pd
import pytest

from textassay.analysis.compare_evaluations import comparison_headline
from textassay.analysis.compare_systems import SystemComparison, SystemTest
from textassay.analysis.evaluation_summary import Cost, EvaluationSummary
from textassay.analysis.headlines import Evidence, Wording, system_headline
from textassay.analysis.options import RecipeOptions
from textassay.analysis.rating_comparison import rating_headline
from textassay.analysis.system_means import system_correlation
from textassay.pairwise import PairwiseComparison, PairwiseComparisons
from textassay.tasks.decision.comparison import ALL, score_headline
from textassay.tasks.preference.headline import preference_headline
from textassay.tasks.ranking.comparison import ranking_headline
from textassay.tasks.reading.comparison import TimeComparison
from textassay.tasks.reordering.analysis import orders_headline

NAN = math.nan
CLEAR = SystemTest("ANOVA-type test", "F", 20.125, (1, 11.5), 0.0009, "first choice")
UNCLEAR = SystemTest("ANOVA-type test", "F", 0.5, (2, 22), 0.6149, "first choice: …")
INVALID = SystemTest("one-way ANOVA (published)", "F", 40.0, (1, 200), 1e-9, "beside Belz & Kow (2010) only; not valid")
OPTIONS = RecipeOptions(scales={"clarity": (1.0, 7.0)})
PEOPLE = {"participants": 12, "items": 20}
BASE = "Based on 12 participants and 20 items."
Values = dict[str, tuple[float, float, float]]

TWO: Values = {"a": (5.2, 4.8, 5.6), "b": (3.4, 3.0, 3.8)}
THREE: Values = {"a": (5.2, 4.8, 5.6), "b": (3.4, 3.0, 3.8), "c": (6.9, 6.6, 7.2)}
EQUAL: Values = {"a": (4.1, 3.7, 4.5), "b": (4.0, 3.6, 4.4), "c": (4.2, 3.8, 4.6)}
ONE: Values = {"a": (5.2, 4.8, 5.6)}


def pairs(values: Values, significant: set[frozenset[str]] | None = None, **more: Any) -> PairwiseComparisons:
    names = list(values)
    made = []
    for place, first in enumerate(names):
        for second in names[place + 1 :]:
            gap = values[first][0] - values[second][0]
            p = 0.001 if significant is None or frozenset((first, second)) in significant else 0.4
            made.append(PairwiseComparison(
                first=first, second=second, difference=gap, ci=(gap - 0.5, gap + 0.5), p=p, p_raw=p, n=9
            ))  # fmt: skip
    given = {"method": "made up", "adjustment": "Tukey", "interval": "simultaneous", "better": "higher", **more}
    return PairwiseComparisons(pairs=tuple(made), **given)


def compared(values: Values, test: SystemTest | None, measure: str = "clarity", **more: Any) -> SystemComparison:
    tests = () if test is None else (test,)
    return SystemComparison(measure=measure, tests=tests, estimates=values, pairs=pairs(values, **more))


RATING = {
    "two": (
        TWO, CLEAR, {},
        "a was rated higher than b on clarity: 5.20 against 3.40 on the scale from 1 to 7, a difference of 1.80 "
        f"(95 % CI 1.30 to 2.30). The systems differ: F(1, 11.5) = 20.12, p < .001 (ANOVA-type test). {BASE}",
    ),
    "several": (
        THREE, CLEAR, {"significant": {frozenset("cb")}},
        "c was rated highest on clarity: 6.90 (95 % CI 6.60 to 7.00); b lowest: 3.40 (95 % CI 3.00 to 3.80) on the "
        "scale from 1 to 7. The systems differ: F(1, 11.5) = 20.12, p < .001 (ANOVA-type test). c is significantly better "
        f"than b, but not than a (corrected for 3 pairs). {BASE}",
    ),
    "one": (
        ONE, None, {},
        f"Only one system was judged on clarity, a: 5.20 (95 % CI 4.80 to 5.60) on the scale from 1 to 7. {BASE}",
    ),
    "no clear difference": (
        EQUAL, UNCLEAR, {"significant": set()},
        "No clear difference on clarity: c 4.20 (95 % CI 3.80 to 4.60), a 4.10 (95 % CI 3.70 to 4.50), b 4.00 (95 % CI "
        f"3.60 to 4.40) on the scale from 1 to 7; F(2, 22) = 0.50, p = .615 (ANOVA-type test). {BASE}",
    ),
    "too little data": (
        {"a": (5.2, NAN, NAN), "b": (3.4, NAN, NAN)}, INVALID, {},
        f"No valid test of a difference on clarity was possible: a 5.20, b 3.40 on the scale from 1 to 7. {BASE}",
    ),
}  # fmt: skip


def test_systems_of_parts_that_share_nobody_are_not_put_in_one_order() -> None:
    values: Values = {"a": (5.2, 4.8, 5.6), "b": (3.4, 3.0, 3.8), "c": (6.9, 6.6, 7.2), "d": (6.8, 6.5, 7.1)}
    words = Wording(best="was rated highest", worst="lowest", beats="beats", on=" on clarity")
    within = [
        pair for pair in pairs(values, {frozenset("ab")}) if {pair.first, pair.second} in ({"a", "b"}, {"c", "d"})
    ]
    some = PairwiseComparisons(method="made up", pairs=tuple(within), adjustment="Holm", better="higher")
    part = SystemComparison(measure="clarity", tests=(INVALID,), estimates=values, pairs=some)
    told = system_headline(part, words, Evidence(values=values, **PEOPLE)).text
    start = "Not all systems can be compared on clarity: only 2 pairs can. a is significantly better than b."
    assert told == f"{start} {BASE}"


@pytest.mark.parametrize("case", RATING)
def test_rating(case: str) -> None:
    values, test, more, expected = RATING[case]
    part: Any = SimpleNamespace(
        criterion="clarity", systems=compared(values, test, **more), values=values, leading=SimpleNamespace(caveat=""),
        **PEOPLE,
    )  # fmt: skip
    assert rating_headline(part, OPTIONS).text == expected


def test_the_caveat_is_said_last() -> None:
    part: Any = SimpleNamespace(
        criterion="clarity", systems=compared(TWO, CLEAR), values=TWO, participants=1, items=20,
        leading=SimpleNamespace(caveat="nothing is said about other participants"),
    )  # fmt: skip
    found = rating_headline(part, OPTIONS).text
    assert found.endswith("Based on 1 participant and 20 items. Nothing is said about other participants.")


def test_the_best_of_several_need_not_differ_from_any_other() -> None:
    part: Any = SimpleNamespace(
        criterion="clarity", systems=compared(THREE, CLEAR, significant=set()), values=THREE, **PEOPLE,
        leading=SimpleNamespace(caveat=""),
    )  # fmt: skip
    assert (
        "c is not significantly better than any single other system (corrected for 3 pairs)."
        in rating_headline(part, OPTIONS).text
    )


RANKING = {
    "two": (
        {"a": (1.8, 1.6, 2.0), "b": (1.2, 1.0, 1.4)}, CLEAR,
        "b was ranked above a on clarity: mean rank 1.20 against 1.80 (1 = best of 4), a difference of 0.60 ranks "
        f"(95 % CI 0.10 to 1.10). The systems differ: F(1, 11.5) = 20.12, p < .001 (ANOVA-type test). {BASE}",
    ),
    "several": (
        {"a": (2.9, 2.6, 3.2), "b": (1.63, 1.4, 1.9), "c": (3.9, 3.6, 4.2)}, CLEAR,
        "b was ranked best on clarity: mean rank 1.63 (95 % CI 1.40 to 1.90); c worst: mean rank 3.90 (95 % CI 3.60 to "
        "4.00) (1 = best of 4). The systems differ: F(1, 11.5) = 20.12, p < .001 (ANOVA-type test). b is significantly "
        f"better than a and c (corrected for 3 pairs). {BASE}",
    ),
    "one": ({"a": (1.0, NAN, NAN)}, None, f"Only one system was judged on clarity, a: mean rank 1.00 (1 = best of 4). {BASE}"),
    "no clear difference": (
        {"a": (1.5, 1.3, 1.7), "b": (1.4, 1.2, 1.6)}, UNCLEAR,
        "No clear difference on clarity: b mean rank 1.40 (95 % CI 1.20 to 1.60), a mean rank 1.50 (95 % CI 1.30 to "
        f"1.70) (1 = best of 4); F(2, 22) = 0.50, p = .615 (ANOVA-type test). {BASE}",
    ),
    "too little data": (
        {"a": (1.5, NAN, NAN), "b": (1.4, NAN, NAN)}, None,
        "No valid test of a difference on clarity was possible: b mean rank 1.40, a mean rank 1.50 (1 = best of 4). "
        f"{BASE}",
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", RANKING)
def test_ranking(case: str, monkeypatch: pytest.MonkeyPatch) -> None:
    values, test, expected = RANKING[case]
    monkeypatch.setattr(
        "textassay.tasks.ranking.comparison._intervals", lambda _: {name: each[1:] for name, each in values.items()}
    )
    part: Any = SimpleNamespace(
        criterion="clarity", k=4.0, leading=SimpleNamespace(caveat=""), systems=compared(values, test, better="lower"), participants=12, n_items=20,
        means=[SimpleNamespace(by=name, mean=each[0]) for name, each in values.items()],
    )  # fmt: skip
    assert ranking_headline(part, OPTIONS).text == expected


def preferred(answers: dict[tuple[str, str], tuple[int, int, int]], test: SystemTest | None, **scale: Any) -> Any:
    """Answers by pair: for the first, for neither, for the second."""
    systems = list(dict.fromkeys(name for pair in answers for name in pair))
    balance = {
        name: sum(n[0] if pair[0] == name else n[2] for pair, n in answers.items() if name in pair) for name in systems
    }
    values: Values = {name: (float(each), NAN, NAN) for name, each in balance.items()}
    model = scale.pop("places", values if len(systems) == 2 else {})
    return SimpleNamespace(
        criterion="clarity",
        systems=replace(compared(values, test), estimates=model, pairs=None),
        choices=True,
        pairs=SimpleNamespace(
            pairs=[SimpleNamespace(first=first, second=second) for first, second in answers],
            answers=list(answers.values()),
        ),
        scale=SimpleNamespace(systems=systems),
        leading=SimpleNamespace(caveat="", found=SimpleNamespace(holds_for="participants and items")),
        **PEOPLE,
    )


def test_preference_of_two_plain_choices() -> None:
    # won less lost: 177 of 213; the share won is half of 1 more, and no interval leaves 0 to 100 %
    gap = PairwiseComparison(first="gpt-x", second="llama-y", difference=-0.831, ci=(-1.02, -0.66), p=0, p_raw=0, n=213)
    part = preferred({("gpt-x", "llama-y"): (18, 0, 195)}, CLEAR)
    part.systems = replace(part.systems, pairs=PairwiseComparisons(method="m", pairs=(gap,), adjustment="none"))
    assert preference_headline(part, RecipeOptions()).text == (
        "llama-y was preferred to gpt-x on clarity: in 195 of 213 comparisons (92 %). llama-y would be preferred in 92 % "
        "of comparisons by other participants on other items (95 % CI 83 to 100 %). The systems differ: F(1, 11.5) = "
        f"20.12, p < .001 (ANOVA-type test). {BASE}"
    )


def test_two_systems_that_never_met_are_no_reason_to_stop() -> None:
    part = preferred({}, None)
    part.scale.systems = ["a", "b"]
    assert preference_headline(part, RecipeOptions()).text == "No system has a value on clarity."


def test_preference_of_two_by_strength() -> None:
    gap = PairwiseComparison(first="a", second="b", difference=1.2, ci=(0.4, 2.0), p=0, p_raw=0, n=60)
    part = preferred({("a", "b"): (40, 8, 12)}, CLEAR)
    part.choices = False
    part.systems = replace(part.systems, pairs=PairwiseComparisons(method="m", pairs=(gap,), adjustment="none"))
    assert preference_headline(part, RecipeOptions(scales={"clarity": (-5.0, 5.0)})).text == (
        "a was preferred to b on clarity: in 40 of 60 comparisons (67 %). Neither was preferred in 8. a is ahead by 1.20 "
        "on the scale from −5 to 5 (95 % CI 0.40 to 2.00). The systems differ: F(1, 11.5) = 20.12, "
        f"p < .001 (ANOVA-type test). {BASE}"
    )


THREE_MET = {("a", "b"): (30, 0, 10), ("a", "c"): (35, 0, 5), ("b", "c"): (22, 0, 18)}
# shares won .81, .40 and .29 against both others: times 2, less 1, is 3/2 of the places, which sum to 0
PLACES: Values = {"a": (0.4133, 0.28, 0.547), "b": (-0.1333, -0.3, 0.1), "c": (-0.28, -0.4, -0.16)}
DIFFER = "The systems differ: F(1, 11.5) = 20.12, p < .001 (ANOVA-type test). a is significantly preferred to b and c (corrected for 3 pairs). "
ALL_MEET = ", as if all systems had met equally often"
OTHER_ORDER = (
    "Wins as counted would put the systems in another order; the estimates also take in how strongly a system was "
    "preferred, ties, and which systems it met."
)


@pytest.mark.parametrize(
    ("answers", "test", "places", "expected"),
    [
        (
            THREE_MET, CLEAR, PLACES,
            "a was preferred most on clarity: in 81 % of comparisons (95 % CI 71 to 91 %; counted: 65 of 80); c least: in "
            f"29 % of comparisons (95 % CI 20 to 38 %; counted: 23 of 80){ALL_MEET}. {DIFFER}{BASE}",
        ),
        (  # a met the best more often than others did: c won a larger share than a, and b less than c
            {("a", "b"): (10, 0, 10), ("a", "c"): (2, 0, 0), ("b", "c"): (0, 0, 2)}, CLEAR, PLACES,
            "a was preferred most on clarity: in 81 % of comparisons (95 % CI 71 to 91 %; counted: 12 of 22); c least: in "
            f"29 % of comparisons (95 % CI 20 to 38 %; counted: 2 of 4){ALL_MEET}. {OTHER_ORDER} {DIFFER}{BASE}",
        ),
        (
            {("a", "b"): (21, 0, 19)}, UNCLEAR, {},
            "No clear difference on clarity: a in 21 of 40 comparisons (52 %), b in 19 of 40 comparisons (48 %); "
            f"F(2, 22) = 0.50, p = .615 (ANOVA-type test). {BASE}",
        ),
        (
            {("a", "b"): (2, 0, 1)}, INVALID, {},
            "No valid test of a difference on clarity was possible: a in 2 of 3 comparisons (67 %), b in 1 of 3 "
            f"comparisons (33 %). {BASE}",
        ),
        (  # no model: what was counted, without an interval
            THREE_MET, INVALID, {},
            "No valid test of a difference on clarity was possible: a in 65 of 80 comparisons (81 %), b in 32 of 80 "
            f"comparisons (40 %), c in 23 of 80 comparisons (29 %). {BASE}",
        ),
    ],
    ids=["several", "several, met unequally", "no clear difference", "too little data", "several, too little data"],
)  # fmt: skip
def test_preference(answers: Any, test: SystemTest, places: Values, expected: str) -> None:
    part = preferred(answers, test, places=places)
    if places:
        part.systems = replace(part.systems, pairs=pairs(places))
    assert preference_headline(part, RecipeOptions()).text == expected


def test_preference_of_several_by_strength() -> None:
    places: Values = {"a": (3.5, 2.5, 4.5), "b": (-0.5, -1.5, 0.5), "c": (-3.0, -4.0, -2.0)}
    part = preferred(THREE_MET, CLEAR, places=places)
    part.choices, part.systems = False, replace(part.systems, pairs=pairs(places))
    assert preference_headline(part, RecipeOptions(scales={"clarity": (-5.0, 5.0)})).text == (
        "a was preferred most on clarity: 3.50 (95 % CI 2.50 to 4.50; preferred in 65 of 80 comparisons); c least: −3.00 "
        "(95 % CI −4.00 to −2.00; preferred in 23 of 80 comparisons), as mean preference over the average system on the "
        f"scale from −5 to 5. {DIFFER}{BASE}"
    )


FIRST = pd.DataFrame([(f"p{n % 12}", f"i{n % 20}") for n in range(60)], columns=["participant", "item"])
SUITS = " on the scale from −1 (all inappropriate actions chosen, no appropriate one) to 1 (the reverse)"


@pytest.mark.parametrize(
    ("values", "test", "expected"),
    [
        (
            {"a": (0.4, 0.1, 0.7), "b": (-0.2, -0.5, 0.1)}, CLEAR,
            f"a led to more suitable choices than b: mean score 0.40 against −0.20{SUITS}, a difference of 0.60 (95 % CI "
            f"0.10 to 1.10). The systems differ: F(1, 11.5) = 20.12, p < .001 (ANOVA-type test). {BASE}",
        ),
        (
            {"a": (0.4, 0.1, 0.7), "b": (-0.2, -0.5, 0.1), "c": (0.9, 0.7, 1.1)}, CLEAR,
            "c led to the most suitable choices: mean score 0.90 (95 % CI 0.70 to 1.00); b to the least suitable: mean "
            f"score −0.20 (95 % CI −0.50 to 0.10){SUITS}. The systems differ: F(1, 11.5) = 20.12, p < .001 (ANOVA-type "
            f"test). c is significantly better than a and b (corrected for 3 pairs). {BASE}",
        ),
        ({"a": (0.4, 0.1, 0.7)}, None, f"Only one system was judged, a: mean score 0.40 (95 % CI 0.10 to 0.70){SUITS}. {BASE}"),
        (
            {"a": (0.4, 0.1, 0.7), "b": (0.3, 0.0, 0.6)}, UNCLEAR,
            f"No clear difference: a mean score 0.40 (95 % CI 0.10 to 0.70), b mean score 0.30 (95 % CI 0.00 to 0.60){SUITS}"
            f"; F(2, 22) = 0.50, p = .615 (ANOVA-type test). {BASE}",
        ),
        (
            {"a": (0.4, NAN, NAN), "b": (0.3, NAN, NAN)}, None,
            f"No valid test of a difference was possible: a mean score 0.40, b mean score 0.30{SUITS}. {BASE}",
        ),
    ],
    ids=["two", "several", "one", "no clear difference", "too little data"],
)  # fmt: skip
def test_decision(values: Values, test: SystemTest | None, expected: str) -> None:
    part: Any = SimpleNamespace(
        items=ALL, score="P", systems=compared(values, test), leading=SimpleNamespace(caveat=""),
        means=[SimpleNamespace(by=name, mean=each[0], ci=each[1:]) for name, each in values.items()],
    )  # fmt: skip
    found = score_headline([part], FIRST, RecipeOptions())
    assert found is not None
    assert (found.subject, found.text) == ("clarity", expected)


@pytest.mark.parametrize(
    ("values", "test", "expected"),
    [
        (
            {"a": (6.0, 5.9, 6.1), "b": (6.25, 6.15, 6.35)}, CLEAR,
            "a was read faster than b: 403 ms per word against 518, which took 1.28 times as long (95 % CI 0.78 to 2.12). "
            f"The systems differ: F(1, 11.5) = 20.12, p < .001 (ANOVA-type test). {BASE}",
        ),
        (
            {"a": (6.0, 5.9, 6.1), "b": (6.25, 6.15, 6.35), "c": (6.1, 6.0, 6.2)}, CLEAR,
            "a was read fastest: 403 ms per word (95 % CI 365 to 446); b slowest: 518 ms per word (95 % CI 469 to 572). The "
            f"systems differ: F(1, 11.5) = 20.12, p < .001 (ANOVA-type test). a is significantly faster than b and c (corrected for 3 pairs). {BASE}",
        ),
        (
            {"a": (6.0, 5.9, 6.1)}, None,
            f"Only one system was judged, a: 403 ms per word (95 % CI 365 to 446). {BASE}",
        ),
        (
            {"a": (6.0, 5.9, 6.1), "b": (6.05, 5.95, 6.15)}, UNCLEAR,
            "No clear difference: a 403 ms per word (95 % CI 365 to 446), b 424 ms per word (95 % CI 384 to 469); F(2, 22) = "
            f"0.50, p = .615 (ANOVA-type test). {BASE}",
        ),
        ({}, None, f"No valid test of a difference was possible: a 400 ms per word, b 500 ms per word. {BASE}"),
    ],
    ids=["two", "several", "one", "no clear difference", "too little data"],
)  # fmt: skip
def test_reading(values: Values, test: SystemTest | None, expected: str, monkeypatch: pytest.MonkeyPatch) -> None:
    # of words where they are known, else of units, which are sentences, lines …
    trials = FIRST.assign(system=["a", "b"] * 30, rt_ms=[400.0, 500.0] * 30, word_ms=[400.0, 500.0] * 30)
    model: Any = SimpleNamespace(caveat="")
    for measure, unit in (("time per word in ms", "per word"), ("time per unit in ms", "per unit")):
        found = replace(compared(values, test, better="lower"), measure=measure)
        monkeypatch.setattr(TimeComparison, "systems", [found])
        headline = TimeComparison((), {}, {measure: model}, RecipeOptions()).headline(trials)
        assert (headline.subject, headline.text) == (measure, expected.replace("per word", unit))


KEPT = " (agreement with the order shown first; 1 = nothing was moved)"


@pytest.mark.parametrize(
    ("values", "p", "expected"),
    [
        (
            {"a": (0.75, 0.57, 1.01), "b": (0.22, 0.04, 0.4)}, 0.008,
            f"a had its order kept more than b: mean tau .750 against .220{KEPT}, a difference of .530 (95 % CI .030 to "
            f"1.030). The conditions differ: F(1, 6.8) = 10.60, "
            f"p = .008 (ANOVA-type test). {BASE} Participants' orders have a mean tau of .600 with gold.",
        ),
        (
            {"a": (0.75, 0.57, 1.01), "b": (0.22, 0.04, 0.4), "c": (0.5, 0.3, 0.7)}, 0.008,
            f"a had its order kept most: mean tau .750 (95 % CI .570 to 1.000); b least: mean tau .220 (95 % CI .040 to "
            f".400){KEPT}. The conditions differ: F(1, 6.8) = 10.60, p = .008 (ANOVA-type test). a is significantly better kept "
            f"than b and c (corrected for 3 pairs). {BASE} Participants' orders have a "
            "mean tau of .600 with gold.",
        ),
        (
            {"a": (0.75, 0.57, 0.93)}, None,
            f"Only one system was judged, a: mean tau .750 (95 % CI .570 to .930){KEPT}. {BASE} Participants' orders have "
            "a mean tau of .600 with gold.",
        ),
        (
            {"a": (0.75, 0.57, 0.93), "b": (0.7, 0.5, 0.9)}, 0.62,
            f"No clear difference: a mean tau .750 (95 % CI .570 to .930), b mean tau .700 (95 % CI .500 to .900){KEPT}; "
            f"F(1, 6.8) = 10.60, p = .620 (ANOVA-type test). {BASE} Participants' orders have a mean tau of .600 with gold.",
        ),
        (
            {"a": (0.75, NAN, NAN), "b": (0.7, NAN, NAN)}, NAN,
            f"No valid test of a difference was possible: a mean tau .750, b mean tau .700{KEPT}. {BASE} Participants' "
            "orders have a mean tau of .600 with gold.",
        ),
    ],
    ids=["two", "several", "one", "no clear difference", "too little data"],
)  # fmt: skip
def test_reordering(values: Values, p: float | None, expected: str) -> None:
    gold = SimpleNamespace(of="tau with gold", mean=0.6, n=6, ci=(0.4, 0.8))
    parts: Any = [
        SimpleNamespace(condition=name, taus=(SimpleNamespace(mean=each[0], ci=each[1:]), gold))
        for name, each in values.items()
    ]
    test = SystemTest("ANOVA-type test", "F", 10.6, (1, 6.8), NAN if p is None else p, "first choice")
    known = {} if math.isnan(values["a"][1]) else values  # where nothing is estimated, means over participants
    leading: Any = SimpleNamespace(
        caveat="", tests=[test], estimates=lambda _: known, pairs=pairs(values), equivalence=None
    )
    if known:
        parts = [SimpleNamespace(condition=name, taus=(SimpleNamespace(mean=0, ci=(0, 0)), gold)) for name in values]
    tests = {"tau with the order shown first": leading}
    assert orders_headline(parts, tests, FIRST, RecipeOptions()).text == expected


@pytest.mark.parametrize(
    ("level", "said"),
    [
        (0, "s0 is significantly better than all 9 other systems (corrected for 45 pairs)."),
        (
            2,
            "s0 is significantly better than 7 of the 9 other systems, but not than s8 and s9 (corrected for 45 pairs).",
        ),
        (6, "s0 is significantly better than s1, s2 and s3, but not than 6 others (corrected for 45 pairs)."),
    ],
)
def test_of_many_systems_only_a_few_are_named(level: int, said: str) -> None:
    values: Values = {f"s{n}": (9.0 - n, 8.5 - n, 9.5 - n) for n in range(10)}
    worse = {frozenset(("s0", f"s{n}")) for n in range(1, 10 - level)}
    words = Wording(best="best", worst="worst", beats="beats")
    found = system_headline(compared(values, CLEAR, significant=worse), words, Evidence(values=values, **PEOPLE))
    assert f" {said} Based on" in found.text


def test_of_more_than_three_systems_the_best_and_the_worst_are_named():
    values: Values = {**EQUAL, "d": (3.9, 3.5, 4.3)}
    evidence = Evidence(values=values, **PEOPLE)
    words = Wording(best="best", worst="worst", beats="beats")
    assert system_headline(compared(values, UNCLEAR), words, evidence).text.startswith(
        "No clear difference: from c 4.20 (95 % CI 3.80 to 4.60) to d 3.90 (95 % CI 3.50 to 4.30); F(2, 22) = 0.50"
    )


def evaluation(name: str, order: str, winners: dict[str, str], participants: int = 12) -> EvaluationSummary:
    """Systems from the best to the worst, and the winner of each pair that differs significantly."""
    every = {frozenset(pair): winners.get("".join(pair), "") for pair in combinations(sorted(order), 2)}
    means = {"clarity": {system: float(-place) for place, system in enumerate(order)}}
    return EvaluationSummary(name, {}, means, Cost(participants, 9, NAN, NAN), {"clarity": every})


SAMPLE = "Based on 12 participants in ratings and 6 participants in choices."


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [
        (
            ("abc", {"ab": "a", "ac": "a"}), ("abc", {"ab": "a", "bc": "b"}),
            "ratings and choices agree on the order of all 3 systems on clarity: a first and c last. Too few systems to "
            "tell whether their means go together (n = 3). Significant differences, of 3 pairs of systems: 1 with the same "
            f"winner in both, 1 in ratings only, 1 in choices only. {SAMPLE}",
        ),
        (
            ("abcde", {"ae": "a"}), ("acbde", {"ae": "a"}),
            "ratings and choices agree on the best and the worst of 5 systems on clarity (a first and e last), but not on "
            "all between. Pearson's r of the systems' means = .900, p = .083 (n = 5). Significant differences, of 10 pairs "
            f"of systems: 1 with the same winner in both, 9 in neither. {SAMPLE}",
        ),
        (
            ("abc", {"ac": "a", "bc": "b"}), ("bac", {"ac": "c"}),
            "ratings and choices do not agree on the best system on clarity: a in ratings, b in choices; the two do not "
            "differ significantly in either. ratings and choices agree on the worst system on clarity: c. Too few systems "
            "to tell whether their means go together (n = 3). Significant differences, of 3 pairs of systems: 0 with the "
            f"same winner in both, 1 in ratings only, 1 with opposite winners, 1 in neither. {SAMPLE}",
        ),
        (
            ("ab", {"ab": "a"}), ("ba", {"ab": "b"}),
            "ratings and choices do not agree on the best system on clarity: a in ratings, b in choices. ratings and choices "
            "do not agree on the worst system on clarity: b in ratings, a in choices. Too few systems to tell whether their "
            "means go together (n = 2). Significant differences, of 1 pair of systems: 0 with the same winner in both, 1 "
            f"with opposite winners. {SAMPLE}",
        ),
        (
            ("ab", {}), ("ac", {}),
            f"Only one system is in both ratings and choices, a, so that no order on clarity is compared. {SAMPLE}",
        ),
    ],
    ids=["same order", "same ends", "other best", "opposite", "one in both"],
)  # fmt: skip
def test_two_versions(one: Any, other: Any, expected: str) -> None:
    first, second = evaluation("ratings", *one), evaluation("choices", *other, participants=6)
    linear, _ = system_correlation(first.means["clarity"], second.means["clarity"], "ratings", "choices")
    found = comparison_headline(first, second, "clarity", ("clarity", "clarity"), linear)
    assert (found.subject, found.text) == ("clarity", expected)


@pytest.mark.parametrize(
    ("p", "said"),
    [
        (0.021, "(ANOVA-type test); p = .021 when corrected for the 2 criteria."),
        (0.2, "(ANOVA-type test); p = .200 when corrected for the 2 criteria, which is not significant."),
    ],
)
def test_with_several_criteria_the_sentence_has_p_corrected_over_them(p: float, said: str) -> None:
    values: Values = {**EQUAL, "c": (6.0, 5.5, 6.5)}
    words = Wording(best="best", worst="worst", beats="beats")
    evidence = Evidence(values=values, corrected={"clarity": p, "fluency": 0.5}, **PEOPLE)
    assert said in system_headline(compared(values, CLEAR), words, evidence).text
    assert "when corrected" not in system_headline(compared(values, UNCLEAR), words, evidence).text
