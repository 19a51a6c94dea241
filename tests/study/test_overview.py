from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from small_study import write_csv, write_small_study

from textassay.study.load import load_study
from textassay.study.overview import StudyOverview, overview
from textassay.study.planning import draw_plan

Change = Callable[[dict[str, Any]], None]


def seen(tmp_path: Path, change: Change | None = None) -> StudyOverview:
    study = load_study(write_small_study(tmp_path, change))
    return overview(study, draw_plan(study))


def wanted(number: int) -> Change:
    return lambda data: data["participants"].update(wanted=number)


def test_counts_balance_and_time_of_a_study(tmp_path: Path) -> None:
    found = seen(tmp_path)
    assert found.counts.records() == [
        {
            "block": "quality",
            "items": 6,
            "systems": 3,
            "participants": 6,
            "trials": 6,
            "practice": 2,
            "repeats": 1,
            "checks": 1,
            "trials in all": 36,
        }
    ]
    assert found.counts.note.startswith(
        "The plan: 6 people × 6 texts = 36 judgements: each of the 18 texts gets 2 (1 Latin square of 6 × 6)."
    )
    assert found.balance.columns == ("block", "how often comes", "least", "most", "exact")
    assert found.balance.rows == (
        ("quality", "an item, for one participant", 1, 1, True),
        ("quality", "a system, for one participant", 2, 2, True),
        ("quality", "an item, over participants", 6, 6, True),
        ("quality", "a system, over participants", 12, 12, True),
        ("quality", "an item × system, over participants", 2, 2, True),
    )
    assert found.time.columns == ("minutes from", "minutes to")
    assert found.time.rows == ((2, 3),)  # 146 s, see test_planning
    assert found.warnings == ()
    assert found.tables == (found.counts, found.balance, found.time)


def test_cohorts_have_rows_of_their_own(tmp_path: Path) -> None:
    def change(data: dict[str, Any]) -> None:
        data["participants"] = {"cohorts": [{"name": "lay", "wanted": 6}, {"name": "expert", "wanted": 4}]}

    found = seen(tmp_path, change)
    assert [row[:2] for row in found.counts.rows] == [("lay", "quality"), ("expert", "quality")]
    assert found.counts.columns[:2] == found.balance.columns[:2] == ("cohort", "block")
    assert found.time.columns[0] == "cohort"
    assert [row[0] for row in found.balance.rows] == ["lay"] * 5 + ["expert"] * 5
    assert [row[0] for row in found.time.rows] == ["lay", "expert"]
    remedies = "it would be with 3 participants, or with 6 participants"
    assert found.warnings == (f"cohort 'expert', block 'quality': the balance is not exact; {remedies}",)


def test_inexact_balance_comes_with_its_remedies(tmp_path: Path) -> None:
    warning = "the balance is not exact; it would be with 6 participants, or with 9 participants"
    assert seen(tmp_path, wanted(7)).warnings == (warning,)


def test_texts_that_are_seen_once_allow_no_agreement(tmp_path: Path) -> None:
    found = seen(tmp_path, wanted(3))
    once = "no two participants see the same text, so agreement on single texts"
    refused = "(alpha, intraclass correlation, leave-one-out) cannot be computed"
    assert found.warnings == (f"{once} {refused}; with 6 participants everything is seen twice",)
    assert max(row[3] for row in seen(tmp_path, wanted(6)).balance.rows if "×" in row[1]) == 2


def test_time_is_told_from_the_shortest_to_the_longest_list(tmp_path: Path) -> None:
    write_small_study(tmp_path, lambda data: data["blocks"][0]["design"].update(items_per_participant=3))
    rows = [(f"i{item}", system, "One.") for item in range(1, 7) for system in ("template", "neural", "human")]
    rows[0] = (*rows[0][:2], "word " * 2100)  # ten minutes, or twenty for who reads it again
    write_csv(tmp_path / "texts.csv", ("item", "system", "text"), rows)
    study = load_study(tmp_path)
    assert overview(study, draw_plan(study)).time.rows == ((2, 22),)


def test_one_system_cannot_be_compared(tmp_path: Path) -> None:
    study = load_study(write_small_study(tmp_path))
    write_csv(
        tmp_path / "texts.csv", ("item", "system", "text"), [(item, "human", "x") for item in study.items_in_order]
    )
    study = load_study(tmp_path)
    assert overview(study, draw_plan(study)).warnings == (
        "there is only one system ('human'), so there is nothing to compare",
    )


def test_a_language_without_words_is_noted(tmp_path: Path) -> None:
    warning = (
        "buttons and hints are not translated into 'tlh', so they will be in English; "
        "'interface' can be one of ar, de, en, es, fr, and 'messages' can name a file with your own words"
    )
    assert seen(tmp_path, lambda data: data.update(language="tlh")).warnings == (warning,)
    assert seen(tmp_path, lambda data: data.update(language="tlh", interface="de")).warnings == ()
    assert seen(tmp_path, lambda data: data.update(language="de-AT")).warnings == ()


def test_a_break_that_never_comes_is_noted(tmp_path: Path) -> None:
    def change(data: dict[str, Any]) -> None:
        data["blocks"][0]["design"]["break_every"] = 8

    assert seen(tmp_path, change).warnings == (
        "block 'quality': no break is offered, since it has 8 trials and break_every is 8",
    )


def test_a_long_study_is_noted(tmp_path: Path) -> None:
    write_small_study(tmp_path)
    (tmp_path / "instructions.md").write_text("word " * 12_600, encoding="utf-8")  # an hour at 210 words a minute
    study = load_study(tmp_path)
    assert overview(study, draw_plan(study)).warnings == (
        (
            "it takes up to 63 minutes; design.items_per_participant makes the lists shorter, design.sittings splits "
            "them into several visits"
        ),
    )
