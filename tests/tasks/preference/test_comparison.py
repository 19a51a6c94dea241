"""What is said of preferences, by every method side by side."""

from __future__ import annotations

import math

import pandas as pd
import pytest
from preference_data import all_pairs, preferences_by_hand, records, table_of, topline

from textassay.analysis.options import RecipeOptions
from textassay.results import Analysis
from textassay.tasks.preference.answers import read_preferences
from textassay.tasks.preference.comparison import preferences, preferences_in_brief
from textassay.tasks.preference.published import published_preferences


def analysed(frame: pd.DataFrame, **options: object) -> Analysis:
    judged, given = read_preferences(frame), RecipeOptions(**options)  # type: ignore[arg-type]
    return preferences(judged, published_preferences(judged, given), given)


@pytest.fixture(scope="module")
def found() -> Analysis:
    return analysed(all_pairs(3, 12, 12, gap=6.0), scales={"clarity": (-50.0, 50.0)})


def test_valid_tests_come_first_and_each_says_when_to_prefer_it(found: Analysis) -> None:
    rows = table_of(found, "tests")
    tests = ["ANOVA-type test", "mixed model", "cumulative link model", "Bradley–Terry"]
    assert [row["Test"] for row in rows] == tests
    assert all(row["When to prefer it"] for row in rows)
    assert all(row["p"] < 0.05 for row in rows)


def test_of_plain_choices_too_the_leading_test_comes_first() -> None:
    frame = all_pairs(3, 8, 12, gap=6.0)
    found = analysed(frame.assign(value=frame["value"].map(lambda value: 1 if value > 0 else -1)))
    rows = table_of(found, "tests")
    assert [row["Test"] for row in rows][:3] == ["ANOVA-type test", "mixed model", "logistic mixed model"]
    assert rows[0]["When to prefer it"].startswith("first choice")
    # all met equally often, so that the share won in the model is the one counted
    (figure,) = found.figures
    won = {group["system"]: group["mean"] for group in figure.data["groups"]}
    counted = dict.fromkeys(won, 0)
    for row in table_of(found, "pairs"):
        counted[row["First"]] += row["For 1st"]
        counted[row["Second"]] += row["For 2nd"]
    assert won == pytest.approx({name: n / 64 for name, n in counted.items()}, abs=0.02)
    assert (figure.data["scale_from"], figure.data["scale_to"]) == (0, 1)
    assert (figure.data["criterion"], figure.subject) == ("share won", "clarity")
    best = max(won, key=lambda name: won[name])
    said = f"{best} was preferred most on clarity: in {100 * won[best]:.0f} % of comparisons (95 % CI "
    assert found.headlines[0].text.startswith(said)


def test_scale_and_pairs_tell_the_same(found: Analysis) -> None:
    place = {row["System"]: row["Estimate"] for row in table_of(found, "scale")}
    assert list(place) == ["s0", "s1", "s2"]
    assert sum(place.values()) == pytest.approx(0, abs=1e-9)
    for row in table_of(found, "pairs"):
        assert row["Difference"] == pytest.approx(place[row["First"]] - place[row["Second"]])
        assert row["Low"] < row["Difference"] < row["High"]
        assert row["For 1st"] + row["Neither"] + row["For 2nd"] == 48
        assert row["Significant"] == (row["p"] < 0.05)


def test_estimates_follow_the_order_in_which_a_pair_is_named() -> None:
    frame = all_pairs(3, 12, 12, gap=6.0)
    turned = frame.assign(system_a=frame["system_b"], system_b=frame["system_a"], value=-frame["value"])
    there, back = (table_of(analysed(each), "pairs") for each in (frame, turned))
    for row in there:
        (other,) = [each for each in back if (each["Second"], each["First"]) == (row["First"], row["Second"])]
        assert other["Difference"] == pytest.approx(-row["Difference"], rel=1e-4)
        assert (other["Low"], other["High"]) == pytest.approx((-row["High"], -row["Low"]), rel=1e-4)
        assert (other["Mean"], other["For 1st"]) == pytest.approx((-row["Mean"], row["For 2nd"]))


