"""The form that comparisons of mean ranks share."""

import numpy as np

from textassay.stats.rank_tests.rank_pairs import pair_places, rank_pairs


def test_pairs_carry_their_numbers_in_order():
    first, second = pair_places(3)
    assert list(zip(first.tolist(), second.tolist(), strict=True)) == [(0, 1), (0, 2), (1, 2)]
    one, two, three, four = (np.array([1.0, 2.0, 3.0]) * scale for scale in (1, 10, 0.02, 0.01))
    pairs = rank_pairs(["a", "b", "c"], one, two, three, four, n=7, df=5)
    assert [(pair.first, pair.second) for pair in pairs] == [("a", "b"), ("a", "c"), ("b", "c")]
    assert [(pair.difference, pair.test_value, pair.p, pair.p_raw, pair.n, pair.df) for pair in pairs] == [
        (1.0, 10.0, 0.02, 0.01, 7, 5), (2.0, 20.0, 0.04, 0.02, 7, 5), (3.0, 30.0, 0.06, 0.03, 7, 5),
    ]  # fmt: skip
