"""Classes of characters are those of one version of Unicode, whatever Python runs."""

from __future__ import annotations

import sys
import unicodedata

import pytest
import regex
from frozen_words import digests
from make_unicode_table import frozen_class

from textassay.metrics import score
from textassay.metrics.tokenisers import unicode_table
from textassay.metrics.tokenisers.frozen_unicode import CharacterTable, class_of, lower_case

LETTERS = "".join(
    letter * int(many or 1) for letter, many in regex.findall(r"([A-Za-z])(\d*)", unicode_table.RUNS)
)  # the letter of every code point


def test_every_code_point_has_a_class() -> None:
    assert len(LETTERS) == sys.maxunicode + 1
    assert [class_of(code) for code in range(0, 0x20000, 7)] == list(LETTERS[:0x20000:7].upper())


@pytest.mark.parametrize("kind", ["L", "M", "P", "S", "Nd", "N"])
def test_equals_regex(kind: str) -> None:
    # The package has a later version: what it calls a letter and the table does not was assigned since.
    theirs = {ord(sign) for sign in regex.findall(rf"\p{{{kind}}}", "".join(map(chr, range(sys.maxunicode + 1))))}
    letters = {"Nd": "D", "N": "DN"}.get(kind, kind)
    ours = {code for code, letter in enumerate(LETTERS) if letter.upper() in letters}
    assert not ours - theirs
    assert {LETTERS[code] for code in theirs - ours} <= {"o"}


def test_equals_this_interpreter() -> None:
    same = unicodedata.unidata_version == f"{unicode_table.VERSION}.0"
    wrong = [
        code
        for code, letter in enumerate(LETTERS)
        if (same or letter.isupper()) and frozen_class(unicodedata.category(chr(code))) != letter.upper()
    ]
    assert wrong == []


def test_number_of_new_characters() -> None:
    # Unicode 15.0 added 4,489 characters and 15.1 627, as its web pages say; 7 of them, controls of Egyptian
    # hieroglyphs, share a class with unassigned ones.
    assert sum(letter in "lmpsdn" for letter in LETTERS) == 4489 + 627 - 7


def test_same_words_on_every_python() -> None:
    # As Python 3.11.7 (Unicode 14.0), 3.12.1 (15.0) and 3.13.0 (15.1) print: python tests/support/frozen_words.py 3000
    assert digests(3000) == {
        "intl": "9d0a1ec8fa85a55c",
        "intl_lower": "36e4b40c5a05d773",
        "13a": "919f7075714ccd16",
        "unicode_words": "2d7c4f528d2a6398",
        "rouge_score": "33a4bd9b51b61fd7",
        "squad": "051bab795771b116",
    }


def test_pink_heart_is_a_symbol() -> None:
    result = score("bleu", ["I love you all🩷"], [["I love you all 🩷"]], tokeniser="intl")
    assert result.corpus == pytest.approx(100)
    assert "|unicode:15.1|" in result.signature
    assert "unicode" not in score("bleu", ["a"], [["a"]]).signature


def test_lower_case_of_new_characters() -> None:
    # U+A7CB, a capital since Unicode 16, stays; a sigma next to a newer letter is at the end of its stretch.
    assert lower_case("A\ua7cbÄΣ") == "a\ua7cbäς"
    assert lower_case("ΑΣ\U0001df25") == "ας\U0001df25"
    assert lower_case("ΑΣΑ") == "ασα"


def test_character_is_asked_for_once() -> None:
    asked: list[int] = []

    def becomes(code: int, kind: str) -> str:
        asked.append(code)
        return kind

    assert "é1é1".translate(CharacterTable(becomes)) == "LDLD"
    assert asked == [233, 49]
