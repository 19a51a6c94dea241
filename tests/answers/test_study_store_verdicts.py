"""A verdict that changes after somebody finished opens the slot again, and closes it again."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from small_study import write_small_study

from textassay import pipeline
from textassay.answers.store import Store, StudyFull
from textassay.answers.study_store import store_verdicts
from textassay.rehearsal.people import BehaviourShares
from textassay.screening.verdicts import judge_all

NOBODY_WAYWARD = BehaviourShares(**dict.fromkeys(BehaviourShares.__dataclass_fields__, 0.0))


def test_a_rule_added_later_opens_the_slots(tmp_path: Path) -> None:
    from textassay.rehearsal import direct

    directory = write_small_study(tmp_path / "s", lambda data: data.update(screening={}))
    study = pipeline.load(directory)
    plan = pipeline.plan(study)
    now = datetime.now(UTC) + timedelta(days=400)
    hour = timedelta(hours=1)
    with Store.open(study.store_url) as store:
        direct.simulate(study, plan, store, crowd=NOBODY_WAYWARD)
        with pytest.raises(StudyFull):
            store.join(plan.slots, cohort="", now=now, release_after=hour)
    strict = pipeline.load(
        write_small_study(directory, lambda data: data.update(screening={"too-fast": {"seconds": 500}}))
    )
    data = pipeline.collect(strict)
    verdicts = judge_all(data.cases, strict)
    assert store_verdicts(strict, verdicts) == 6
    assert store_verdicts(strict, verdicts) == 0
    with Store.open(study.store_url) as store:
        assert [person.counted for person in store.participants()] == [False] * 6
        assert store.join(plan.slots, cohort="", now=now, release_after=hour)[0].slot == 1
    lenient = pipeline.screen(study, pipeline.collect(study))
    assert all(verdict.valid for verdict in lenient)
    with Store.open(study.store_url) as store:
        assert sum(person.counted for person in store.participants()) == 6
