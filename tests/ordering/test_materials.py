"""Materials: one order a bin for each text."""

from __future__ import annotations

import pytest

from textassay.errors import DataError, UsageError
from textassay.ordering import materials, tau
from textassay.ordering.materials import opening, opening_languages


def text(n: int, words: int = 3) -> dict[str, str]:
    return {f"s{number}": f"Sentence {number} " + "x " * (words - 2) for number in range(n)}


EIGHT = {f"t{number}": text(8) for number in range(8)}


def test_lapatas_materials() -> None:
    """Eight texts of eight sentences, eight bins: 64 orders, each with the tau of its bin."""
    made = materials(EIGHT, bins=8, seed=1)
    assert len(made.drawn) == 64
    assert made.warnings == ()
    for each in made.drawn:
        assert each.bin.low <= each.tau <= each.bin.high
        assert each.tau == pytest.approx(tau(each.order, list(EIGHT[each.item])))
        assert each.text == " ".join(EIGHT[each.item][unit] for unit in each.order)
    assert [each.bin.number for each in made.drawn[:8]] == list(range(1, 9))
    assert len({each.order for each in made.drawn}) > 50


def test_same_seed_same_orders_whatever_other_texts_there_are() -> None:
    made = materials(EIGHT, seed=5)
    alone = materials({"t3": EIGHT["t3"]}, seed=5)
    assert [each.order for each in alone.drawn] == [each.order for each in made.drawn if each.item == "t3"]
    assert [each.order for each in materials(EIGHT, seed=6).drawn] != [each.order for each in made.drawn]


def test_bins_by_orders() -> None:
    made = materials({"t": text(6)}, bins=4, by="orders", seed=1)
    assert [each.bin.number for each in made.drawn] == [1, 2, 3, 4]


def test_orders_of_an_earlier_experiment_are_chosen_from() -> None:
    """Lapata's second experiment: of each text one order of her first, from bins of unequal width."""
    first = materials(EIGHT, bins=8, seed=1)
    known = {item: [each.order for each in first.drawn if each.item == item] for item in EIGHT}
    second = materials(EIGHT, bins=(0.75, 0), among=known, seed=1)
    assert [each.bin.holds for each in second.drawn[:3]] == ["[0.75, 1]", "[0, 0.75)", "[-1, 0)"]
    assert all(each.order in known[each.item] and each.bin.low <= each.tau <= each.bin.high for each in second.drawn)
    assert len({known[each.item].index(each.order) for each in second.drawn}) > 3  # not always the same bins
    with pytest.raises(DataError, match=r"item t0: none of the orders to choose from has a tau in \[0, 0.75\)"):
        materials(EIGHT, bins=(0.75, 0), among={item: orders[:1] for item, orders in known.items()})
    with pytest.raises(DataError, match="item t0: the order a b does not have the units s0 s1"):
        materials(EIGHT, among={**known, "t0": [("a", "b")]})


def test_what_must_be_looked_at_is_said() -> None:
    texts = {
        "t1": {"a": "Mary came home tired.", "b": "However, she slept."},
        "t2": {
            "a": "Rain fell on the town.",
            "b": "Rivers rose in the night.",
            "c": "They broke every bridge at once.",
        },
    }
    said = materials(texts, bins=8, seed=1).warnings
    assert "item t1, unit b opens with a connective: 'However'" in said
    assert "item t2, unit c opens with a pronoun: 'They'" in said
    assert any("different numbers of units (2 in t1; 3 in t2)" in warning for warning in said)
    assert any(warning.startswith("texts of unequal length: the median is") for warning in said)
    assert any("no order of 2 units has a tau in bin 2, 3" in warning for warning in said)


def test_openings_of_other_languages_are_not_looked_at() -> None:
    assert "openings were not checked" in materials({"t": text(3)}, language="fr").warnings[0]


def test_wrong_arguments() -> None:
    with pytest.raises(DataError, match="no texts"):
        materials({})
    with pytest.raises(DataError, match=r"item t has fewer than 2 units \(1\)"):
        materials({"t": text(1)})
    with pytest.raises(UsageError, match="bins must be"):
        materials({"t": text(3)}, bins=0)


# --- Sentences that open with a connective or a pronoun -------------------------------------------------------------


@pytest.mark.parametrize(
    ("sentence", "language", "kind", "words"),
    [
        ("However, it rained.", "en", "connective", "However"),
        ("On the other hand, it rained.", "en", "connective", "On the other hand"),
        ("“In fact he left.”", "en", "connective", "In fact"),
        ("THEY left.", "en", "pronoun", "THEY"),
        ("It’s raining.", "en-GB", "pronoun", "It’s"),
        ("These people left.", "en", "pronoun", "These"),
        ("Außerdem regnete es.", "de", "connective", "Außerdem"),
        ("Darüber hinaus regnete es.", "de", "connective", "Darüber hinaus"),
        ("Diese Leute gingen.", "de-CH", "pronoun", "Diese"),
        ("Das ist falsch.", "de", "pronoun", "Das ist"),
    ],
)
def test_openings_are_seen(sentence: str, language: str, kind: str, words: str) -> None:
    found = opening(sentence, language)
    assert found is not None
    assert (found.kind, found.words) == (kind, words)


@pytest.mark.parametrize(
    ("sentence", "language"),
    [
        ("Mary left, but it rained.", "en"),
        ("Italy won.", "en"),
        ("Other hands helped.", "en"),
        ("Der Mann ging.", "de"),
        ("Das Haus brannte.", "de"),
        ("", "en"),
        ("…", "de"),
    ],
)
def test_others_are_let_pass(sentence: str, language: str) -> None:
    assert opening(sentence, language) is None


def test_unknown_languages_are_refused() -> None:
    assert opening_languages() == ("en", "de")
    with pytest.raises(UsageError, match="there is no list of connectives and pronouns for 'fr'; there are: en, de"):
        opening("Mais il pleut.", "fr")
