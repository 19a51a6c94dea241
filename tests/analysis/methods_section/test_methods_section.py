"""What the methods of every ready study say before anybody has taken part."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from textassay import ready_studies
from textassay.analysis.methods_section import methods_section
from textassay.prose import counted, number
from textassay.report.summary import MethodsText, ParticipantsSummary
from textassay.study.load import load_study
from textassay.study.planning import draw_plan
from textassay.study.study import Study


def methods(study: Study, **more: Any) -> MethodsText:
    nobody: Any = SimpleNamespace(cases=[], through_pages=frozenset(), participants=[])
    wanted = sum(cohort.wanted for cohort in study.cohorts)
    people = ParticipantsSummary(by_status={}, included=0, excluded=0, wanted=wanted)
    return methods_section(study, draw_plan(study), nobody, [], people, [], **more)


@pytest.mark.parametrize("name", ready_studies.names())
def test_the_methods_of_a_ready_study_are_complete(name: str) -> None:
    study = load_study(Path(ready_studies.__file__).parent / name)
    found = methods(study, scores=[{"metric": "bleu", "signature": "bleu|x"}])
    text = " ".join(paragraph.text for paragraph in found.paragraphs)
    assert [each.heading for each in found.paragraphs] == [
        "Material", "Design", "Procedure", "Participants", "Screening", "Analysis", "Metrics",
    ]  # fmt: skip
    assert counted(len(study.items_in_order), "item") in text
    assert all(system in text for system in study.systems)
    for cohort in study.cohorts:
        assert f"each of the {number(cohort.wanted)} planned participants" in text.lower()
    for block in study.blocks:
        assert all(sentence in text for sentence in [*block.task.procedure(), *block.task.measures()])
        assert not block.practice or counted(len(block.practice), "practice trial").capitalize() in text
    assert all(rule.criterion(study) in text for rule in study.rules)
    assert all(field.question in text for field in study.file.questionnaire)
    assert "No participant was excluded." in text
    assert str(study.file.seed) in text
    assert "{" not in text
    assert "  " not in text
    assert found.metrics is not None
    assert found.metrics.rows == (("bleu", "bleu|x"),)
