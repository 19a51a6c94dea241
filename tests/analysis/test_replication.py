"""Runs of one evaluation: what differs, what was upheld, what cannot be told, and what is refused."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from textassay.analysis.evaluation_runs import EvaluationRun, answered_run, published_run
from textassay.analysis.replication import replication, replications
from textassay.errors import DataError, UsageError

SYSTEMS = ("a", "b", "c")


def answers(seed: int, shift: tuple[float, ...] = (0.0, 0.0, 0.0), people: int = 8, items: int = 6) -> pd.DataFrame:
    """Ratings from 1 to 7; c is better than b, and b than a."""
    random = np.random.default_rng(seed)
    easy = np.linspace(-1, 1, items)
    rows = [
        (f"p{p}", f"i{i}", system, "clarity", float(np.clip(round(3 + easy[i] + k + shift[k] + random.normal()), 1, 7)))
        for p in range(people)
        for i in range(items)
        for k, system in enumerate(SYSTEMS)
    ]
    return pd.DataFrame(rows, columns=["participant", "item", "system", "criterion", "value"])


def run(name: str, seed: int, **given: object) -> EvaluationRun:
    shift = given.pop("shift", (0.0, 0.0, 0.0))
    return answered_run(name, answers(seed, shift), **given)  # type: ignore[arg-type]


FIRST = run("first", 1, begins={"clarity": 1.0})


def test_a_run_in_which_one_system_fell() -> None:
    found = replication([FIRST, run("second", 2, shift=(0.0, 0.0, -2.0))])
    text = found.headlines[0].text
    assert "The systems moved unequally, so that the runs differ in how they place the systems (F(" in text
    assert "c differs between the runs by −" in text
    assert "Of 3 pairs of systems, 2 are in the same order in first and second;" in text
    assert "of 3 significant in first, upheld: 1, 1 turned round." in text
    assert "Two runs cannot tell how much further runs would vary" in text
    assert "Correlations over 3 systems tell next to nothing." in text
    names = [table.name for table in found.tables]
    assert names == ["differences", "heterogeneity", "findings-upheld", "cv-star", "correlations", "labels"]


def test_equal_runs_are_not_called_the_same() -> None:
    found = replication([FIRST, run("second", 3, simulated=True)])
    assert [text.partition(":")[0] for text in found.cautions] == ["second"]
    text = found.headlines[0].text
    assert "no shift of all scores is shown" in text
    assert "which does not mean that they moved alike" in text
    assert "differences of up to " in text
    (cv, *_) = [record for record in found.records() if record["statistic"] == "CV*"]
    assert cv["mean"] == pytest.approx((FIRST.scores["clarity"]["a"] + run("second", 3).scores["clarity"]["a"]) / 2 - 1)


def test_three_runs_are_each_set_beside_the_original() -> None:
    found = replication([FIRST, run("second", 3), run("third", 4)])
    runs = {
        (record["first"], record["second"]) for record in found.records() if record["statistic"] == "difference of runs"
    }
    assert runs == {("first", "second"), ("first", "third")}
    assert {record["n"] for record in found.records() if record["statistic"] == "CV*"} == {3}
    assert "Two runs cannot tell" not in found.headlines[0].text


def test_published_scores_allow_cv_star_correlations_and_orders_only(tmp_path: Path) -> None:
    path = tmp_path / "paper.csv"
    path.write_text("system,criterion,score,n\na,clarity,3.1,40\nb,clarity,4.2,40\nc,clarity,3.9,40\nd,clarity,5,40\n")
    found = replication([published_run(path), FIRST], begins={"clarity": 1})
    assert [table.name for table in found.tables] == ["findings-upheld", "cv-star", "correlations"]
    assert "how far the runs differ beyond chance cannot be told" in found.headlines[0].text
    assert "Of 3 pairs of systems, 2 are in the same order in paper and first." in found.headlines[0].text
    assert "paper, clarity: not in all runs, and left out: systems d" in found.warnings


def test_a_mean_that_is_not_positive_has_no_cv_star() -> None:
    low = EvaluationRun("low", {"gain": {"a": -1.0, "b": 2.0}})
    found = replication([low, EvaluationRun("high", {"gain": {"a": 0.5, "b": 3.0}})])
    assert "The only pair of systems is in the same order in low and high." in found.headlines[0].text
    table = next(table for table in found.tables if table.name == "cv-star")
    assert [row[-3] is None for row in table.rows] == [True, False]
    assert "Without CV*: CV* is a share of the mean" in table.note


def test_other_texts_under_the_same_names_are_other_items() -> None:
    texts = {(f"i{i}", system): f"{i} {system}" for i in range(6) for system in SYSTEMS}
    one = run("first", 1, texts=texts)
    same = replication([one, run("second", 3, texts=texts)])
    other = replication([one, run("second", 3, texts={key: text + "!" for key, text in texts.items()})])
    shared = [next(r["shared_items"] for r in found.records() if "shared_items" in r) for found in (same, other)]
    assert shared == [6, 0]
    assert any("different texts under the same names" in text for text in other.warnings)


def scores(name: str, **criteria: dict[str, float]) -> EvaluationRun:
    return EvaluationRun(name, criteria)


@pytest.mark.parametrize(
    ("runs", "message"),
    [
        (
            [scores("x", clarity={"a": 1}), scores("y", fluency={"a": 1})],
            "no criterion in common .x: clarity; y: fluency",
        ),
        ([scores("x", clarity={"a": 1}), scores("y", clarity={"b": 1})], "no system in common on clarity .x: a; y: b"),
        ([scores("x", clarity={"a": 1}), scores("x", clarity={"a": 2})], "two runs are called 'x'"),
    ],
)
def test_what_is_refused(runs: list[EvaluationRun], message: str) -> None:
    with pytest.raises(UsageError, match=message):
        replication(runs)


def test_other_scales_and_the_same_answers_are_refused() -> None:
    five, seven = (
        EvaluationRun(name, {"clarity": {"a": 2.0}}, scales={"clarity": name}) for name in ("1 to 5", "1 to 7")
    )
    with pytest.raises(UsageError, match=r"the scales of clarity differ .1 to 5: 1 to 5; 1 to 7: 1 to 7"):
        replication([five, seven])
    with pytest.raises(DataError, match="first and again hold the same answers of the same people"):
        replication([FIRST, run("again", 1)])
    with pytest.raises(UsageError, match="two runs or more"):
        replications([[FIRST]])
    with pytest.raises(UsageError, match="different numbers of blocks"):
        replications([[FIRST], [FIRST, FIRST]])
