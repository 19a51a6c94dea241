"""Plural forms against the samples of the standard; a browser test compares all languages with the browser's own."""

from __future__ import annotations

import pytest

from textassay.plural_forms import LANGUAGES, forms, plural

# The samples of CLDR's plurals.xml, whole numbers: language, form, numbers.
SAMPLES = [
    ("ar", "zero", [0]),
    ("ar", "one", [1]),
    ("ar", "two", [2]),
    ("ar", "few", [3, 10, 103, 110, 1003]),
    ("ar", "many", [11, 26, 111, 1011]),
    ("ar", "other", [100, 102, 200, 1000, 1_000_000]),
    ("cs", "one", [1]),
    ("cs", "few", [2, 3, 4]),
    ("cs", "other", [0, 5, 19, 100, 1_000_000]),
    ("de", "one", [1]),
    ("de", "other", [0, 2, 16, 100, 1_000_000]),
    ("en", "one", [1]),
    ("en", "other", [0, 2, 16, 100, 1_000_000]),
    ("es", "one", [1]),
    ("es", "many", [1_000_000]),
    ("es", "other", [0, 2, 16, 100, 100_000]),
    ("pl", "one", [1]),
    ("pl", "few", [2, 4, 22, 34, 102, 1002]),
    ("pl", "many", [0, 5, 19, 100, 1_000_000]),
    ("fr", "one", [0, 1]),
    ("fr", "many", [1_000_000]),
    ("fr", "other", [2, 17, 100, 100_000]),
]


@pytest.mark.parametrize(("language", "form", "numbers"), SAMPLES)
def test_samples_of_the_standard(language: str, form: str, numbers: list[int]) -> None:
    assert {plural(language, number) for number in numbers} == {form}


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_number_asks_for_a_form_that_is_not_listed(language: str) -> None:
    asked = {plural(language, number) for number in [*range(1200), 1_000_000, 2_000_000]}
    assert asked == set(forms(language))


def test_unknown_language_takes_the_english_rule() -> None:
    assert plural("xx", 1) == "one"
    assert forms("xx") == forms("en")
