"""Rehearsals straight into the store, and what screening and analysis make of them."""

from __future__ import annotations

import asyncio
import itertools
import math
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from small_study import write_small_study

from textassay.answers.dataset import Dataset, load_dataset
from textassay.answers.store import Store
from textassay.design.plan import Plan
from textassay.rehearsal.direct import BEGIN, simulate
from textassay.rehearsal.people import ALL_ORDINARY, Behaviour, BehaviourShares
from textassay.rehearsal.recruiting import Rehearsal
from textassay.results import Analysis
from textassay.screening.verdicts import Verdict, judge_all
from textassay.serve.session import pages
from textassay.study.load import load_study
from textassay.study.planning import stored_plan
from textassay.study.study import Study
from textassay.tasks.rating.simulate import effects

WANTED = 24
CAUGHT_BY = {
    Behaviour.CONSTANT: "constant-answers",
    Behaviour.TOO_FAST: "too-fast",
    Behaviour.INATTENTIVE: "attention-checks",
    Behaviour.DROP_OUT: "incomplete",
    Behaviour.TWICE: "took-part-twice",
    Behaviour.FAKE_EMAIL: "fake-email",
    Behaviour.EXCLUDED: "questionnaire",
}


def opened(study: Study) -> Store:
    return Store.open(study.store_url)


@pytest.fixture(scope="module")
def study(tmp_path_factory: pytest.TempPathFactory) -> Study:
    def larger(data: dict[str, Any]) -> None:
        data["participants"]["wanted"] = WANTED

    return load_study(write_small_study(tmp_path_factory.mktemp("wayward"), larger))


@pytest.fixture(scope="module")
def rehearsal(study: Study) -> Rehearsal:
    """One in ten is wayward in each of seven manners; people come until 24 slots are filled."""
    with opened(study) as store:
        return simulate(study, stored_plan(study), store, crowd=BehaviourShares(*[0.1] * 7))


@pytest.fixture(scope="module")
def dataset(study: Study, rehearsal: Rehearsal) -> Dataset:
    return load_dataset(study)


@pytest.fixture(scope="module")
def verdicts(study: Study, dataset: Dataset) -> dict[str, Verdict]:
    return {verdict.participant: verdict for verdict in judge_all(dataset.cases, study)}


# --- screening finds whom it should ---------------------------------------------------------------------------------


def test_every_kind_of_wayward_person_came(rehearsal: Rehearsal) -> None:
    assert {came.behaviour for came in rehearsal.people} == set(Behaviour)


def test_every_wayward_person_is_caught_by_the_rule_made_for_it(rehearsal: Rehearsal, verdicts: Any) -> None:
    missed = [
        came
        for came in rehearsal.people
        if came.behaviour is not Behaviour.ORDINARY
        and CAUGHT_BY[came.behaviour] not in {reason.rule for reason in verdicts[came.participant].reasons}
    ]
    assert missed == []


def test_no_ordinary_person_is_left_out(rehearsal: Rehearsal, verdicts: Any) -> None:
    # What could go wrong by chance: a trial takes about 11 s (10 words, two criteria) with a standard deviation of
    # sqrt(0.25² + 0.35²) = 0.43 on the log scale, so under 1 s is 5.6 deviations away; six answers alike on a slider
    # of 101 values have a chance below 1e-6. For 60 people that is less than one false alarm in 10,000 rehearsals.
    false_alarms = [
        (came, verdicts[came.participant].reasons)
        for came in rehearsal.people
        if came.behaviour is Behaviour.ORDINARY and not verdicts[came.participant].valid
    ]
    assert false_alarms == []


def test_verdict_given_at_the_end_is_the_verdict_given_later(study: Study, rehearsal: Rehearsal, verdicts: Any) -> None:
    with opened(study) as store:
        completed = {each.code: each.valid for each in store.participants() if each.status == "completed"}
    assert completed == {code: verdicts[code].valid for code in completed}


# --- the plan is filled, whoever came -------------------------------------------------------------------------------


def test_rehearsal_ends_when_every_slot_has_one_valid_participant(
    study: Study, rehearsal: Rehearsal, verdicts: Any
) -> None:
    with opened(study) as store:
        counted = [each for each in store.participants() if each.counted]
    assert rehearsal.full
    assert sorted(each.slot for each in counted) == list(range(1, WANTED + 1))
    assert {each.code for each in counted} == {code for code, verdict in verdicts.items() if verdict.valid}


def test_status_is_what_the_server_would_say(study: Study, rehearsal: Rehearsal) -> None:
    with opened(study) as store:
        status = {each.code: each.status for each in store.participants()}
    for came in rehearsal.people:
        expected = {Behaviour.DROP_OUT: "active", Behaviour.EXCLUDED: "excluded"}.get(came.behaviour, "completed")
        assert status[came.participant] == expected


def test_everybody_passes_pages_in_their_order(study: Study, rehearsal: Rehearsal) -> None:
    plan = stored_plan(study)
    with opened(study) as store:
        given: dict[int, list[Any]] = {}
        for number, answer in store.all_answers():
            given.setdefault(number, []).append(answer)
        people = {each.id: each for each in store.participants()}
    for number, answers in given.items():
        due = [page.key for page in pages(study, plan.slot(people[number].slot))]
        assert [answer.page for answer in answers] == due[: len(answers)]
        for answer, after in itertools.pairwise(answers):
            assert answer.answered_at == after.started_at
    assert {len(answers) == 14 for answers in given.values()} == {True, False}  # some stopped, most did not


