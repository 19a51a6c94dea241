"""What holds for every screening rule in the catalogue, those of other packages included."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from pydantic import ValidationError
from small_study import write_small_study

from textassay import catalogue
from textassay.rehearsal.people import ALL_ORDINARY, person
from textassay.rehearsal.respondent import Respondent
from textassay.screening.contract import MESSAGES, PREFIX, AnsweredTrial, Case, Rule
from textassay.serve.messages import languages, load_messages
from textassay.study.load import load_study
from textassay.study.planning import draw_plan
from textassay.study.study import Study

NAMES = catalogue.names("screening")
NEEDED: dict[str, Callable[[Path], dict[str, Any]]] = {
    "took-part-elsewhere": lambda directory: {"studies": [str(write_small_study(directory / "other"))]},
}
"""Settings of those rules that cannot do without."""


@pytest.fixture(scope="module")
def study(tmp_path_factory: pytest.TempPathFactory) -> Study:
    return load_study(write_small_study(tmp_path_factory.mktemp("small")))


@pytest.fixture(params=NAMES)
def rule(request: pytest.FixtureRequest, tmp_path: Path) -> Rule:
    settings = NEEDED.get(request.param, lambda _: {})(tmp_path)
    found: Rule = catalogue.find("screening", request.param).model_validate(settings)
    return found


def blameless(study: Study) -> Case:
    """An ordinary simulated person who completed the first slot."""
    slot = draw_plan(study).slots[0]
    somebody = person(study, 1, ALL_ORDINARY)
    respondent = Respondent(study, somebody, slot)
    trials = []
    for trial in slot.trials:
        block, played = study.block(trial.block), respondent.respond(trial)
        rows = block.task.rows(trial, block.task.read(trial, played.payload))
        trials.append(AnsweredTrial(block, trial.kind, rows, played.rt_ms))
    answers = {**somebody.questionnaire, "email": {"hash": "h", "plausible": True, "elsewhere": []}}
    return Case("p-1", "completed", answers, trials, len(slot.trials), frozenset({"somebody else"}))


def test_a_methods_section_can_say_whom_the_rule_excludes_and_what_they_did(rule: Rule, study: Study) -> None:
    """Both follow "participants who …" and "three …", so they are in the past tense and fit one and many."""
    for said in (rule.criterion(study), rule.outcome):
        assert re.match(r"(answered|did|failed|gave|had) ", said), said
        assert not said.endswith(".")


@pytest.mark.parametrize("name", NAMES)
def test_rule_goes_by_its_name_in_the_catalogue(name: str) -> None:
    rule = catalogue.find("screening", name)
    assert issubclass(rule, Rule)
    assert rule.name == name


@pytest.mark.parametrize("name", NAMES)
def test_rule_and_each_setting_are_described(name: str) -> None:
    rule = catalogue.find("screening", name)
    assert rule.__doc__
    assert rule.__doc__ != Rule.__doc__
    assert [field for field, info in rule.model_fields.items() if not info.description] == []


@pytest.mark.parametrize("name", NAMES)
def test_unknown_setting_is_refused(name: str) -> None:
    with pytest.raises(ValidationError):
        catalogue.find("screening", name).model_validate({"no_such_setting": 1})


def test_rule_works_in_a_study_that_has_everything(rule: Rule, study: Study) -> None:
    assert rule.check(study) is None


def test_blameless_participant_stays(rule: Rule, study: Study) -> None:
    assert rule.judge(blameless(study), study) is None


def test_rule_copes_with_somebody_of_whom_nothing_is_known(rule: Rule, study: Study) -> None:
    assert rule.judge(Case("p-2", "", {}, ()), study) is None


def test_somebody_who_only_opened_the_study_is_at_most_incomplete(rule: Rule, study: Study) -> None:
    reason = rule.judge(Case("p-3", "active", {}, (), planned=10), study)
    assert (reason is None) == (rule.name != "incomplete")


def test_rules_only_look(rule: Rule, study: Study) -> None:
    case = blameless(study)
    assert rule.judge(case, study) == rule.judge(case, study)
    assert case == blameless(study)


NAMED = re.compile(r"""Finding\(\s*(?:["']([a-z_]+)["'])(?: if .* else ["']([a-z_]+)["'])?""")


def named() -> set[str]:
    """The messages that rules name in their code."""
    modules = Path(MESSAGES).parent.glob("*.py")
    return {
        key for path in modules for found in NAMED.findall(path.read_text(encoding="utf-8")) for key in found if key
    }


@pytest.mark.parametrize("language", languages())
def test_every_finding_has_its_message_and_every_message_is_used(language: str) -> None:
    assert languages(MESSAGES) == languages()
    known = {key for key in load_messages(language, [MESSAGES]).texts if key.startswith(PREFIX)}
    used = {PREFIX + name for name in named()}
    assert sorted(used - known) == [], f"add these keys to screening/messages/{language}.json"
    assert sorted(known - used) == [], f"remove these keys from screening/messages/{language}.json"
