"""The trace of relevance, in words and figures; expected numbers are derived in `support/relevance_cases.py`."""

from __future__ import annotations

from dataclasses import replace

import pytest
from annotations import case
from relevance_cases import relevance_cases

from textassay.analysis.relevance_trace import relevance_trace
from textassay.content.relevance import Priors
from textassay.metrics.relevance_metrics import RelevanceCase, RelevanceSettings
from textassay.results import Analysis


@pytest.fixture(scope="module")
def found() -> Analysis:
    return relevance_trace(relevance_cases(), confidence=0.8)


def about(item: str, system: str, events: str) -> RelevanceCase:
    given = case(events)
    return replace(given, text=replace(given.text, item=item, system=system))


def test_a_sentence_says_who_points_to_what_should_be_done(found: Analysis) -> None:
    # H: mean .0625 of two texts, half an interval t(.9, 1) · .0625 = 3.078 · .0625 = .192; C has one value, .1875
    assert found.headlines[0].text == (
        "Of what the texts of C say, 19 % of the weight points to appropriate actions, of H 6 % (80 % CI 0 to 25 %). "
        "To inappropriate actions: C 81 %, H 94 %. "
        "1 of 4 texts has no value: no event of theirs references a possible action."
    )


def test_two_systems_are_compared_item_by_item() -> None:
    # REL of a fall .25, of a rise 0, of both .125: the differences are .25 and .125; t(.975, 1) · .0625 = .794
    texts = {("1", "H"): "fall", ("2", "H"): "fall rise", ("1", "C"): "rise", ("2", "C"): "rise"}
    cases = {key: about(*key, events) for key, events in texts.items()}
    difference = (
        "The difference is 19 points over the 2 items that both have (95 % CI −61 to 98), so that it may be chance."
    )
    assert difference in relevance_trace(cases).headlines[0].text


def test_one_item_is_explained(found: Analysis) -> None:
    bars = {figure.name: figure for figure in found.figures if figure.kind == "weights"}
    assert list(bars) == ["relevance-by-system", "relevance-1-c", "relevance-1-h"]  # only item 1 has both
    rows = bars["relevance-1-h"].data["rows"]
    assert [(row["name"], row["group"]) for row in rows] == [("intubate", "appropriate"), ("massage", "inappropriate")]
    assert [(part["label"], part["value"]) for part in rows[1]["parts"]] == [("1", 0.375), ("2", 0.5)]
    assert bars["relevance-1-h"].data["keys"] == ["1 fall", "2 rise"]
    assert "REL .125, IRREL .875" in bars["relevance-1-h"].note
    assert [text.title for text in found.texts] == ["1, C", "1, H"]
    assert found.texts[1].plain == "[fall | 1 fall] [rise | 2 rise]"


def test_the_item_nearest_to_the_means_is_chosen() -> None:
    # REL .25, .125 and 0: the mean is .125
    texts = {("1", "H"): "fall", ("2", "H"): "fall rise", ("3", "H"): "rise"}
    found = relevance_trace({key: about(*key, events) for key, events in texts.items()})
    assert [text.title for text in found.texts] == ["2, H"]


@pytest.mark.parametrize(
    ("zero_priors", "effect"),
    [
        ("leave-out", "an event that references only such actions does not count (3 of all events)"),
        ("share-equally", "an event that references only such actions is shared equally among them"),
    ],
)
def test_zero_priors_are_named_with_what_they_do(zero_priors: str, effect: str) -> None:
    cases = {
        key: replace(each, model=replace(each.model, priors=Priors({"intubate": 1.0, "massage": 0.0})))
        for key, each in relevance_cases().items()
    }
    notes = relevance_trace(cases, RelevanceSettings(zero_priors=zero_priors)).warnings
    assert notes[0].startswith("actions with the prior 0: massage; they get nothing where another action shares")
    assert notes[0].endswith(effect)


def test_why_events_do_not_count_is_counted(found: Analysis) -> None:
    assert "events that do not count, since the type has no functional concept: 2" in found.warnings


def test_records_and_signature(found: Analysis) -> None:
    records = [record for record in found.records() if record["statistic"] == "IRREL"]
    assert [(record["of"], record["by"], record["n"]) for record in records][:2] == [("1", "H", 2), ("1", "C", 2)]
    assert "links:concerns|cardinality:ignored|zero-priors:leave-out" in records[0]["signature"]


def test_nothing_to_tell_of_is_said() -> None:
    found = relevance_trace({("1", "A"): case("calm")})
    assert found.headlines[0].text == "No text references a possible action: there is no relevance to tell of."
    assert not found.texts
