from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from textassay.tasks.attention import check_items, check_of, order_faults


@given(st.lists(st.text()))
def test_each_check_is_found_by_its_item(checks: list[str]) -> None:
    items = check_items(checks)
    assert len(set(items)) == len(checks)
    assert [check_of(checks, item) for item in items] == checks


def test_texts_that_nobody_could_put_in_order() -> None:
    found = list(order_faults([["a", "b"], ["c", "d", "c"]], "texts"))
    message = "'c' stands there twice, so nobody could tell which comes first; reword one"
    assert found == [(("attention_checks", 1, "texts", 2), message)]
