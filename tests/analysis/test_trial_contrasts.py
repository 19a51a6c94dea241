"""Rankings as contrasts."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from textassay.analysis.trial_contrasts import trial_contrasts, trial_table
from textassay.stats import contrast_model, rm_anova
from textassay.tasks.ranking.answers import read_rankings


def ranked(*orders: tuple[str, str, str]) -> pd.DataFrame:
    """Rankings as (participant, item, systems from the best on)."""
    rows = [
        (who, item, system, "clarity", place) for who, item, order in orders for place, system in enumerate(order, 1)
    ]
    frame = pd.DataFrame(rows, columns=["participant", "item", "system", "criterion", "rank"])
    return read_rankings(frame).main


def test_by_hand() -> None:
    found = trial_contrasts(trial_table(ranked(("p", "i", "abc"), ("q", "j", "cab")), ["a", "b", "c"]))
    # ranks 1 2 3: (2 - 1)/√2 and (2·3 - 1 - 2)/√6; ranks 2 3 1: (3 - 2)/√2 and (2·1 - 2 - 3)/√6
    assert found.values == pytest.approx([1 / np.sqrt(2), 3 / np.sqrt(6), 1 / np.sqrt(2), -3 / np.sqrt(6)])
    assert found.participants.tolist() == ["p", "p", "q", "q"]
    assert found.items.tolist() == ["i", "i", "j", "j"]
    assert found.rows @ found.rows.T == pytest.approx(np.tile(np.eye(2), (2, 2)))


def test_of_sets_only_what_was_shown_is_compared() -> None:
    found = trial_contrasts(trial_table(ranked(("p", "i", "ac"), ("q", "i", "bca"), ("r", "j", "ca")), ["a", "b", "c"]))
    by_person = {who: found.rows[found.participants == who] for who in "pqr"}
    assert {who: len(rows) for who, rows in by_person.items()} == {"p": 1, "q": 2, "r": 1}
    assert by_person["p"].tolist() == pytest.approx(np.array([[-1, 0, 1]]) / np.sqrt(2))
    assert found.values[found.participants == "r"] == pytest.approx([-1 / np.sqrt(2)])


def test_no_rankings() -> None:
    found = trial_contrasts(trial_table(ranked(("p", "i", "ab")), ["a", "b"]).iloc[:0])
    assert found.values.size == found.participants.size == 0


def test_by_participants_it_is_the_repeated_measures_anova_of_mean_ranks() -> None:
    # as a mixed model of single ranks would not be: their sum is fixed, so its F is k / (k - 1) too large
    draw = np.random.default_rng(1)
    orders = []
    for person in range(8):
        taste = draw.normal(size=3)
        for item in range(5):
            order = "".join("abc"[place] for place in np.argsort(taste + np.array([0, 0.5, 1]) + draw.normal(size=3)))
            orders.append((f"p{person}", f"i{item}", order))
    main = ranked(*orders)
    effect = rm_anova(main["value"].to_numpy(), main["participant"].to_numpy(), {"system": main["system"].to_numpy()})
    found = trial_contrasts(trial_table(main, ["a", "b", "c"]))
    model = contrast_model(found.values, found.rows, {"participant": found.participants})
    assert not model.singular
    assert model.test.f == pytest.approx(effect["system"].f, rel=1e-6)
    assert model.test.df == pytest.approx((2, 14), rel=1e-6)
