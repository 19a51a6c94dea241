"""Randomisation tests against R's enumeration; clusters; and data without a p."""

import json
import math
from itertools import combinations, product
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from textassay.errors import DataError, UsageError
from textassay.stats import paired_permutation, two_sample_permutation
from textassay.stats.resampling.randomisation import Chance, sign_flip_tails, subset_sum_tails

GOLDEN = Path(__file__).parents[2] / "golden"


def golden(name):
    cases = json.loads((GOLDEN / f"{name}.json").read_text(encoding="utf-8"))["cases"]
    return pytest.mark.parametrize("case", cases, ids=[case["id"] for case in cases])


@golden("paired_permutation")
def test_signs_equal_r(case):
    x, y, expected = case["input"]["x"], case["input"]["y"], case["expect"]
    result = paired_permutation(x, y, **case["settings"])
    assert result.p == pytest.approx(expected["p"], rel=1e-12)
    assert result.difference == pytest.approx(expected["difference"])
    assert result.exact
    for alternative in ("greater", "less"):
        assert paired_permutation(x, y, alternative=alternative).p == pytest.approx(expected[alternative], rel=1e-12)
    if "known_n" in expected:
        assert paired_permutation(x, y).p == expected["known_p_two_sided"]
        assert paired_permutation(x, y, alternative="greater").p == expected["known_p_greater"]
        assert 2 ** len(x) == expected["known_n"] == expected["n"]


@golden("two_sample_permutation")
def test_exchanged_labels_equal_r(case):
    x, y, expected = case["input"]["x"], case["input"]["y"], case["expect"]
    result = two_sample_permutation(x, y, **case["settings"])
    assert result.p == pytest.approx(expected["p"], rel=1e-12)
    assert result.difference == pytest.approx(expected["difference"])
    assert result.exact
    for alternative in ("greater", "less"):
        assert two_sample_permutation(x, y, alternative=alternative).p == pytest.approx(
            expected[alternative], rel=1e-12
        )
    assert math.comb(len(x) + len(y), len(x)) == expected["ways"]


samples = st.lists(st.integers(-6, 6), min_size=2, max_size=9)


@given(st.lists(st.tuples(st.integers(-6, 6), st.integers(-6, 6)), min_size=1, max_size=10), st.integers(1, 5))
def test_pairs_turned_round_shifted_and_scaled(pairs, scale):
    x, y = (list(column) for column in zip(*pairs, strict=True))
    result = paired_permutation(x, y)
    assert paired_permutation(y, x).p == pytest.approx(result.p)
    moved = paired_permutation([scale * value + 3 for value in x], [scale * value + 3 for value in y])
    assert moved.p == pytest.approx(result.p)
    assert paired_permutation(y, x, alternative="less").p == pytest.approx(
        paired_permutation(x, y, alternative="greater").p
    )
    assert 2.0 ** (1 - len(pairs)) * 0.999 <= result.p <= 1


@given(samples, samples, st.integers(1, 5))
def test_samples_turned_round_shifted_and_scaled(x, y, scale):
    result = two_sample_permutation(x, y)
    assert two_sample_permutation(y, x).p == pytest.approx(result.p)
    moved = two_sample_permutation([scale * value - 7 for value in x], [scale * value - 7 for value in y])
    assert moved.p == pytest.approx(result.p)
    assert 0 < result.p <= 1


def test_clusters_are_their_means():
    x, y = [5, 6, 7, 3, 4, 4, 8, 8], [4, 6, 4, 4, 2, 2, 5, 6]
    participants = ["a", "a", "b", "b", "c", "c", "d", "d"]
    means = np.array(x).reshape(4, 2).mean(axis=1), np.array(y).reshape(4, 2).mean(axis=1)
    clustered = paired_permutation(x, y, clusters=participants)
    assert clustered.p == paired_permutation(*means).p
    assert (clustered.n, clustered.units) == (8, 4)
    assert clustered.settings["units"] == "means of clusters"
    apart = two_sample_permutation(x, y, clusters=(participants, ["e", "e", "f", "f", "g", "g", "h", "h"]))
    assert apart.p == two_sample_permutation(*means).p
    assert apart.units == 8


def test_draws_are_said_with_their_seed():
    draw = np.random.Generator(np.random.PCG64(1))
    x, y = draw.normal(size=40), draw.normal(size=40)
    result = paired_permutation(x, y, seed=5, draws=499)
    assert not result.exact
    assert (result.settings["draws"], result.settings["seed"]) == (499, 5)
    assert paired_permutation(x, y, seed=5, draws=499) == result
    assert result.p == pytest.approx(round(result.p * 250) / 250)  # twice (b+1)/500


@pytest.mark.parametrize(
    ("result", "reason", "p"),
    [
        (lambda: paired_permutation([], []), "there are no pairs", math.nan),
        (lambda: paired_permutation([1, 2], [1, 2]), "all differences are 0", 1.0),
        (lambda: two_sample_permutation([1], []), "it needs values in both samples, got 1 and 0", math.nan),
        (lambda: two_sample_permutation([3, 3], [3]), "all values are equal (3)", 1.0),
    ],
)
def test_data_that_say_nothing_say_so(result, reason, p):
    found = result()
    assert reason in found.warnings[0]
    assert found.p == pytest.approx(p, nan_ok=True)
    assert found.records()


