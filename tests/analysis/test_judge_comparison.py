"""Judges put to the test, from tables."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from textassay.analysis.judge_comparison import judge_comparison
from textassay.errors import DataError
from textassay.meta.judge_test import JudgeTestOptions

QUICK = JudgeTestOptions(draws=0)
ROWS = {"ann": "AABBCCAB", "bob": "AABBCAAB", "cy": "ABBBCCAA"}
JUDGE = "AABACCAB"


def people(**more: object) -> pd.DataFrame:
    rows = [(name, str(n), value) for name, given in ROWS.items() for n, value in enumerate(given)]
    return pd.DataFrame(rows, columns=["participant", "item", "value"]).assign(**more)


def judge(given: str = JUDGE, **more: object) -> pd.DataFrame:
    return pd.DataFrame({"item": [str(n) for n in range(len(given))], "value": list(given)}).assign(**more)


def test_labels_by_accuracy() -> None:
    found = judge_comparison(people(), judge(), QUICK)
    (row,) = found.tables[0].records()
    assert (row["Judge"], row["People"], row["Winning rate"], row["Passes"], row["ρ"]) == (
        "the judge",
        3,
        0,
        False,
        0.875,
    )
    assert [each["Difference"] for each in found.tables[1].records()] == [0.125, 0, -0.125]
    assert found.headlines[0].text == (
        "It is not shown that the judge can stand in for a person: it is shown to be as near to the others as 0 of 3 "
        "people (ε = 0.1)."
    )
    assert found.cautions == ()
    assert found.tables[1].detail


def test_several_judges_and_criteria() -> None:
    answers = pd.concat([people(criterion="clarity"), people(criterion="style")])
    judges = pd.concat([judge(judge="x"), judge("AABBCCAB", judge="y")])
    rows = judge_comparison(answers, judges, QUICK).tables[0].records()
    assert [(row["Judge"], row["Criterion"]) for row in rows] == [
        ("x", "clarity"), ("y", "clarity"), ("x", "style"), ("y", "style"),
    ]  # fmt: skip
    of_style = pd.concat([judge(judge="x", criterion="style"), judge("AABBCCAB", judge="y", criterion="clarity")])
    rows = judge_comparison(answers, of_style, QUICK).tables[0].records()
    assert [(row["Judge"], row["Criterion"]) for row in rows] == [("y", "clarity"), ("x", "style")]


def test_texts_are_matched_by_item_and_system() -> None:
    answers = people().assign(system=lambda table: "s" + table["item"].str[-1], item="i")
    other = judge().assign(system=lambda table: "s" + table["item"].str[-1], item="i", metric="m")
    assert judge_comparison(answers, other, QUICK).tables[0].records()[0]["ρ"] == 0.875
    with pytest.raises(DataError, match=r"people's answers have the column\(s\) system, the judge's have not"):
        judge_comparison(answers, judge(), QUICK)


def numbers(values: np.ndarray, **more: object) -> pd.DataFrame:
    rows = [(f"p{who}", f"i{n}", value) for who, row in enumerate(values) for n, value in enumerate(row)]
    return pd.DataFrame(rows, columns=["participant", "item", "value"]).assign(**more)


def test_numbers_by_their_squared_error_and_power_in_words() -> None:
    generator = np.random.default_rng(4)
    truth = generator.integers(1, 8, size=80)
    ratings = np.clip(truth + generator.integers(-1, 2, size=(5, 80)), 1, 7)
    its = pd.DataFrame({"item": [f"i{n}" for n in range(80)], "value": truth, "metric": "good"})
    found = judge_comparison(numbers(ratings), pd.concat([its, its.assign(value=8 - truth, metric="bad")]))
    assert found.results[0].settings["scoring"] == "rmse"
    good, bad = (each.text for each in found.headlines)
    assert good == (
        "good can stand in for a person: it is shown to be as near to the others as 5 of 5 people (ε = 0.1)."
    )
    assert bad == (
        "bad cannot stand in for a person: it is shown to be farther from the others than 5 of 5 people (ε = 0.1)."
    )
    few = judge_comparison(numbers(ratings[:3, :8]), its.assign(value=np.roll(ratings[3], 1)))
    assert "; but a judge exactly as good as a person passes in " in few.headlines[0].text
    assert few.headlines[0].text.endswith("so this says little.")


def test_practice_and_repeats_do_not_count() -> None:
    again = people(kind="repeat", value="C")
    practice = people(kind="practice", item="warm up", value="B")
    answers = pd.concat([people(kind="main"), again, practice])
    assert judge_comparison(answers, judge(), QUICK).tables[0].records()[0]["ρ"] == 0.875


def test_a_judge_on_another_scale_is_a_caution() -> None:
    its = pd.DataFrame({"item": [f"i{n}" for n in range(8)], "value": np.arange(8) / 8 + 0.5})
    (caution,) = judge_comparison(numbers(np.tile(np.arange(1, 9), (3, 1))), its, QUICK).cautions
    assert caution.startswith("50 % of the values of the judge lie outside people's (1 to 8)")


def test_answers_that_nobody_gave_are_a_caution() -> None:
    (caution,) = judge_comparison(people(), judge("AABBCCAx"), QUICK).cautions
    assert caution.startswith("1 of 8 answers of the judge are none that people gave (x); they count as unlike")


def test_a_number_and_its_text_are_one_answer() -> None:
    answers = numbers(np.array([[1, 2, 1, 2], [1, 2, 1, 1], [1, 1, 1, 2.0]]))
    its = pd.DataFrame({"item": ["i0", "i1", "i2", "i3"], "value": ["1", "2", "1", "Tie"]})
    found = judge_comparison(answers, its, QUICK)
    assert "(Tie)" in found.cautions[0]
    assert found.results[0].settings["scoring"] == "accuracy"


def test_what_is_refused() -> None:
    with pytest.raises(DataError, match=r"people's answers need the column\(s\) participant"):
        judge_comparison(judge(), judge(), QUICK)
    with pytest.raises(DataError, match=r"the judge's answers need the column\(s\) value"):
        judge_comparison(people(), judge().drop(columns="value"), QUICK)
    with pytest.raises(DataError, match="values are labels"):
        judge_comparison(people(), judge(), QUICK, scoring="rmse")
    with pytest.raises(DataError, match="the judge has two answers to 0"):
        judge_comparison(people(), pd.concat([judge(), judge()]), QUICK)
    with pytest.raises(DataError, match="answered nothing that people answered"):
        judge_comparison(people(), judge().assign(item="other" + judge()["item"]), QUICK)
