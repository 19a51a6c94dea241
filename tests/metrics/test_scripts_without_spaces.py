"""Scores of texts without spaces between words say nothing, and every metric that cuts at spaces says so."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from textassay.metrics import score
from textassay.metrics.scripts_without_spaces import remark_on_scripts

CHINESE = ["我爱北京天安门。", "今天天气很好。", "I love Beijing"]
REFERENCES = ["我喜欢北京天安门。", "今天的天气好。", "I love Beijing"]


@pytest.mark.parametrize("name", ["bleu", "nist", "wer", "ter", "gtm", "squad-f1"])
def test_words_that_are_whole_sentences_are_told_with_a_remedy(name: str) -> None:
    (note,) = [each for each in score(name, CHINESE, REFERENCES).warnings if "script without spaces" in each]
    assert note.startswith(f"{name}: 2 hypotheses are in a script without spaces")
    assert note.endswith("part words by spaces")


@pytest.mark.parametrize(
    ("name", "settings"),
    [
        ("bleu", {"tokeniser": "zh"}),
        ("nist", {"tokeniser": "char"}),
        ("gtm", {"tokeniser": "zh"}),
        ("ter", {"normalized": True, "asian_support": True}),
        ("cer", {}),
        ("rouge-1", {}),
        ("squad-exact-match", {}),
    ],
)
def test_nothing_is_said_where_the_remedy_was_taken_or_words_do_not_matter(name: str, settings: dict[str, Any]) -> None:
    assert not any("script without spaces" in each for each in score(name, CHINESE, REFERENCES, **settings).warnings)


@pytest.mark.parametrize("name", ["bleu", "nist", "wer", "ter", "gtm", "squad-f1"])
def test_nothing_is_said_of_words_between_spaces(name: str) -> None:
    parted = [" ".join(text) for text in CHINESE[:2]]
    assert not any("script without spaces" in each for each in score(name, parted, parted).warnings)


def test_texts_of_one_word_and_texts_of_very_long_words_are_looked_at() -> None:
    texts = ["好", "我爱北京天安门和长城。 今天天气很好。", "word", "Donaudampfschifffahrtsgesellschaft"]
    (count,) = remark_on_scripts(texts, np.array([1, 2, 1, 1]), "remedy").values()
    assert count == 2
