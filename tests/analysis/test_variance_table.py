"""Sources of variation in words, and what more of would help."""

import numpy as np
import pandas as pd
import pytest
from crossed_data import answers_to_several_systems

from textassay.analysis.contrast_models import Contrasts, ContrastSystems, contrast_systems
from textassay.analysis.crossed_model import CrossedModel, crossed_model
from textassay.analysis.variance_table import variance_table


def fitted(by_person: float, by_item: float, seed: int = 0) -> CrossedModel:
    random = np.random.default_rng(seed)
    person, item = np.divmod(np.arange(30 * 30), 30)
    system = (person + item) % 3
    y = random.normal(size=30)[person] + 0.5 * random.normal(size=30)[item] + random.normal(size=900)
    y += (by_person * random.normal(size=(30, 3)))[person, system] + (by_item * random.normal(size=(30, 3)))[
        item, system
    ]
    frame = pd.DataFrame({"participant": person, "item": item, "system": system, "value": y})
    return crossed_model(frame, "value", of="clarity")


@pytest.mark.parametrize(("by_person", "by_item", "most"), [(0.2, 1.0, "items"), (1.0, 0.2, "participants")])
def test_what_blurs_most_is_said(by_person: float, by_item: float, most: str) -> None:
    model = fitted(by_person, by_item)
    table = variance_table([model])
    assert table is not None
    rows = {row["Source"].split(":")[0]: row for row in table.records()}
    assert list(rows) == [
        "between participants", "between items", "participant × system", "item × system", "what is left"
    ]  # fmt: skip
    assert model.model is not None
    assert rows["item × system"]["SD"] == model.model.sd("item × system")
    assert rows["what is left"]["SD"] == model.model.sigma
    assert sum(row["Share"] for row in rows.values()) == pytest.approx(1)
    # of a difference: variance over as many as there are; between participants and items nothing is left of it
    parts = {
        "participant × system": model.model.sd("participant × system") ** 2 / 30,
        "item × system": model.model.sd("item × system") ** 2 / 30,
        "what is left": model.model.sigma**2 / 300,
    }
    for name, part in parts.items():
        assert rows[name]["In a difference"] == pytest.approx(part / sum(parts.values()))
    assert rows["between items"]["In a difference"] is None
    assert f"clarity: differences between systems are blurred most by {most} (" in table.note
    assert f"so that more {most} would help most." in table.note


def test_participant_by_item_is_a_source_that_cancels() -> None:
    model = crossed_model(answers_to_several_systems(), "value", of="clarity")
    table = variance_table([model])
    assert table is not None
    assert model.model is not None
    rows = {row["Source"].split(":")[0]: row for row in table.records()}
    assert rows["participant × item"]["SD"] == model.model.sd("participant × item")
    assert rows["participant × item"]["Levels"] == 63
    assert rows["participant × item"]["In a difference"] is None
    assert sum(row["Share"] for row in rows.values()) == pytest.approx(1)
    assert "Participant × item cancels where" in table.note


def test_contrasts_have_tastes_as_sources() -> None:
    draw = np.random.default_rng(2)
    person, item, pair = (part.ravel() for part in np.indices((9, 8, 3)))
    rows = np.array([[1.0, -1, 0], [1, 0, -1], [0, 1, -1]])[pair]
    tastes = 0.4 * draw.normal(size=(9, 3))[person] + 1.5 * draw.normal(size=(8, 3))[item]
    values = np.sum(rows * (tastes + 0.8 * draw.normal(size=(9, 8, 3))[person, item]), axis=1)
    given = Contrasts(values + draw.normal(size=216), rows, ("a", "b", "c"), person.astype(str), item.astype(str))
    found = contrast_systems(given, of="clarity")
    table = variance_table([found])
    assert table is not None
    assert found.model is not None
    shown = {row["Source"].split(":")[0]: row for row in table.records()}
    assert list(shown) == ["participant × system", "item × system", "participant × item × system", "what is left"]
    sds = {f"{each.group} × system": each.sd for each in found.model.components}
    assert {name: row["SD"] for name, row in shown.items() if name in sds} == sds
    # an answer compares two systems: two tastes of each kind, and what is left once
    whole = 2 * sum(sd**2 for sd in sds.values()) + found.model.sigma**2
    assert shown["item × system"]["Share"] == pytest.approx(2 * sds["item × system"] ** 2 / whole)
    assert shown["what is left"]["Share"] == pytest.approx(found.model.sigma**2 / whole)
    # balanced: what each brings to a difference is its part of the variance that the model has for it
    variance = found.model.pairs[0].se ** 2
    assert shown["item × system"]["In a difference"] == pytest.approx(2 * sds["item × system"] ** 2 / 8 / variance)
    assert shown["what is left"]["In a difference"] == pytest.approx(found.model.sigma**2 * 2 / 216 / variance)
    assert "clarity: differences between systems are blurred most by items (" in table.note
    assert "An answer compares systems" in table.note
    assert variance_table([ContrastSystems("clarity")]) is None


def test_without_a_model_there_is_no_table_and_single_answers_may_blur_most() -> None:
    assert variance_table([CrossedModel("clarity", None, None, ())]) is None
    table = variance_table([fitted(0.0, 0.0, seed=3)])
    assert table is not None
    assert "blurred most by single answers" in table.note
