"""What the decision task shows, takes and yields."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from decision_study import ACTIONS, TARGETS, write_decision_study
from hypothesis import given
from hypothesis import strategies as st

from textassay.design.plan import Plan, Trial
from textassay.errors import AnswerError
from textassay.study.load import load_study
from textassay.study.planning import draw_plan
from textassay.study.study import Block, Study

Change = Callable[[dict[str, Any]], None]


@pytest.fixture(scope="module")
def study(tmp_path_factory: pytest.TempPathFactory) -> Study:
    return load_study(write_decision_study(tmp_path_factory.mktemp("decisions")))


@pytest.fixture(scope="module")
def block(study: Study) -> Block:
    return study.blocks[0]


@pytest.fixture(scope="module")
def plan(study: Study) -> Plan:
    return draw_plan(study)


def changed(directory: Path, **settings: Any) -> Study:
    return load_study(write_decision_study(directory, lambda data: data["blocks"][0].update(settings)))


def trial_of(plan: Plan, **wanted: Any) -> Trial:
    """The first trial like that."""
    trials = (trial for slot in plan.slots for trial in slot.trials)
    return next(trial for trial in trials if all(getattr(trial, name) == value for name, value in wanted.items()))


# --- the order of the actions -----------------------------------------------------------------------------------------


def test_each_participant_has_one_random_order_with_no_action_last(plan: Plan, block: Block) -> None:
    orders = []
    for slot in plan.slots:
        own = {tuple(trial.randomised["actions"]) for trial in slot.trials}
        assert len(own) == 1, "one order for practice, checks and all other trials"
        orders += own
        assert slot.trials[0].kind == "practice"
    assert all(order[-1] == "nothing" and set(order) == set(ACTIONS) for order in orders)
    assert len(set(orders)) > 1
    rows = block.task.rows(plan.slots[0].trials[0], {"chosen": ["call"]})
    assert rows[0]["shown"] == " ".join(orders[0])


def test_order_survives_the_stored_plan(plan: Plan) -> None:
    again = Plan.from_json(plan.to_json())
    assert again == plan


def test_fixed_order_is_that_of_the_table(tmp_path: Path) -> None:
    study = changed(tmp_path, action_order="fixed")
    block, trial = study.blocks[0], trial_of(draw_plan(study), kind="main")
    assert trial.randomised == {}
    assert [action for action, _ in block.task.view(trial)["actions"]] == list(ACTIONS)


def test_actions_added_after_the_plan_was_drawn_stand_last(study: Study, block: Block, plan: Plan) -> None:
    trial = replace(trial_of(plan, kind="main"), randomised={"actions": ["call", "gone", "turn"]})
    shown = [action for action, _ in block.task.view(trial)["actions"]]
    assert shown == ["call", "turn", "oxygen", "suction", "feed", "nothing"]


# --- what is shown ----------------------------------------------------------------------------------------------------


def test_each_system_shows_what_it_is_to_show(study: Study, block: Block, plan: Plan) -> None:
    plotted = block.task.view(trial_of(plan, systems=("graph",), item="case1"))
    assert (plotted["shows"], plotted["text"]) == ("plot", "")
    assert plotted["description"] == "Heart rate and oxygen of case1, as a plot."
    assert [panel.name for panel in plotted["plot"].panels] == ["Heart rate (beats a minute)", "Oxygen saturation (%)"]
    written = block.task.view(trial_of(plan, systems=("human",)))
    assert (written["shows"], written["plot"], written["description"]) == ("text", None, "")
    assert "As the human writer puts it" in written["text"]
    assert "born at 27 weeks" in written["context"]
    practice = block.task.view(trial_of(plan, kind="practice", item="p2"))
    assert practice["shows"] == "plot"
    check = block.task.view(trial_of(plan, kind="check"))
    assert check["text"] == "<p>Please choose only: Call the doctor on duty.</p>"
    assert check["context"] == "<p>Case7. The child was born at 27 weeks.</p>"


def test_check_can_show_a_plot_or_an_image(tmp_path: Path) -> None:
    common = {"text": "Steady values.", "context": "Please choose only: Call.", "expected": ["call"]}
    checks = [{**common, "shows": "plot"}, {**common, "shows": "image", "shown_image": "scan.png"}]
    write_decision_study(tmp_path, lambda data: data["blocks"][0].update(attention_checks=checks))
    with (tmp_path / "series.csv").open("a") as stream:
        stream.write("check-1,Heart rate,09:00,150\ncheck-1,Heart rate,09:01,151\n")
    (tmp_path / "scan.png").write_bytes(b"png")
    study = load_study(tmp_path)
    task = study.blocks[0].task
    plotted, pictured = (task.view(trial) for trial in draw_plan(study).slots[0].trials if trial.kind == "check")
    assert (plotted["shows"], plotted["text"], plotted["description"]) == ("plot", "", "Steady values.")
    assert [(panel.name, panel.count) for panel in plotted["plot"].panels] == [("Heart rate", 2)]
    assert (pictured["shows"], pictured["shown_image"], pictured["text"]) == ("image", "scan.png", "")
    assert "scan.png" in set(task.media())
    # no system shows an image
    (warning,) = task.warnings()
    why = "it shows an image, and no other trial does; set its 'shows' to text or plot"
    assert warning == f"block 'ward': attention check 2 can be told apart: {why}"


def test_nothing_tells_what_is_right(study: Study, block: Block, plan: Plan) -> None:
    """The page of an item is the same whatever its sets are."""
    trial = trial_of(plan, kind="main", systems=("human",))
    before = block.task.view(trial)
    targets = block.tables["targets"]
    emptied = replace(targets, rows=tuple(replace(row, values={**row.values, **_NOTHING}) for row in targets))
    other = replace(block, tables={**block.tables, "targets": emptied})
    assert other.task.view(trial) == before
    assert "graph" not in json.dumps({key: str(value) for key, value in before.items()})


_NOTHING = {"appropriate": "nothing", "inappropriate": "", "target": ""}


def test_images_of_systems_and_practice_are_media(tmp_path: Path) -> None:
    from small_study import write_csv

    directory = write_decision_study(
        tmp_path,
        lambda data: (
            data["blocks"][0].update(shows={"graph": "image"}, shown_images={"graph": "picture"}, series=None)
            or data["blocks"][0].pop("series")
        ),
    )
    for name in ("a.png", "b.png"):
        (directory / name).write_bytes(b"")
    write_csv(directory / "items.csv", ("item", "context", "picture"), [(item, "B.", "a.png") for item in TARGETS])
    header = ("item", "text", "context", "shows", "shown_image")
    write_csv(directory / "practice.csv", header, [("p1", "A tree.", "B.", "image", "b.png")])
    study = load_study(directory)
    block, plan = study.blocks[0], draw_plan(study)
    assert sorted(block.task.media()) == ["a.png", "b.png"]
    main = block.task.view(trial_of(plan, systems=("graph",)))
    assert (main["shows"], main["shown_image"]) == ("image", "a.png")
    practice = block.task.view(trial_of(plan, kind="practice"))
    assert (practice["shown_image"], practice["description"]) == ("b.png", "A tree.")


# --- answers ----------------------------------------------------------------------------------------------------------


@given(chosen=st.lists(st.sampled_from([a for a in ACTIONS if a != "nothing"]), min_size=1, max_size=6))
def test_any_number_may_be_chosen(study: Study, block: Block, plan: Plan, chosen: list[str]) -> None:
    trial = trial_of(plan, kind="main")
    kept = block.task.read(trial, {"chosen": chosen, "timed_out": False})
    assert set(kept["chosen"]) == set(chosen)
    # in the order of the page, each once: two who choose the same have the same payload
    assert kept["chosen"] == [action for action in trial.randomised["actions"] if action in chosen]
    assert block.task.read(trial, kept) == kept


@pytest.mark.parametrize(
    ("payload", "key"),
    [
        ({"chosen": []}, "decision.missing"),
        ({"chosen": "call"}, "decision.missing"),
        ({"chosen": ["jump"]}, "decision.unknown"),
        ({"chosen": [["call"]]}, "decision.unknown"),
        ({"chosen": [None]}, "decision.unknown"),
        ({"chosen": ["call"] * 7}, "decision.unknown"),
        ({"chosen": ["call", "nothing"]}, "decision.not_alone"),
        ({"chosen": ["call", "nothing"], "timed_out": True}, "decision.not_alone"),
        ({"chosen": [], "timed_out": "yes"}, "decision.missing"),
    ],
)
def test_unfit_answer_is_refused(block: Block, plan: Plan, payload: dict[str, Any], key: str) -> None:
    with pytest.raises(AnswerError) as caught:
        block.task.read(trial_of(plan, kind="main"), payload)
    assert caught.value.fields == {"chosen": key}


def test_nothing_may_be_chosen_when_time_is_over(block: Block, plan: Plan) -> None:
    kept = block.task.read(trial_of(plan, kind="main"), {"chosen": [], "timed_out": True})
    assert kept == {"chosen": [], "timed_out": True}


def test_without_a_limit_time_is_never_over(tmp_path: Path) -> None:
    study = load_study(write_decision_study(tmp_path, lambda data: data["blocks"][0].pop("limit_seconds") and None))
    block, trial = study.blocks[0], trial_of(draw_plan(study), kind="main")
    assert block.task.limit_seconds() is None
    with pytest.raises(AnswerError):
        block.task.read(trial, {"chosen": [], "timed_out": True})
    assert not block.task.view(trial)["limited"]


def test_no_action_goes_with_others_unless_the_study_says_otherwise(tmp_path: Path) -> None:
    study = changed(tmp_path, no_action_alone=False)
    block, trial = study.blocks[0], trial_of(draw_plan(study), kind="main")
    kept = block.task.read(trial, {"chosen": ["call", "nothing"]})
    assert set(kept["chosen"]) == {"call", "nothing"}
    assert block.task.invalid_reason({"chosen": "call nothing"}) is None
    assert block.task.view(trial)["alone"] == ""


def test_row_holds_what_it_is_scored_by(block: Block, plan: Plan) -> None:
    trial = trial_of(plan, kind="main", item="case2")
    (row,) = block.task.rows(trial, {"chosen": ["turn", "call"], "timed_out": False})
    assert row["chosen"] == "turn call"
    assert (row["appropriate"], row["inappropriate"], row["target"]) == TARGETS["case2"]
    assert row["system"] == trial.systems[0]
    (check,) = block.task.rows(trial_of(plan, kind="check"), {"chosen": ["call"]})
    assert (check["system"], check["appropriate"]) == ("", "")


def test_attention_check_wants_exactly_what_it_says(block: Block) -> None:
    def passed(chosen: str) -> bool:
        return block.task.passed_attention_check([{"item": "check-1", "chosen": chosen}])

    assert passed("call")
    assert not passed("call turn")
    assert not passed("")


def test_row_from_elsewhere_may_be_outside(block: Block) -> None:
    assert block.task.invalid_reason({"chosen": "call turn"}) is None
    assert block.task.invalid_reason({"chosen": "call jump"}) == "'jump' is not an action of this block"
    message = "'nothing' was chosen together with other actions"
    assert block.task.invalid_reason({"chosen": "call nothing"}) == message


def test_what_is_asked_is_told(block: Block) -> None:
    (asked,) = block.task.questions()
    assert asked.question == "What would you do now?"
    assert asked.answer.startswith("one or more of 6 actions: oxygen (Raise the oxygen), ")
    assert asked.answer.endswith("; nothing only alone; at most 60 seconds")


def test_no_trial_takes_longer_than_its_limit(tmp_path: Path) -> None:
    study = changed(tmp_path, limit_seconds=5)
    block = study.blocks[0]
    assert block.task.expected_seconds(trial_of(draw_plan(study), kind="main")) == 5
