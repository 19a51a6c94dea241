from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from textassay.tasks.attention import check_items, check_of


@given(st.lists(st.text()))
def test_each_check_is_found_by_its_item(checks: list[str]) -> None:
    items = check_items(checks)
    assert len(set(items)) == len(checks)
    assert [check_of(checks, item) for item in items] == checks
