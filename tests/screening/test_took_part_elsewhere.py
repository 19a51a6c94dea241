from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from small_study import write_small_study

from textassay.errors import StudyError
from textassay.screening.took_part_elsewhere import TookPartElsewhere
from textassay.study.load import load_study
from textassay.study.overview import overview
from textassay.study.planning import draw_plan


def test_participant_of_another_study_is_left_out(study: Any, case: Any) -> None:
    rule = TookPartElsewhere(studies=["../pilot"])
    kept = {"hash": "x", "plausible": True, "elsewhere": ["../pilot"]}
    assert rule.judge(case(questionnaire={"email": kept}), study) == "took part in ../pilot"
    assert rule.judge(case(questionnaire={"email": {**kept, "elsewhere": []}}), study) is None
    assert rule.judge(case(questionnaire={"email": {"hash": "x", "plausible": True}}), study) is None


def with_rule(path: str) -> Any:
    return lambda data: data["screening"].update({"took-part-elsewhere": {"studies": [path]}})


def test_other_study_beside_this_one_is_found(tmp_path: Path) -> None:
    write_small_study(tmp_path / "pilot")
    rules = load_study(write_small_study(tmp_path / "main", with_rule("../pilot"))).rules
    assert TookPartElsewhere(studies=["../pilot"]) in rules


@pytest.mark.parametrize(
    ("path", "message"),
    [
        ("../gone", "'../gone' is not a study directory (no study.yaml in it); correct the path"),
        ("../main", "'../main' is this study itself; name another, or use the rule took-part-twice"),
    ],
)
def test_other_study_that_cannot_be_is_told(tmp_path: Path, path: str, message: str) -> None:
    with pytest.raises(StudyError) as caught:
        load_study(write_small_study(tmp_path / "main", with_rule(path)))
    assert [problem.message for problem in caught.value.problems] == [message]
    assert caught.value.problems[0].where == "screening.took-part-elsewhere"


def test_other_study_that_may_be_missing_is_noted(tmp_path: Path) -> None:
    def may_be_missing(data: dict[str, Any]) -> None:
        data["screening"]["took-part-elsewhere"] = {"studies": ["../first"], "if_missing": "note"}

    study = load_study(write_small_study(tmp_path / "main", may_be_missing))
    said = "there is no study in '../first', so nobody is excluded for having taken part in it"
    assert said in overview(study, draw_plan(study)).warnings
    write_small_study(tmp_path / "first")
    assert said not in overview(study, draw_plan(study)).warnings


def test_bundle_tells_which_other_studies_were_there(tmp_path: Path) -> None:
    def two(data: dict[str, Any]) -> None:
        data["screening"]["took-part-elsewhere"] = {"studies": ["../main", "../gone"]}

    (tmp_path / "main").mkdir()
    (tmp_path / "main" / "bundle.json").write_text('{"other_studies": ["../main"]}')  # unpacked under the same name
    study = load_study(write_small_study(tmp_path / "main", two))
    [rule] = [rule for rule in study.rules if isinstance(rule, TookPartElsewhere)]
    assert [text for text in rule.warnings(study, draw_plan(study)) if "no study in" in text] == [
        "there is no study in '../gone', so nobody is excluded for having taken part in it"
    ]
    assert "recognised from gone, which was not there" in rule.criterion(study)


def test_needs_an_email_field(load: Any) -> None:
    def without(data: dict[str, Any]) -> None:
        data["questionnaire"].pop()
        data["screening"] = {}

    message = TookPartElsewhere(studies=["../pilot"]).check(load(without))
    assert message == "the questionnaire has no field of type email; add one or remove this rule"
