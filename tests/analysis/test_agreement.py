"""Agreement between and within evaluators, worked by hand."""

import math

import pandas as pd
import pytest

from textassay.analysis.agreement import (
    between_evaluators,
    concordance_columns,
    repeat_consistency,
    within_evaluators,
)
from textassay.analysis.judgements import read_judgements
from textassay.stats import KendallW, KrippendorffAlpha

COLUMNS = ["participant", "item", "system", "value"]


def judged(rows, **more):
    return read_judgements(pd.DataFrame(rows, columns=COLUMNS).assign(criterion="clarity", **more))


def test_between_is_on_each_evaluators_means():
    # Means A, B, C: p 1.5, 3, 5; q 2, 4, 3 → ranks 1 2 3 and 1 3 2: sums 2 5 5, Σ(R-4)² = 6, W = 12·6/(4·24) = .75.
    rows = [("p", "i1", "A", 1), ("p", "i2", "A", 2), ("p", "i3", "B", 3), ("p", "i4", "C", 5)]
    rows += [("q", "i1", "A", 2), ("q", "i2", "B", 4), ("q", "i3", "C", 3)]
    result = between_evaluators(judged(rows))
    assert result.w == pytest.approx(0.75)
    assert (result.raters, result.items, result.by) == (2, 3, "System")


def test_where_an_evaluator_lacks_a_system_there_is_alpha_in_place_of_w():
    rows = [(who, "i", system, value) for who in "pqr" for system, value in zip("ABC", (1, 2, 3), strict=True)]
    rows[4] = ("q", "i", "B", 4)  # A 1 1 1, B 2 4 2, C 3 3 and nothing of r
    result = between_evaluators(judged(rows[:-1]))
    assert isinstance(result, KrippendorffAlpha)
    # Midranks of 1 2 3 4 in 8 values: 2, 4.5, 6.5, 8. Observed: of B 3.5² · 4 ordered pairs / 2, over 8 values
    # Expected: Σ over ordered pairs of δ² / 56 = 2 · (3·2·2.5² + 3·2·4.5² + 3·6² + 2·2·2² + 2·3.5² + 2·1.5²) / 56
    expected = 2 * (6 * 6.25 + 6 * 20.25 + 3 * 36 + 4 * 4 + 2 * 12.25 + 2 * 2.25) / 56
    assert result.alpha == pytest.approx(1 - 24.5 / 8 / expected)
    assert (result.raters, result.by, result.settings["level"]) == (3, "System", "ordinal")
    said = "Krippendorff's alpha in place of W between evaluators: 1 of 3 evaluators lack a system (r)"
    assert result.warnings == (said,)


def test_where_no_two_evaluators_share_a_system_there_is_neither():
    result = between_evaluators(judged([("p", "i", "A", 1), ("q", "i", "B", 2)]))
    assert isinstance(result, KendallW)
    assert math.isnan(result.w)
    assert result.warnings[0] == "there is no W between evaluators: 2 of 2 evaluators lack a system (p, q)"


def test_columns_have_alpha_only_where_there_is_one():
    complete = [("p", "i", "A", 1), ("p", "i", "B", 2), ("q", "i", "A", 1), ("q", "i", "B", 2)]
    found = [between_evaluators(judged(rows)) for rows in (complete, [*complete, ("r", "i", "A", 1)])]
    both = concordance_columns(lambda row: row, found, "W between")
    assert [[column.value(row) for column in both] for row in found] == [[1.0, None], [None, 1.0]]
    assert [column.heading for column in both] == ["W between", "alpha between"]
    assert [column.heading for column in concordance_columns(lambda row: row, found[:1])] == ["W"]


