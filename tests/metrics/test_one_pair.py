"""`Metric.one` where a metric has a way of its own: the score of the only segment, to the last digit, for any text.

`tests/contracts/test_every_metric.py` asks the same of every metric on a few texts.
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from textassay.errors import DataError, UsageError
from textassay.metrics import Metric, metric, one_pair, score
from textassay.metrics.one_pair import LONGEST_PIECE, WordReader
from textassay.metrics.tokenisers import TOKENISERS, tokeniser
from textassay.metrics.tokens import Encoder

WORDS = [
    "the",
    "cat",
    "sat",
    "on",
    "mat",
    "The",
    "dogs",
    "running",
    "it's.",
    "(so)",
    "3,5",
    "Übel",
    "我爱",
    "ß",
    "-\n",
    "  ",
]
TEXTS = st.lists(st.sampled_from(WORDS), max_size=9).map(" ".join) | st.text(max_size=12)
LONG = st.integers(0, 2**32).map(lambda seed: " ".join(np.random.default_rng(seed).choice(WORDS[:8], 90).tolist()))


def same(made: Metric, hypothesis: str, references: list[str]) -> bool:
    return made.one(hypothesis, references) == score(made, [hypothesis], [references]).segments[0]


QUICK: list[tuple[str, dict[str, Any]]] = [
    ("bleu", {}),
    ("bleu", {"multi": "best", "smoothing": "floor"}),
    ("bleu", {"smoothing": "add-k", "tokeniser": "char", "lowercase": True}),
    ("bleu", {"smoothing": "none", "effective_order": "never", "tokeniser": "intl"}),
    ("bleu", {"smoothing": "add-k", "smoothing_value": 0.0, "max_order": 9, "tokeniser": "none"}),
    ("cer", {"lowercase": True}),
    ("chrf", {}),
    ("chrf", {"eps_smoothing": True, "whitespace": True}),
    ("chrf++", {"lowercase": True, "beta": 1.0}),
    ("edit-distance", {}),
    ("edit-distance", {"form": "normalised", "unit": "words"}),
    ("edit-similarity", {}),
    ("exact-match", {"lowercase": True}),
    ("rouge-1", {}),
    ("rouge-2", {"stem": True, "stop_words": "textassay-en"}),
    ("rouge-n", {"order": 3, "tokeniser": "rouge-score"}),
    ("rouge-l", {}),
    ("ter", {}),
    ("ter", {"normalized": True, "no_punct": True, "case_sensitive": True}),
    ("wer", {}),
]


MADE = [metric(name, **chosen) for name, chosen in QUICK]


def test_metrics_that_people_call_in_loops_have_a_quick_way() -> None:
    assert [made.name for made in MADE if made.one_value("a b", ["b c"]) is None] == []


@settings(deadline=None, max_examples=15)
@given(hypothesis=TEXTS | LONG, references=st.lists(TEXTS | LONG, min_size=1, max_size=3))
def test_quick_ways_give_the_very_same(hypothesis: str, references: list[str]) -> None:
    for made in MADE:
        assert same(made, hypothesis, references), made.signature_fields("")


def test_one_reference_needs_no_list() -> None:
    assert metric("wer").one("a b", "a c") == metric("wer").one("a b", ["a c"]) == 0.5
    assert metric("order-tau").one([2, 1, 3], [1, 2, 3]) == metric("order-tau").one([2, 1, 3], [[1, 2, 3]])
    assert metric("length").one("two words") == score("length", ["two words"]).segments[0]


@pytest.mark.parametrize("name", ["bleu", "rouge-lsum"])  # with a quick way and without
@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        (("a", None), DataError, r"no reference \(None\); give one text, or several in a list"),
        (("a", []), DataError, r"no reference \(an empty list\)"),
        (("a", 7), UsageError, "references is int 7; give one text, or several in a list"),
        (("a", ["b", None]), DataError, r"references\[1\]: missing"),
        (("a", ["b", 7]), UsageError, r"references\[1\] is int 7; it must be a text"),
        ((None, ["b"]), DataError, "hypothesis: missing"),
        ((["a"], "b"), UsageError, r"hypothesis is list \['a'\]; it must be a text"),
    ],
)
def test_mistakes_are_explained(name: str, arguments: tuple[Any, Any], error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        metric(name).one(*arguments)


def test_source_is_asked_for_where_it_is_needed() -> None:
    with pytest.raises(UsageError, match="sari needs the source of the text"):
        metric("sari").one("a", "b")


@settings(deadline=None, max_examples=15)
@given(text=TEXTS)
def test_reader_finds_the_words_of_the_encoder(text: str) -> None:
    for name in TOKENISERS:
        for more in ({}, {"lower": True}, {"stem": True, "stop_words": True}):
            chosen = tokeniser(name, **more)
            encoded = Encoder(chosen).encode([text])
            assert list(WordReader(chosen)(text)) == [encoded.words[number] for number in encoded.tokens.tolist()]


def test_memory_of_a_reader_has_a_bound(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(one_pair, "MOST_PIECES", 100)
    read = WordReader(tokeniser("13a", stem=True))
    for number in range(1_000):
        assert read(f"{number} {number}, {'x' * (LONGEST_PIECE + 1)}")[:3] == [str(number), str(number), ","]
    (kept,) = (each for each in vars(read).values() if isinstance(each, dict))
    assert 0 < len(kept) <= 100
    assert max(map(len, kept)) < LONGEST_PIECE


def test_threads_may_share_a_metric() -> None:
    made = metric("bleu")
    texts = [f"{'the cat sat on the mat ' * 3}{number % 97} {number % 89}" for number in range(400)]
    expected = [made.one(text, texts[0]) for text in texts]
    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(lambda text: made.one(text, texts[0]), texts)) == expected
