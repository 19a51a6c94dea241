"""What a report shows of the study file."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

from small_study import write_small_study

from textassay.analysis import report_summary
from textassay.study.load import load_study


def test_no_code_at_the_end_is_shown(tmp_path: Path) -> None:
    def codes(data: dict[str, Any]) -> None:
        data["finish"] = {
            "codes": {"completed": "C-1", "screened_out": "C-12", "no_consent": "C-3", "withdrawn": "C-4"}
        }

    text = report_summary._study_file(load_study(write_small_study(tmp_path / "codes", codes)))
    assert "C-" not in text
    assert text.count("(hidden)") == 4
    assert "(hidden)2" not in text  # one code is the start of another
    assert "SMALL-42" not in report_summary._study_file(load_study(write_small_study(tmp_path / "code")))


def test_what_changes_the_meaning_of_all_figures_is_said_before_them(tmp_path: Path) -> None:
    study = load_study(write_small_study(tmp_path / "study"))
    wanted = sum(cohort.wanted for cohort in study.cohorts)
    data: Any = SimpleNamespace(warnings=())
    enough: Any = [SimpleNamespace(valid=True)] * wanted
    assert list(report_summary._alerts(study, data, enough)) == []
    study.simulated_path.parent.mkdir(parents=True, exist_ok=True)
    study.simulated_path.touch()
    edited: Any = SimpleNamespace(warnings=("texts.csv was edited after people began",))
    few: Any = [*enough[1:], SimpleNamespace(valid=False)]
    assert list(report_summary._alerts(study, edited, few)) == [
        "Simulated participants have taken this study: these figures say nothing about the texts.",
        f"Recruiting is unfinished: the results are based on {wanted - 1} of {wanted} wanted participants.",
        "texts.csv was edited after people began.",
    ]
