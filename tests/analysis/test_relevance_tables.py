from __future__ import annotations

import math

import pytest
from relevance_cases import relevance_cases

from textassay.analysis.relevance_tables import actions_table, events_table, shares_table, texts_table
from textassay.analysis.traced_texts import traced_texts

TEXTS = traced_texts(relevance_cases())


def test_one_row_per_event_says_what_it_gives_and_why_not() -> None:
    rows = {(row["System"], row["Item"], row["Event"]): row for row in events_table(TEXTS).records()}
    assert len(rows) == 7
    steep = rows["C", "1", "e0"]
    assert (steep["Words"], steep["Importance"], steep["Functional concepts"]) == ("steep-fall", 3, "breath")
    assert steep["Actions referenced"] == "intubate, massage"
    assert steep["Share of the text"] == 0.75
    assert steep["Given to"] == "intubate .188, massage .562"
    assert (rows["H", "2", "e0"]["Ruled out"], rows["H", "2", "e0"]["Given to"]) == ("intubate", "massage 1.000")
    assert rows["C", "2", "e0"]["Given to"] == "nothing: the type has no functional concept"


def test_shares_of_a_text_sum_to_one() -> None:
    sums: dict[tuple[str, str], float] = {}
    for row in shares_table(TEXTS).records():
        sums[row["Item"], row["System"]] = sums.get((row["Item"], row["System"]), 0) + row["Share"]
    assert sums == {key: pytest.approx(1) for key in (("1", "H"), ("1", "C"), ("2", "H"))}


def test_a_text_without_a_value_is_in_the_table() -> None:
    last = texts_table(TEXTS).rows[-1]
    assert (last[:2], last[5:]) == (("2", "C"), (0, 1))
    assert all(map(math.isnan, last[2:5]))


def test_actions_with_priors_rules_and_mean_weights() -> None:
    of_systems = {"H": [TEXTS[0], TEXTS[2]], "C": [TEXTS[1], TEXTS[3]]}
    first = actions_table(TEXTS[0].case.model, of_systems).records()[0]
    assert first["Action"] == "intubate"
    assert (first["Share in practice (prior)"], first["Possible if"]) == (0.25, "not on(tube)")
    assert (first["Appropriate in"], first["Inappropriate in"]) == (2, 0)
    assert (first["Share, H"], first["Share, C"]) == (0.0625, 0.1875)  # C has one text with a value
