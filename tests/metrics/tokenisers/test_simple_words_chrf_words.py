"""chrF++'s words equal sacreBLEU's."""

from __future__ import annotations

from hypothesis import given
from made_up_segments import ADVERSARIAL_TEXT
from sacrebleu.metrics.chrf import CHRF  # 2.6.0

from textassay.metrics.tokenisers.simple_words import chrf_words


@given(ADVERSARIAL_TEXT)
def test_equals_sacrebleu(text: str) -> None:
    found = [word for piece in text.split() for word in chrf_words(piece)]
    assert found == CHRF(word_order=2)._remove_punctuation(text)


def test_only_ascii_punctuation_is_taken_off() -> None:
    assert chrf_words("fin»") == ["fin»"]
    assert chrf_words("¿qué?") == ["¿qué", "?"]