def test_pairs_that_never_met_are_compared_by_the_models() -> None:
    rows = table_of(analysed(topline(4, 12)), "pairs")
    assert len(rows) == 6
    apart = [row for row in rows if "s3" not in (row["First"], row["Second"])]
    assert all(row["For 1st"] is row["For 2nd"] is row["Mean"] is None for row in apart)
    assert all(not math.isnan(row["p"]) for row in apart)


def test_figure_shows_systems_and_findings_can_be_said_of_it(found: Analysis) -> None:
    (figure,) = found.figures
    assert [group["system"] for group in figure.data["groups"]] == ["s0", "s1", "s2"]
    assert figure.data["criterion"] == "clarity"
    assert records(found, "F")["system"]["p"] < 0.001
    assert records(found, "significant pairs")["system"]["pairs"] == 3
    assert records(found, "W")["System"]["n"] == 12


def test_figure_of_a_single_pair_shows_what_was_preferred_in_it() -> None:
    (figure,) = analysed(preferences_by_hand(), scales={"clarity": (-5.0, 5.0)}).figures
    (group,) = figure.data["groups"]
    assert (group["system"], group["mean"]) == ("A – B", pytest.approx(2 / 3))
    assert (figure.data["scale_from"], figure.data["scale_to"]) == (-5.0, 5.0)


def test_sides_by_people_and_by_the_model(found: Analysis) -> None:
    (row,) = table_of(found, "sides")
    assert row["Participants"] == 12
    assert row["Low"] < row["Mean"] < row["High"]
    assert 0 <= row["p mixed model"] <= 1


def test_unknown_sides_and_systems_with_themselves_are_counted() -> None:
    without = analysed(preferences_by_hand().drop(columns="left"))
    assert "sides" not in [table.name for table in without.tables]
    assert "6 answer(s) do not say which system stood left; the test of sides leaves them out" in without.warnings
    assert any("8 answer(s) compare a system with itself" in text for text in analysed(topline(3, 8)).warnings)


def test_nothing_to_analyse() -> None:
    found = analysed(preferences_by_hand().iloc[:0])
    assert (found.tables, found.figures, found.results) == ((), (), ())
    assert found.warnings == ("there are no answers to analyse",)


def test_in_brief_there_are_means_of_pairs_and_the_leading_test(found: Analysis) -> None:
    judged = read_preferences(all_pairs(3, 12, 12, gap=6.0))
    brief = preferences_in_brief(judged, RecipeOptions())
    assert records(brief, "F")["system"]["value"] == records(found, "F")["system"]["value"]
    assert {r["method"] for r in brief.records()} < {r["method"] for r in found.records()}


def test_a_model_of_choices_without_items_does_not_lead(monkeypatch: pytest.MonkeyPatch) -> None:
    alone = "textassay.tasks.preference.one_scale._tastes"
    monkeypatch.setattr(alone, lambda found: ({"participant": found.between_two(found.participants)}, []))
    frame = topline(3, 12)
    plain = frame.assign(value=frame["value"].map(lambda value: 1 if value > 0 else -1))
    found = analysed(plain)
    rows = {row["Test"]: row["When to prefer it"] for row in table_of(found, "tests")}
    assert [name for name, advice in rows.items() if advice.startswith("first choice")] == ["ANOVA-type test"]
    assert "(ANOVA-type test)" in found.headlines[0].text


def test_unanimous_choices_have_sign_tests_and_say_why_there_is_no_other() -> None:
    rows = [(f"p{p}", f"i{i}", "a", "b", "clarity", -1) for p in range(8) for i in range(5)]
    table = pd.DataFrame(rows, columns=["participant", "item", "system_a", "system_b", "criterion", "value"])
    (headline,) = analysed(table).headlines
    # everybody on one side: twice 1/2 to the power of 8, and of 5
    assert (
        "All 40 choices are for a, and nothing varies by which the leading test could measure. Sign tests, in which "
        "each counts once, give p = .008 over the 8 participants (on these items) and p = .062 over the 5 items (by "
        "these participants)." in headline.text
    )
    table.loc[0, "value"] = 1
    (headline,) = analysed(table).headlines
    assert "Sign tests" not in headline.text
