"""Which random effects the data can bear."""

from __future__ import annotations

from dataclasses import dataclass

import pandas as pd
from crossed_data import answers_to_several_systems, crossed_answers

from textassay.analysis.crossed_model import RandomPart, of_predictor, of_systems, settled
from textassay.stats import VarianceComponent


@dataclass(frozen=True)
class Fitted:
    """A model of which only the spread of its random effects is known."""

    components: tuple[VarianceComponent, ...]
    converged: bool = True


def test_systems_of_participants_and_items() -> None:
    part = of_systems(crossed_answers())
    assert {name: len(set(labels)) for name, labels in part.groupings.items()} == {
        "participant": 12,
        "item": 6,
        "participant × system": 36,
        "item × system": 18,
    }
    assert part.said == ()


def test_participant_by_item_where_participants_see_several_systems_of_an_item() -> None:
    frame = answers_to_several_systems()
    of_both = of_systems(frame).groupings["participant × item"]
    assert len(set(of_both)) == 9 * 7
    assert "participant × item" in of_predictor(frame.assign(x=1.0 * (frame["system"] == "a")), "x").groupings
    # the same text twice, or one item each: what is particular to both cannot be told from what is left, or from one
    twice = frame.drop_duplicates(["participant", "item"])
    alone = frame.assign(item=frame["participant"])
    chance = pd.concat([twice, frame.loc[~frame.index.isin(twice.index)].iloc[:3]])  # 6 of 66 texts
    for given in (pd.concat([twice, twice]), alone, frame.assign(participant="p"), chance):
        assert "participant × item" not in of_systems(given).groupings


def test_system_between_participants_adds_nothing_to_them() -> None:
    frame = answers_to_several_systems()
    part = of_systems(frame.assign(participant=frame["participant"] + frame["system"]))
    assert set(part.groupings) == {"participant", "item", "item × system"}


def test_one_text_an_item_adds_nothing_to_items() -> None:
    frame = answers_to_several_systems()
    part = of_systems(frame.assign(item=frame["item"] + frame["system"]))
    assert set(part.groupings) == {"participant", "item", "participant × system"}


def test_slopes_only_where_the_predictor_varies() -> None:
    frame = crossed_answers().assign(x=lambda rows: rows["item"].str[1:].astype(float))
    part = of_predictor(frame, "x")  # a property of items
    assert part.slopes == {"participant": ["x"]}
    assert set(part.groupings) == {"participant", "item", "text"}


def test_rare_outcomes_bear_few_effects() -> None:
    part = of_systems(crossed_answers())
    assert set(part.borne_by(20).groupings) == {"participant", "item", "item × system"}
    few = part.borne_by(3)
    assert set(few.groupings) == {"participant", "item"}
    assert few.said == (
        "without random effects of participant × system and item × system: the rarer outcome has 3 cases only",
    )
    assert part.borne_by(36) is part


def test_variances_of_nothing_are_left_out_one_by_one() -> None:
    spread = {"participant": 1.0, "item": 0.0, "participant × system": 0.0, "item × system": 0.5}

    def fit(part: RandomPart) -> Fitted:
        return Fitted(tuple(VarianceComponent(name, "(intercept)", spread[name], 9) for name in part.groupings))

    _, used = settled(of_systems(crossed_answers()), fit, lambda _: 1.0)
    assert set(used.groupings) == {"participant", "item", "item × system"}  # items stay, whatever they vary
    assert used.said == ("without random effects of participant × system: their variance is 0",)


def test_what_does_not_converge_is_tried_without_the_rest() -> None:
    def fit(part: RandomPart) -> Fitted:
        components = [VarianceComponent(name, "(intercept)", 1.0, 9) for name in part.groupings]
        components += [VarianceComponent(name, "x", 1.0, 9) for name in part.slopes]
        return Fitted(tuple(components), converged=not part.slopes)

    frame = crossed_answers().assign(x=lambda rows: rows["item"].str[1:].astype(float))
    _, used = settled(of_predictor(frame, "x"), fit, lambda _: 1.0)
    assert (set(used.groupings), used.slopes) == ({"participant", "item"}, {})
    assert used.said == ("without random effects of text and x by participant: the fit does not converge with them",)
