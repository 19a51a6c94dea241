"""Parsed texts in a short notation: `the>2:det dog>3:nsubj barks>0:root`, sentences separated by ` | `."""

from __future__ import annotations

from textassay.content.conllu import ParsedSentence, ParsedText


def parsed(notation: str, parser: str = "") -> ParsedText:
    return ParsedText(tuple(_sentence(each) for each in notation.split(" | ") if each), parser)


def conllu(notation: str) -> str:
    """The same as CoNLL-U."""
    return "\n".join(
        "".join(
            f"{word}\t{form}\t_\t_\t_\t_\t{head}\t{deprel}\t_\t_\n"
            for word, (form, head, deprel) in enumerate(
                zip(sentence.forms, sentence.heads, sentence.deprels, strict=True), 1
            )
        )
        for sentence in parsed(notation).sentences
    )


def _sentence(notation: str) -> ParsedSentence:
    words = [word.rpartition(">") for word in notation.split()]
    heads, deprels = zip(*(rest.partition(":")[::2] for _, _, rest in words), strict=True)
    return ParsedSentence(tuple(form for form, _, _ in words), tuple(map(int, heads)), deprels)
