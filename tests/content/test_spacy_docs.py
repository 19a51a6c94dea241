"""Parses made by spaCy: with Docs built by hand where spaCy is installed, and always with what looks like them."""

from __future__ import annotations

import importlib.util
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import pytest

from textassay.content.spacy_docs import from_spacy
from textassay.errors import DataError, UsageError
from textassay.metrics import score

WORDS = ("Der", "Hund", "bellt", "\n", ".", "Es", "regnet")
HEADS = (1, 2, 2, 2, 3, 6, 6)
"""The full stop hangs on the line break."""
DEPS = ("nk", "sb", "ROOT", "dep", "punct", "ep", "ROOT")
STARTS = (0, 5)


@dataclass
class LikeToken:
    """What is used of a `spacy.tokens.Token`."""

    i: int
    text: str
    dep_: str
    lemma_: str = ""
    pos_: str = ""
    head: Any = field(default=None, repr=False)

    @property
    def is_space(self) -> bool:
        return self.text.isspace()


@dataclass
class LikeDoc:
    """What is used of a `spacy.tokens.Doc`."""

    sents: list[list[LikeToken]]
    parsed: bool = True

    def has_annotation(self, name: str) -> bool:
        assert name == "DEP"
        return self.parsed


def like_doc(words: Sequence[str], heads: Sequence[int], deps: Sequence[str], starts: Sequence[int]) -> Any:
    tokens = [LikeToken(i, word, dep) for i, (word, dep) in enumerate(zip(words, deps, strict=True))]
    for token, head in zip(tokens, heads, strict=True):
        token.head = tokens[head]
    return LikeDoc([tokens[a:b] for a, b in zip(starts, [*starts[1:], len(tokens)], strict=True)])


def real_doc(words: Sequence[str], heads: Sequence[int], deps: Sequence[str], starts: Sequence[int]) -> Any:
    import spacy  # type: ignore[import-not-found]

    at = [place in starts for place in range(len(words))]
    return spacy.tokens.Doc(spacy.blank("de").vocab, list(words), heads=list(heads), deps=list(deps), sent_starts=at)


MAKERS = [like_doc, *([real_doc] if importlib.util.find_spec("spacy") else [])]


@pytest.mark.parametrize("make", MAKERS)
def test_words_heads_and_types(make: Callable[..., Any]) -> None:
    text = from_spacy(make(WORDS, HEADS, DEPS, STARTS), "de_core_news_sm-3.8.0")
    first, second = text.sentences
    assert (first.forms, first.heads) == (("Der", "Hund", "bellt", "."), (2, 3, 0, 3))
    assert (first.deprels, second.deprels) == (("nk", "sb", "root", "punct"), ("ep", "root"))
    found = score("dependency-f", [text], [[text]])
    assert found.corpus == 1
    assert "parser:spacy de_core_news_sm-3.8.0" in found.signature.split("|")


def test_a_sentence_of_white_space_is_left_out() -> None:
    assert from_spacy(like_doc(("\n",), (0,), ("ROOT",), (0,)), "m").sentences == ()


def test_mistakes_are_named() -> None:
    doc = like_doc(WORDS, HEADS, DEPS, STARTS)
    with pytest.raises(UsageError, match=r"str is no spaCy Doc; give nlp\(text\)"):
        from_spacy("Der Hund bellt.", "m")
    with pytest.raises(UsageError, match="name the model that parsed the text"):
        from_spacy(doc, " ")
    doc.parsed = False
    with pytest.raises(DataError, match="the Doc has no dependencies; load a model that has a parser"):
        from_spacy(doc, "m")
