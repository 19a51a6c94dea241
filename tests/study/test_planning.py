from __future__ import annotations

import hashlib
from collections import Counter
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from small_study import ITEMS, SYSTEMS, write_csv, write_small_study
from task_studies import write_task_study

from textassay.errors import StudyError
from textassay.study.load import load_study
from textassay.study.planning import Timing, draw_plan, minutes, proofs, stored_plan
from textassay.study.study import Study


def small(tmp_path: Path, **design: Any) -> Study:
    def change(data: dict[str, Any]) -> None:
        data["blocks"][0]["design"].update(design)

    return load_study(write_small_study(tmp_path, change))


def two_cohorts(data: dict[str, Any]) -> None:
    data["participants"] = {"cohorts": [{"name": "lay", "wanted": 4}, {"name": "expert", "wanted": 3}]}


def test_the_plan_of_a_study_never_changes(tmp_path: Path) -> None:
    # Whoever changes this digest changes the plan of every study that is drawn anew from its seed.
    plan = draw_plan(load_study(write_small_study(tmp_path))).to_json()
    assert (
        hashlib.sha256(plan.encode()).hexdigest() == "706d509afd274a4e8936638d30a43b9d51ab1c5d7075ddba4af30a2d7f50dc89"
    )


def test_what_a_participant_gets(tmp_path: Path) -> None:
    plan = draw_plan(small(tmp_path))
    assert [(slot.number, slot.cohort) for slot in plan.slots] == [(number, "") for number in range(1, 7)]
    for slot in plan.slots:
        kinds = [trial.kind for trial in slot.trials]
        assert kinds[:2] == ["practice", "practice"]
        assert Counter(kinds) == {"practice": 2, "main": 6, "repeat": 1, "check": 1}
        assert kinds[2] == "main"
        assert kinds[-1] != "check"
        assert len({trial.key for trial in slot.trials}) == len(slot.trials)
        assert [trial.position for trial in slot.trials] == [1, 2, *range(1, 9)]
        assert {trial.item for trial in slot.trials if trial.kind == "main"} == set(ITEMS)


def test_a_repeat_is_the_same_text_much_later(tmp_path: Path) -> None:
    for slot in draw_plan(small(tmp_path, repeats=3)).slots:
        shown = {(trial.item, trial.systems): trial.position for trial in slot.trials if trial.kind == "main"}
        again = [trial for trial in slot.trials if trial.kind == "repeat"]
        assert len({trial.item for trial in again}) == 3
        assert all(trial.position - shown[trial.item, trial.systems] > 3 for trial in again)


def test_keys_tell_nothing_about_what_is_shown(tmp_path: Path) -> None:
    keys = {tuple(trial.key for trial in slot.trials) for slot in draw_plan(small(tmp_path)).slots}
    assert len(keys) == 1, "all participants have the same keys, whatever they see"


def test_same_seed_same_plan_and_another_seed_another_plan(tmp_path: Path) -> None:
    def plan(name: str, seed: int) -> Any:
        return draw_plan(load_study(write_small_study(tmp_path / name, lambda data: data.update(seed=seed)))).slots

    assert plan("a", 1) == plan("b", 1)
    assert plan("a", 1) != plan("c", 2)


def test_each_cohort_is_balanced_by_itself(tmp_path: Path) -> None:
    study = load_study(write_small_study(tmp_path, two_cohorts))
    plan = draw_plan(study)
    assert [slot.cohort for slot in plan.slots] == ["lay"] * 4 + ["expert"] * 3
    found = proofs(study, plan)
    assert [(proof.block, proof.cohort, proof.balance.exact) for proof in found] == [
        ("quality", "lay", False),
        ("quality", "expert", True),
    ]
    assert [str(remedy) for remedy in found[0].balance.remedies] == ["3 participants", "6 participants"]


def test_the_proof_counts_carry_over_where_it_is_balanced(tmp_path: Path) -> None:
    study = small(tmp_path, order="williams")
    assert [line.what for line in proofs(study, draw_plan(study))[0].balance.lines][5:] == [
        "a system right after another"
    ]
    study = small(tmp_path, order="random")
    assert len(proofs(study, draw_plan(study))[0].balance.lines) == 5


def test_fewer_items_a_participant(tmp_path: Path) -> None:
    study = small(tmp_path, items_per_participant=3)
    plan = draw_plan(study)
    for slot in plan.slots:
        main = [trial for trial in slot.trials if trial.kind == "main"]
        assert len({trial.item for trial in main}) == 3
        assert {trial.systems[0] for trial in main} == set(SYSTEMS)
    assert proofs(study, plan)[0].balance.exact  # 6 × 3 trials for 6 × 3 texts


