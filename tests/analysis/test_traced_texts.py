from __future__ import annotations

import math
from dataclasses import replace

import pytest
from annotations import case
from relevance_cases import relevance_cases

from textassay.analysis.traced_texts import ZERO_PRIORS, traced_texts, why_not
from textassay.content.ontology import Concept, Ontology
from textassay.content.relevance import Priors
from textassay.errors import DataError
from textassay.metrics.relevance_metrics import RelevanceSettings


def test_weights_by_kind_and_words_of_events() -> None:
    first, second, _, without = traced_texts(relevance_cases())
    assert first.weights == {"appropriate": 0.125, "neutral": 0.0, "inappropriate": 0.875}
    assert second.rel == pytest.approx(0.1875)
    assert [(event.type, words) for event, words in second.events()] == [("steep-fall", "steep-fall"), ("rise", "rise")]
    assert math.isnan(without.rel)
    assert (without.counted, without.kind("intubate"), without.kind("massage")) == (0, "appropriate", "inappropriate")


def test_settings_of_the_metric_are_used() -> None:
    # rise*3 weighs 3 of 4: intubate .25 · .25
    (text,) = traced_texts({("1", "A"): case("fall rise*3")}, RelevanceSettings(cardinality=True))
    assert text.rel == pytest.approx(0.0625)


def test_why_an_event_does_not_count() -> None:
    given = case("fall rise calm lonely", "on(tube)")
    lonely = [Concept("lonely", links={"concerns": ("nobody",)}), Concept("nobody")]
    ontology = Ontology([*given.model.ontology.concepts.values(), *lonely])
    model = replace(given.model, ontology=ontology, priors=Priors({"intubate": 1.0, "massage": 0.0}))
    (text,) = traced_texts({("1", "A"): replace(given, model=model)})
    assert [why_not(event, model) for event in text.found.trace] == [
        ZERO_PRIORS,
        ZERO_PRIORS,
        "the type has no functional concept",
        "no action shares a functional concept with it",
    ]
    strict = replace(model, actions={"intubate": "intubation"}, priors=Priors({"intubate": 1.0}))
    (text,) = traced_texts({("1", "A"): replace(given, model=strict)})
    assert why_not(text.found.trace[0], strict) == "the state of the case rules all its actions out"


def test_no_texts_are_refused() -> None:
    with pytest.raises(DataError, match="no annotated text is about a case with targets"):
        traced_texts({})
