"""Which test leads, and what is said where it cannot."""

import math

import numpy as np
import pandas as pd
import pytest

from textassay.analysis.contrast_models import Contrasts
from textassay.analysis.leading_test import FIRST_CHOICE, for_whom, leading_contrasts, leading_p, leading_test
from textassay.analysis.options import RecipeOptions


def frame(people: int = 10, items: int = 12, systems: int = 3, effect: float = 1.5) -> pd.DataFrame:
    random = np.random.default_rng(0)
    person, item = np.divmod(np.arange(people * items), items)
    system = (person + item) % systems
    value = random.normal(size=person.size) + effect * (system == 0)
    names = {"participant": "p", "item": "i", "system": "s"}
    codes = {"participant": person, "item": item, "system": system}
    return pd.DataFrame({name: [f"{sign}{code}" for code in codes[name]] for name, sign in names.items()}).assign(
        value=value
    )


def test_it_leads_and_counts_its_pairs() -> None:
    found = leading_test(frame(), "value", of="clarity", options=RecipeOptions(alpha=0.01), better="higher")
    (line,) = found.tests
    assert (line.name, line.advice, line.p) == ("ANOVA-type test", FIRST_CHOICE, found.general.p)
    assert found.results[0] is found.general
    counted = found.results[1].records()[0]
    assert counted["value"] == sum(pair.p < 0.01 for pair in found.general.pairs) == 2
    assert (counted["of"], counted["by"], counted["pairs"], counted["alpha"]) == ("clarity", "system", 3, 0.01)
    assert found.pairs is not None
    assert found.pairs["s0", "s1"].winner == "s0"
    assert (found.warnings, found.caveat) == ((), "")
    assert found.about_means("95 %", "Geometric means") == (
        "Geometric means, participants and items taken out, with 95 % intervals that hold for other participants "
        "and other items."
    )
    assert found.estimates((0.0, 1.0))["s0"][2] == 1.0  # cut at the end of the scale


def test_d_is_the_difference_over_the_spread_of_single_answers() -> None:
    found = leading_test(frame(), "value", of="clarity", options=RecipeOptions())
    pairs = found.standardised(2.0).pairs
    assert pairs is not None
    assert pairs.effect_size == "d"
    assert [pair.effect_size for pair in pairs] == pytest.approx([pair.difference / 2 for pair in pairs])
    for unknown in (None, 0.0, math.nan):
        assert found.standardised(unknown) is found


@pytest.mark.parametrize(("people", "items", "these"), [(2, 12, "participants"), (12, 2, "items")])
def test_too_few_have_a_test_of_their_own(people: int, items: int, these: str) -> None:
    found = leading_test(frame(people, items, 2), "value", of="clarity", options=RecipeOptions())
    assert math.isnan(found.general.p)
    (line,) = found.tests
    assert line.name == f"ANOVA-type test, for these {these}"
    assert line.advice == f"first choice for these {these} only: says nothing about others"
    assert found.caveat == f"nothing is said about other {these}"
    others = "items" if these == "participants" else "participants"
    assert found.about_means("95 %").endswith(f"intervals that hold for other {others}, but for these {these} only.")
    assert found.pairs is found.of_these.pairs  # type: ignore[union-attr]
    assert found.warnings[0].startswith(f"ANOVA-type test: no p for other {these}: 2 {these}")
    assert leading_p(frame(people, items, 2), "value") == line.p


def test_the_loss_of_power_with_few_is_said() -> None:
    said = leading_test(frame(3, 12), "value", of="clarity", options=RecipeOptions()).warnings
    assert any("with 3 participants only large differences are found" in text for text in said)
    said = leading_test(frame(12, 4), "value", of="clarity", options=RecipeOptions()).warnings
    assert any("with 4 items only large differences are found" in text for text in said)


def test_missing_values_are_omitted_and_nothing_at_all_has_no_results() -> None:
    given = frame()
    gaps = given.assign(value=given["value"].where(np.arange(len(given)) % 5 > 0))
    found = leading_test(gaps, "value", of="clarity", options=RecipeOptions())
    assert found.general.n == given.shape[0] - 24
    nothing = leading_test(given[:0], "value", of="clarity", options=RecipeOptions())
    assert (nothing.results, list(nothing.tests), nothing.pairs, nothing.estimates()) == ((), [], None, {})


def test_of_contrasts_a_side_that_cannot_be_told_from_the_systems_is_left_out() -> None:
    random = np.random.default_rng(1)
    person, item = np.divmod(np.arange(80), 8)
    rows, values = np.tile([1.0, -1.0], (80, 1)), random.normal(size=80) + 1
    side = np.ones(80)  # the first stood left in every trial
    given = Contrasts(values, rows, ("a", "b"), person.astype(str), item.astype(str), {"side": side})
    found = leading_contrasts(given, of="clarity", options=RecipeOptions(), better="higher")
    assert found.general.pairs["a", "b"].difference == pytest.approx(values.mean())
    assert found.general.p < 0.01


def test_several_measures_say_together_for_whom_they_hold() -> None:
    many = [(p, f"i{i}", s, (i * p + (s == "b") * 2 + i) % 5) for p in range(4) for i in range(6) for s in "ab"]
    frame = pd.DataFrame(many, columns=["participant", "item", "system", "value"])
    everyone = leading_test(frame, "value", of="x", options=RecipeOptions())
    two = leading_test(frame[frame["participant"] < 2], "value", of="x", options=RecipeOptions())
    assert for_whom([everyone, everyone]) == for_whom([]) == "other participants and other items"
    assert for_whom([two]) == two.whom == "other items, but for these participants only"
    assert for_whom([everyone, two]).endswith("where the table of tests says so, for these participants or items only")
