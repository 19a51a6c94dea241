"""Relevance of content to actions: examples by hand, and what must always hold."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from textassay.content.annotated_text import AnnotatedText, Event, Paragraph
from textassay.content.conditions import parse_condition, parse_state
from textassay.content.ontology import Concept, Ontology
from textassay.content.relevance import Importance, Priors, RelevanceModel, priors_from_log, relevance
from textassay.errors import DataError, UsageError

WARD = Ontology(
    [
        Concept("event"),
        Concept("drastic", parents=("event",)),
        Concept("breathing", parents=("event",), links={"concerns": ("respiration",)}),
        Concept("desaturation", parents=("breathing",)),
        Concept("arrest", parents=("drastic", "breathing"), links={"concerns": ("circulation",)}),
        Concept("nappy", parents=("event",), links={"concerns": ("comfort",)}),
        Concept("visit", parents=("event",)),
        Concept("respiration"),
        Concept("circulation"),
        Concept("comfort"),
        Concept("intubation", links={"concerns": ("respiration",)}),
        Concept("suction", links={"concerns": ("respiration",)}),
        Concept("massage", links={"concerns": ("circulation",)}),
        Concept("change", links={"concerns": ("comfort",)}),
    ],
    "ward",
)
MODEL = RelevanceModel(
    WARD,
    ("concerns",),
    {"intubate": "intubation", "suck": "suction", "massage": "massage", "change": "change"},
    Priors({"intubate": 0.1, "suck": 0.3, "massage": 0.1, "change": 0.5}),
    Importance(superconcepts=("drastic",)),
    {"intubate": parse_condition("not on(baby, CMV)")},
)


def text(*types: str) -> AnnotatedText:
    events = tuple(
        Event(f"e{n}", name.partition("*")[0], 0, 1, int(name.partition("*")[2] or 1)) for n, name in enumerate(types)
    )
    return AnnotatedText("1", "A", (Paragraph("x", events),))


def test_one_event_shares_its_weight_by_the_priors() -> None:
    # desaturation is a kind of breathing, which concerns respiration; so do intubate (.1) and suck (.3): 1/4 and 3/4.
    found = relevance(text("desaturation"), MODEL)
    assert found.weights == pytest.approx({"intubate": 0.25, "suck": 0.75, "massage": 0, "change": 0})
    assert found.of(["intubate"]) == pytest.approx(0.25)
    assert found.of(["suck", "change", "suck"]) == pytest.approx(0.75)


def test_drastic_events_weigh_three_times() -> None:
    # arrest (3) concerns respiration and circulation: intubate .1, suck .3, massage .1 of .5: .6, 1.8, .6.
    # desaturation (1): .25, .75. All over 4.
    found = relevance(text("arrest", "desaturation"), MODEL)
    assert found.weights == pytest.approx({"intubate": 0.85 / 4, "suck": 2.55 / 4, "massage": 0.6 / 4, "change": 0})


def test_pruned_actions_leave_their_share_to_the_others() -> None:
    found = relevance(text("desaturation"), MODEL, parse_state("on(baby, CMV)"))
    assert found.weights["suck"] == 1
    [trace] = found.trace
    assert (trace.referenced, trace.pruned, trace.functions) == (("intubate", "suck"), ("intubate",), ("respiration",))


def test_cardinality_is_counted_or_not() -> None:
    # Two desaturations against one nappy: 2/3 and 1/3, or one half each.
    both = text("desaturation*2", "nappy")
    assert relevance(both, MODEL).of(["change"]) == pytest.approx(1 / 2)
    assert relevance(both, MODEL, cardinality=True).of(["change"]) == pytest.approx(1 / 3)


def test_events_without_an_action_are_counted_and_weigh_nothing() -> None:
    found = relevance(text("visit", "nappy"), MODEL)
    assert (found.weights["change"], found.uncounted) == (1, ("e0",))
    nothing = relevance(text("visit"), MODEL)
    assert not nothing.defined
    assert nothing.of(["change"]) != nothing.of(["change"])  # nan


def test_zero_priors_are_a_named_choice() -> None:
    never = replace(MODEL, priors=Priors({"intubate": 0, "suck": 0, "massage": 0.5, "change": 0.5}))
    assert never.priors.zero == ("intubate", "suck")
    left_out = relevance(text("desaturation", "nappy"), never)
    assert (left_out.uncounted, left_out.weights["change"]) == (("e0",), 1)
    shared = relevance(text("desaturation", "nappy"), never, zero_priors="share-equally")
    assert shared.weights == pytest.approx({"intubate": 0.25, "suck": 0.25, "massage": 0, "change": 0.5})


def test_priors_from_a_log() -> None:
    plain = priors_from_log(["a", "b", "c"], ["a", "a", "b", "a"])
    assert (plain.values, plain.counts, plain.zero) == (
        {"a": 0.75, "b": 0.25, "c": 0},
        {"a": 3, "b": 1, "c": 0},
        ("c",),
    )
    assert priors_from_log(["a", "b", "c"], ["a", "a", "b", "a"], smoothing=1).values == pytest.approx(
        {"a": 4 / 7, "b": 2 / 7, "c": 1 / 7}
    )
    for log, smoothing, error in ((["x"], 0, DataError), ([], 0, DataError), (["a"], -1, UsageError)):
        with pytest.raises(error):
            priors_from_log(["a"], log, smoothing)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"actions": {"intubate": "incubation"}}, "ward has no concept 'incubation'"),
        ({"priors": Priors({"x": 1})}, "priors name the action 'x'; the actions are: intubate"),
        ({"rules": {"x": parse_condition("a")}}, "rules name the action 'x'"),
        ({"priors": Priors({"intubate": 1})}, "no prior for the action 'suck'; give one for each"),
        (
            {"priors": Priors(dict.fromkeys(MODEL.actions, -0.5))},
            "the prior of 'intubate' is -0.5",
        ),
        ({"importance": Importance(0, 3)}, "the importance of an event must be above 0"),
        ({"importance": Importance(superconcepts=("x",))}, "ward has no concept 'x'"),
    ],
)
def test_models_that_do_not_fit_together_are_refused(changes: dict[str, object], message: str) -> None:
    with pytest.raises(UsageError) as caught:
        replace(MODEL, **changes)  # type: ignore[arg-type]
    assert message in str(caught.value)


types = st.lists(
    st.tuples(st.sampled_from(["arrest", "desaturation", "nappy", "visit", "breathing"]), st.integers(1, 3)).map(
        lambda both: f"{both[0]}*{both[1]}"
    ),
    max_size=6,
)
priors = st.tuples(*[st.sampled_from([0.0, 0.1, 0.5, 2.0])] * 4).map(
    lambda values: Priors(dict(zip(MODEL.actions, values, strict=True)))
)
pruned = st.sets(st.sampled_from(list(MODEL.actions)))


@given(types, priors, pruned, st.booleans(), st.sampled_from(["leave-out", "share-equally"]))
def test_what_must_hold(events: list[str], chosen: Priors, away: set[str], cardinality: bool, zero: str) -> None:
    rules = {action: parse_condition("never") for action in away}
    model = replace(MODEL, priors=chosen, rules=rules)
    found = relevance(text(*events), model, cardinality=cardinality, zero_priors=zero)  # type: ignore[arg-type]
    counted = [each for each in found.trace if each.shares]
    whole = sum(each.importance for each in counted)
    for each in counted:  # each counted event's weight is shared out fully
        assert sum(each.shares.values()) == pytest.approx(each.importance / whole)
    assert sum(found.weights.values()) == pytest.approx(1 if counted else 0)
    for each in found.trace:  # only events without a possible action of positive prior are left
        left = set(each.referenced) - away
        assert bool(each.shares) == (bool(left) if zero == "share-equally" else any(chosen.values[a] for a in left))
    assert all(found.weights[action] == 0 for action in away)
    if found.defined:
        assert found.of({"intubate", "suck"}) + found.of({"massage"}) <= 1 + 1e-12
    # Pruning never raises a pruned action.
    before = relevance(text(*events), replace(model, rules={}), cardinality=cardinality, zero_priors=zero)  # type: ignore[arg-type]
    assert all(found.weights[action] <= before.weights[action] for action in away)
