"""Designs that cannot answer the question are told before they run."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from small_study import write_small_study

from textassay.design.plan import Slot, Trial
from textassay.study.design_warnings import design_warnings
from textassay.study.load import load_study
from textassay.study.overview import overview
from textassay.study.planning import draw_plan

PARTS = [(person, item, system) for part in "ab" for person in (f"{part}1", f"{part}2") for item, system in (
    [("i1", "human"), ("i2", "neural")] if part == "a" else [("i3", "template"), ("i4", "template")]
)]  # fmt: skip


def warnings(directory: Path, design: dict[str, Any], wanted: int | None = None, rows: Any = ()) -> str:
    def change(data: dict[str, Any]) -> None:
        data["participants"] = {} if wanted is None else {"wanted": wanted}
        data["screening"] = {}
        data["blocks"] = [{**data["blocks"][0], "design": design}]
        for key in ("practice", "context", "attention_checks"):
            data["blocks"][0].pop(key, None)

    write_small_study(directory, change)
    lines = ["participant,item,system", *map(",".join, rows)]
    (directory / "who.csv").write_text("\n".join(lines) + "\n", encoding="utf-8")
    study = load_study(directory)
    return "\n".join(overview(study, draw_plan(study)).warnings)


@pytest.mark.parametrize(
    ("design", "wanted", "rows", "said"),
    [
        (
            {"between": "systems"},
            3,
            (),
            (
                "systems cannot be told from people: each participant sees one system only, and human, neural and "
                "template are seen by one participant each; with several"
            ),
        ),
        (
            {"between": "systems"},
            6,
            (),
            "systems are compared between people, and one has 2 participants only, so that large differences alone",
        ),
        ({"between": "systems"}, 24, (), None),
        (
            {"judgements_per_text": 1, "texts_per_participant": 6},
            None,
            (),
            "leave-one-out) cannot be computed; with judgements_per_text: 2 each text is seen twice",
        ),
        (
            {"plan": "who.csv"},
            None,
            PARTS,
            "the design falls into parts that share no participant (human, neural | template); systems of different",
        ),
        (
            {"plan": "who.csv"},
            None,
            [("P1", "i1", "human"), ("P2", "i1", "neural")],
            "show some texts to several participants in who.csv",
        ),
        ({"everyone": "all"}, 2, (), None),
    ],
)
def test_what_a_design_cannot_answer(tmp_path: Path, design: Any, wanted: Any, rows: Any, said: str | None) -> None:
    told = warnings(tmp_path, design, wanted, rows)
    assert said in told if said is not None else told == ""


def test_comparisons_that_nothing_connects(tmp_path: Path) -> None:
    block = load_study(write_small_study(tmp_path)).blocks[0]
    pairs = [("human", "neural"), ("x", "y"), ("y", "z")]
    trials = tuple(Trial(f"t{place}", block.name, "main", place, "i1", pair) for place, pair in enumerate(pairs, 1))
    (told,) = design_warnings(block, [Slot(1, "", trials), Slot(2, "", trials)])
    assert told.startswith("the design falls into parts that share no comparison (human, neural | x, y, z)")
