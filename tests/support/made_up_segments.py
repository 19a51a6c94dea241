"""Hypotheses with references for tests that compare with other programs: made-up words, and adversarial Unicode."""

from __future__ import annotations

import random

from hypothesis import strategies as st

Segment = tuple[str, list[str]]
"""A hypothesis and its references."""

_ENDINGS = (
    *("", "", "s", "ed", "ing", "'s", "-", ",", ".", "...", "!?", ")"),
    *("%", "é", "ß", "İ", "&quot;", "-5", ",5", "٣"),
)
_BEGINNINGS = ("", "", "", "", "(", '"', "$", "'", "--", "3.", "<skipped>")
_LENGTHS = (0, 1, 2, 3, 4, 5, 10, 20, 30, 70)


def made_up_segments(n: int, seed: int) -> list[Segment]:
    """Hypotheses with one to three references of their own: shuffled, cut, grown and respelt copies, of any length."""
    draw = random.Random(seed)
    stems = ["".join(draw.choices("abcdefghiklmnoprstuvwyé1", k=draw.randint(1, 7))) for _ in range(200)]
    words = [draw.choice(_BEGINNINGS) + stem + draw.choice(_ENDINGS) for stem in stems for _ in range(3)]

    def text(length: int) -> list[str]:
        return [words[int(draw.random() ** 2 * len(words))] for _ in range(length)]

    def changed(source: list[str]) -> str:
        kept = [word.title() if draw.random() < 0.1 else word for word in source if draw.random() < 0.85]
        if kept and draw.random() < 0.5:
            cut = draw.randrange(len(kept))
            kept = kept[cut:] + text(draw.randint(0, 5)) + kept[:cut]
        return draw.choice([" ", " ", "  ", "\n", " - "]).join(kept) + draw.choice(["", "", ".", " ", "\n"])

    segments = []
    for _ in range(n):
        source = text(draw.choice(_LENGTHS))
        references = [changed(source) if draw.random() < 0.9 else "" for _ in range(draw.choice([1, 1, 2, 3]))]
        segments.append((changed(source), references))
    return segments


_ASCII = "aAbB 0.,-'\"&;<>\n\t\x00\x02\x03\x1c"
_OTHERS = "\x85\xa0İıKſßÄéé٣²½Ⅷ中ไ한אםΣς\u200d\u202e\ufeff\ud800\U0001f469"
ADVERSARIAL_TEXT = st.text(
    st.one_of(st.sampled_from(_ASCII + _OTHERS), st.characters(codec=None, exclude_categories=())), max_size=30
)
"""Text of characters that tokenisers stumble over."""

ADVERSARIAL_SEGMENTS = st.lists(
    st.tuples(ADVERSARIAL_TEXT, st.lists(ADVERSARIAL_TEXT, min_size=1, max_size=3)), min_size=1, max_size=8
)
