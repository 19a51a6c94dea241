"""Two studies of the same texts: matched by words, names or a column; what is in one only."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest

from textassay.errors import UsageError
from textassay.meta.judged_texts import JudgedTexts
from textassay.meta.two_studies import two_studies


def study(name: str, criterion: str, texts: dict[tuple[str, str], tuple[str, float]], **more: Any) -> JudgedTexts:
    """Item and system → text and its value; two participants who differ by 1 give it."""
    rows = [
        {"participant": who, "item": item, "system": system, "criterion": criterion, "value": value + change}
        for (item, system), (_, value) in texts.items()
        for who, change in (("p", -0.5), ("q", 0.5))
    ]
    return JudgedTexts(name, pd.DataFrame(rows), texts={key: text for key, (text, _) in texts.items()}, **more)


# Two texts in four orders each; the second study has two groups of orders, of which each text shows another pair.
RATED = study(
    "ratings", "clarity",
    {("t1", f"bin{n}"): (f"one {n}", n) for n in range(4)} | {("t2", f"bin{n}"): (f"two {n}", 2 * n) for n in range(4)},
)  # fmt: skip
READ = study(
    "reading", "words a second",
    {("s1", "near"): ("one  0", 5), ("s1", "far"): ("one 3", 3), ("s2", "near"): ("two 1", 6),
     ("s2", "far"): ("two\n2", 2), ("s3", "far"): ("three", 9)},
)  # fmt: skip


def test_bins_of_one_study_are_groups_of_the_other() -> None:
    found = two_studies(RATED, READ)
    assert (found.first, found.second, found.match, found.shared) == ("ratings", "reading", "the words of texts", 4)
    (grid,) = found.grids
    assert (grid.criterion, grid.systems, grid.items) == ("clarity", ("near", "far"), ("s1", "s2"))  # no empty place
    np.testing.assert_allclose(grid.people, [[0, 3], [2, 4]])
    np.testing.assert_allclose(grid.scores["words a second"], [[5, 3], [6, 2]])
    assert found.notes == (
        "4 of 8 texts are in ratings only, so omitted: t1 by bin1, t1 by bin2, t2 by bin0, t2 by bin3",
        "1 of 5 texts are in reading only, so omitted: s3 by far",
    )
    assert found.alone.values.tolist()[-1] == ["reading", "s3", "far"]
    assert len(found.alone) == 5


def test_by_names_and_by_a_column() -> None:
    other = study("other", "fluency", {("t1", "bin0"): ("?", 3), ("t1", "bin1"): ("one 0", 4)})
    by_names = two_studies(RATED, other, "item-system")
    np.testing.assert_allclose(by_names.grids[0].people, [[0, 1]])
    np.testing.assert_allclose(by_names.grids[0].scores["fluency"], [[3, 4]])
    assert two_studies(RATED, other).shared == 1
    order = {"order": {("t1", "bin0"): "1 2"}}
    by_column = two_studies(
        study("a", "x", {("t1", "bin0"): ("", 1)}, properties=order),
        JudgedTexts("b", other.judgements.assign(order=["2 1", "2 1", "1  2", "1  2"])), "order",
    )  # fmt: skip
    assert by_column.match == "column order"
    np.testing.assert_allclose(by_column.grids[0].scores["fluency"], [[4]])


def test_less_is_better_on_either_side() -> None:
    worse = study("worse", "errors", {("s1", "near"): ("one 0", 5)}, error_criteria=frozenset({"errors"}))
    one, other = two_studies(RATED, worse).grids[0], two_studies(worse, RATED).grids[0]
    assert (one.scores["errors"].tolist(), one.turned, one.people_turned) == ([[-5]], {"errors"}, False)
    assert (other.people.tolist(), other.turned, other.people_turned) == ([[-5]], frozenset(), True)


def test_same_text_under_several_names_is_one_text() -> None:
    twice = study("twice", "fluency", {("t1", "a"): ("one 0", 2), ("t1", "b"): ("one 0", 4)})
    found = two_studies(twice, READ)
    assert found.shared == 1
    assert found.grids[0].people.tolist() == [[3]]
    assert "twice: 1 texts are there under several names; their judgements are joined" in found.notes


def test_a_criterion_with_a_metrics_name_is_no_metric_that_counts_errors() -> None:
    ter = study("b", "ter", {("s1", "near"): ("one 0", 5)})
    assert two_studies(RATED, ter).grids[0].scores["ter"].tolist() == [[5]]


def test_nothing_to_match_by_is_refused() -> None:
    bare = JudgedTexts("bare", RATED.judgements)
    with pytest.raises(UsageError, match="bare has no texts to match by"):
        two_studies(bare, READ, "text")
    with pytest.raises(UsageError, match="ratings and reading have no text in common, by names of items and systems"):
        two_studies(RATED, READ, "item-system")
    assert two_studies(bare, RATED).match == "names of items and systems"
    assert two_studies(RATED, RATED).second == "ratings (second)"
