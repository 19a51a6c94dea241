"""Readability formulas on texts that are counted by hand, and the rule for syllables."""

from __future__ import annotations

import pytest

from textassay.metrics import score
from textassay.metrics.readability import syllables_de, syllables_en

ENGLISH = "The quick brown fox jumps over the lazy dog. It was not amused!"
# 13 words in 2 sentences. Syllables: the quick brown fox jumps o-ver the la-zy dog: 11; it was not a-mused: 5.
GERMAN = "Der Sachverständige untersucht die Verletzungen. Das dauert lange."
# 8 words in 2 sentences. Syllables: der Sach-ver-stän-di-ge un-ter-sucht die Ver-let-zun-gen: 1 + 5 + 3 + 1 + 4 = 14;
# das dau-ert lan-ge: 1 + 2 + 2 = 5. Three or more syllables: 3 words; one: 3 words. More than six letters: 3 words.


def test_flesch_by_hand() -> None:
    result = score("flesch", [ENGLISH])
    assert {name: int(values[0]) for name, values in result.parts.items()} == {
        "sentences": 2,
        "words": 13,
        "syllables": 16,
        "long_words": 0,
        "polysyllables": 0,
        "monosyllables": 10,
    }
    assert result.corpus == pytest.approx(206.835 - 1.015 * 13 / 2 - 84.6 * 16 / 13)
    assert score("flesch-kincaid", [ENGLISH]).corpus == pytest.approx(0.39 * 13 / 2 + 11.8 * 16 / 13 - 15.59)


def test_amstad_by_hand() -> None:
    assert score("amstad", [GERMAN]).corpus == pytest.approx(180 - 4 - 58.5 * 19 / 8)


@pytest.mark.parametrize(
    ("form", "expected"),
    [
        ("1", 0.1935 * 37.5 + 0.1672 * 4 + 0.1297 * 37.5 - 0.0327 * 37.5 - 0.875),
        ("2", 0.2007 * 37.5 + 0.1682 * 4 + 0.1373 * 37.5 - 2.779),
        ("3", 0.2963 * 37.5 + 0.1905 * 4 - 1.1144),
        ("4", 0.2744 * 37.5 + 0.2656 * 4 - 1.693),
    ],
)
def test_wiener_sachtextformel_by_hand(form: str, expected: float) -> None:
    assert score("wiener-sachtextformel", [GERMAN], form=form).corpus == pytest.approx(expected)


def test_counts_are_summed_over_the_corpus() -> None:
    one, two = "It rains.", "We went home early because nobody came."
    together = score("flesch", [one, two])
    assert together.corpus == pytest.approx(score("flesch", [f"{one} {two}"]).corpus)
    assert together.corpus != pytest.approx(together.segments.mean())


def test_sentences_of_one_per_line() -> None:
    text = "no full stop here\nnor here\n\n- -\n"
    assert score("flesch", [text], sentences="newline").parts["sentences"].tolist() == [2]


def test_signs_are_not_words_and_numbers_are() -> None:
    parts = score("flesch", ["In 1990 - well, state-of-the-art & don't ..."]).parts
    # in, 1990, well, state-of-the-art (1 + 1 + 1 + 1), don't: 5 words of 1 + 1 + 1 + 4 + 1 syllables.
    assert (parts["words"].tolist(), parts["syllables"].tolist()) == ([5], [8])


ENGLISH_WORDS = {
    1: "a the made jumped through breathes strength walked yes queue eye rhythm",
    2: "table wanted boxes happy lion's naked",
    3: "beautiful yesterday wonderful",
    4: "necessary intelligent",
    5: "university readability",
}
WRONG_IN_ENGLISH = {"lion's": 1, "naked": 1}
"""The rule takes io for one vowel, and every -ked for -kt."""


def test_syllables_of_english_words() -> None:
    found = {word: syllables_en(word.replace("'", "")) for words in ENGLISH_WORDS.values() for word in words.split()}
    expected = {word: number for number, words in ENGLISH_WORDS.items() for word in words.split()}
    assert found == {**expected, **WRONG_IN_ENGLISH}


def test_syllables_of_german_words() -> None:
    expected = {
        1: "der strumpf neu frei haus boot",
        2: "katze bauer äußern quelle leute",
        3: "theater verstehen musiker",
        4: "verletzungen ökonomie",
        5: "universität",
    }
    for number, words in expected.items():
        assert {word: syllables_de(word) for word in words.split()} == dict.fromkeys(words.split(), number)


def test_german_rule_takes_eu_for_one_vowel() -> None:
    assert syllables_de("museum") == 2  # wrongly: mu-se-um


def test_decomposed_letters_count_like_composed_ones() -> None:
    assert score("amstad", ["a\u0308u\u00dfern"]).parts["syllables"].tolist() == [2]
    assert score("flesch", ["cafe\u0301"]).parts["syllables"].tolist() == [2]


def test_signature_names_the_rule() -> None:
    assert "|syllables:en-1" in score("flesch", ["a"]).signature
    assert "|form:1|" in score("wiener-sachtextformel", ["a"]).signature
