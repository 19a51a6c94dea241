"""Agreement on single texts: what is computed where evaluators share texts, and refused where they share none."""

import json
from pathlib import Path

import pandas as pd
import pytest

from textassay.analysis.agreement import shared_texts, shared_texts_table
from textassay.analysis.judgements import read_judgements

GOLDEN = Path(__file__).parents[1] / "golden"


def ratings_frame(ratings):
    rows = [
        (f"p{i}", f"i{j}", "A", value)
        for i, row in enumerate(ratings)
        for j, value in enumerate(row)
        if value is not None
    ]
    return pd.DataFrame(rows, columns=["participant", "item", "system", "value"]).assign(criterion="clarity")


def of(ratings):
    return shared_texts(read_judgements(ratings_frame(ratings)), "clarity")


def case(name):
    return json.loads((GOLDEN / f"{name}.json").read_text(encoding="utf-8"))["cases"][0]


def test_leave_one_out_is_that_of_r():
    found = of(case("leave_one_out")["input"]["ratings"])
    assert found.leave_one_out.pearson == pytest.approx(case("leave_one_out")["expect"]["r"], rel=1e-12)


def test_all_measures_of_a_complete_table():
    # Rater 2 is one higher throughout: consistency is full, agreement is not (worked in the docstrings of the stats).
    found = of([[1, 2, 3, 4], [2, 3, 4, 5]])
    assert [round(form.icc, 4) for form in found.icc.forms[:3]] == [0.7391, 0.7692, 1.0]
    assert found.leave_one_out.of_pearson.mean == pytest.approx(1.0)
    # interval alpha: D_o = 1; over all 56 ordered pairs of 1 2 2 3 3 4 4 5: n Σx² - (Σx)² = 8·84 - 24² = 96, doubled
    # and divided by 56: D_e = 3.428571; alpha = 1 - 1 / 3.428571
    assert found.interval.alpha == pytest.approx(1 - 56 / 192)
    assert {result.of for result in found.results} == {"clarity"}
    low, high = found.interval.ci
    assert low <= found.interval.alpha <= high


def test_gaps_rule_out_the_intraclass_correlation_only():
    found = of([[1, 2, 3, 4, 2], [1, 3, 3, 4, None], [2, 2, 3, 5, 3]])
    assert found.icc is None
    assert any("1 of 15 are not there; alpha allows for that" in text for text in found.warnings)
    assert found.interval is not None
    assert found.leave_one_out is not None


def test_where_nobody_shares_a_text_all_is_refused(latin):
    found = shared_texts(read_judgements(latin(10, 30, 10)), "clarity")
    assert found.results == ()
    assert (
        "are refused: no two evaluators judged the same text (300 answers by 10 evaluators to 300 texts)"
        in (found.warnings[0])
    )
    assert shared_texts_table([found]) is None


def test_texts_are_items_of_a_system(small):
    # p and q judge each item from another system: the item is shared, the text is not.
    assert shared_texts(read_judgements(small), "clarity").results == ()


def test_few_shared_texts_have_alpha_but_no_leave_one_out():
    found = of([[1, 2, None], [2, 2, 3]])
    assert found.interval is not None
    assert found.leave_one_out.of_pearson.n == 0
    assert any("share fewer than 3 items" in text for text in found.warnings)


def test_equal_answers_have_no_alpha_with_its_reason():
    found = of([[3, 3, 3], [3, 3, 3]])
    assert any("alpha is undefined" in text for text in found.warnings)


def test_table_has_a_row_a_measure():
    table = shared_texts_table([of([[1, 2, 3, 4], [2, 3, 4, 5]])])
    assert [row["Statistic"] for row in table.records()] == [
        "alpha (interval)", "alpha (ordinal)", "ICC2", "ICC2k", "r with the others", "rho with the others"
    ]  # fmt: skip
    assert {row["Texts"] for row in table.records()} == {4}
