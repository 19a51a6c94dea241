from __future__ import annotations

import math
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from textassay.seeds import Stream


def test_draws_never_change() -> None:
    # Stored plans, samples and p-values depend on these. They were drawn with numpy 2.4's Philox, key from SHA-256.
    stream = Stream(7, "golden", 3)
    assert stream.raw(2).tolist() == [10502183529583240922, 2414654450453142641]
    assert [stream.below(1000) for _ in range(5)] == [438, 663, 253, 312, 267]
    assert stream.uniform() == 0.13019292863569243
    assert stream.normal(10, 2) == pytest.approx(
        11.786097650186036, rel=1e-15
    )  # the logarithm may differ in its last bit
    assert stream.permutation(8) == [7, 6, 1, 4, 3, 0, 2, 5]


@given(st.integers(0, 2**53), st.lists(st.text(max_size=5) | st.integers(0, 99), max_size=3))
def test_same_seed_and_name_same_draws(seed: int, name: list[str | int]) -> None:
    assert Stream(seed, *name).raw(3).tolist() == Stream(seed, *name).raw(3).tolist()


def test_each_part_of_the_name_counts() -> None:
    streams = [
        Stream(1),
        Stream(2),
        Stream(1, "a"),
        Stream(1, "a", "b"),
        Stream(1, "b", "a"),
        Stream(1, 1),
        Stream(1, "1"),
    ]
    assert len({int(stream.raw(1)[0]) for stream in streams}) == len(streams)


def test_a_child_has_the_whole_name_and_leaves_its_parent_alone() -> None:
    parent = Stream(1, "plan")
    parent.child("slot", 3).raw(10)
    assert parent.raw(1) == Stream(1, "plan").raw(1)
    assert parent.child("slot", 3).raw(1) == Stream(1, "plan", "slot", 3).raw(1)


@given(st.integers(1, 2**64), st.integers(0, 9))
def test_below_is_below(n: int, seed: int) -> None:
    assert 0 <= Stream(seed).below(n) < n


@pytest.mark.parametrize("n", [0, -1, 2**64 + 1])
def test_below_refuses_what_it_cannot_draw(n: int) -> None:
    with pytest.raises(ValueError, match=rf"^below\(\) needs n from 1 to 2\*\*64, got {n}$"):
        Stream(1).below(n)


def test_below_is_even() -> None:
    stream, n, draws = Stream(5, "even"), 7, 7000
    counts = Counter(stream.below(n) for _ in range(draws))
    chi_square = sum((counts[value] - draws / n) ** 2 / (draws / n) for value in range(n))
    assert chi_square < 22.46  # the .999 quantile for 6 degrees of freedom (R: qchisq(.999, 6))


def test_below_has_no_modulo_bias() -> None:
    # Three quarters of 2**64: a plain modulo would draw the lower third twice as often.
    stream, n = Stream(5, "bias"), 3 * 2**62
    low = sum(stream.below(n) < 2**62 for _ in range(3000))
    assert abs(low / 3000 - 1 / 3) < 4 * math.sqrt(2 / 9 / 3000)


def test_uniform_and_normal_have_their_moments() -> None:
    stream, draws = Stream(5, "moments"), 4000
    uniform = [stream.uniform() for _ in range(draws)]
    normal = [stream.normal() for _ in range(draws)]
    assert all(0 <= value < 1 for value in uniform)
    # four standard errors each: of the mean of a uniform, of the mean and of the variance of a normal
    assert abs(sum(uniform) / draws - 0.5) < 4 / math.sqrt(12 * draws)
    assert abs(sum(normal) / draws) < 4 / math.sqrt(draws)
    assert abs(sum(value**2 for value in normal) / draws - 1) < 4 * math.sqrt(2 / draws)


@given(st.lists(st.integers(), max_size=20), st.integers(0, 99))
def test_shuffling_keeps_everything(values: list[int], seed: int) -> None:
    copy = list(values)
    shuffled = Stream(seed).shuffled(values)
    assert values == copy
    assert sorted(shuffled) == sorted(values)
    assert sorted(Stream(seed).permutation(len(values))) == list(range(len(values)))
    assert not values or Stream(seed).choice(values) in values


def test_all_permutations_are_equally_likely() -> None:
    stream, draws = Stream(5, "permutations"), 6000
    counts = Counter(tuple(stream.permutation(3)) for _ in range(draws))
    assert len(counts) == 6
    assert sum((count - 1000) ** 2 / 1000 for count in counts.values()) < 20.52  # R: qchisq(.999, 5)


def test_many_draws_at_once_are_those_drawn_one_by_one() -> None:
    one, many = Stream(5, "many"), Stream(5, "many")
    assert many.uniforms(7).tolist() == [one.uniform() for _ in range(7)]
    # the logarithm and the cosine may differ in their last bit
    assert many.normals(50).tolist() == pytest.approx([one.normal() for _ in range(50)], rel=1e-12, abs=1e-12)
    assert many.normals(0).tolist() == []
