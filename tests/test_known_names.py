from __future__ import annotations

import pytest

from textassay.errors import UsageError
from textassay.known_names import check_choice, did_you_mean, nearest, remedy, same_name, unknown


@pytest.mark.parametrize("typed", ["ROUGE_L", "Rouge L", "rougel", "rouge-l"])
def test_case_hyphens_underscores_and_spaces_make_no_other_name(typed: str) -> None:
    assert same_name(typed, ["bleu", "rouge-l"]) == "rouge-l"


def test_a_name_that_could_be_two_is_neither_unless_it_is_one_of_them() -> None:
    assert same_name("A-b", ["a-b", "ab"]) is None
    assert same_name("ab", ["a-b", "ab"]) == "ab"


def test_names_that_are_equally_near_are_all_told() -> None:
    known = ["rouge-1", "rouge-2", "rouge-l", "bleu"]
    assert unknown("metric", "ROUGE", known) == (
        "there is no metric 'ROUGE'; did you mean 'rouge-1', 'rouge-2' or 'rouge-l'?"
    )


def test_what_is_not_alike_is_not_suggested() -> None:
    assert nearest("fluency", ["clarity", "length"]) == []
    assert nearest("items", ["item"]) == ["item"]
    assert nearest("items", ["item"], alike=0.9) == []
    assert did_you_mean("ab", ["about"]) == ""  # two letters are in too many names
    assert remedy("fluency", ["clarity", "length"]) == "use one of: clarity, length"
    assert remedy("fluency", []) == "there are none"


def test_a_wrong_choice_is_refused_with_the_one_that_was_meant() -> None:
    check_choice("ties", "half", ["half", "drop"])
    with pytest.raises(UsageError) as caught:
        check_choice("ties", "Halve", ["half", "drop"])
    assert str(caught.value) == "ties must be one of half, drop; got 'Halve'; did you mean 'half'?"
