"""Studies that are shipped: all their files are packaged, and they hold what they promise."""

from __future__ import annotations

import tomllib
from fnmatch import fnmatch
from pathlib import Path

import numpy as np
import pytest

import textassay
from textassay.content.conditions import fact_text
from textassay.content.relevance import relevance
from textassay.study.load import load_study
from textassay.study.study import Study
from textassay.tasks.decision.settings import suitable_actions

READY = Path(textassay.__file__).parent / "ready_studies"
SETTINGS = Path(__file__).resolve().parents[2] / "pyproject.toml"


def test_every_file_of_a_ready_study_is_packaged() -> None:
    patterns = tomllib.loads(SETTINGS.read_text(encoding="utf-8"))["tool"]["setuptools"]["package-data"]["textassay"]
    files = [path for folder in READY.iterdir() if (folder / "study.yaml").is_file() for path in folder.iterdir()]
    assert [path.name for path in files if not any(fnmatch(f"a/{path.name}", each) for each in patterns)] == []


@pytest.fixture(scope="module")
def decisions() -> Study:
    return load_study(READY / "g10-decisions")


def test_the_ontology_is_large_enough_and_sound(decisions: Study) -> None:
    ontology = decisions.content.ontology
    assert ontology is not None
    assert len(ontology) >= 60
    assert not ontology.problems


def test_every_case_has_two_annotated_texts_and_a_plot(decisions: Study) -> None:
    annotations = decisions.content.annotations
    assert len(decisions.items_in_order) == 24
    assert decisions.systems == ("H", "C", "G")
    assert set(annotations) == {(item, system) for item in decisions.items_in_order for system in ("H", "C")}
    for key, text in annotations.items():
        assert text.text == decisions.texts[key].replace("\n\n", "\n")
        assert len(text.paragraphs) >= 2, key
        assert len(text.events) >= 5, key
        assert text.relations, key
    assert len({text.text for text in annotations.values()}) == 48


def test_experts_agree_on_what_suits_every_case(decisions: Study) -> None:
    tables = decisions.blocks[0].tables
    suitable = suitable_actions(tables["targets"], "majority")
    assert set(suitable) == set(decisions.items_in_order)
    assert all(each.appropriate and each.inappropriate and len(each.target) == 1 for each in suitable.values())
    assert all(set(each.target) <= set(each.appropriate) for each in suitable.values())
    assert sum(each.target == ("nothing",) for each in suitable.values()) == 3
    assert len(list(tables["actions"])) == 18
    assert len({row["expert"] for row in tables["targets"]}) == 3


def test_priors_come_from_a_log_that_lacks_one_action(decisions: Study) -> None:
    model = decisions.content.relevance
    assert model is not None
    assert sum(model.priors.counts.values()) >= 300
    assert model.priors.zero == ("cardiovert",)


def test_every_fact_of_a_case_is_asked_for_by_a_rule_and_every_rule_prunes(decisions: Study) -> None:
    model, cases = decisions.content.relevance, decisions.content.cases
    assert model is not None
    asked = {fact for rule in model.rules.values() for fact in rule.facts}
    assert [fact_text(fact) for case in cases.values() for fact in case.state if fact not in asked] == []
    for action, rule in model.rules.items():
        assert {rule.holds(case.state) for case in cases.values()} == {True, False}, action


def test_relevance_differs_between_texts_and_is_not_their_length(decisions: Study) -> None:
    model, cases = decisions.content.relevance, decisions.content.cases
    assert model is not None
    rows = []
    for (item, _), text in decisions.content.annotations.items():
        found = relevance(text, model, cases[item].state)
        events = sum(event.cardinality for event in text.events)
        rows.append((found.of(cases[item].appropriate), len(text.text.split()), events))
    values = np.array(rows)
    assert values[:, 0].std(ddof=1) > 0.15
    assert np.abs(np.corrcoef(values.T)[0, 1:]).max() < 0.5