def test_bad_input_is_refused():
    with pytest.raises(DataError, match="x has 2, y has 1"):
        paired_permutation([1, 2], [1])
    with pytest.raises(DataError, match="missing or infinite"):
        paired_permutation([1, math.nan], [1, 2])
    with pytest.raises(DataError, match="missing or infinite"):
        two_sample_permutation([1, math.inf], [1, 2])
    with pytest.raises(DataError, match=r"1 cluster\(s\) are in both samples \(b\); compare them paired"):
        two_sample_permutation([1, 2], [3, 4], clusters=(["a", "b"], ["b", "c"]))
    with pytest.raises(DataError, match="values has 2, clusters of y has 1"):
        two_sample_permutation([1, 2], [3, 4], clusters=(["a", "b"], ["c"]))
    with pytest.raises(DataError, match="missing label"):
        paired_permutation([1, 2], [3, 4], clusters=["a", None])
    with pytest.raises(UsageError, match="alternative must be one of two-sided, greater, less; got 'two'"):
        paired_permutation([1, 2], [3, 4], alternative="two")


# --- Where p comes from: counted, drawn, or refused; draws agree with counts ----------------------------------------


DRAW = np.random.Generator(np.random.PCG64(11))


@pytest.mark.parametrize("alternative", ["two-sided", "greater", "less"])
def test_draws_come_close_to_the_count(alternative):
    differences = DRAW.normal(0.3, 1, size=14)
    counted, exact = Chance(alternative, "auto", 1, 0).flipped_signs(differences)
    drawn, by_count = Chance(alternative, "monte carlo", 40_000, 0).flipped_signs(differences)
    assert (exact, by_count) == (True, False)
    assert drawn == pytest.approx(counted, abs=5 * np.sqrt(0.25 / 40_000) * 2)
    values = DRAW.normal(size=16)
    counted, _ = Chance(alternative, "auto", 1, 0).exchanged_labels(values, 6)
    drawn, _ = Chance(alternative, "monte carlo", 40_000, 0).exchanged_labels(values, 6)
    assert drawn == pytest.approx(counted, abs=5 * np.sqrt(0.25 / 40_000) * 2)


def test_a_drawn_p_is_never_zero():
    # 40 differences of one sign: the true p is 2⁻⁴⁰, and 99 draws can say no more than 1/100.
    differences = np.abs(DRAW.normal(size=40)) + 1
    assert Chance("greater", "auto", 99, 0).flipped_signs(differences) == (0.01, False)
    assert Chance("two-sided", "auto", 99, 0).flipped_signs(differences) == (0.02, False)


def test_exact_or_nothing():
    with pytest.raises(DataError, match="25 units are too many"):
        Chance("greater", "exact", 99, 0).flipped_signs(DRAW.normal(size=25))
    with pytest.raises(DataError, match="25 units are too many"):
        Chance("greater", "exact", 99, 0).exchanged_labels(DRAW.normal(size=25), 10)


@pytest.mark.parametrize(
    ("chosen", "message"),
    [
        (("bigger", "auto", 99, 0), "alternative must be one of"),
        (("less", "asymptotic", 99, 0), "p must be one of auto, exact, monte carlo"),
        (("less", "auto", 0, 0), "draws must be"),
    ],
)
def test_impossible_settings_are_refused(chosen, message):
    with pytest.raises(UsageError, match=message):
        Chance(*chosen)


# --- Exact tails: counting whole numbers, enumerating others, and neither -------------------------------------------


numbers = st.one_of(st.integers(-5, 5).map(float), st.sampled_from([0.5, 1.5, -2.5, 1 / 3, np.pi, -np.e, 0.1]))


@given(st.lists(numbers, min_size=1, max_size=7))
def test_signs_are_all_gone_through(values):
    sums = [float(np.dot(signs, values)) for signs in product((-1, 1), repeat=len(values))]
    lower = np.mean([s <= sum(values) + 1e-9 for s in sums])
    upper = np.mean([s >= sum(values) - 1e-9 for s in sums])
    assert sign_flip_tails(np.array(values)) == pytest.approx((lower, upper))


@given(st.lists(numbers, min_size=2, max_size=8), st.integers(1, 7))
def test_subsets_are_all_gone_through(values, size):
    size = min(size, len(values) - 1)
    sums = [sum(chosen) for chosen in combinations(values, size)]
    lower = np.mean([s <= sum(values[:size]) + 1e-9 for s in sums])
    upper = np.mean([s >= sum(values[:size]) - 1e-9 for s in sums])
    assert subset_sum_tails(np.array(values), size) == pytest.approx((lower, upper))


def test_many_ratings_are_counted_and_many_other_numbers_are_not():
    draw = np.random.Generator(np.random.PCG64(2))
    ratings = draw.integers(-4, 5, 300).astype(float)
    lower, upper = sign_flip_tails(ratings)
    # The normal approximation: sum / √Σd².
    z = ratings.sum() / np.sqrt((ratings**2).sum())
    assert 1 - upper == pytest.approx(0.5 * (1 + np.tanh(0.7978845608 * (z + 0.044715 * z**3))), abs=0.02)
    assert lower + upper > 1
    assert sign_flip_tails(draw.normal(size=21)) is None
    assert subset_sum_tails(draw.integers(1, 6, 80).astype(float), 40) is not None
    assert subset_sum_tails(draw.normal(size=21), 10) is None


def test_nothing_but_zeros():
    assert sign_flip_tails(np.zeros(30)) == (1.0, 1.0)
    assert subset_sum_tails(np.full(30, 2.5), 10) == (1.0, 1.0)