def test_a_plan_is_drawn_once_and_stored(tmp_path: Path) -> None:
    study = small(tmp_path)
    plan = stored_plan(study)
    before = study.plan_path.read_bytes()
    assert stored_plan(study) == plan == draw_plan(study)
    assert study.plan_path.read_bytes() == before


def test_texts_and_breaks_may_change_after_the_plan_was_drawn(tmp_path: Path) -> None:
    plan = stored_plan(small(tmp_path))
    study = small(tmp_path, break_every=2)
    write_csv(
        tmp_path / "texts.csv", ("item", "system", "text"), [(item, name, "New.") for item in ITEMS for name in SYSTEMS]
    )
    assert stored_plan(load_study(tmp_path)) == stored_plan(study) == plan


@pytest.mark.parametrize("design", [{"order": "williams"}, {"repeats": 2}, {"items_per_participant": 4}])
def test_a_plan_of_another_design_is_refused(tmp_path: Path, design: dict[str, Any]) -> None:
    stored_plan(small(tmp_path))
    with pytest.raises(StudyError) as caught:
        stored_plan(small(tmp_path, **design))
    assert str(caught.value) == (
        "plan.json: the plan was made from another design, seed, or set of items and systems than the study has now; "
        "restore them, or copy the study into a new directory without plan.json and answers.db"
    )


RESTORE = "restore the file from a backup"
NEWER = "open the study with the release that made the plan"


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"[]", "plan.json: not a stored plan (list indices must be integers or slices, not str); " + RESTORE),
        (b"[" * 100_000, "plan.json: not a stored plan (it is nested too deeply); " + RESTORE),
        (b"\xff", "plan.json:1:1: byte 0xFF is not UTF-8; save the file as UTF-8"),
        (b'{"format": 3}', f"plan.json: the plan has format 3, but this release of textassay reads format 2; {NEWER}"),
    ],
)
def test_a_stored_plan_that_cannot_be_read_is_refused(tmp_path: Path, content: bytes, message: str) -> None:
    study = small(tmp_path)
    study.plan_path.write_bytes(content)
    with pytest.raises(StudyError) as caught:
        stored_plan(study)
    assert str(caught.value) == message


def test_minutes_count_pages_questions_and_trials(tmp_path: Path) -> None:
    study = small(tmp_path)
    slot = draw_plan(study).slots[0]
    # Pages: consent 7 words, instructions 10, finish 6. Four questions of 8 s. Ten trials with two ratings of 4 s each;
    # 7 main and repeat: text 7 words, context 3; practice: text 5 and 2, context 1 each; check: text 5, context 3;
    # 3.5 words a second.
    words = 7 + 10 + 6 + 7 * (7 + 3) + (5 + 1) + (2 + 1) + (5 + 3)
    assert minutes(study, slot) == pytest.approx((words / 3.5 + 4 * 8 + 10 * 2 * 4) / 60)


def test_minutes_of_a_slot_do_not_depend_on_those_estimated_before(tmp_path: Path) -> None:
    write_small_study(tmp_path)
    pairs = list(product(enumerate(ITEMS), enumerate(SYSTEMS)))
    # Not the same for all lists of a Latin square: the length is a product.
    texts = [(item, system, "word " * (1 + row * row * column)) for (row, item), (column, system) in pairs]
    write_csv(tmp_path / "texts.csv", ("item", "system", "text"), texts)
    study = load_study(tmp_path)
    shared = Timing(study)
    found = [shared.minutes(slot) for slot in draw_plan(study).slots]
    assert found == pytest.approx([minutes(study, slot) for slot in draw_plan(study).slots])
    assert len(set(found)) > 2


@pytest.mark.parametrize("task", ["reading", "reordering"])
def test_units_may_be_corrected_but_not_changed(tmp_path: Path, task: str) -> None:
    """Their ids stand in the plan: another set of them would not fit the trials that it holds."""
    study = load_study(write_task_study(task, tmp_path))
    plan = stored_plan(study)
    texts = (tmp_path / "texts.csv").read_text(encoding="utf-8")
    (tmp_path / "texts.csv").write_text(texts.replace("river", "brook").replace("rained", "hailed"), encoding="utf-8")
    assert stored_plan(load_study(tmp_path)) == plan
    first = next(iter(study.units.values()))[0].id
    (tmp_path / "texts.csv").write_text(texts.replace(f",{first},", ",other,"), encoding="utf-8")
    with pytest.raises(StudyError, match="the plan was made from another design"):
        stored_plan(load_study(tmp_path))
