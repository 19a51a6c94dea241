"""Short texts full of punctuation, some of it alone between spaces, with edited copies: for TER without punctuation."""

from __future__ import annotations

import random

from made_up_segments import Segment

_WORDS = (
    *("the", "cat", "dog's", "it's", "3.5", "1,000", "e.g.", "(so)", '"Well,"', "a", "b", "c", "x-y", "1990-91", "I"),
    *("...", "-", "—", "(", ")", "!", "?", '"', "'", ".", ",", ":", ";", "&amp;", "&quot;", "$5", "„so“", "…"),
    *("Straße", "ÄRGER", "mot\u00a0!", "好。", "、", "我爱", "ＡＢ！", "カタカナ", "ひらがな漢字", "\u3000x"),
)


def punctuated_segments(n: int, seed: int) -> list[Segment]:
    """Hypotheses with one to three references; only `random.random` is used, which is the same in every Python."""
    draw = random.Random(seed).random

    def below(limit: int) -> int:
        return int(draw() * limit)

    def edited(words: list[str]) -> str:
        words = words.copy()
        for _ in range(below(4)):
            place, kind = below(len(words)), draw()
            if kind < 0.3:
                words.insert(place, _WORDS[below(len(_WORDS))])
            elif kind < 0.6 and len(words) > 1:
                words.pop(place)
            else:
                words.insert(place, words.pop(below(len(words))))
        return " ".join(words)

    segments = []
    for _ in range(n):
        source = [_WORDS[below(len(_WORDS))] for _ in range(1 + below(9))]
        segments.append((edited(source), [" ".join(source), *(edited(source) for _ in range(below(3)))]))
    return segments
