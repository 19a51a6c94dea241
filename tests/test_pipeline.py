"""The whole program from Python: what comes out of one stage goes into the next."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from small_study import SYSTEMS, write_small_study
from svg_only import svg_only

from textassay import pipeline
from textassay.analysis.judged_sources import reported_metric_options
from textassay.errors import DataError
from textassay.tables.frames import to_frame
from textassay.tables.schema import SCORES


@pytest.fixture(scope="module")
def study(tmp_path_factory: pytest.TempPathFactory):
    loaded = pipeline.load(write_small_study(tmp_path_factory.mktemp("pipeline") / "study"))
    pipeline.simulate(loaded)
    return loaded


@pytest.fixture(scope="module")
def brief(tmp_path_factory: pytest.TempPathFactory):
    """The same with one criterion, for tests that analyse it several times."""

    def one_criterion(data: dict[str, Any]) -> None:
        data["blocks"][0]["criteria"] = data["blocks"][0]["criteria"][:1]

    loaded = pipeline.load(write_small_study(tmp_path_factory.mktemp("pipeline") / "brief", one_criterion))
    pipeline.simulate(loaded)
    return loaded


def test_the_plan_is_drawn_once_and_stored(study) -> None:
    assert study.plan_path.is_file()
    assert pipeline.plan(study) == pipeline.plan(study)


def test_every_slot_is_filled_by_somebody_valid(study) -> None:
    data = pipeline.collect(study)
    valid = {verdict.participant for verdict in pipeline.screen(study, data) if verdict.valid}
    counted = [row for row in data.participants if row["counted"]]
    assert sorted(row["slot"] for row in counted) == [1, 2, 3, 4, 5, 6]
    assert {row["participant"] for row in counted} <= valid


def test_trials_without_an_answer_are_counted_by_system(brief) -> None:
    data = pipeline.collect(brief)
    verdicts = pipeline.screen(brief, data)
    gone = next(verdict.participant for verdict in verdicts if verdict.valid)

    def without_the_last(case):
        main = [trial for trial in case.trials if trial.kind == "main"]
        return replace(case, trials=main[:-1], status="active") if case.participant == gone else case

    stopped = replace(data, cases=[without_the_last(case) for case in data.cases])
    found = pipeline.analyse(brief, stopped, pipeline.screen(brief, stopped))["quality"]
    (table,) = (table for analysis in found if analysis.name == "missing-answers" for table in analysis.tables)
    assert [row[0] for row in table.rows] == list(SYSTEMS)
    assert sum(row[2] for row in table.rows) == 1  # those screened out do not count, whoever did not finish does
    assert sum(row[1] for row in table.rows) == 6 * sum(verdict.valid for verdict in verdicts)
    said = [headline.text for analysis in found if analysis.name == "exclusions" for headline in analysis.headlines]
    assert any(text.startswith("With the one participant who did not finish: clarity F(") for text in said)
    assert not any(each.name == "missing-answers" for each in pipeline.analyse(brief, data, verdicts)["quality"])


def test_those_left_out_are_left_out_of_the_results_only(brief) -> None:
    data = pipeline.collect(brief)
    verdicts = pipeline.screen(brief, data)
    everyone = pipeline.analyse(brief, data, [])["quality"]
    passed = pipeline.analyse(brief, data, verdicts)["quality"]

    def answers(analyses) -> int:
        means = [record for analysis in analyses for record in analysis.records() if record["statistic"] == "mean"]
        return sum(record["n"] for record in means)

    gone = {verdict.participant for verdict in verdicts if not verdict.valid}
    lost = sum(row["participant"] in gone and row["kind"] == "main" for row in data.tables["judgements"])
    assert lost > 0
    assert answers(everyone) - answers(passed) == lost
    assert "cohorts" not in {analysis.name for analysis in everyone}  # there is nothing to compare


def test_withdrawn_participants_are_in_no_result(brief) -> None:
    data = pipeline.collect(brief)
    verdicts = pipeline.screen(brief, data)
    person = next(verdict.participant for verdict in verdicts if verdict.valid)
    rows = tuple({**row, "status": "withdrawn"} if row["participant"] == person else row for row in data.participants)
    withdrawn = replace(data, participants=rows)
    tables = {
        name: type(table)(row for row in table if row["participant"] != person) for name, table in data.tables.items()
    }
    without = replace(withdrawn, tables=tables)
    # Even where no verdict excludes them: the answers of everybody are analysed without those that were withdrawn.
    for given in (verdicts, []):
        assert records(pipeline.analyse(brief, withdrawn, given)) == records(pipeline.analyse(brief, without, given))
    scores = to_frame(pipeline.score(brief).rows(), SCORES)
    correlated, expected = (pipeline.correlate(brief, some, verdicts, scores) for some in (withdrawn, without))
    assert repr(correlated["quality"].records()) == repr(expected["quality"].records())


def records(findings) -> list[str]:
    return [repr(record) for analyses in findings.values() for one in analyses for record in one.records()]


def test_scores_and_correlation(study) -> None:
    scores = to_frame(pipeline.score(study).rows(), SCORES)
    assert set(scores["system"]) == set(SYSTEMS)
    data = pipeline.collect(study)
    agreement = pipeline.correlate(study, data, pipeline.screen(study, data), scores)
    assert {(record["level"], record["criterion"]) for record in agreement["quality"].records()} == {
        (level, criterion) for level in ("segment", "system") for criterion in ("clarity", "fluency")
    }


@svg_only(pictures=True)
def test_the_report_names_everything(study, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TEXTASSAY_BROWSER", str(tmp_path / "gone"))  # tests/browser/ has reports with pictures
    stages: list[str] = []
    page = pipeline.report(study, screens=True, stage=stages.append).read_text(encoding="utf-8")
    assert stages == [
        "reading and screening the answers", "analysing quality", "scoring the texts",
        "taking pictures of the participants' pages", "drawing figures and writing tables",
    ]  # fmt: skip
    for word in (
        "The pages of participants are not pictured",
        "Small study",
        *SYSTEMS,
        "How clear is the text?",
        "Kendall",
        "rouge-l",
    ):
        assert word in page


def test_a_study_without_answers_has_none_to_collect(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="no answers yet"):
        pipeline.collect(pipeline.load(write_small_study(tmp_path / "s")))


def test_reports_have_metrics_compared_and_in_detail() -> None:
    names = [part.__qualname__ for part in reported_metric_options().parts]
    assert names == ["metric_overview", "comparing.<locals>.part", "metric_details"]