def test_clock_is_simulated(study: Study, rehearsal: Rehearsal, dataset: Dataset) -> None:
    started = [row["started_at"] for row in dataset.participants]
    assert started == sorted(started)
    assert started[0] > BEGIN
    with opened(study) as store:
        for _, answer in store.all_answers():
            took = (answer.answered_at - answer.started_at).total_seconds() * 1000 if answer.started_at else -1
            assert took == pytest.approx(answer.rt_ms, abs=0.01)
            assert answer.received_at == answer.answered_at
            assert answer.client == {"simulated": True}


# --- the effects put in come out of the analysis --------------------------------------------------------------------


@pytest.fixture(scope="module")
def analyses(study: Study, dataset: Dataset, verdicts: Any) -> dict[str, Analysis]:
    names = [row["participant"] for row in dataset.participants]
    verdict = ["valid" if verdicts[name].valid else "excluded" for name in names]
    people = pd.DataFrame({"participant": names, "verdict": verdict})
    return {each.name: each for each in study.blocks[0].task.analyse(dataset.frame("judgements"), people)}


@pytest.mark.parametrize("criterion", ["clarity", "fluency"])
def test_effects_put_in_come_out_after_screening(study: Study, analyses: dict[str, Analysis], criterion: str) -> None:
    put_in = effects(study.blocks[0].task)[criterion]
    means = {
        record["by"]: record
        for record in analyses["system-text-evaluator"].records()
        if record["statistic"] == "mean" and record["of"] == criterion
    }
    # 24 valid people × 6 items over 3 systems: 48 ratings each, balanced, so that only noise and rounding are left:
    # three standard errors are 3 · sqrt((noise² + 1/12) / 48), 0.29 on 1 to 7 and 4.3 on 0 to 100.
    assert {record["n"] for record in means.values()} == {WANTED * 6 // 3}
    grand = math.fsum(record["value"] for record in means.values()) / 3
    tolerance = 3 * math.sqrt((put_in.noise_sd**2 + 1 / 12) / 48)
    for system, effect in put_in.systems.items():
        assert means[system]["value"] - grand == pytest.approx(effect, abs=tolerance)
    assert "exclusions" in analyses


# --- how it is asked for --------------------------------------------------------------------------------------------


@pytest.fixture
def fresh(tmp_path: Path) -> Study:
    return load_study(write_small_study(tmp_path))


@pytest.fixture
def plan(fresh: Study) -> Plan:
    return stored_plan(fresh)


@pytest.fixture
def store(fresh: Study) -> Iterator[Store]:
    with opened(fresh) as store:
        yield store


def test_count_is_the_most_that_come(fresh: Study, plan: Plan, store: Store) -> None:
    result = simulate(fresh, plan, store, count=2, crowd=ALL_ORDINARY)
    assert [came.number for came in result.people] == [1, 2]
    assert (result.filled, result.slots, result.full) == (2, 6, False)


def test_second_rehearsal_goes_on_where_the_first_ended(fresh: Study, plan: Plan, store: Store) -> None:
    simulate(fresh, plan, store, count=2, crowd=ALL_ORDINARY)
    result = simulate(fresh, plan, store, crowd=ALL_ORDINARY)
    assert [came.number for came in result.people] == [3, 4, 5, 6]
    assert result.full
    assert simulate(fresh, plan, store).people == ()
    started = [each.started_at for each in store.participants()]
    assert started == sorted(started)


def test_it_ends_where_screening_leaves_everybody_out(fresh: Study, plan: Plan, store: Store) -> None:
    crowd = BehaviourShares(constant=0, too_fast=1.0, inattentive=0, drop_out=0, twice=0, fake_email=0, excluded=0)
    result = simulate(fresh, plan, store, count=8, crowd=crowd)
    assert len(result.people) == 8
    assert result.filled == 0


def test_every_cohort_is_filled(tmp_path: Path) -> None:
    def cohorts(data: dict[str, Any]) -> None:
        data["participants"] = {"cohorts": [{"name": "experts", "wanted": 2}, {"name": "lay", "wanted": 3}]}

    study = load_study(write_small_study(tmp_path, cohorts))
    with opened(study) as store:
        result = simulate(study, stored_plan(study), store, crowd=ALL_ORDINARY)
        assert result.full
        assert sorted(each.cohort for each in store.participants()) == ["experts"] * 2 + ["lay"] * 3


def test_it_works_inside_an_event_loop_as_notebooks_have_one(fresh: Study, plan: Plan, store: Store) -> None:
    async def notebook() -> Rehearsal:
        return simulate(fresh, plan, store, count=1, crowd=ALL_ORDINARY)

    assert len(asyncio.run(notebook()).people) == 1


def test_addresses_of_an_excluded_domain_exclude(tmp_path: Path) -> None:
    def only_domains(data: dict[str, Any]) -> None:
        data["questionnaire"] = [{**data["questionnaire"][-1], "exclude": ["firm.example"]}]

    study = load_study(write_small_study(tmp_path, only_domains))
    with opened(study) as store:
        simulate(study, stored_plan(study), store, count=2, crowd=BehaviourShares(0, 0, 0, 0, 0, 0, 1))
        assert [person.status for person in store.participants()] == ["excluded"] * 2
