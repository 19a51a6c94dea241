"""Parses made by spaCy, as they are in memory; spaCy itself is not needed to read them."""

from __future__ import annotations

from typing import Any

from textassay.content.conllu import ParsedSentence, ParsedText
from textassay.errors import DataError, UsageError


def from_spacy(doc: Any, model: str) -> ParsedText:
    """The parse of a spaCy `Doc`.

    A root is the head of itself there and has the head 0 here; its type becomes `root`, whatever the model calls it.
    Tokens that are white space only are left out, and what hangs on one hangs on its head.

    Args:
        doc: A `Doc` with dependencies.
        model: The model that parsed it, with its version, such as "de_core_news_sm-3.8.0"; the signature names it.

    Raises:
        UsageError: this is no `Doc`, or no model is named.
        DataError: the `Doc` has not been parsed.
    """
    if not hasattr(doc, "sents") or not hasattr(doc, "has_annotation"):
        raise UsageError(f"{type(doc).__name__} is no spaCy Doc; give nlp(text)")
    if not model.strip():
        raise UsageError("name the model that parsed the text, such as 'de_core_news_sm-3.8.0'")
    if not doc.has_annotation("DEP"):
        raise DataError("the Doc has no dependencies; load a model that has a parser")
    return ParsedText(tuple(filter(None, map(_sentence, doc.sents))), f"spacy {model}")


def _sentence(span: Any) -> ParsedSentence | None:
    words = [token for token in span if not token.is_space]
    if not words:
        return None
    number = {token.i: place for place, token in enumerate(words, 1)}
    heads = tuple(_head(token, number) for token in words)
    return ParsedSentence(
        tuple(token.text for token in words),
        heads,
        tuple(token.dep_ if head else "root" for token, head in zip(words, heads, strict=True)),
        tuple(token.lemma_ for token in words),
        tuple(token.pos_ for token in words),
    )


def _head(token: Any, number: dict[int, int]) -> int:
    """The number of a token's head among the words of its sentence; 0 for a root."""
    above = token.head
    while above.i not in number and above.head.i != above.i:
        above = above.head
    return 0 if above.i == token.i else number.get(above.i, 0)
