"""Pairs that differ by less than what matters, against R's t tests."""

from __future__ import annotations

import math

import pandas as pd
import pytest

from textassay.analysis.compare_systems import SystemComparison, pairs_table
from textassay.analysis.contrast_models import Contrasts
from textassay.analysis.leading_test import LeadingTest, leading_contrasts, leading_test
from textassay.analysis.options import RecipeOptions
from textassay.analysis.pair_equivalence import pair_equivalence
from textassay.pairwise import PairwiseComparison, PairwiseComparisons

VALUES = [0.4, -0.3, 0.2, 0.5, -0.1, 0.3, 0.0, 0.6, -0.2, 0.1]


def led(**options: object) -> LeadingTest:
    """One answer per participant and item: the leading test is the t test of the values."""
    frame = pd.DataFrame({"value": VALUES, "unit": [f"u{n}" for n in range(10)]})
    rows = [[1.0, -1.0]] * 10
    units = frame["unit"].to_numpy()
    given = Contrasts(frame["value"].to_numpy(), pd.DataFrame(rows).to_numpy(), ("a", "b"), units, units)
    return leading_contrasts(given, of="clarity", options=RecipeOptions(**options))  # type: ignore[arg-type]


def test_the_p_of_r() -> None:
    found = led(smallest={"clarity": 0.4}).equivalence
    assert found is not None
    # max(t.test(v, mu = -.4, alternative = "greater")$p.value, t.test(v, mu = .4, alternative = "less")$p.value)
    assert found.pairs[0].p == pytest.approx(0.0141084018798633)
    assert found.pairs[0].equivalent
    assert "".join(map(_text, found.in_words())) == "Equivalent within ±0.4: a and b (two one-sided tests)."


def _text(piece: object) -> str:
    return piece if isinstance(piece, str) else str(getattr(piece, "system", ""))


def test_without_a_declared_bound_nothing_speaks_of_equivalence() -> None:
    test = led(smallest={"fluency": 0.4})
    assert test.equivalence is None
    assert not any("equivalen" in record["statistic"] for result in test.results for record in result.records())
    table = pairs_table([SystemComparison(measure="clarity", pairs=test.pairs)])
    assert "quivalent" not in table.note + " ".join(table.columns)


def test_the_level_is_that_of_the_study() -> None:
    found = led(smallest={"clarity": 0.4}, alpha=0.01).equivalence
    assert found is not None
    assert not found.pairs[0].equivalent
    assert found.in_words() == ("No two systems are shown to be equivalent within ±0.4 (two one-sided tests).",)


def pairs(*differences: float) -> PairwiseComparisons:
    """Standard error .1 and 20 degrees of freedom; the last has no test."""
    made = [
        PairwiseComparison(first=f"s{n}", second=f"t{n}", difference=each, p=1, p_raw=1, n=9, se=0.1, df=20)
        for n, each in enumerate(differences)
    ]
    untested = PairwiseComparison(first="x", second="y", difference=0, p=math.nan, p_raw=math.nan, n=9)
    return PairwiseComparisons(method="ANOVA-type test", pairs=(*made, untested), adjustment="Holm", alpha=0.05)


def test_p_is_corrected_over_pairs_that_have_one() -> None:
    found = pair_equivalence(pairs(0.0, -0.3, 0.27), 0.5, n=9)
    # R: p.adjust(pt(-c(5, 2, 2.3), 20), "holm")
    assert [pair.p for pair in found.pairs[:3]] == pytest.approx([0.0001030954287, 0.032347423932, 0.032347423932])
    assert [pair.equivalent for pair in found.pairs] == [True, True, True, False]
    assert math.isnan(found.pairs[3].p)
    assert found.get("t1", "s1") == found.pairs[1]
    assert "".join(map(_text, found.in_words())) == (
        "Equivalent within ±0.5: s0 and t0, s1 and t1, s2 and t2 (two one-sided tests, corrected for 4 pairs)."
    )


def test_many_pairs_are_counted_and_ratios_are_factors() -> None:
    found = pair_equivalence(pairs(*[0.0] * 5, 0.6), math.log(1.5), n=9)
    assert found.in_words(ratio=True) == (
        "5 of 7 pairs of systems are equivalent within a factor of 1.50 (two one-sided tests, corrected for 7 pairs).",
    )


def test_the_table_of_pairs_says_it() -> None:
    test = led(smallest={"clarity": 0.4})
    part = SystemComparison(measure="clarity", pairs=test.pairs, equivalence=test.equivalence)
    (row,) = pairs_table([part]).records()
    assert (row["p equivalent"], row["Equivalent"]) == (pytest.approx(0.0141084), True)


def test_too_few_participants_are_taken_as_they_are() -> None:
    frame = pd.DataFrame(
        [(p, f"i{i}", s, (i * 7 + (s == "b")) % 5) for p in "pq" for i in range(8) for s in "ab"],
        columns=["participant", "item", "system", "value"],
    )
    test = leading_test(frame, "value", of="clarity", options=RecipeOptions(smallest={"clarity": 3.0}))
    assert test.of_these is not None
    assert test.equivalence is not None
    assert test.standardised(2.0).equivalence is not None
