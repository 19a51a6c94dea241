"""Stored and recomputed results: whatever was changed anywhere is found, and nothing else."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import pytest
from bundled_study import Bundled
from hypothesis import given, settings
from hypothesis import strategies as st

from textassay.sharing.comparison import compare_results
from textassay.sharing.results_file import NOT_FINITE, results_of, results_text

Path = tuple[Any, ...]
NOT_COMPARED = {"title", "columns", "name", "block"}


def results(**more: Any) -> dict[str, Any]:
    record = {
        "statistic": "F",
        "of": "clarity",
        "by": "",
        "value": 4.25,
        "p": 0.01,
        "ci": [1.0, 2.0],
        "method": "ANOVA",
    }
    record["signature"] = "ANOVA|version:1.0"
    table = {"name": "means", "title": "Means", "columns": ["system", "mean"], "rows": [["a", 3.5], ["b", "NaN"]]}
    analysis = {"name": "clarity", "headlines": ["a is best."], "warnings": [], "records": [record], "tables": [table]}
    return {"participants": {"figures": {"included": 3}, "tables": []}, "design": [], "analyses": [analysis], **more}


def changed(path: Path, value: Any) -> dict[str, Any]:
    """The results with one value changed."""
    found = results()
    place: Any = found
    for step in path[:-1]:
        place = place[step]
    place[path[-1]] = value
    return found


def test_same_results() -> None:
    found = compare_results(results(), results())
    assert found.same
    # numbers: value, p, ci twice, 3.5, NaN, included; texts: statistic, of, by, method, signature, headline, a, b
    assert (found.numbers, found.texts) == (7, 8)


RECORD, TABLE = ("analyses", 0, "records", 0), ("analyses", 0, "tables", 0)


def test_number_that_differs() -> None:
    found = compare_results(results(), changed((*RECORD, "value"), 4.5))
    [difference] = found.differences
    assert (difference.analysis, difference.part, difference.cell) == ("clarity", "F · clarity · ANOVA", "value")
    assert (difference.stored, difference.recomputed, difference.difference) == (4.25, 4.5, 0.25)
    assert difference.relative == pytest.approx(0.25 / 4.25)
    assert found.different_numbers == 1


@pytest.mark.parametrize(
    ("path", "value", "where"),
    [
        ((*RECORD, "ci", 1), 2.1, ("clarity", "F · clarity · ANOVA", "ci 2")),
        ((*TABLE, "rows", 0, 1), 3.6, ("clarity", "table means", "a: mean")),
        ((*TABLE, "rows", 1, 1), 2.0, ("clarity", "table means", "b: mean")),
        ((*TABLE, "rows", 0, 0), "c", ("clarity", "table means", "row 1: system")),
        (("participants", "figures", "included"), 4, ("participants", "figures", "included")),
        (("analyses", 0, "headlines", 0), "b is best.", ("clarity", "headlines", "1")),
    ],
)
def test_place_of_a_difference(path: Path, value: Any, where: tuple[str, ...]) -> None:
    [difference] = compare_results(results(), changed(path, value)).differences
    assert (difference.analysis, difference.part, difference.cell) == where


@pytest.mark.parametrize(
    ("value", "tolerance", "same"),
    [
        (4.25 * (1 + 1e-10), 1e-9, True),
        (4.25 * (1 + 1e-8), 1e-9, False),
        (4.25 * (1 + 1e-8), 1e-6, True),
        (4.25 * (1 + 1e-15), 0.0, False),
        (4.25, 0.0, True),
        ("NaN", 1.0, False),
        ("Infinity", 1.0, False),
    ],
)
def test_tolerance(value: Any, tolerance: float, same: bool) -> None:
    assert compare_results(results(), changed((*RECORD, "value"), value), tolerance=tolerance).same == same


def test_what_rounding_leaves_of_zero_is_zero() -> None:
    before = changed((*RECORD, "value"), 1e-17)
    assert compare_results(before, changed((*RECORD, "value"), -3e-17)).same
    assert not compare_results(before, changed((*RECORD, "value"), 1e-14)).same


def test_true_is_not_1() -> None:
    assert not compare_results(changed((*RECORD, "value"), 1), changed((*RECORD, "value"), True)).same


def test_another_order_is_no_difference() -> None:
    turned = results()
    turned["analyses"][0]["tables"][0]["rows"].reverse()
    turned["analyses"].insert(0, {"name": "new", "records": [], "tables": []})
    assert compare_results(results(), turned).same


def test_what_is_only_in_one_is_told() -> None:
    more = changed((*TABLE, "rows"), [["a", 3.5], ["b", "NaN"], ["c", 1.0]])
    found = compare_results(results(), more)
    assert (found.only_stored, found.only_recomputed) == (
        (),
        (("clarity", "table means", "row 3: system"), ("clarity", "table means", "row 3: mean")),
    )
    assert not found.same
    assert compare_results(more, results()).only_stored == found.only_recomputed
    nothing = compare_results(changed((*RECORD, "p"), None), results())
    assert nothing.only_recomputed == (("clarity", "F · clarity · ANOVA", "p"),)


def test_release_in_a_signature_and_wording_of_another_release_are_no_results() -> None:
    other = changed((*RECORD, "signature"), "ANOVA|version:2.0")
    assert compare_results(results(), other).same
    other["analyses"][0]["headlines"] = ["System a is best."]
    assert compare_results(results(), other, sentences=False).same
    assert not compare_results(results(), other).same


def test_largest_difference_comes_first_and_texts_last() -> None:
    other = changed((*RECORD, "value"), 4.5)
    other["analyses"][0]["records"][0]["p"] = 0.9
    other["analyses"][0]["headlines"] = ["b is best."]
    order = [each.cell for each in compare_results(results(), other).differences]
    assert order == ["p", "value", "1"]


# --- whatever is changed is found -------------------------------------------------------------------------------------


def leaves(value: Any, path: Path = ()) -> Iterator[tuple[Path, Any]]:
    """Every single value that is compared, with the way to it."""
    if isinstance(value, (dict, list)):
        for key, part in value.items() if isinstance(value, dict) else enumerate(value):
            if key not in NOT_COMPARED:
                yield from leaves(part, (*path, key))
    elif value is not None:
        yield path, value


def otherwise(value: Any, size: float) -> Any:
    """Another value, if possible one that is only a little different."""
    if isinstance(value, bool):
        return not value
    if value in NOT_FINITE:
        return size
    if isinstance(value, (int, float)):
        return value * (1 + size) if abs(value) > 1e-9 else size
    return f"?{value}"


@dataclass(frozen=True, repr=False)
class Stored:
    """Results of a real study as JSON; Hypothesis would print all of them with an example that fails."""

    text: str
    places: list[tuple[Path, Any]]


@pytest.fixture(scope="module")
def stored(bundled: Bundled) -> Stored:
    text = results_text(results_of(bundled.found))
    return Stored(text, list(leaves(json.loads(text))))


@settings(max_examples=40)
@given(which=st.integers(0, 10**6), size=st.floats(1e-8, 1e3))
def test_a_change_anywhere_is_found(stored: Stored, which: int, size: float) -> None:
    where, value = stored.places[which % len(stored.places)]
    known, tampered = json.loads(stored.text), json.loads(stored.text)
    place = tampered
    for step in where[:-1]:
        place = place[step]
    place[where[-1]] = otherwise(value, size)
    found = compare_results(tampered, known)
    assert not found.same
    if isinstance(value, float) and not found.unmatched:
        assert [each.recomputed for each in found.differences if each.difference] == [value]
