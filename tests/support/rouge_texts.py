"""Texts on which ROUGE is held against the package rouge-score, and the comparison itself."""

from __future__ import annotations

import random

import numpy as np
import numpy.typing as npt
from hypothesis import strategies as st
from rouge_score.rouge_scorer import RougeScorer

from textassay.metrics import score

TOLERANCE = 1e-12
Pairs = list[tuple[str, list[str]]]
Floats = npt.NDArray[np.float64]

PEER = {"rouge-1": "rouge1", "rouge-2": "rouge2", "rouge-l": "rougeL", "rouge-lsum": "rougeLsum"}
"""Our name → that of rouge-score 0.1.2."""

ADVERSARIAL = st.text(
    st.one_of(
        st.sampled_from("aAbB 0_-'\n\x00\x1c\x85\xa0İıKſßÄéé٣²½Ⅷ中ไ한אם\u200d\u202e\ufeff\ud800\U0001f469"),
        st.characters(codec=None, exclude_categories=()),
    ),
    max_size=40,
)
ADVERSARIAL_PAIRS = st.lists(st.tuples(ADVERSARIAL, st.lists(ADVERSARIAL, min_size=1, max_size=3)), min_size=1)


def made_up_pairs(n: int, seed: int) -> Pairs:
    """Hypotheses with one to three references of their own: shuffled, cut, grown and respelt copies, of any length."""
    draw = random.Random(seed)
    endings = ["", "s", "ed", "ing", "ly", "ational", "ness", "ies", "'s", "-", ",", ".", "é", "ß", "İ"]
    stems = ["".join(draw.choices("abcdefghiklmnoprstuvwyé1", k=draw.randint(1, 7))) for _ in range(300)]
    words = [stem + draw.choice(endings) for stem in stems for _ in range(3)]

    def text(length: int) -> list[str]:
        return [words[int(draw.random() ** 2 * len(words))] for _ in range(length)]

    def changed(source: list[str]) -> str:
        kept = [word.title() if draw.random() < 0.2 else word for word in source if draw.random() < 0.8]
        if kept and draw.random() < 0.5:
            cut = draw.randrange(len(kept))
            kept = kept[cut:] + text(draw.randint(0, 5)) + kept[:cut]
        return joined(kept)

    def joined(source: list[str]) -> str:
        return "".join(word + draw.choice([" ", " ", " ", "  ", "\n", "\n\n", " - "]) for word in source)

    pairs = []
    for _ in range(n):
        hypothesis = text(draw.choice([0, 1, 2, 5, 10, 20, 30, 70]))
        pairs.append((joined(hypothesis), [changed(hypothesis) for _ in range(draw.choice([1, 1, 2, 3]))]))
    return pairs


def peer_scores(pairs: Pairs, *, stem: bool) -> dict[str, Floats]:
    """For each of our names what rouge-score gives: F, precision and recall of each pair, as columns."""
    scorer = RougeScorer(list(PEER.values()), use_stemmer=stem)
    found = [scorer.score_multi(refs, hyp) for hyp, refs in pairs]
    return {
        name: np.array([(one[peer].fmeasure, one[peer].precision, one[peer].recall) for one in found])
        for name, peer in PEER.items()
    }


def our_scores(name: str, pairs: Pairs, *, stem: bool) -> Floats:
    """The same columns from here."""
    ours = score(name, [hyp for hyp, _ in pairs], [refs for _, refs in pairs], tokeniser="rouge-score", stem=stem)
    return np.stack([ours.segments, ours.parts["precision"], ours.parts["recall"]], axis=1)
