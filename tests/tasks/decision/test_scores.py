"""P, P_AP, P_INAP and SP_AP, by hand."""

from __future__ import annotations

import math

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from textassay.errors import DataError
from textassay.tasks.decision.scores import SCORES, as_judgements, score_choice, with_scores

actions = st.frozensets(st.sampled_from("abcdefgh"))


def test_by_hand() -> None:
    # 2 of 3 appropriate, 1 of 4 inappropriate, 2 of 4 chosen are appropriate
    found = score_choice(frozenset("abxn"), frozenset("abc"), frozenset("wxyz"))
    assert (found.p_ap, found.p_inap, found.sp_ap) == (2 / 3, 1 / 4, 2 / 4)
    assert found.p == pytest.approx(2 / 3 - 1 / 4)


def test_undefined_is_not_zero_except_where_nothing_is_inappropriate() -> None:
    nothing_chosen = score_choice(frozenset(), frozenset("a"), frozenset("b"))
    assert (nothing_chosen.p_ap, nothing_chosen.p_inap, nothing_chosen.p) == (0, 0, 0)
    assert math.isnan(nothing_chosen.sp_ap)
    nothing_bad = score_choice(frozenset("a"), frozenset("ab"), frozenset())
    assert (nothing_bad.p_inap, nothing_bad.p) == (0, 0.5)
    nothing_good = score_choice(frozenset("a"), frozenset(), frozenset("a"))
    assert math.isnan(nothing_good.p_ap)
    assert math.isnan(nothing_good.p)
    assert (nothing_good.p_inap, nothing_good.sp_ap) == (1, 0)


@given(chosen=actions, good=actions.filter(bool), bad=actions)
def test_bounds(chosen: frozenset[str], good: frozenset[str], bad: frozenset[str]) -> None:
    found = score_choice(chosen, good, bad - good)
    assert -1 <= found.p <= 1
    assert 0 <= found.p_ap <= 1
    assert 0 <= found.p_inap <= 1
    assert math.isnan(found.sp_ap) == (not chosen)
    # all that is appropriate and nothing else is the best that can be done, and only that has both scores at 1
    assert (found.p == 1 and found.sp_ap == 1) == (chosen == good)


def table() -> pd.DataFrame:
    return pd.DataFrame(
        {
            "participant": ["p", "q"],
            "item": ["i", "i"],
            "system": ["s", "t"],
            "chosen": ["a x", ""],
            "appropriate": ["a b", "a b"],
            "inappropriate": ["x", ""],
            "rt_ms": [1, 2],
        }
    )


def test_table_keeps_its_columns() -> None:
    given_table = table()
    found = with_scores(given_table)
    assert list(found.columns) == [*table().columns, *SCORES]
    pd.testing.assert_frame_equal(given_table, table())
    assert found["P"].tolist() == [-0.5, 0]


def test_judgements_leave_out_what_is_undefined() -> None:
    found = as_judgements(table())
    by = {(row.participant, row.criterion): row.value for row in found.itertuples()}
    assert by == {
        ("p", "P"): -0.5,
        ("p", "P_AP"): 0.5,
        ("p", "P_INAP"): 1,
        ("p", "SP_AP"): 0.5,
        ("q", "P"): 0,
        ("q", "P_AP"): 0,
        ("q", "P_INAP"): 0,
    }
    assert found["rt_ms"].notna().all()


def test_missing_column_is_named() -> None:
    with pytest.raises(
        DataError, match=r"need the column\(s\) appropriate, inappropriate; add them; there are: .*chosen"
    ):
        with_scores(table().drop(columns=["appropriate", "inappropriate"]))


def test_empty_cells_read_from_a_file_are_nothing() -> None:
    found = with_scores(table().assign(inappropriate=[None, float("nan")]))
    assert found["P_INAP"].tolist() == [0, 0]
