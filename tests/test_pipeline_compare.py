"""Ratings and preferences of the same texts compared, and cohorts within a study."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from preference_study import write_preference_study
from small_study import write_small_study

from textassay import pipeline
from textassay.errors import UsageError
from textassay.results import Analysis
from textassay.screening.verdicts import Verdict
from textassay.study.study import Study


def versions(study: Study) -> list[Any]:
    data = pipeline.collect(study)
    return pipeline.evaluation_summaries(study, data, pipeline.screen(study, data))


@pytest.fixture(scope="module")
def rated(tmp_path_factory: pytest.TempPathFactory) -> Study:
    study = pipeline.load(write_small_study(tmp_path_factory.mktemp("compare") / "ratings"))
    pipeline.simulate(study)
    return study


@pytest.fixture(scope="module")
def ratings(rated: Study) -> list[Any]:
    """The ratings without those who are excluded."""
    return versions(rated)


@pytest.fixture(scope="module")
def preferred(tmp_path_factory: pytest.TempPathFactory) -> Study:
    study = pipeline.load(write_preference_study(tmp_path_factory.mktemp("compare") / "preferences"))
    pipeline.simulate(study)
    return study


def test_ratings_against_preferences(ratings: list[Any], preferred: Study) -> None:
    (found,) = pipeline.compare(ratings, versions(preferred))
    assert found.title == "ratings and preferences compared"
    table = {(row["Criterion"], row["Statistic"]): row for row in found.tables[0].records()}
    for criterion in ("clarity", "fluency"):
        for factor in ("System", "Text", "Evaluator"):
            row = table[criterion, f"variance due to {factor}"]
            assert -1 < row["ratings"] < 1
            assert -1 < row["preferences"] < 1
    # 6 participants each: 6 items rated once, and 6 pairs compared
    assert (table["all", "trials"]["ratings"], table["all", "trials"]["preferences"]) == (36, 36)
    assert table["all", "minutes in all"]["ratings"] > 0
    # every comparison scores two systems: 2 · 36 scores less 3 systems in the published mode, 36 less 3 ratings
    df = {row["Version"]: row["df 2"] for row in found.tables[1].records() if row["Factor"] == "System"}
    assert df == {"ratings": 33, "preferences": 69}


def test_those_left_out_count_in_neither(rated: Study, ratings: list[Any]) -> None:
    assert ratings[0].cost.participants == 6
    data = pipeline.collect(rated)
    (everyone,) = pipeline.evaluation_summaries(rated, data, [])
    assert everyone.cost.participants > 6


def test_versions_without_anything_in_common_are_refused(ratings: list[Any], tmp_path: Path) -> None:
    def other(data: dict[str, Any]) -> None:
        for criterion in data["blocks"][0]["criteria"]:
            criterion["name"] += "-now"
        data["blocks"][0]["attention_checks"] = []
        data["screening"] = {}

    study = pipeline.load(write_small_study(tmp_path / "other", other))
    pipeline.simulate(study, participants=3)
    with pytest.raises(UsageError, match="no criterion in common"):
        pipeline.compare(ratings, versions(study))


def test_several_comparisons_have_names_of_their_own(monkeypatch: pytest.MonkeyPatch) -> None:
    def compared(one: Any, other: Any) -> Analysis:
        if one == other:
            raise UsageError("the same")
        return Analysis("versions", f"{one} and {other} compared")

    monkeypatch.setattr("textassay.analysis.compare_evaluations.compare_evaluations", compared)
    both = pipeline.compare(["a"], ["b", "c", "a"])  # type: ignore[list-item]
    assert [each.name for each in both] == ["1-versions", "2-versions"]
    assert [each.name for each in pipeline.compare(["a"], ["a", "b"])] == ["versions"]  # type: ignore[list-item]
    with pytest.raises(UsageError, match="the same"):
        pipeline.compare(["a"], ["a"])  # type: ignore[list-item]


def test_cohorts_are_compared_where_there_are_two(tmp_path: Path) -> None:
    def two(data: dict[str, Any]) -> None:
        data["participants"] = {"cohorts": [{"name": "lay", "wanted": 3}, {"name": "experts", "wanted": 3}]}
        data["screening"] = {}
        data["blocks"][0]["criteria"] = data["blocks"][0]["criteria"][:1]  # the study is analysed three times

    study = pipeline.load(write_small_study(tmp_path / "cohorts", two))
    pipeline.simulate(study)
    data = pipeline.collect(study)
    analyses = {analysis.name: analysis for analysis in pipeline.analyse(study, data, [])["quality"]}
    effects = {(row["Criterion"], row["Effect"]) for row in analyses["cohorts"].tables[0].records()}
    assert ("clarity", "System × cohort") in effects
    assert {row["Cohort"] for row in analyses["cohorts"].tables[2].records()} == {"lay", "experts"}

    # Excluded participants do not count: the same comes out as if they had never joined.
    person = data.participants[0]["participant"]
    tables = {name: [row for row in rows if row["participant"] != person] for name, rows in data.tables.items()}
    people = [row for row in data.participants if row["participant"] != person]
    excluded, absent = (
        {analysis.name: analysis for analysis in pipeline.analyse(study, given, verdicts)["quality"]}["cohorts"]
        for given, verdicts in (
            (data, [Verdict(person, valid=False)]),
            (replace(data, tables=tables, participants=people), []),
        )
    )
    assert repr(excluded.records()) == repr(absent.records()) != repr(analyses["cohorts"].records())


def test_a_study_is_a_run_that_knows_its_scales(
    rated: Study, ratings: list[Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pipeline, "evaluation_summaries", lambda *_: ratings)  # found above
    data = pipeline.collect(rated)
    (run,) = pipeline.evaluation_runs(rated, data, pipeline.screen(rated, data))
    assert run.pairs == ratings[0].pairs
    assert run.begins["clarity"] == 1
    assert run.texts == rated.texts
    assert run.simulated
    other = replace(run, name="again", answers=run.answers.iloc[1:], scales={**run.scales, "clarity": "1 to 100"})
    with pytest.raises(UsageError, match="the scales of clarity differ"):
        pipeline.replicate([[run], [other]])
