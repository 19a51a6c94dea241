"""The form that comparisons of mean ranks share."""

import numpy as np

from textassay.stats.rank_tests.rank_pairs import pair_places, rank_pairs


def test_pairs_carry_their_numbers_in_order():
    first, second = pair_places(3)
    assert list(zip(first.tolist(), second.tolist(), strict=True)) == [(0, 1), (0, 2), (1, 2)]
    one, two, three = (np.array([1.0, 2.0, 3.0]) * scale for scale in (1, 10, 0.02))
    pairs = rank_pairs(["a", "b", "c"], one, two, three, None, 0.05)
    assert [(pair.first, pair.second) for pair in pairs] == [("a", "b"), ("a", "c"), ("b", "c")]
    assert [(pair.difference, pair.value, pair.significant) for pair in pairs] == [
        (1.0, 10.0, True), (2.0, 20.0, True), (3.0, 30.0, False),
    ]  # fmt: skip
    assert all(pair.p_uncorrected is None for pair in pairs)


def test_undefined_p_is_not_significant():
    nothing = np.full(1, np.nan)
    assert not rank_pairs(["a", "b"], nothing, nothing, nothing, nothing, 0.05)[0].significant
