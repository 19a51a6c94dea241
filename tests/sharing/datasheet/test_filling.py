"""Every question is filled from the study or left to the researcher, and nothing is claimed that is not known."""

from __future__ import annotations

from pathlib import Path

import pytest
from small_study import write_small_study

import textassay
from textassay import pipeline
from textassay.report.summary import ParticipantsSummary
from textassay.results import Analysis, Result, Table
from textassay.sharing.datasheet import SIMULATED, fill_datasheet
from textassay.sharing.datasheet.collected import Collected
from textassay.sharing.datasheet.questions import QUESTIONS
from textassay.study.study import Study

READY = Path(textassay.__file__).parent / "ready_studies"
NAMES = sorted(path.parent.name for path in READY.glob("*/study.yaml"))


@pytest.mark.parametrize("name", NAMES)
def test_a_ready_study_answers_every_question_or_leaves_it_open(name: str) -> None:
    study = pipeline.load(READY / name)
    sheet = fill_datasheet(study, None)
    asked = list(sheet.asked())
    assert len(asked) == sum(len(sheet.criteria) if each.of_criterion else 1 for each in QUESTIONS)
    assert [
        each.number for each, _, answer in asked if not (answer.text or answer.chosen or answer.source == "open")
    ] == []
    # Every shipped kind of trial says how it elicits answers, so that only these stay open before people have answered.
    open_ = {question.number for question, _ in sheet.open()}
    assert not open_ & {"1.1.2", "2.5", "3.1.1", "3.2.4", "3.3.2", "4.2.1", "4.2.2", "4.3.3", "4.3.5", "4.3.7", "4.3.8"}
    page = sheet.markdown()
    assert [each.number for each in QUESTIONS if f"**{each.number} {each.asks}**" not in page] == []


@pytest.fixture
def study(tmp_path: Path) -> Study:
    return pipeline.load(write_small_study(tmp_path / "study"))


class Agreement(Result):
    def records(self) -> list[dict[str, object]]:
        return [
            self.record("alpha", 0.4, of="clarity", ci=(0.25, 0.5), level="interval"),
            self.record("alpha", float("nan"), of="fluency"),
            self.record("share of equal repeats", 0.75, of="clarity"),
        ]


def collected(**changed: object) -> Collected:
    ages = Table("participants-age", "Age?", ("age", "participants"), (("20 to 29", 4), ("30 to 39", 1)), "Mean 25.")
    people = ParticipantsSummary({"completed": 6}, 5, 1, demographics=(ages,))
    found = Analysis("a", "A", (Agreement(method="Krippendorff's alpha"),), place="agreement")
    given = {"outputs": {"human": 6, "neural": 6, "template": 5}, "analyses": {"rating": [found]}, "imported": False}
    return Collected(people, **{**given, **changed})  # type: ignore[arg-type]


def test_what_people_answered_is_in_the_sheet(study: Study) -> None:
    block, *_ = study.blocks
    known = collected(analyses={block.name: collected().analyses["rating"]})
    said = {key: answer.text for key, answer in fill_datasheet(study, known).answers.items()}
    assert said["3.1.1", ""] == "human: 6; neural: 6; template: 5"
    assert said["3.2.1", ""] == "5"  # who was excluded does not count
    assert said["3.2.5", ""] == "age: 20 to 29 4, 30 to 39 1 (Mean 25)"
    assert said["4.3.11.1", "clarity"] == "Krippendorff's alpha"
    assert said["4.3.11.2", "clarity"] == "interval alpha 0.4 (0.25 to 0.5)"
    assert said["4.3.12.2", "clarity"] == "share of equal repeats 0.75"
    assert said["4.3.11.2", "fluency"] == "InterAA not assessed"  # undefined is not a value
    assert said["4.3.10", "clarity"] == "None"


def test_personal_data_contact_and_registration_are_named(study: Study) -> None:
    (study.directory / "registration.json").touch()
    answers = fill_datasheet(study, None).answers
    assert answers["3.3.1", ""].text.startswith("The study is frozen in registration.json")
    assert answers["5.2", ""].chosen == (2,)
    assert "e-mail addresses, only as keyed hashes" in answers["5.2", ""].text
    assert answers["3.3.6", ""].chosen[:2] == (1, 2)


def test_simulated_participants_are_not_people(study: Study) -> None:
    pipeline.simulate(study, participants=1)
    sheet = pipeline.datasheet(study)
    assert sheet.alerts == (SIMULATED,)
    assert sheet.answers["3.2.1", ""].source == "open"


def test_how_imported_answers_were_collected_is_not_known(study: Study) -> None:
    assert fill_datasheet(study, collected(imported=True)).answers["3.3.2", ""].source == "open"