def test_equal_means_tie_although_their_sums_round_differently():
    # 0.1 + 0.2 + 0.3 and 0.3 + 0.2 + 0.1 differ in the last bit.
    rows = [("p", f"i{n}", "A", v) for n, v in enumerate((0.1, 0.2, 0.3))]
    rows += [("p", f"j{n}", "B", v) for n, v in enumerate((0.3, 0.2, 0.1))]
    rows += [("q", "i1", "A", 1), ("q", "i2", "B", 2)]
    # p ties A and B, q ranks them 1 2: sums 2.5, 3.5, Σ = .5, T = 6: W = 12·.5 / (4·6 - 2·6) = .5.
    assert between_evaluators(judged(rows)).w == pytest.approx(0.5)


def test_within_takes_the_nth_judgement_of_each_system_as_round_n():
    # In order of position: A 5, B 1 | B 5, A 1 → the rounds reverse each other: W = 0.
    rows = [("p", "i1", "A", 5), ("p", "i2", "A", 1), ("p", "i3", "B", 1), ("p", "i4", "B", 5)]
    assert within_evaluators(judged(rows, position=[1, 4, 2, 3])).mean_w == pytest.approx(0.0)
    # The other way round for A: A 1, B 1 | A 5, B 5 → all ties, undefined.
    result = within_evaluators(judged(rows, position=[4, 1, 2, 3]))
    assert math.isnan(result.mean_w)
    assert "every evaluator judged some system less than twice, or all of them alike" in result.warnings[0]


def test_within_is_the_mean_over_evaluators(small):
    # Both put A below B in both rounds: W = 1 each.
    result = within_evaluators(read_judgements(small))
    assert result.mean_w == pytest.approx(1.0)
    assert result.per_evaluator == (("p", 1.0), ("q", 1.0))
    assert result.repetitions == 2


def test_within_uses_complete_rounds_and_names_who_has_fewer_than_two():
    rows = [
        ("p", f"i{n}", system, value) for n, (system, value) in enumerate([*zip("ABABA", (1, 2, 1, 2, 9), strict=True)])
    ]
    rows += [("q", "i1", "A", 1), ("q", "i2", "B", 2)]
    result = within_evaluators(judged(rows))
    assert result.per_evaluator == (("p", 1.0),)
    assert result.repetitions == 2
    assert result.warnings[0].endswith("or all of them alike: q")


def test_repetitions_are_those_of_the_evaluator_with_the_fewest():
    rows = [("p", f"i{n}", system, value) for n, (system, value) in enumerate(zip("ABABAB", (1, 2) * 3, strict=True))]
    rows += [("q", f"i{n}", system, value) for n, (system, value) in enumerate(zip("ABAB", (1, 2) * 2, strict=True))]
    assert within_evaluators(judged(rows)).repetitions == 2


def test_repeats_are_compared_with_the_first_answer(small):
    # p: 1 then 3 (apart by 2); q: 4 then 4 (equal) → mean 1, half equal.
    again = pd.DataFrame(
        [("p", "i1", "A", 3, "clarity"), ("q", "i2", "B", 4, "clarity")], columns=[*COLUMNS, "criterion"]
    ).assign(repeat=1)
    result = repeat_consistency(read_judgements(pd.concat([small.assign(repeat=0), again])))
    assert (result.mean_absolute_difference, result.share_equal) == (1.0, 0.5)
    assert (result.n, result.participants, result.warnings) == (2, 2, ())


def test_repeats_without_a_first_answer_are_counted(small):
    lone = pd.DataFrame([("z", "i1", "A", 3, "clarity")], columns=[*COLUMNS, "criterion"]).assign(repeat=1)
    result = repeat_consistency(read_judgements(pd.concat([small.assign(repeat=0), lone])))
    assert math.isnan(result.share_equal)
    assert result.warnings == (
        "self-consistency on repeats is undefined: no trial was answered twice",
        "1 repeat(s) have no first answer with a value to compare with; they are omitted",
    )


def test_many_names_are_cut_short():
    rows = [("p", "i", "A", 1), ("p", "i", "B", 2), ("q", "i", "A", 1), ("q", "i", "B", 2)]
    rows += [(f"z{n}", "i", "A", 1) for n in range(8)]
    assert between_evaluators(judged(rows)).warnings[0].endswith("(z0, z1, z2, z3, z4 and 3 more)")
