"""Plans of whole studies: who sees what, in groups of items and in several blocks."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from small_study import ITEMS, SYSTEMS, write_csv, write_small_study

from textassay.design.balance import BalanceLine
from textassay.design.plan import Plan
from textassay.errors import StudyError
from textassay.study.load import load_study
from textassay.study.overview import overview
from textassay.study.planning import block_places, draw_plan, proofs, stored_plan
from textassay.study.study import Study

DIGEST = "4d136fa55222f360048ee063062490b7f474fffcc5aeaf096926696672274e78"
"""Computed by the code of the first release."""


def madnani(directory: Path, **design: Any) -> Study:
    """Madnani et al. 2007: 9 summaries in 3 groups, conditions O, R and T, 18 participants."""

    def change(data: dict[str, Any]) -> None:
        data["participants"]["wanted"] = 18
        data["tables"] = {"texts": "texts.csv", "items": "items.csv"}
        data["metrics"] = []
        block = data["blocks"][0]
        block["design"] = {"order": "random", "group_by": "group", **design}
        for key in ("practice", "context", "attention_checks"):
            block.pop(key)
        del data["screening"]["attention-checks"]

    write_small_study(directory, change)
    summaries = [f"S{number}" for number in range(1, 10)]
    texts = [(item, condition, f"{item} in {condition}.") for item in summaries for condition in "ORT"]
    write_csv(directory / "texts.csv", ("item", "system", "text"), texts)
    groups = [(item, f"g{number // 3 + 1}") for number, item in enumerate(summaries)]
    write_csv(directory / "items.csv", ("item", "group"), groups)
    return load_study(directory)


def test_groups_of_items_share_their_condition(tmp_path: Path) -> None:
    study = madnani(tmp_path)
    plan = draw_plan(study)
    assert len(plan.slots) == 18
    cells = Counter((trial.item, trial.systems[0]) for slot in plan.slots for trial in slot.trials)
    assert set(Counter(trial.item for slot in plan.slots for trial in slot.trials).values()) == {18}
    assert len(cells) == 27
    assert set(cells.values()) == {6}  # 18 reorderings a summary, 6 in each condition
    for slot in plan.slots:
        by_group: dict[str, set[str]] = {}
        for trial in slot.trials:
            by_group.setdefault(study.items[trial.item]["group"], set()).add(trial.systems[0])
        assert sorted(map(len, by_group.values())) == [1, 1, 1]
        assert set.union(*by_group.values()) == {"O", "R", "T"}
        assert Counter(trial.systems[0] for trial in slot.trials) == {"O": 3, "R": 3, "T": 3}
    # The groups of participants of a 3 × 3 square: six see each of its rows.
    rows = Counter(
        tuple(sorted((study.items[trial.item]["group"], trial.systems[0]) for trial in slot.trials))
        for slot in plan.slots
    )
    assert len(rows) in (3, 6)  # one square throughout, or its mirror image too: sets are drawn anew
    assert len({tuple(trial.item for trial in slot.trials) for slot in plan.slots}) == 18  # order random for each


def test_groups_have_their_balance_proof(tmp_path: Path) -> None:
    study = madnani(tmp_path)
    (proof,) = proofs(study, draw_plan(study))
    assert proof.balance.exact
    assert proof.balance.trials == 162
    assert proof.balance.squares == "6 Latin squares of 3 × 3, over groups of items"
    assert proof.balance.lines == (
        BalanceLine("an item, for one participant", 1, 1),
        BalanceLine("a system, for one participant", 3, 3),
        BalanceLine("an item, over participants", 18, 18),
        BalanceLine("a system, over participants", 54, 54),
        BalanceLine("an item × system, over participants", 6, 6),
        BalanceLine("a system within one group, for one participant", 1, 1),
    )


def test_groups_that_do_not_fit_have_remedies_in_their_own_words(tmp_path: Path) -> None:
    study = madnani(tmp_path)
    write_csv(tmp_path / "items.csv", ("item", "group"), [(item, f"g{int(item[1]) % 4}") for item in study.items])
    changed = load_study(tmp_path)
    (proof,) = proofs(changed, draw_plan(changed))
    assert not proof.balance.exact
    assert [str(remedy) for remedy in proof.balance.remedies] == [
        "3 groups of equal size",
        "6 groups of equal size",
    ]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (
            {"group_by": "colour"},
            "blocks[0].design.group_by: the items table has no column 'colour'; use one of: item, group; or add it",
        ),
        (
            {"items_per_participant": 3},
            (
                "blocks[0].design.group_by: participants see whole groups, so the number of items cannot be set; "
                "remove items_per_participant"
            ),
        ),
    ],
)
def test_grouping_that_cannot_be(tmp_path: Path, change: dict[str, Any], message: str) -> None:
    with pytest.raises(StudyError) as caught:
        madnani(tmp_path, **change)
    assert str(caught.value).partition(": ")[2] == message


def test_grouping_needs_a_group_for_every_item(tmp_path: Path) -> None:
    study = madnani(tmp_path)
    write_csv(tmp_path / "items.csv", ("item", "group"), [(item, "" if item == "S2" else "g") for item in study.items])
    with pytest.raises(StudyError, match="item 'S2' has no value in column 'group' of the items table"):
        load_study(tmp_path)


# --- several blocks -------------------------------------------------------------------------------------------------


def blocks(directory: Path, count: int, wanted: int, order: str = "balanced") -> tuple[Study, Plan]:
    def change(data: dict[str, Any]) -> None:
        data["participants"]["wanted"] = wanted
        data["block_order"] = order
        data["blocks"] = [{**data["blocks"][0], "name": f"b{number}"} for number in range(1, count + 1)]

    study = load_study(write_small_study(directory, change))
    return study, draw_plan(study)


def orders_of(plan: Plan) -> list[tuple[str, ...]]:
    return [tuple(dict.fromkeys(trial.block for trial in slot.trials)) for slot in plan.slots]


def test_blocks_stay_as_they_are_unless_asked(tmp_path: Path) -> None:
    _, plan = blocks(tmp_path, 3, 6, "fixed")
    assert set(orders_of(plan)) == {("b1", "b2", "b3")}


def test_two_blocks_come_first_equally_often(tmp_path: Path) -> None:
    _, plan = blocks(tmp_path, 2, 12)
    assert Counter(orders_of(plan)) == {("b1", "b2"): 6, ("b2", "b1"): 6}
    # Not tied to the lists: 3 systems and 2 orders meet in every way.
    first = {slot.number: next(trial for trial in slot.trials if trial.item == "i1").systems for slot in plan.slots}
    met = {(order[0], first[number]) for number, order in enumerate(orders_of(plan), 1)}
    assert len(met) > 3


@pytest.mark.parametrize(("count", "size"), [(3, 6), (4, 4)])
def test_more_blocks_are_balanced_for_place_and_predecessor(tmp_path: Path, count: int, size: int) -> None:
    _, plan = blocks(tmp_path, count, 2 * size)
    orders = orders_of(plan)
    places = Counter((place, block) for order in orders for place, block in enumerate(order))
    assert set(places.values()) == {2 * size // count}
    assert len(places) == count**2
    after = Counter(pair for order in orders for pair in pairwise(order))
    assert len(after) == count * (count - 1)
    assert len(set(after.values())) == 1
    # each set of orders is shuffled anew
    assert sorted(orders[:size]) == sorted(orders[size:])
    assert count == 4 or orders[:size] != orders[size:]  # one of 24 shuffles of four is the same again


def test_balance_of_block_order_is_told(tmp_path: Path) -> None:
    study, plan = blocks(tmp_path, 2, 6)
    told = [row for row in overview(study, plan).balance.rows if "block" in str(row[-4])]
    assert told == [("all", "a block in each place, over participants", 3, 3, True)]
    study, plan = blocks(tmp_path / "odd", 2, 5)
    told = [row for row in overview(study, plan).balance.rows if "block" in str(row[-4])]
    assert told == [("all", "a block in each place, over participants", 2, 3, False)]
    remedy = "the order of the blocks is not exactly balanced; it would be with a multiple of 2 participants"
    assert remedy in overview(study, plan).warnings


def test_balance_of_block_order_is_told_for_each_cohort(tmp_path: Path) -> None:
    def change(data: dict[str, Any]) -> None:
        data["participants"] = {"cohorts": [{"name": "lay", "wanted": 5}, {"name": "experts", "wanted": 2}]}
        data["block_order"] = "balanced"
        data["blocks"] = [{**data["blocks"][0], "name": name} for name in ("b1", "b2")]

    study = load_study(write_small_study(tmp_path, change))
    found = block_places(study, draw_plan(study))
    assert {cohort: (line.least, line.most, line.exact) for cohort, line in found.items()} == {
        "lay": (2, 3, False),
        "experts": (1, 1, True),
    }


# --- what a stored plan fits ----------------------------------------------------------------------------------------


def test_plan_of_an_earlier_release_still_fits(tmp_path: Path) -> None:
    """The digest of a study without groups and pairs is the one that the first release wrote."""
    study = load_study(write_small_study(tmp_path))
    assert draw_plan(study).made_from == DIGEST


def test_changed_groups_are_noticed(tmp_path: Path) -> None:
    study = madnani(tmp_path)
    stored_plan(study)
    write_csv(tmp_path / "items.csv", ("item", "group"), [(item, f"g{int(item[1]) % 3}") for item in study.items])
    with pytest.raises(StudyError, match="the plan was made from another design"):
        stored_plan(load_study(tmp_path))


def test_changed_block_order_is_noticed(tmp_path: Path) -> None:
    study, _ = blocks(tmp_path, 2, 4, "fixed")
    stored_plan(study)
    balanced, _ = blocks(tmp_path, 2, 4, "balanced")
    with pytest.raises(StudyError, match="the plan was made from another design"):
        stored_plan(balanced)


def test_items_and_systems_of_the_small_study() -> None:
    assert (len(ITEMS), len(SYSTEMS)) == (6, 3)  # the counts above rely on them
