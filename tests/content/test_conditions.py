"""Conditions over the state of a case: what they mean, and what each mistake is called."""

from __future__ import annotations

import pickle
from contextlib import suppress

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from textassay.content.conditions import fact_text, parse_condition, parse_state
from textassay.errors import UsageError


@pytest.mark.parametrize(
    ("source", "state", "holds"),
    [
        ("a", "a", True),
        ("a", "b", False),
        ("not a", "", True),
        ("not not a", "a", True),
        ("a or b and c", "a", True),
        ("(a or b) and c", "a", False),
        ("not a and b", "b", True),
        ("not (a and b)", "a", True),
        ("on(baby, CMV)", "on(baby,CMV)", True),
        ("on(baby, CMV)", "on(baby)", False),
        ("on(baby, CMV)", "stable(baby); on(baby, CMV)", True),
        ("spo2(85%)", "spo2(85%)\nawake", True),
    ],
)
def test_meaning(source: str, state: str, holds: bool) -> None:
    assert parse_condition(source).holds(parse_state(state)) is holds


def test_a_condition_knows_its_facts_and_travels() -> None:
    rule = parse_condition("not on(baby, CMV) and awake")
    assert rule.facts == {("on", "baby", "CMV"), ("awake",)}
    assert pickle.loads(pickle.dumps(rule)).holds(parse_state("awake"))
    assert str(rule) == "not on(baby, CMV) and awake"


@pytest.mark.parametrize(
    ("source", "message"),
    [
        ("", "'', column 1, at the end: a fact such as on(baby, CMV) is missing"),
        ("a and", "'a and', column 6, at the end: a fact such as"),
        ("a b", "'a b', column 3, before 'b': this is not expected; join facts by 'and' or 'or'"),
        ("on(", "column 4, at the end: a name is missing"),
        ("on(a", "column 5, at the end: a ')' or ',' is missing"),
        ("on(a,)", "column 6, before ')': a name is missing"),
        ("(a", "column 3, at the end: a ')' is missing"),
        ("a)", "column 2, before ')': this is not expected"),
        ("or a", "column 1, before 'or': a fact"),
        ("a & b", "column 3: '&' has no meaning here"),
        ("(" * 200 + "a", "nested too deeply"),
        ("not " * 200 + "a", "nested too deeply"),
    ],
)
def test_mistakes_are_named_with_their_column(source: str, message: str) -> None:
    with pytest.raises(UsageError) as caught:
        parse_condition(source)
    assert message in str(caught.value)


conditions = st.recursive(
    st.sampled_from(["a", "b", "c(x)"]).map(lambda fact: (fact, lambda state: fact in state)),
    lambda inner: (
        inner.map(lambda one: (f"not ({one[0]})", lambda state: not one[1](state)))
        | st.tuples(inner, inner).map(
            lambda two: (f"({two[0][0]}) and ({two[1][0]})", lambda state: two[0][1](state) and two[1][1](state))
        )
        | st.tuples(inner, inner).map(
            lambda two: (f"({two[0][0]}) or ({two[1][0]})", lambda state: two[0][1](state) or two[1][1](state))
        )
    ),
    max_leaves=6,
)


@given(conditions, st.sets(st.sampled_from(["a", "b", "c(x)"])))
def test_any_condition_means_what_its_parts_mean(condition: tuple[str, object], state: set[str]) -> None:
    source, meaning = condition
    assert parse_condition(source).holds(parse_state(";".join(state))) == meaning(state)  # type: ignore[operator]


@settings(max_examples=150)
@given(st.text(alphabet="ab(), nort;&", max_size=30) | st.text(max_size=20))
def test_any_text_is_read_or_refused(source: str) -> None:
    with suppress(UsageError):
        parse_condition(source)
    with suppress(UsageError):
        assert all(parse_state(fact_text(fact)) == {fact} for fact in parse_state(source))
