"""What several raters make of a text."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest

from textassay.errors import UsageError
from textassay.meta.raters import rated_texts


def answers(rows: list[tuple[Any, ...]]) -> pd.DataFrame:
    return pd.DataFrame(rows, columns=["participant", "item", "system", "value"])


def additive(texts: dict[str, float], raters: dict[str, float], pairs: list[tuple[str, str]]) -> pd.DataFrame:
    """Each rater's value of a text (item 1, named by its system) without noise."""
    return answers([(who, "1", text, texts[text] + raters[who]) for who, text in pairs])


TEXTS = {"a": 1.0, "b": 2.0, "c": 4.0}


def test_mean_and_number_of_raters() -> None:
    found = rated_texts(answers([("p", "1", "a", 1), ("q", "1", "a", 4), ("p", "2", "a", 2)])).texts
    assert found.to_dict("list") == {"item": ["1", "2"], "system": ["a", "a"], "judgement": [2.5, 2], "raters": [2, 1]}


@pytest.mark.parametrize("raters", [{"p": 0.0, "q": 3.0}, {"p": 0.0, "q": 3.0, "r": -1.0, "s": 0.5}])
def test_rater_effects_are_removed_where_texts_connect_the_raters(raters: dict[str, float]) -> None:
    # every rater judges text a and one more, so plain means mix them; more texts or more raters
    pairs = [(who, text) for place, who in enumerate(raters) for text in ("a", "bc"[place % 2])]
    found = rated_texts(additive(TEXTS, raters, pairs), "adjusted")
    values = dict(zip(found.texts["system"], found.texts["judgement"], strict=True))
    assert values["b"] - values["a"] == pytest.approx(1)
    assert values["c"] - values["a"] == pytest.approx(3)
    weights = [raters[who] for who, _ in pairs]
    assert values["a"] == pytest.approx(1 + np.mean(weights))  # the level is that of all answers
    assert found.notes == ()


@pytest.mark.parametrize("more_raters", [False, True])
def test_raters_without_a_text_in_common_keep_their_level(more_raters: bool) -> None:
    pairs = [("p", "a"), ("p", "b"), ("q", "c")] + [("r", "c"), ("s", "c")] * more_raters
    found = rated_texts(additive(TEXTS, {"p": 0, "q": 3, "r": 1, "s": 2}, pairs), "adjusted")
    assert found.texts["judgement"].tolist() == pytest.approx([1, 2, 6 if more_raters else 7])
    assert found.notes[0].startswith("raters form 2 groups that have no text in common")


def test_one_rater_has_no_effect_to_remove() -> None:
    found = rated_texts(additive(TEXTS, {"p": 2}, [("p", "a"), ("p", "b")]), "adjusted")
    assert found.texts["judgement"].tolist() == [3, 4]
    assert found.notes == ("there is one rater, so no rater effects are removed",)
    assert len(rated_texts(answers([]), "adjusted").texts) == 0


def test_z_scores_of_raters_who_saw_the_same_mix() -> None:
    found = rated_texts(additive(TEXTS, {"p": 0, "q": 9}, [(who, text) for who in "pq" for text in "abc"]), "z-scores")
    spread = np.std([1, 2, 4], ddof=1)
    assert found.texts["judgement"].tolist() == pytest.approx([(x - 7 / 3) / spread for x in (1, 2, 4)])
    assert found.notes == ()


def test_z_scores_warn_where_mixes_differ_and_leave_out_raters_without_spread() -> None:
    rows = [("p", "1", "a", 1), ("p", "2", "a", 3), ("q", "1", "b", 4), ("q", "2", "a", 2), ("r", "1", "b", 5)]
    found = rated_texts(answers(rows), "z-scores")
    flat, mixed = found.notes
    assert flat == "1 of 3 raters gave one value only, so they have no z-scores: not used"
    assert mixed.startswith("raters judged different mixes of systems and items, so z-scores also remove")
    assert found.texts["raters"].tolist() == [1, 2, 1]  # of item 1 a, item 2 a, item 1 b
    assert np.isnan(found.used[-1])


def test_unknown_way_is_refused() -> None:
    with pytest.raises(UsageError, match="raters must be one of mean, adjusted, z-scores"):
        rated_texts(answers([]), "median")  # type: ignore[arg-type]
