"""Place in the session and the system before: who has an effect, and what it changes."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from textassay.analysis.contrast_models import Contrasts
from textassay.analysis.leading_test import leading_contrasts, leading_test
from textassay.analysis.options import RecipeOptions
from textassay.analysis.order_effects import (
    OrderEffects,
    order_cautions,
    order_effects,
    order_effects_of_contrasts,
    order_table,
    shown_before,
)

OPTIONS = RecipeOptions()


def answers(*, drift: float = 0.0, carried: float = 0.0, seed: int = 3) -> pd.DataFrame:
    """12 people × 9 items in random order, 3 systems; what comes after system a is carried higher."""
    random = np.random.default_rng(seed)
    person, place = np.divmod(np.arange(108), 9)
    item = np.concatenate([random.permutation(9) for _ in range(12)])
    system = (item + person) % 3
    after_a = (np.roll(system, 1) == 0) & (place > 0)
    value = random.normal(size=108) * 0.3 + random.normal(size=12)[person] + drift * place / 8 + carried * after_a
    columns = {"participant": person.astype(str), "item": item.astype(str), "system": np.array(list("abc"))[system]}
    return pd.DataFrame({**columns, "position": place + 1, "value": value})


def found(frame: pd.DataFrame) -> OrderEffects:
    leading = leading_test(frame, "value", of="clarity", options=OPTIONS)
    effects = order_effects(frame, "value", leading, of="clarity", options=OPTIONS)
    assert effects is not None
    return effects


def test_of_too_many_values_the_table_says_that_nothing_was_worked_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("textassay.analysis.order_effects.MOST_VALUES", 107)
    skipped = found(answers(drift=2.0))
    assert (skipped.skipped, skipped.records(), list(order_cautions([skipped]))) == (True, [], [])
    table = order_table([skipped])
    assert table is not None
    assert table.note.startswith("Not worked out for clarity: more than 107 values. ")
    assert table.rows == (("clarity", None, None, skipped.p, None),)
    monkeypatch.undo()
    assert not found(answers()).skipped


def test_a_drift_is_seen_as_the_change_over_the_session() -> None:
    still, drifting = found(answers()), found(answers(drift=2.0))
    assert still.place is not None
    assert drifting.place is not None
    assert drifting.change - still.change == pytest.approx(2.0)
    assert (still.place.p > 0.05, drifting.place.p < 0.001) == (True, True)
    assert drifting.ci[0] < 2.0 < drifting.ci[1]
    # what is taken out changes nothing
    assert drifting.p_without == pytest.approx(still.p_without)


def test_what_the_system_before_does_is_seen() -> None:
    still, carried = found(answers()), found(answers(carried=1.0))
    assert still.before is not None
    assert carried.before is not None
    assert (still.before.p > 0.05, carried.before.p < 0.001) == (True, True)
    assert carried.before.df == (2, 10)  # two of three systems, 12 participants


@pytest.mark.parametrize("change", ["no column", "a gap", "twice", "the same order for all"])
def test_where_places_say_nothing_there_is_nothing(change: str) -> None:
    frame = answers()
    if change == "no column":
        frame = frame.drop(columns="position")
    elif change == "a gap":
        frame = frame.assign(position=frame["position"].astype(float).where(frame.index != 4))
    elif change == "twice":
        frame = frame.assign(position=1)
    else:  # place and item are the same, and so is the system before, given item and system
        frame = frame.assign(position=frame["item"].astype(int) * 2)  # no trial comes right after another
    leading = leading_test(frame, "value", of="clarity", options=OPTIONS)
    assert order_effects(frame, "value", leading, of="clarity", options=OPTIONS) is None


def test_the_system_before_is_that_of_the_place_before() -> None:
    trials = pd.DataFrame({"participant": list("ppqp"), "position": [1, 2, 2, 4]})
    before = shown_before(trials, np.array([[1.0, 0], [0, 1], [1, 1], [1, 0]]))
    assert before.tolist() == [[0, 0], [1, 0], [0, 0], [0, 0]]  # nothing before, and gaps: an attention check


def test_of_values_within_a_trial_only_the_system_before_counts() -> None:
    random = np.random.default_rng(5)
    rows = np.array([[1.0, -1, 0], [0, 1, -1], [-1, 0, 1]])[np.arange(60) % 3]
    before = random.integers(0, 2, size=(60, 3)).astype(float)
    noise, (person, item) = random.normal(size=60) * 0.3, np.divmod(np.arange(60), 6)
    again = np.sum(rows * before, axis=1)
    given = Contrasts(noise, rows, ("a", "b", "c"), person.astype(str), item.astype(str))
    carried = replace(given, values=noise + again)
    effects = []
    for each in (given, carried):
        leading = leading_contrasts(each, of="clarity", options=OPTIONS)
        effects.append(order_effects_of_contrasts(each, before, leading, of="clarity", options=OPTIONS))
    still, moved = effects
    assert still is not None
    assert moved is not None
    assert still.before is not None
    assert moved.before is not None
    assert moved.before.estimates[0] - still.before.estimates[0] == pytest.approx(1.0)
    assert moved.p_without == pytest.approx(still.p_without)
    assert moved.before.p < 0.001
    table = order_table([moved])
    assert table is not None
    assert table.columns == ("Criterion", "F of the system before", "p of it", "p as analysed", "p without these")
    everything = np.ones((60, 3))  # every trial shows all systems: there is nothing to tell
    leading = leading_contrasts(given, of="clarity", options=OPTIONS)
    assert order_effects_of_contrasts(given, everything, leading, of="clarity", options=OPTIONS) is None


def test_a_reader_is_warned_only_where_the_conclusion_changes() -> None:
    same = found(answers(drift=2.0, carried=1.0))
    assert list(order_cautions([None, replace(same, p=0.031, p_without=0.04)])) == []
    assert list(order_cautions([replace(found(answers()), p=0.031, p_without=0.2)])) == []  # neither matters
    changed = replace(same, p=0.031, p_without=0.2)
    (said,) = order_cautions([changed])
    assert said == (
        "clarity: with the place in the session and the system before taken out there is no significant difference "
        "between systems (p = .200), as analysed there is a significant one (p = .031; ANOVA-type test)"
    )
    turned = replace(same, p=0.2, p_without=0.031, place=None)
    (said,) = order_cautions([turned])
    assert said == (
        "clarity: with the system before taken out there is a significant difference between systems (p = .031), as "
        "analysed there is none (p = .200; ANOVA-type test)"
    )


def test_one_row_per_measure() -> None:
    effects = found(answers())
    table = order_table([None, effects], of="Measure")
    assert table is not None
    assert table.columns[:2] == ("Measure", "Change over the session")
    assert table.rows[0][:2] == ("clarity", effects.change)
    assert order_table([None]) is None
