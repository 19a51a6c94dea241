"""Scores that were computed elsewhere: long or wide, checked against the study, never in the way of its own."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from small_study import ITEMS, SYSTEMS

from textassay.answers.imports import imported_tables
from textassay.answers.score_imports import holds_scores, import_scores, imported_scores
from textassay.errors import TableError, UsageError
from textassay.study.study import Study

WIDE = "item,system,text,comet,errors\n" + "".join(
    f"{item},{system},A text.,0.{number},{number}\n"
    for number, (item, system) in enumerate([(item, system) for item in ITEMS for system in SYSTEMS], 1)
)


def write(tmp_path: Path, text: str, name: str = "scores.csv") -> Path:
    path = tmp_path / name
    path.write_text(text)
    return path


def values(study: Study, metric: str) -> dict[tuple[str, str], Any]:
    return {(row["item"], row["system"]): row["value"] for row in imported_scores(study) if row["metric"] == metric}


def test_a_wide_table_becomes_a_long_one(study: Study, tmp_path: Path) -> None:
    found = import_scores(study, write(tmp_path, WIDE), lower=["errors"])
    assert (found.rows, found.metrics, found.left_out, found.assumed) == (
        36,
        ("comet", "errors"),
        ("text",),
        ("comet",),
    )
    assert str(found) == (
        f"scores: imported 36 scores by comet, errors into {study.directory / 'imported' / 'scores.csv'}; "
        "columns without numbers, left out: text"
    )
    assert values(study, "errors")["i1", "neural"] == 2
    assert {(row["metric"], row["better"], row["signature"]) for row in imported_scores(study)} == {
        ("comet", "", "comet|imported"),
        ("errors", "lower", "errors|imported"),
    }
    assert imported_tables(study) == []  # they are no answers


def test_other_metrics_are_added_and_the_same_only_replaced_if_told_to(study: Study, tmp_path: Path) -> None:
    import_scores(study, write(tmp_path, WIDE))
    long = write(tmp_path, "item,system,metric,value,better\ni1,human,judge,,\n,human,judge,4.5,Higher\n", "judge.csv")
    assert import_scores(study, long).assumed == ()
    assert values(study, "judge") == {("i1", "human"): None, ("", "human"): 4.5}  # undefined; of the whole system
    changed = write(tmp_path, "item,system,comet\ni1,human,9\n")
    with pytest.raises(UsageError, match="scores by comet were imported already; replace them with --replace"):
        import_scores(study, changed)
    import_scores(study, changed, replace_earlier=True)
    assert values(study, "comet") == {("i1", "human"): 9}
    assert len(values(study, "errors")) == 18


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("item,system,comet\ni9,human,1\n", "scores.csv:2: item: the study has no item 'i9'"),
        ("item,system,comet\ni1,martian,1\n", "the study has no system 'martian'"),
        ("item,system,comet\ni1,human,1\ni1,neural,good\n", "scores.csv:3: comet: 'good' is not a number"),
        ("item,system,comet\ni1,human,\n", "no column of numbers; add one for each metric"),
        ("item,system,metric,value,better\ni1,human,m,1,big\n", "'big' is neither higher nor lower"),
        (
            "item,system,metric,value,better\ni1,human,m,1,lower\ni2,human,m,1,higher\n",
            "both higher and lower are better of 'm'",
        ),
        ("item,system,metric,value\ni1,human,m,1\ni1,human,m,2\n", "is already in line 2"),
    ],
)
def test_what_does_not_fit_the_study_is_told(study: Study, tmp_path: Path, text: str, said: str) -> None:
    with pytest.raises(TableError) as caught:
        import_scores(study, write(tmp_path, text))
    assert said in str(caught.value)
    assert imported_scores(study) == []


def test_names_of_metrics(study: Study, tmp_path: Path) -> None:
    with pytest.raises(
        UsageError, match="the imported metric 'rouge-l' has the name of one of the study's own metrics"
    ):
        import_scores(study, write(tmp_path, "item,system,rouge-l\ni1,human,1\n"))
    with pytest.raises(
        UsageError, match=r"--lower-is-better ter: scores\.csv has no such metric; it has: comet, errors"
    ):
        import_scores(study, write(tmp_path, WIDE), lower=["ter"])
    known = import_scores(study, write(tmp_path, "item,system,ter\ni1,human,1\n"))
    assert known.assumed == ()  # the catalogue knows it


def test_ratings_in_wide_form_are_not_taken_for_scores(tmp_path: Path) -> None:
    assert holds_scores(write(tmp_path, WIDE))
    assert holds_scores(write(tmp_path, "item,system,metric,value\n", "comet.csv"))
    assert not holds_scores(write(tmp_path, WIDE, "ratings.csv"))
    assert not holds_scores(write(tmp_path, "participant,item,system,value\n"))
