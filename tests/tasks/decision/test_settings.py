"""Mistakes in a decision block and its tables are all found, each with its place and remedy."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from decision_study import ACTIONS, TARGETS, write_decision_study
from small_study import write_csv

from textassay.errors import StudyError
from textassay.study.load import load_study
from textassay.tasks.decision.settings import suitable_actions


def problems(directory: Path, change: Callable[[dict[str, Any]], None] | None = None, **tables: Any) -> list[str]:
    """What is wrong with the study, without file and line; `tables` replace the study's: header, then rows."""
    write_decision_study(directory, lambda data: change(data["blocks"][0]) if change else None)
    for name, (header, rows) in tables.items():
        write_csv(directory / f"{name}.csv", header, rows)
    with pytest.raises(StudyError) as caught:
        load_study(directory)
    return [f"{problem.where}: {problem.message}" for problem in caught.value.problems]


def test_study_is_sound(tmp_path: Path) -> None:
    block = load_study(write_decision_study(tmp_path)).blocks[0]
    assert [row["action"] for row in block.tables["actions"]] == list(ACTIONS)
    assert block.task.limit_seconds() == 60


SETTINGS: list[tuple[dict[str, Any], str]] = [
    ({"series": None}, "blocks[0].shows.graph: a plot needs values; name their table in 'series'"),
    (
        {"shows": {"graph": "image"}},
        "blocks[0].shows.graph: an image needs a file; name the column that holds it in 'shown_images.graph'",
    ),
    (
        {"shown_images": {"human": "picture"}},
        "blocks[0].shown_images.human: 'human' shows no image; set 'shows.human' to image or remove this",
    ),
    (
        {"plot_ranges": {"Oxygen saturation (%)": [100, 70]}},
        ("blocks[0].plot_ranges.Oxygen saturation (%): the range from 100 to 70 is empty; give the lower value first"),
    ),
    (
        {"plot_ranges": {"Oxygen": [70, 100]}},
        "blocks[0].plot_ranges.Oxygen: there is no series 'Oxygen'; did you mean 'Oxygen saturation (%)'?",
    ),
    (
        {"no_action": None},
        "blocks[0].no_action_alone: which action means doing nothing is not said; name it in 'no_action'",
    ),
    (
        {"attention_checks": [{"text": "x", "expected": ["nothing", "call"]}]},
        "blocks[0].attention_checks[0].expected: 'nothing' cannot be chosen together with others; ask for it alone",
    ),
    (
        {"attention_checks": [{"text": "x", "expected": ["call"], "shows": "plot"}]},
        (
            "blocks[0].attention_checks[0].shows: participants see a plot instead of its text; "
            "say in 'context' what to choose, or let it show a text"
        ),
    ),
    (
        {"attention_checks": [{"text": "x", "context": "Choose call.", "expected": ["call"], "shows": "plot"}]},
        "blocks[0].series: series.csv has no values for item 'check-1', which is shown as a plot; add them",
    ),
    (
        {"attention_checks": [{"text": "x", "expected": ["call"], "shows": "image"}]},
        (
            "blocks[0].attention_checks[0].shown_image: 'shows: image' and 'shown_image' need each other; "
            "add the one or remove the other"
        ),
    ),
    (
        {"attention_checks": [{"text": "x", "expected": ["call"], "shows": "image", "shown_image": "gone.png"}]},
        (
            "blocks[0].attention_checks[0].shown_image: image 'gone.png' of this attention check is not there; "
            "create it or correct the table"
        ),
    ),
    (
        {
            "shows": {},
            "series": None,
            "attention_checks": [{"text": "x", "context": "y", "expected": ["call"], "shows": "plot"}],
        },
        "blocks[0].attention_checks[0].shows: a plot needs values; name their table in the block's 'series'",
    ),
    (
        {"no_action": "wait", "no_action_alone": False},
        f"blocks[0].no_action: 'wait' is not an action of actions.csv; use one of: {', '.join(ACTIONS)}",
    ),
    (
        {"attention_checks": [{"text": "x", "expected": ["jump"]}]},
        (
            "blocks[0].attention_checks[0].expected: 'jump' is not an action of actions.csv; "
            f"use one of: {', '.join(ACTIONS)}"
        ),
    ),
    (
        {"shows": {"graph": "plot", "robot": "plot"}},
        "blocks[0].shows.robot: there are no texts of system 'robot'; use one of: human, neural, graph",
    ),
    (
        {"shows": {"graph": "image"}, "shown_images": {"graph": "picture"}},
        "blocks[0].shown_images.graph: the items table has no column 'picture'; use one of: item, context; or add it",
    ),
    (
        {"context": "story"},
        "blocks[0].context: the items table has no column 'story'; use one of: item, context; or add it",
    ),
]


@pytest.mark.parametrize(("settings", "message"), SETTINGS, ids=[message.partition(":")[0] for _, message in SETTINGS])
def test_mistake_in_the_settings(tmp_path: Path, settings: dict[str, Any], message: str) -> None:
    def change(block: dict[str, Any]) -> None:
        block.update(settings)
        for key in [key for key, value in block.items() if value is None]:
            del block[key]

    assert problems(tmp_path, change) == [message]


@pytest.mark.parametrize("limit", [0, 0.5, 86_401, "3 minutes"])
def test_limit_is_a_sensible_number(tmp_path: Path, limit: Any) -> None:
    (found,) = problems(tmp_path, lambda block: block.update(limit_seconds=limit))
    assert found.startswith("blocks[0].limit_seconds: ")


