"""Relevance and irrelevance as metrics: values, options, texts without a value."""

from __future__ import annotations

import math

import pytest
from annotations import case

from textassay.metrics import score


@pytest.fixture(scope="module", autouse=True)
def kernels() -> None:
    """No compiled loop is used."""


def test_values() -> None:
    # fall concerns breath: intubate .25, massage .75. rise concerns heart: massage only. Together (.25 + 0) / 2.
    cases = [case("fall"), case("fall rise"), case("fall", "on(tube)")]
    assert score("relevance", cases).segments.tolist() == [0.25, 0.125, 0]
    assert score("irrelevance", cases).segments.tolist() == [0.75, 0.875, 1]


def test_cardinality_is_an_option() -> None:
    # Two falls and a rise: 2 · .25 / 3.
    assert score("relevance", [case("fall*2 rise")], cardinality=True).corpus == pytest.approx(0.5 / 3)
    assert score("relevance", [case("fall*2 rise")]).corpus == pytest.approx(0.25 / 2)


def test_texts_without_a_value_are_counted_and_left_out_of_the_mean() -> None:
    found = score("relevance", [case("fall"), case("calm"), case("")])
    assert [math.isnan(value) for value in found.segments] == [False, True, True]
    assert found.corpus == 0.25
    assert found.parts["events_without_action"].tolist() == [0, 1, 0]
    assert found.warnings == (
        "relevance: 2 texts reference no possible action and have no value",
        "relevance: 1 events reference no possible action of positive prior",
    )
    assert math.isnan(score("relevance", [case("calm")]).corpus)
