from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from small_study import write_small_study

from textassay.analysis.methods_section.people import REHEARSED, participant_sentences, screening_sentences
from textassay.report.summary import ParticipantsSummary
from textassay.results import Table
from textassay.screening.verdicts import RuleReason, Verdict
from textassay.study.load import load_study
from textassay.study.study import Study

DEMOGRAPHICS = (
    Table("native", "Native?", ("native", "participants"), (("yes", 3), ("no", 0))),
    Table("age", "Age?", ("age", "participants"), (("20 to 29", 2), ("no answer", 1)), "Mean 25.0, range 21 to 29."),
)


@pytest.fixture
def study(tmp_path: Path) -> Study:
    return load_study(write_small_study(tmp_path / "study"))


def case(name: str, answered: int = 10) -> Any:
    return SimpleNamespace(participant=name, planned=10, trials=[None] * answered)


def verdict(name: str, *rules: str) -> Verdict:
    return Verdict(name, not rules, tuple(RuleReason(rule, "why") for rule in rules))


def test_who_took_part(study: Study) -> None:
    people = ParticipantsSummary({"completed": 3, "active": 1}, 3, 1, {}, 6, 2.5, (1.0, 4.0), DEMOGRAPHICS)
    said = list(participant_sentences(study, people))
    assert said[0] == "In total, four participants began the study; six were planned."
    answers, took = said[-2:]
    assert answers.startswith("Answers of the three participants in the analysis: native: yes 3; ")
    assert answers.endswith("; age: mean 25.0, range 21 to 29, 1 without an answer.")
    assert took == "Their trials took a median of 2.5 minutes (range 60 seconds to 4.0 minutes)."
    assert "E-mail addresses were kept only as keyed hashes, to recognise people who took part before." in said
    assert next(iter(participant_sentences(study, people, simulated=4))) == REHEARSED
    some = "Of the 4 participants, one was simulated."
    assert next(iter(participant_sentences(study, people, simulated=1))) == some


def test_where_participants_came_from(tmp_path: Path) -> None:
    def from_prolific(data: dict[str, Any]) -> None:
        data["participants"]["platform"] = "prolific"

    nobody = ParticipantsSummary({}, 0, 0)
    study = load_study(write_small_study(tmp_path / "study", from_prolific))
    assert "They were recruited through Prolific." in participant_sentences(study, nobody)


def test_exclusions_by_reason_each_participant_once_for_a_reason(study: Study) -> None:
    verdicts = [verdict("a"), verdict("b", "excluded", "questionnaire"), verdict("c", "too-fast", "withdrawn")]
    data: Any = SimpleNamespace(cases=[case("a", 8), case("b"), case("c")])
    text = " ".join(screening_sentences(study, data, verdicts))
    assert "Of all participants, two were excluded: " in text
    assert "one gave an excluding answer in the questionnaire" in text
    assert "one answered too fast" in text
    assert "one withdrew their answers" in text
    assert "some for more than one reason" in text
    assert "Answers that were withdrawn are in no result." in text
    assert text.endswith(
        "The analysis rests on one participant. Of their 10 planned trials, two (20.0 %) were not answered; nothing "
        "was imputed."
    )


def test_a_rule_that_the_study_does_not_have_is_named(study: Study) -> None:
    data: Any = SimpleNamespace(cases=[])
    assert "one broke the rule made-up" in " ".join(screening_sentences(study, data, [verdict("a", "made-up")]))


def test_no_rule_and_nobody_excluded_are_said(tmp_path: Path) -> None:
    def unscreened(data: dict[str, Any]) -> None:
        data["screening"] = {"incomplete": False}

    study = load_study(write_small_study(tmp_path / "study", unscreened))
    data: Any = SimpleNamespace(cases=[case("a")])
    assert list(screening_sentences(study, data, [verdict("a")])) == [
        "No screening rule was applied.",
        "No participant was excluded.",
        "The analysis rests on one participant.",
        "They answered all their trials.",
    ]
