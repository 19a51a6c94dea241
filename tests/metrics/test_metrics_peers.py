"""Thousands of generated pairs: the numbers of sacreBLEU 2.6 and rouge-score 0.1.2, whatever the text."""

from __future__ import annotations

import random
from functools import cache

import hypothesis
import numpy as np
import pytest
from rouge_score.rouge_scorer import RougeScorer
from sacrebleu.metrics import BLEU, CHRF, TER

from textassay.metrics import score

PAIRS = 1_500
"""In `--hypothesis-profile explore` 20,000; `python3 run.py bench metrics` compares as many."""
WORDS = ["the", "a", "of", "cat", "cats", "dog", "running", "runs", "quickly", "relational"]
WORDS += ["U.S.", "3,5", "1990-91", "don't", "(yes)", "no.", "end."]
# Letters that change length with case, marks, joiners, directions, signs beyond the first plane, entities.
ODD = [*"İıßﬁΣςÅ가각我爱ปᄀ٣½²—…", "e\u0301", "\u200d", "\u202e", "\ufeff", "🏳️‍🌈", "\U0001d7d9"]
ODD += ["&amp;", "&lt;", "<skipped>"]
SPACES = [" ", " ", " ", "  ", "\t", "\xa0", "\u3000", "\u2028", "\x1f"]


@pytest.fixture(autouse=True)
def kernels() -> None:
    """Once, with the loops that are used; the tests of each metric also force the fallbacks."""


def text(draw: random.Random) -> list[str]:
    words = draw.choices(WORDS, k=draw.randint(0, 14))
    kind = draw.random()
    if kind < 0.2:  # signs in any place
        words = ["".join(draw.choices(ODD + WORDS, k=draw.randint(1, 3))) for _ in words]
    elif kind < 0.4:
        words = [word.capitalize() + draw.choice([",", ".", "!", "", "'s", "-5"]) for word in words]
    return words


def changed(words: list[str], draw: random.Random) -> list[str]:
    """Other words in some places, and often two parts exchanged, so that TER has something to shift."""
    words = [word if draw.random() < 0.75 else draw.choice(WORDS + ODD) for word in words]
    if draw.random() < 0.5:
        first, second, third = sorted(draw.choices(range(len(words) + 1), k=3))
        words = words[:first] + words[second:third] + words[first:second] + words[third:]
    return words


@cache
def pairs() -> tuple[list[str], list[str]]:
    draw = random.Random(7)
    hypotheses, references = [], []
    for _ in range(max(PAIRS, 20 * hypothesis.settings.default.max_examples)):
        words, space = text(draw), draw.choice(SPACES)
        hypotheses.append(space.join(words))
        references.append(space.join(changed(words, draw)))
    return hypotheses, references


def ours(name: str, **settings: object) -> np.ndarray:
    hypotheses, references = pairs()
    return score(name, hypotheses, [[reference] for reference in references], **settings).segments


@pytest.mark.parametrize(
    ("name", "settings", "theirs"),
    [
        ("bleu", {}, BLEU(effective_order=True)),
        ("bleu", {"tokeniser": "intl", "lowercase": True}, BLEU(effective_order=True, tokenize="intl", lowercase=True)),
        ("chrf", {}, CHRF()),
        ("chrf++", {"lowercase": True}, CHRF(word_order=2, lowercase=True)),
        ("ter", {}, TER()),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_equals_sacrebleu(name: str, settings: dict[str, object], theirs: BLEU | CHRF | TER) -> None:
    hypotheses, references = pairs()
    expected = [theirs.sentence_score(hyp, [ref]).score for hyp, ref in zip(hypotheses, references, strict=True)]
    np.testing.assert_allclose(ours(name, **settings), expected, rtol=0, atol=1e-9)
    some = slice(
        None, None, 4
    )  # a corpus's score comes from the same counts, which sacreBLEU takes long to count again
    corpus = score(name, hypotheses[some], [[reference] for reference in references[some]], **settings).corpus
    together = type(theirs)(**_of_the_corpus(theirs)).corpus_score(hypotheses[some], [references[some]]).score
    assert corpus == pytest.approx(together, rel=0, abs=1e-9)


def _of_the_corpus(theirs: BLEU | CHRF | TER) -> dict[str, object]:
    """The settings of the same metric without those of single sentences."""
    if isinstance(theirs, BLEU):
        return {
            "tokenize": theirs.tokenizer.signature(),
            "lowercase": theirs.lowercase,
        }
    return {"word_order": theirs.word_order, "lowercase": theirs.lowercase} if isinstance(theirs, CHRF) else {}


@pytest.mark.parametrize("stem", [False, True])
def test_equals_rouge_score(stem: bool) -> None:
    hypotheses, references = pairs()
    names = {"rouge-1": "rouge1", "rouge-2": "rouge2", "rouge-l": "rougeL", "rouge-lsum": "rougeLsum"}
    scorer = RougeScorer(list(names.values()), use_stemmer=stem)
    theirs = [scorer.score(ref, hyp) for hyp, ref in zip(hypotheses, references, strict=True)]
    for name, theirs_name in names.items():
        expected = [one[theirs_name].fmeasure for one in theirs]
        found = ours(name, tokeniser="rouge-score", stem=stem)
        np.testing.assert_allclose(found, expected, rtol=0, atol=1e-12, err_msg=name)