ACTION, TARGET, SERIES = ("action", "label"), ("item", "appropriate", "inappropriate", "target"), (
    "item", "series", "time", "value",
)  # fmt: skip
SOUND = [(item, *sets) for item, sets in TARGETS.items()]


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        (SOUND[1:], "targets.csv has no row for item 'case1'; add one"),
        (
            [("case1", "jump", "feed", "jump"), *SOUND[1:]],
            "targets.csv, line 2: 'jump' in column 'appropriate' is not an action; correct or add it",
        ),
        (
            [("case1", "oxygen call", "call", "oxygen"), *SOUND[1:]],
            "targets.csv, line 2: 'call' is both appropriate and inappropriate; remove it from one of the two",
        ),
        (
            [("case1", "oxygen", "call", "call"), *SOUND[1:]],
            "targets.csv, line 2: 'call' is both target and inappropriate; remove it from one of the two",
        ),
    ],
)
def test_mistake_in_the_targets(tmp_path: Path, rows: list[Any], message: str) -> None:
    assert f"blocks[0].targets: {message}" in problems(tmp_path, targets=(TARGET, rows))


def test_experts_are_combined_as_the_block_says(tmp_path: Path) -> None:
    header = (*TARGET, "expert")
    rows = [(*row, "Ann") for row in SOUND] + [("case1", "feed", "oxygen call", "feed", "Ben")]
    for how, message in (
        ("majority", "blocks[0].targets: item 'case1': the experts find no action appropriate together; combine them"),
        ("union", "blocks[0].targets: item 'case1': the experts find no action appropriate together; combine them"),
        (
            "adjudicated",
            "blocks[0].experts: targets.csv has no row of the expert 'adjudicated' for item 'case1'; add one",
        ),
        ("everybody", "blocks[0].experts: "),
    ):
        found = problems(tmp_path / how, lambda block, how=how: block.update(experts=how), targets=(header, rows))
        assert found[0].startswith(message)
    decided = [(*row, "adjudicated") for row in SOUND]
    write_decision_study(tmp_path / "sound", lambda data: data["blocks"][0].update(experts="adjudicated"))
    write_csv(tmp_path / "sound" / "targets.csv", header, [*rows, *decided])
    block = load_study(tmp_path / "sound").blocks[0]
    assert suitable_actions(block.tables["targets"], "adjudicated")["case1"].appropriate == ("oxygen", "call")


def test_item_without_an_appropriate_action_has_no_score(tmp_path: Path) -> None:
    (found,) = problems(tmp_path, targets=(TARGET, [("case1", "", "feed", ""), *SOUND[1:]]))
    assert found == "appropriate: column 'appropriate' is empty; fill it in or remove the row"


def test_mistakes_in_the_actions(tmp_path: Path) -> None:
    found = problems(tmp_path, actions=(ACTION, [*ACTIONS.items(), ("call me", "Call me")]))
    assert found == [
        (
            "blocks[0].actions: actions.csv, line 8: action 'call me' has a space in it; write it without, such as "
            "call-doctor"
        )
    ]


def test_mistakes_in_the_series(tmp_path: Path) -> None:
    rows = [(item, "pulse", 1, 60) for item in (*TARGETS, "p2")]
    changed = [*rows, ("case1", "pulse", "noon", 61), ("case2", "empty", 1, "")]
    assert problems(tmp_path / "one", series=(SERIES, changed)) == [
        (
            "blocks[0].series: series.csv, line 9: 'noon' is not a time; write a number, a time such as 09:30, or a "
            "date and time such as 2026-01-31T09:30"
        ),
        "blocks[0].series: series.csv: series 'empty' of item 'case2' has no value; add one or remove it",
    ]
    assert problems(tmp_path / "two", series=(SERIES, rows[1:])) == [
        "blocks[0].series: series.csv has no values for item 'case1', which is shown as a plot; add them"
    ]


def test_mistakes_in_images(tmp_path: Path) -> None:
    def change(block: dict[str, Any]) -> None:
        block.update(shows={"graph": "image"}, shown_images={"graph": "picture"})

    (tmp_path / "note.txt").write_text("no image")
    names = ["gone.png", "note.txt", "../up.png", "", "gone.png", "gone.png"]
    rows = [(item, "Background.", name) for item, name in zip(TARGETS, names, strict=True)]
    found = problems(tmp_path, change, items=(("item", "context", "picture"), rows))
    where = "blocks[0].shown_images.graph"
    assert found[:4] == [
        f"{where}: image '../up.png' of item 'case3' is outside the study directory; copy it into the directory",
        f"{where}: image 'gone.png' of item 'case1' is not there; create it or correct the table",
        f"{where}: image 'gone.png' of item 'case5' is not there; create it or correct the table",
        f"{where}: image 'note.txt' of item 'case2' is not an image; use one of: .png, .jpg, .jpeg, .webp, .gif, .svg",
    ]
    assert f"{where}: item 'case4' names no image; fill it in" in found


def test_practice_may_show_a_plot_only_where_there_are_values(tmp_path: Path) -> None:
    def change(block: dict[str, Any]) -> None:
        del block["shows"], block["series"]

    header, rows = ("item", "text", "context", "shows"), [("p1", "A text.", "B.", "plot"), ("p2", "C.", "D.", "film")]
    assert problems(tmp_path, change, practice=(header, rows)) == [
        "blocks[0].practice: practice item 'p1' shows a plot; name the table of its values in 'series'",
        "blocks[0].practice: practice item 'p2' shows 'film'; use one of: text, plot, image",
    ]
