"""Under a null the valid tests hold their level, and the published one does not."""

from __future__ import annotations

import pytest
from people_orders import people_orders, starts_of

from textassay.ordering import (
    condition_agreement,
    exchanged_lists,
    pair_anova,
    reorderings,
    start_effect,
    text_agreement,
)
from textassay.ordering.variability.score_tests import chance_scores

TESTS = ("texts", "any two texts", "conditions", "same condition", "pull of the start", "score by condition")
STUDIES = 60
MOST = 9
"""Of 60 studies more than 9 are significant at .05 with probability .0007 (binomial)."""


@pytest.fixture(scope="module")
def significant() -> dict[str, int]:
    """How many studies in which nothing differs but people are significant, by test."""
    found = dict.fromkeys(TESTS, 0)
    for seed in range(STUDIES):
        given = people_orders(1000 + seed)
        people = reorderings(given)
        lists = exchanged_lists(people, draws=99, seed=seed)
        texts, effect = text_agreement(people), start_effect(people, lists)
        scores = chance_scores(people, {"O": starts_of(given)["O"]}, lists.whose)
        p = (
            texts.p,
            min(pair.p for pair in texts.pairs),
            condition_agreement(people).p,
            effect.p,
            effect.pulls[0].p,
            lists.p(scores["tau", "O"]),
        )
        for name, value in zip(TESTS, p, strict=True):
            found[name] += value <= 0.05 + 1e-9
    return found


@pytest.mark.parametrize("test", TESTS)
def test_valid_tests_hold_their_level(significant: dict[str, int], test: str) -> None:
    assert significant[test] <= MOST


def test_published_analysis_finds_texts_that_do_not_differ() -> None:
    # at .05, 4 of 5 would be significant with probability .00003
    studies = [pair_anova(reorderings(people_orders(1000 + seed))) for seed in range(5)]
    assert sum(found is not None and found.anova["text"].p < 0.05 for found in studies) >= 4


def test_texts_are_tested_near_the_level() -> None:
    # Of 100 studies 1 or fewer would be significant at .05 with probability .037 if the level were exact; with the
    # correction of Greenhouse and Geisser, which this is to keep out, it was 1 in 100.
    p = [text_agreement(reorderings(people_orders(7000 + seed)), draws=199).p for seed in range(100)]
    assert 2 <= sum(value <= 0.05 for value in p) <= 11
