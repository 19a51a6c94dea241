"""Designs that a study file can ask for, and what is wrong with those that contradict themselves."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from preference_study import BLOCK as PREFERENCE
from small_study import ITEMS, SYSTEMS, write_csv, write_small_study

from textassay.errors import StudyError
from textassay.study.load import load_study
from textassay.study.overview import overview
from textassay.study.planning import draw_plan, stored_plan
from textassay.study.study import Study

DEALT = {"judgements_per_text": 2, "texts_per_participant": 4}


def with_design(directory: Path, design: dict[str, Any], *, wanted: int | None = None) -> Path:
    def change(data: dict[str, Any]) -> None:
        data["blocks"][0]["design"] = design
        del data["participants"]["wanted"]
        if wanted is not None:
            data["participants"]["wanted"] = wanted

    return write_small_study(directory, change)


def texts_of(study: Study) -> list[list[tuple[str, str]]]:
    """The texts of each participant."""
    slots = draw_plan(study).slots
    return [[(trial.item, *trial.systems) for trial in slot.trials if trial.kind == "main"] for slot in slots]


def test_everyone_sees_all(tmp_path: Path) -> None:
    study = load_study(with_design(tmp_path, {"everyone": "all"}, wanted=3))
    seen = texts_of(study)
    assert [len(texts) for texts in seen] == [18] * 3
    assert all(set(texts) == set(study.texts) for texts in seen)
    assert len({tuple(texts) for texts in seen}) == 3  # each in an order of its own
    found = overview(study, draw_plan(study))
    assert "each of 3 participants sees all 18 texts (6 items × 3 systems)" in found.counts.note
    assert "Any two participants share 18 texts" in found.balance.note
    assert not any("balance" in warning for warning in found.warnings)


def test_each_text_gets_its_judgements_and_the_number_of_participants_follows(tmp_path: Path) -> None:
    study = load_study(with_design(tmp_path, DEALT))
    seen = texts_of(study)
    assert study.cohorts[0].wanted == len(seen) == 9
    assert Counter(text for texts in seen for text in texts) == dict.fromkeys(study.texts, 2)
    assert all(len({item for item, _ in texts}) == len(texts) == 4 for texts in seen)
    found = overview(study, draw_plan(study))
    assert "9 people × 4 texts = 36 judgements: each of the 18 texts gets 2" in found.counts.note
    remedies = "texts_per_participant 3 (12 participants), or with texts_per_participant 6 (6 participants)"
    assert f"the balance is not exact; it would be with {remedies}" in found.warnings


@pytest.mark.parametrize(("size", "people"), [(3, 12), (6, 6)])
def test_the_remedies_for_a_deal_make_it_exact(tmp_path: Path, size: int, people: int) -> None:
    study = load_study(with_design(tmp_path, {**DEALT, "texts_per_participant": size}))
    assert study.cohorts[0].wanted == people
    assert [row[-1] for row in overview(study, draw_plan(study)).balance.rows] == [True] * 5


def test_texts_may_be_missing_where_they_are_dealt(tmp_path: Path) -> None:
    with_design(tmp_path, DEALT)
    present = [(item, system) for item in ITEMS for system in SYSTEMS if (item, system) != ("i2", "neural")][:-3]
    write_csv(tmp_path / "texts.csv", ("item", "system", "text"), [(*each, f"Text of {each}.") for each in present])
    lines = (tmp_path / "items.csv").read_text(encoding="utf-8").splitlines()
    (tmp_path / "items.csv").write_text("\n".join(lines[:-1]) + "\n", encoding="utf-8")
    lines = (tmp_path / "references.csv").read_text(encoding="utf-8").splitlines()
    kept = [line for line in lines if not line.startswith("i6")]
    (tmp_path / "references.csv").write_text("\n".join(kept) + "\n", encoding="utf-8")
    study = load_study(tmp_path)
    assert Counter(text for texts in texts_of(study) for text in texts) == dict.fromkeys(present, 2)
    found = overview(study, draw_plan(study))
    assert ("quality", "an item × system, over participants", 2, 2, True) in found.balance.rows


@pytest.mark.parametrize(
    ("design", "wanted", "said"),
    [
        ({"everyone": "all", "repeats": 10}, 3, "design.repeats: got 10, but at most half of the 18 trials"),
        (
            {"everyone": "all", "items_per_participant": 3},
            3,
            "design.items_per_participant: every participant sees every text (everyone: all), so this cannot be set",
        ),
        ({"everyone": "all"}, None, "participants.wanted: 'wanted' is missing"),
        ({"everyone": "some"}, 3, "design.everyone"),
        ({"sittings": 7}, 6, "design.sittings: got 7, but a participant has 6 trials in this block; lower it"),
        (
            {"texts_per_participant": 4},
            6,
            "texts_per_participant: this belongs to judgements_per_text, which is missing; add it",
        ),
        ({"items_twice": True}, 6, "items_twice: this belongs to judgements_per_text, which is missing; add it"),
        (
            {"judgements_per_text": 2},
            6,
            "judgements_per_text: texts_per_participant is missing; add how many texts one participant judges",
        ),
        (
            {**DEALT, "group_by": "context"},
            9,
            "group_by: judgements_per_text deals texts, not whole items; remove it or group_by",
        ),
        (
            DEALT,
            6,
            (
                "participants.wanted: got 6, but the design takes 9 participants (9 people × 4 texts = 36 judgements: "
                "each of the 18 texts gets 2); write 9, or change the design"
            ),
        ),
        (
            {**DEALT, "texts_per_participant": 7},
            None,
            (
                "texts_per_participant: got 7, but there are only 6 items, and nobody sees an item twice; lower it, or "
                "set items_twice: true"
            ),
        ),
        (
            {**DEALT, "texts_per_participant": 19, "items_twice": True},
            None,
            "texts_per_participant: got 19, but there are only 18 texts; lower it",
        ),
    ],
)
def test_designs_that_cannot_be(tmp_path: Path, design: dict[str, Any], wanted: int | None, said: str) -> None:
    with pytest.raises(StudyError) as caught:
        load_study(with_design(tmp_path, design, wanted=wanted))
    assert said in str(caught.value)


def with_kinds(directory: Path, design: dict[str, Any], *, wanted: int | None, kinds: str = "aaaabb") -> Path:
    with_design(directory, design, wanted=wanted)
    path = directory / "items.csv"
    first, *rows = path.read_text(encoding="utf-8").splitlines()
    of_each = [f"{row},{kind.strip()}" for row, kind in zip(rows, kinds, strict=True)]
    path.write_text("\n".join([f"{first},kind", *of_each]) + "\n", encoding="utf-8")
    return directory


@pytest.mark.parametrize(
    ("design", "wanted"),
    [
        ({"items_per_participant": 3, "stratify": "kind"}, 6),
        ({"judgements_per_text": 2, "texts_per_participant": 3, "stratify": "kind"}, None),
        ({"between": "systems", "items_per_participant": 3, "stratify": "kind"}, 6),
    ],
)
def test_each_participant_gets_every_stratum_in_its_share(
    tmp_path: Path, design: dict[str, Any], wanted: int | None
) -> None:
    study = load_study(with_kinds(tmp_path, design, wanted=wanted))
    for texts in texts_of(study):
        assert Counter(item in ("i5", "i6") for item, _ in texts) == {False: 2, True: 1}
    found = overview(study, draw_plan(study))
    assert "of each kind a participant sees its share (a 2, b 1)" in found.counts.note
    assert ("quality", "kind b, for one participant", 1, 1, True) in found.balance.rows


@pytest.mark.parametrize(
    ("design", "kinds", "said"),
    [
        ({"stratify": "sort"}, "aaaabb", "design.stratify: the items table has no column 'sort'; use one of: item, "),
        ({"stratify": "kind"}, "aaaa b", "design.stratify: item 'i5' has no value in column 'kind'"),
        ({"stratify": "kind", "everyone": "all"}, "aaaabb", "design.stratify: every participant sees every text"),
        (
            {"stratify": "kind", "group_by": "context"},
            "aaaabb",
            "design.stratify: group 'Data.' has items of several kind (a, b); give all items of a group the same",
        ),
    ],
)
def test_strata_that_cannot_be(tmp_path: Path, design: dict[str, Any], kinds: str, said: str) -> None:
    with_kinds(tmp_path, design, wanted=6, kinds=kinds)
    path = tmp_path / "items.csv"
    same = [",".join([row.split(",")[0], "Data.", row.rsplit(",", 1)[1]]) for row in path.read_text().splitlines()[1:]]
    path.write_text("\n".join(["item,context,kind", *same]) + "\n", encoding="utf-8")
    with pytest.raises(StudyError) as caught:
        load_study(tmp_path)
    assert said in str(caught.value)


def test_a_stored_plan_does_not_fit_other_strata(tmp_path: Path) -> None:
    design = {"items_per_participant": 3, "stratify": "kind"}
    stored_plan(load_study(with_kinds(tmp_path, design, wanted=6)))
    with pytest.raises(StudyError, match="the plan was made from another design"):
        stored_plan(load_study(with_kinds(tmp_path, design, wanted=6, kinds="aabbbb")))


def test_items_may_come_twice_where_the_study_says_so(tmp_path: Path) -> None:
    study = load_study(with_design(tmp_path, {**DEALT, "texts_per_participant": 18, "items_twice": True}))
    assert [len(set(texts)) for texts in texts_of(study)] == [18, 18]


def test_a_stored_plan_does_not_fit_other_judgements(tmp_path: Path) -> None:
    stored_plan(load_study(with_design(tmp_path, DEALT)))
    with pytest.raises(StudyError, match="the plan was made from another design"):
        stored_plan(load_study(with_design(tmp_path, {**DEALT, "judgements_per_text": 4})))


def test_a_design_over_pairs_that_cannot_be_is_told_once(tmp_path: Path) -> None:
    def change(data: dict[str, Any]) -> None:
        data["participants"] = {}
        block = {**PREFERENCE, "pairs": {"scheme": "topline", "topline": "nobody"}, "design": DEALT}
        data["blocks"] = [block]

    with pytest.raises(StudyError) as caught:
        load_study(write_small_study(tmp_path, change))
    assert "there is no system 'nobody'" in str(caught.value)
    assert "wanted" not in str(caught.value)


def test_blocks_that_take_different_numbers_of_participants_are_told(tmp_path: Path) -> None:
    def change(data: dict[str, Any]) -> None:
        data["participants"] = {}
        data["blocks"][0]["design"] = DEALT
        data["blocks"].append({**data["blocks"][0], "name": "again", "design": {**DEALT, "judgements_per_text": 4}})

    with pytest.raises(StudyError, match="got 18, but block 'quality' takes 9 participants"):
        load_study(write_small_study(tmp_path, change))
