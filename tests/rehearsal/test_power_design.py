"""The study for other numbers: the same design, its own items or copies of them."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from decision_study import write_decision_study
from hypothesis import given
from hypothesis import strategies as st
from reading_study import write_reading_study
from small_study import ITEMS, SYSTEMS, write_csv, write_small_study

from textassay.errors import UsageError
from textassay.rehearsal.power_design import _shared_out, resize_study
from textassay.study.load import load_study
from textassay.study.planning import draw_plan, proofs
from textassay.study.study import Study


@pytest.fixture(scope="module")
def study(tmp_path_factory: pytest.TempPathFactory) -> Study:
    return load_study(write_small_study(tmp_path_factory.mktemp("small")))


def test_nothing_asked_for_leaves_the_plan_as_it_is(study: Study) -> None:
    same = resize_study(study, study.blocks[0], None, None)
    assert same.notes == ()

    def main(of: Study) -> list[list[tuple[str, tuple[str, ...]]]]:
        slots = draw_plan(of).slots
        return [[(trial.item, trial.systems) for trial in slot.trials if trial.kind == "main"] for slot in slots]

    assert main(same.study) == main(study)
    assert not any(trial.kind == "repeat" for slot in draw_plan(same.study).slots for trial in slot.trials)


@pytest.mark.parametrize(("participants", "items"), [(9, 12), (12, 3), (3, 20), (6, 6)])
def test_design_is_drawn_for_the_numbers_and_stays_balanced(study: Study, participants: int, items: int) -> None:
    changed = resize_study(study, study.blocks[0], participants, items).study
    plan = draw_plan(changed)
    assert len(plan.slots) == participants
    for slot in plan.slots:
        main = [trial for trial in slot.trials if trial.kind == "main"]
        assert len(main) == len({trial.item for trial in main}) == items
        assert all((trial.item, trial.systems[0]) in changed.texts for trial in main)
    lines = proofs(changed, plan)[0].balance.lines
    assert max(line.most - line.least for line in lines) <= 1


def test_fewer_items_are_part_of_more(study: Study) -> None:
    chosen = [set(resize_study(study, study.blocks[0], None, count).study.items_in_order) for count in (1, 2, 4, 5)]
    assert all(few < more for few, more in pairwise(chosen))
    assert chosen[-1] < set(ITEMS)
    assert set(resize_study(study, study.blocks[0], None, 6).study.items_in_order) == set(ITEMS)


def test_more_items_are_copies_with_all_that_belongs_to_them(study: Study) -> None:
    found = resize_study(study, study.blocks[0], None, 15)
    assert found.notes == ("15 items: the study has 6; the others are copies of those",)
    changed = found.study
    assert len(changed.items_in_order) == 15
    assert Counter(item.partition("+")[0] for item in changed.items_in_order).most_common()[-1][1] == 2
    for item in changed.items_in_order:
        own = item.partition("+")[0]
        assert [changed.texts[item, system] for system in SYSTEMS] == [study.texts[own, system] for system in SYSTEMS]
        assert changed.items[item]["context"] == study.items[own]["context"]
        assert changed.items[item]["item"] == item
        assert changed.references[item] == study.references[own]
        assert all(row["item"] == item for system in SYSTEMS for row in changed.text_rows[item, system])


def test_questions_and_units_come_along(tmp_path: Path) -> None:
    study = load_study(write_reading_study(tmp_path))
    changed = resize_study(study, study.blocks[0], 4, 8).study
    rows = list(changed.blocks[0].tables["questions"])
    assert {row["item"] for row in rows} == {*changed.items_in_order, "p1"}  # those of practice stay
    assert set(changed.units) == set(changed.texts)


def test_tables_without_items_and_targets_come_along(tmp_path: Path) -> None:
    study = load_study(write_decision_study(tmp_path))
    changed = resize_study(study, study.blocks[0], 4, 3).study
    tables = changed.blocks[0].tables
    assert len(tables["actions"]) == len(study.blocks[0].tables["actions"])
    assert {row["item"] for row in tables["targets"]} == {*changed.items_in_order, "check-1"}
    assert {row["item"] for row in tables["series"]} == {*changed.items_in_order, "p2"}


def grouped(directory: Path) -> Study:
    write_small_study(directory, lambda data: data["blocks"][0]["design"].update(group_by="topic"))
    rows = [(item, f"Data behind {item}.", f"t{number // 2}") for number, item in enumerate(ITEMS)]
    write_csv(directory / "items.csv", ("item", "context", "topic"), rows)
    return load_study(directory)


def test_groups_stay_together_and_copies_of_groups_are_groups(tmp_path: Path) -> None:
    study = grouped(tmp_path)
    fewer = resize_study(study, study.blocks[0], None, 4).study
    assert sorted(map(len, (fewer.groups("topic") or {}).values())) == [2, 2]
    more = resize_study(study, study.blocks[0], None, 10).study
    assert sorted(map(len, (more.groups("topic") or {}).values())) == [2] * 5
    for slot in draw_plan(more).slots:
        systems: dict[str, set[str]] = {}
        for trial in slot.trials:
            if trial.kind == "main":
                systems.setdefault(str(more.items[trial.item]["topic"]), set()).add(trial.systems[0])
        assert {len(each) for each in systems.values()} == {1}


def test_participant_sees_no_more_items_than_there_are(tmp_path: Path) -> None:
    directory = write_small_study(
        tmp_path, lambda data: data["blocks"][0]["design"].update(items_per_participant=5, repeats=0)
    )
    study = load_study(directory)
    found = resize_study(study, study.blocks[0], None, 4)
    assert found.notes == ("4 items: a participant sees them all, instead of 5",)
    assert {len([t for t in slot.trials if t.kind == "main"]) for slot in draw_plan(found.study).slots} == {4}
    enough = resize_study(study, study.blocks[0], None, 12)
    assert {len([t for t in slot.trials if t.kind == "main"]) for slot in draw_plan(enough.study).slots} == {5}


def with_cohorts(directory: Path) -> Study:
    def change(data: dict[str, Any]) -> None:
        data["participants"] = {"cohorts": [{"name": "lay", "wanted": 12}, {"name": "expert", "wanted": 4}]}

    return load_study(write_small_study(directory, change))


def test_cohorts_keep_their_shares(tmp_path: Path) -> None:
    study = with_cohorts(tmp_path)
    changed = resize_study(study, study.blocks[0], 8, None).study
    assert {cohort.name: cohort.wanted for cohort in changed.cohorts} == {"lay": 6, "expert": 2}
    with pytest.raises(UsageError, match="1 participants for 2 cohorts"):
        resize_study(study, study.blocks[0], 1, None)


@given(st.integers(2, 300), st.lists(st.integers(1, 50), min_size=1, max_size=2))
def test_shares_add_up_and_are_near_their_due(whole: int, weights: list[int]) -> None:
    counts = _shared_out(whole, weights)
    assert sum(counts) == whole
    assert min(counts) >= 1
    for count, weight in zip(counts, weights, strict=True):
        assert abs(count - whole * weight / sum(weights)) < 1.5


@pytest.mark.parametrize(
    ("participants", "items", "message"),
    [(0, None, "0 participants; ask for 1 to 100000"), (100_001, None, "100001 participants"), (None, 0, "0 items")],
)
def test_impossible_numbers_are_refused(
    study: Study, participants: int | None, items: int | None, message: str
) -> None:
    with pytest.raises(UsageError, match=message):
        resize_study(study, study.blocks[0], participants, items)


def test_study_itself_is_left_alone(study: Study) -> None:
    before = replace(study)
    resize_study(study, study.blocks[0], 30, 30)
    assert study == before
    assert len(study.items_in_order) == 6
