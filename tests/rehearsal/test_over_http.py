from __future__ import annotations

import logging
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from small_study import write_small_study

from textassay.answers.dataset import Dataset, load_dataset
from textassay.answers.store import Store
from textassay.errors import TextassayError
from textassay.rehearsal import direct, over_http
from textassay.rehearsal.people import ALL_ORDINARY, Behaviour, BehaviourShares
from textassay.rehearsal.recruiting import Rehearsal
from textassay.screening.verdicts import judge_all
from textassay.serve.server import ServerThread
from textassay.study.load import load_study
from textassay.study.planning import stored_plan
from textassay.study.study import Study

EVEN = BehaviourShares(*[0.09] * 7)


def make(directory: Path) -> Study:
    return load_study(write_small_study(directory))


def over(study: Study, **options: Any) -> Rehearsal:
    plan = stored_plan(study)
    with ServerThread(study, plan) as server:
        return over_http.simulate(study, plan, server.store, server.links, **options)


def answers(study: Study, rehearsal: Rehearsal) -> list[tuple[Any, ...]]:
    """What each person answered, without what chance or the clock decides."""
    dataset = load_dataset(study)
    number = {came.participant: came.number for came in rehearsal.people}
    rows = [*dataset.rows("judgements"), *dataset.rows("judgements-unscored")]
    chosen = ("trial", "item", "system", "criterion", "value", "comment", "kind", "position", "rt_ms")
    return sorted((number[row["participant"]], *(str(row[column]) for column in chosen)) for row in rows)


def asked(dataset: Dataset, rehearsal: Rehearsal) -> dict[int, tuple[Any, ...]]:
    number = {came.participant: came.number for came in rehearsal.people}
    columns = ("slot", "status", "counted", "native", "age", "job", "email_plausible")
    return {number[row["participant"]]: tuple(row[column] for column in columns) for row in dataset.participants}


def test_same_people_give_the_same_answers_over_http_and_directly(tmp_path: Path) -> None:
    web, straight = make(tmp_path / "web"), make(tmp_path / "straight")
    through = over(web, count=9, crowd=EVEN, at_once=1)
    with Store.open(straight.store_url) as store:
        past = direct.simulate(straight, stored_plan(straight), store, count=9, crowd=EVEN)
    assert {came.behaviour for came in past.people} > {Behaviour.ORDINARY}
    assert [came.behaviour for came in through.people] == [came.behaviour for came in past.people]
    assert asked(load_dataset(web), through) == asked(load_dataset(straight), past)
    assert answers(web, through) == answers(straight, past)
    assert all(row["simulated"] for each in (web, straight) for row in load_dataset(each).participants)


def test_several_at_once_fill_the_study(tmp_path: Path) -> None:
    def in_two_sittings(data: dict[str, Any]) -> None:
        data["blocks"][0]["design"]["sittings"] = 2
        data["participants"]["hours_between_sittings"] = 20  # for which simulated people do not wait

    study = load_study(write_small_study(tmp_path, in_two_sittings))
    rehearsal = over(study, crowd=EVEN, at_once=4)
    assert rehearsal.full
    dataset = load_dataset(study)
    assert sorted(row["slot"] for row in dataset.participants if row["counted"]) == [1, 2, 3, 4, 5, 6]
    verdicts = judge_all(dataset.cases, study)
    rules = {verdict.participant: {reason.rule for reason in verdict.reasons} for verdict in verdicts}
    # Of two who come under one address at the same time, chance decides who began first: one of the two is caught.
    twice = [came.participant for came in rehearsal.people if came.behaviour is Behaviour.TWICE]
    assert sum("took-part-twice" in broken for broken in rules.values()) == len(twice)
    others = [came for came in rehearsal.people if came.behaviour is not Behaviour.TWICE]
    wayward = [came.participant for came in others if came.behaviour is not Behaviour.ORDINARY]
    assert wayward
    assert [code for code in wayward if not rules[code]] == []
    ordinary = [came.participant for came in others if came.behaviour is Behaviour.ORDINARY]
    assert [code for code in ordinary if rules[code] - {"took-part-twice"}] == []


def test_every_page_is_fetched_before_it_is_answered(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    study = make(tmp_path)
    with caplog.at_level(logging.INFO, "textassay.access"):
        rehearsal = over(study, count=1, crowd=ALL_ORDINARY)
    asked_for = [
        tuple(record.getMessage().split()[:3]) for record in caplog.records if record.name == "textassay.access"
    ]
    counts = Counter(asked_for)
    # consent, questionnaire, instructions, 2 × practice, 8 trials (6 main, 1 repeat, 1 check), 1 break: 14 pages
    answered = ("POST", "/p/{token}/answers", "200")
    opened = ("GET", "/p/{token}/{number}", "200")
    assert (counts[opened], counts[answered]) == (14, 14)
    assert [line for line in asked_for if line in (opened, answered)] == [opened, answered] * 14
    assert counts["GET", "/tasks/{task}/view.js", "200"] == 1
    assert counts["GET", "/static/{version}/{name}", "200"] >= 5
    assert {status for *_, status in counts} == {"200", "303"}
    assert len(rehearsal.people) == 1


def test_full_study_takes_nobody(tmp_path: Path) -> None:
    study = make(tmp_path)
    with Store.open(study.store_url) as store:
        direct.simulate(study, stored_plan(study), store, crowd=ALL_ORDINARY)
    assert over(study).people == ()


def test_another_store_than_the_servers_is_told(tmp_path: Path) -> None:
    study, plan = make(tmp_path), stored_plan(make(tmp_path))
    with (
        Store.open(f"sqlite:///{(tmp_path / 'other.db').as_posix()}") as other,
        ServerThread(study, plan) as server,
        pytest.raises(TextassayError, match="the server uses another store"),
    ):
        over_http.simulate(study, plan, other, server.links, count=1)
