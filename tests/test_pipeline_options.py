"""What a study says reaches the recipes, for which there are stand-ins: whose answers count, levels, systems."""

from __future__ import annotations

from contextlib import nullcontext
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pandas as pd
import pytest

from textassay import pipeline
from textassay.analysis import evaluation_summary, metric_correlations, study_analyses
from textassay.answers import columns, served_material, study_store
from textassay.errors import UsageError
from textassay.rehearsal import direct
from textassay.results import Analysis
from textassay.study.model import AnalysisOptions
from textassay.study.true_effects import TrueEffects
from textassay.tasks import matching

PEOPLE = pd.DataFrame({"participant": ["p1", "p2", "p3"], "status": ["completed", "withdrawn", "completed"]})
VERDICTS = [SimpleNamespace(participant=name, valid=name != "p3", reasons=()) for name in PEOPLE["participant"]]


class Answers:
    """Notes who was left out."""

    cases = ()
    participants = ()

    def frame(self, name: str) -> pd.DataFrame:
        return PEOPLE.copy() if name == "participants" else pd.DataFrame({"participant": ["p1", "p2", "p3"]})

    def of_block(self, block: Any, *, without: set[str]) -> pd.DataFrame:
        return pd.DataFrame({"block": [block.name], "without": [" ".join(sorted(without))]})


@pytest.fixture
def study(tmp_path) -> Any:
    task = SimpleNamespace(
        block_judgements=lambda table: table,
        error_criteria=frozenset({"errors"}),
        shows_text=lambda _: True,
        schema=SimpleNamespace(name="judgements", columns=()),
        analyse=lambda table, people: [table, people],
    )
    tables = SimpleNamespace(reference_system="human")
    levels = AnalysisOptions(alpha=0.15, confidence=0.8)
    return SimpleNamespace(
        file=SimpleNamespace(tables=tables, analysis=levels),
        blocks=[SimpleNamespace(name="first", task=task)],
        cohorts=["lay", "expert"],
        systems=("human", "neural"),
        directory=tmp_path / "here",
        texts={("i1", "human"): "three words long"},
        text_rows={},
    )


@pytest.fixture
def given(monkeypatch: pytest.MonkeyPatch) -> list[tuple[Any, dict[str, Any]]]:
    """What recipes were called with."""
    calls: list[tuple[Any, dict[str, Any]]] = []

    def recipe(*data: Any, **options: Any) -> str:
        calls.append((data, options))
        return "found"

    monkeypatch.setattr(metric_correlations, "metric_correlations", recipe)
    monkeypatch.setattr(columns, "trial_time", lambda _: "rt_ms")
    monkeypatch.setattr(study_analyses, "compare_cohorts", recipe)
    monkeypatch.setattr(evaluation_summary, "summarise_evaluation", recipe)
    return calls


def test_metrics_are_correlated_without_those_excluded_or_withdrawn(study, given) -> None:
    assert pipeline.correlate(study, Answers(), VERDICTS, pd.DataFrame()) == {"first": "found"}
    ((judged, _, options, lengths), _) = given[0]
    assert lengths == {("i1", "human"): 3}
    assert judged["without"].tolist() == ["p2 p3"]
    chosen = options.correlation
    assert (chosen.alpha, chosen.alignment.reference_system, chosen.alignment.error_criteria) == (
        0.15,
        "human",
        {"errors"},
    )


def test_cohorts_have_the_levels_and_systems_of_the_study(study, given) -> None:
    found = pipeline.analyse(study, Answers(), VERDICTS)["first"]
    table, people, compared = found
    assert (table["participant"].tolist(), compared) == (["p1", "p3"], "found")
    assert people["verdict"].tolist() == ["valid", "valid", "excluded"]
    ((judged, _), options) = given[0]
    assert judged["without"].tolist() == ["p2"]
    assert options == {"alpha": 0.15, "confidence": 0.8, "systems": ("human", "neural")}
    study.cohorts.pop()
    assert len(pipeline.analyse(study, Answers(), VERDICTS)["first"]) == 2


def test_simulated_participants_left_out_are_not_even_in_the_results_of_all(study) -> None:
    study.cohorts.pop()
    reasons = {"p3": (SimpleNamespace(rule="simulated"),)}
    verdicts = [
        SimpleNamespace(participant=name, valid=name not in reasons, reasons=reasons.get(name, ()))
        for name in PEOPLE["participant"]
    ]
    table, people = pipeline.analyse(study, Answers(), verdicts)["first"]
    assert table["participant"].tolist() == ["p1"]
    assert people["verdict"].tolist() == ["valid", "valid", "excluded"]


def test_evaluations_are_summarised_without_those_excluded_or_withdrawn(study, given) -> None:
    study.cohorts.pop()
    assert pipeline.evaluation_summaries(study, Answers(), VERDICTS) == ["found"]
    ((name, _, judged, table, _), _) = given[0]
    assert (name, judged is table, table["without"].tolist()) == ("here", True, ["p2 p3"])


def test_a_bare_table_is_analysed_with_the_levels_given(monkeypatch: pytest.MonkeyPatch) -> None:
    def analyse_table(_: pd.DataFrame, options: AnalysisOptions) -> list[Analysis]:
        return [Analysis(f"{options.alpha:g}, {options.confidence:g}", "A", warnings=("own",)), Analysis("b", "B")]

    monkeypatch.setattr(matching, "matching_task", lambda *_, **__: SimpleNamespace(analyse_table=analyse_table))
    first, second = pipeline.analyse_table(PEOPLE, options=AnalysisOptions(alpha=0.15, confidence=0.8))
    assert first.name == "0.15, 0.8"
    people = PEOPLE["participant"].nunique()
    said = f"all {people} participants of the table count: it does not say who finished, and nobody is screened"
    assert (first.warnings, second.warnings) == ((said, "own"), ())
    assert pipeline.analyse_table(PEOPLE)[0].name == "0.05, 0.95"


def test_participants_are_simulated_in_the_number_given_and_among_others_only_if_asked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    people: list[Any] = []
    study: Any = SimpleNamespace(store="", directory=tmp_path, simulated_path=tmp_path / "simulated.txt")
    study.true_effects = TrueEffects(named={"length": 0.5})
    store = SimpleNamespace(participants=lambda: people)
    monkeypatch.setattr(study_store, "open_store", lambda _: nullcontext(store))
    monkeypatch.setattr(served_material, "record_material", lambda *_: None)
    monkeypatch.setattr(pipeline, "plan", lambda _: "plan")
    monkeypatch.setattr(direct, "simulate", lambda *_, count: count)
    assert pipeline.simulate(study, participants=3) == 3
    assert study.simulated_path.read_text(encoding="utf-8").endswith("\nEffect put in: length = 0.5\n")
    people.append(SimpleNamespace(simulated=False))
    with pytest.raises(UsageError, match="has 1 participants already, 1 of them real; simulate in a copy"):
        pipeline.simulate(study)
    assert pipeline.simulate(study, participants=2, among_others=True) == 2
