"""What participants share, counted."""

from __future__ import annotations

import math

import numpy as np
import pytest

from textassay.design.overlap import Overlap, measure_overlap, sharing_groups


def test_everybody_judging_everything_shares_everything() -> None:
    found = measure_overlap([list("abcd")] * 3)
    assert found == Overlap(least=4, most=4, mean=4.0, shared_texts=4, judgements=3.0, groups=1)


def test_without_a_text_in_common_agreement_is_unknown() -> None:
    found = measure_overlap([["a"], ["b"]])
    assert (found.most, found.shared_texts, found.groups) == (0, 0, 2)
    assert math.isnan(found.agreement_known_to())


def test_one_participant_has_nobody_to_share_with() -> None:
    found = measure_overlap([["a"]])
    assert math.isnan(found.mean)
    assert found.groups == 1


def test_chains_of_common_texts_join_groups() -> None:
    assert sharing_groups([["a"], ["c"], ["b"], ["a", "b"], ["d"], ["d", "c"]]) == [0, 1, 0, 0, 1, 1]


@pytest.mark.parametrize("icc", [0.2, 0.5])
def test_width_of_the_interval_is_that_of_simulated_agreement(icc: float) -> None:
    draws, texts, judgements = 4000, 60, 3
    rng = np.random.default_rng(1)
    common = rng.normal(size=(draws, texts, 1)) * icc**0.5
    values = common + rng.normal(size=(draws, texts, judgements)) * (1 - icc) ** 0.5
    between = judgements * values.mean(axis=2).var(axis=1, ddof=1)
    within = values.var(axis=2, ddof=1).mean(axis=1)
    found = (between - within) / (between + (judgements - 1) * within)
    known = measure_overlap([[f"t{text}" for text in range(texts)]] * judgements)
    assert known.agreement_known_to(icc) == pytest.approx(1.96 * found.std(), rel=0.05)


def test_many_judgements_of_a_text_are_counted_alike(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(3)
    slots = [[f"t{text}" for text in rng.choice(12, size=6, replace=False)] for _ in range(40)]
    before = measure_overlap(slots)
    monkeypatch.setattr("textassay.design.overlap._MOST_PAIRS", 0)
    monkeypatch.setattr("textassay.design.overlap._ROWS", 7)
    assert measure_overlap(slots) == before


def test_of_very_many_participants_the_mean_alone_is_known(monkeypatch: pytest.MonkeyPatch) -> None:
    slots = [list("abc"), list("abd"), list("acd")]
    before = measure_overlap(slots)
    monkeypatch.setattr("textassay.design.overlap._MOST_PAIRS", 0)
    monkeypatch.setattr("textassay.design.overlap._MOST_PARTICIPANTS", 2)
    found = measure_overlap(slots)
    assert (found.least, found.most, found.mean) == (None, None, before.mean) == (None, None, 2.0)
