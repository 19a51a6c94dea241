"""The questions of HEDS 3.0: all of them, once, in order."""

from __future__ import annotations

from textassay.sharing.datasheet.questions import BY_NUMBER, LANGUAGES, QUESTIONS


def test_numbers_are_those_of_the_form() -> None:
    # Sections 1.1.1–1.3.2.3, 2.1–2.5, 3.1.1–3.3.8, 4.1.1–4.3.12.2 and 5.1–5.4, as the paper lists them.
    numbers = [tuple(map(int, each.number.split("."))) for each in QUESTIONS]
    assert numbers == sorted(numbers)
    assert len(BY_NUMBER) == len(QUESTIONS) == 62
    assert [sum(number[0] == section for number in numbers) for section in (1, 2, 3, 4, 5)] == [9, 5, 23, 21, 4]


def test_fields_and_languages_are_there_once() -> None:
    assert len({each.key for each in QUESTIONS}) == len(QUESTIONS)
    assert len(set(LANGUAGES.split())) == 183  # the form's list, without "not applicable" and "other"
    assert all(bool(each.options) == (each.kind != "text") for each in QUESTIONS)
