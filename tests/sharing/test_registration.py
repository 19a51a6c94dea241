"""What differs from a registration is told: each kind of change, and nothing else."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from registered_study import NOON, REHEARSED, section
from small_study import write_small_study

import textassay
from textassay.errors import UsageError
from textassay.report.summary import RegistrationSummary
from textassay.sharing.registration import REGISTRATION, checksum, read_registration, registration_summary
from textassay.study.load import load_study
from textassay.study.planning import stored_plan

Change = Callable[[dict[str, Any]], None]


def summary(directory: Path, *people: dict[str, Any], sections: Any = REHEARSED.sections) -> RegistrationSummary:
    study = load_study(directory)
    found = registration_summary(study, stored_plan(study), people, sections)
    assert found is not None
    return found


def rows(directory: Path, *people: dict[str, Any], sections: Any = REHEARSED.sections) -> list[tuple[str, ...]]:
    table = summary(directory, *people, sections=sections).changes
    return list(table.rows) if table else []


def edit(directory: Path, change: Change) -> None:
    """Change the study file alone."""
    written = write_small_study(directory.parent / "edited", change)
    (written / "study.yaml").replace(directory / "study.yaml")


def test_nothing_has_changed(registered: Path) -> None:
    found = summary(registered)
    content = json.loads((registered / REGISTRATION).read_text(encoding="utf-8"))
    assert content["checksum"] == checksum(content)
    when, covers = found.sentences
    assert when == (
        f"Registered on 2026-03-01 at 12:00 UTC (checksum {content['checksum'][:16]}…). Nothing has changed since then."
    )
    assert covers == (
        "It covers 3 systems, 6 items, 6 participants, 8 screening rules, 1 metric and 2 analyses; "
        "registration.json has all settings."
    )
    assert (found.deviates, found.changes) == (False, None)


def test_a_comment_the_order_of_keys_and_a_default_written_out_are_no_change(registered: Path) -> None:
    def rewritten(data: dict[str, Any]) -> None:
        data["analysis"] = {"confidence": 0.95, "alpha": 0.05}
        data["screening"] = {**dict(reversed(data["screening"].items())), "too-fast": {"share": 0.25}}
        data["title"] = data.pop("title")

    edit(registered, rewritten)
    path = registered / "study.yaml"
    path.write_text("# seen by nobody\n" + path.read_text(encoding="utf-8"), encoding="utf-8")
    assert rows(registered) == []


LENGTH = "name: length, question: How long is it?, scale: (from: 1, to: 5, numbers: yes, widget: radio)"


def criterion(data: dict[str, Any]) -> None:
    scale = {"from": 1, "to": 5}
    data["blocks"][0]["criteria"].append({"name": "length", "question": "How long is it?", "scale": scale})


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        (
            lambda data: data.update(analysis={"alpha": 0.01}),
            ("analysis.alpha", "changed", "0.05", "0.01"),
        ),
        (
            lambda data: data.update(analysis={"smallest_difference": {"clarity": 0.5}}),
            ("analysis.smallest_difference.clarity", "added", "–", "0.5"),
        ),
        (
            lambda data: data["screening"].update({"too-fast": {"seconds": 2.0}}),
            ("screening.too-fast.seconds", "changed", "1", "2"),
        ),
        (
            lambda data: data["screening"].pop("fake-email"),
            ("screening.fake-email", "removed", "with its defaults", "–"),
        ),
        (
            lambda data: data["metrics"].append({"metric": "wer"}),
            ("metrics.wer", "added", "–", "metric: wer, multi: best, lowercase: no"),
        ),
        (
            lambda data: data["metrics"][0].update(stem=True),
            ("metrics.rouge-l.stem", "changed", "no", "yes"),
        ),
        (criterion, ("blocks.quality.criteria.length", "added", "–", LENGTH)),
        (
            lambda data: data["blocks"][0]["criteria"][0].update(question="Is it clear?"),
            ("blocks.quality.criteria.clarity.question", "changed", "How clear is the text?", "Is it clear?"),
        ),
        (
            lambda data: data["questionnaire"][1].update(exclude_below=21),
            ("questionnaire.age.exclude_below", "changed", "18", "21"),
        ),
        (
            lambda data: data.update(registration={"hypotheses": ["People write best."]}),
            ("registration.hypotheses", "changed", "none", "People write best."),
        ),
        (
            lambda data: data["participants"].update(when_full="continue"),
            ("participants.when_full", "changed", "close", "continue"),
        ),
    ],
    ids=lambda value: value[0] if isinstance(value, tuple) else "",
)
def test_a_changed_setting_is_told_and_nothing_else(
    registered: Path, change: Change, expected: tuple[str, ...]
) -> None:
    edit(registered, change)
    assert rows(registered) == [expected]
    kind = {"changed": "1 changed", "added": "1 added", "removed": "1 removed"}[expected[1]]
    found = summary(registered)
    assert (found.deviates, f"Since then: {kind}." in found.sentences[0]) == (True, True)


def test_another_number_of_participants_needs_another_plan(registered: Path) -> None:
    edit(registered, lambda data: data["participants"].update(wanted=12))
    (registered / "plan.json").unlink()
    wanted, plan = rows(registered)
    assert wanted == ("participants.wanted", "changed", "6", "12")
    assert plan[:2] == ("plan.json", "changed")


@pytest.mark.parametrize(
    ("file", "part"),
    [("texts.csv", "text of item 'i1' by system 'human'"), ("instructions.md", "instructions of block 'quality'")],
)
def test_changed_material_is_told(registered: Path, file: str, part: str) -> None:
    path = registered / file
    path.write_text(path.read_text(encoding="utf-8").replace("text", "letter", 1 if "md" in file else 2), "utf-8")
    path.write_text(path.read_text(encoding="utf-8").replace("item,system,letter", "item,system,text"), "utf-8")
    ((what, kind, before, now),) = rows(registered)
    assert (what, kind) == (part, "changed")
    assert before.startswith("SHA-256 ")
    assert before != now


def test_many_changed_texts_are_counted(registered: Path) -> None:
    path = registered / "texts.csv"
    path.write_text(path.read_text(encoding="utf-8").replace(" is here", " is there"), encoding="utf-8")
    assert len(rows(registered)) == 9
    assert rows(registered)[-1] == ("and 10 more parts of the material", "changed", "", "")


def test_real_participants_who_began_before_are_counted(registered: Path) -> None:
    early, later = NOON - timedelta(minutes=1), NOON + timedelta(minutes=1)
    people = [
        {"started_at": early, "simulated": False},
        {"started_at": early, "simulated": True},
        {"started_at": later, "simulated": False},
        {"started_at": None},
    ]
    assert rows(registered, *people) == [("real participants who began before the registration", "added", "0", "1")]
    assert rows(registered, *people[1:]) == []


def test_analyses_that_are_added_or_not_made_are_told(registered: Path) -> None:
    made = (
        section("Systems compared", "ANOVA-type test", "sign test"),
        section("Answers", "skewness", place="details"),
    )
    assert rows(registered, sections=made) == [
        ("analysis “Systems compared”", "not made", "linear mixed model", "–"),
        ("analysis “Systems compared”", "added", "–", "sign test"),
    ]


def test_another_release_is_told(registered: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = textassay.__version__
    monkeypatch.setattr(textassay, "__version__", "9.9.9")
    assert rows(registered) == [("version of textassay", "changed", before, "9.9.9")]


def test_a_setting_that_a_later_release_adds_is_no_change(registered: Path) -> None:
    path = registered / REGISTRATION
    content = json.loads(path.read_text(encoding="utf-8"))
    del content["settings"]["participants"]["may_go_back"]
    path.write_text(json.dumps({**content, "checksum": checksum(content)}), encoding="utf-8")
    assert rows(registered) == []
    edit(registered, lambda data: data["participants"].update(may_go_back=True))
    assert rows(registered) == [("participants.may_go_back", "added", "–", "yes")]


def test_an_altered_registration_is_told(registered: Path) -> None:
    path = registered / REGISTRATION
    path.write_text(path.read_text(encoding="utf-8").replace('"alpha": 0.05', '"alpha": 0.1', 1), encoding="utf-8")
    found = summary(registered)
    assert found.sentences[0].startswith("registration.json has been altered since it was written: its checksum")
    assert found.deviates
    reformatted = json.dumps(json.loads(path.read_text(encoding="utf-8").replace('"alpha": 0.1', '"alpha": 0.05', 1)))
    path.write_text(reformatted, encoding="utf-8")
    assert not summary(registered).deviates  # line ends and indents do not count


def test_an_altered_registration_may_lack_anything(registered: Path) -> None:
    path = registered / REGISTRATION
    content = json.loads(path.read_text(encoding="utf-8"))
    del content["analyses"], content["settings"]["participants"]
    content["material"]["page 'consent'"] = 1
    path.write_text(json.dumps(content), encoding="utf-8")
    found = summary(registered)
    assert found.sentences[0].startswith("registration.json has been altered")
    assert len(found.sentences) == 2
    assert [row[:2] for row in rows(registered)] == [("participants", "added"), ("page 'consent'", "changed")]


@pytest.mark.parametrize("text", ["", "{}", "[1]", '{"format": 2}', '{"format": 1, "registered_at": "noon"}'])
def test_what_is_no_registration_is_told(registered: Path, text: str) -> None:
    (registered / REGISTRATION).write_text(text, encoding="utf-8")
    with pytest.raises(UsageError, match="not a registration that this release of textassay reads; restore it"):
        read_registration(load_study(registered))
    found = summary(registered)
    assert found.deviates
    assert found.sentences[0].startswith("This study has a registration that cannot be read: ")


def test_a_study_without_one_says_nothing(registered: Path) -> None:
    (registered / REGISTRATION).unlink()
    study = load_study(registered)
    assert registration_summary(study, stored_plan(study), [], ()) is None
