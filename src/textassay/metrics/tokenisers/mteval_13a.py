"""The tokeniser of NIST's mteval-v13a, which published BLEU scores use by default; equal to sacreBLEU's `13a`."""

from __future__ import annotations

import re

GLUE = ("<skipped>", "-\n")
"""Taken out of a text first: a mark of NIST's own, and a hyphen at the end of a line."""

_ENTITIES = (("&quot;", '"'), ("&amp;", "&"), ("&lt;", "<"), ("&gt;", ">"))
_STOPS = (".", ",")
# Every ASCII sign but ' - . , stands alone; spaces are in the original's class and do no harm.
_SIGN = re.compile(r"([ -&(-+:-@\[-`{-~/])")
_STOP_AFTER_NO_DIGIT = re.compile(r"([^0-9])([.,])")
_STOP_BEFORE_NO_DIGIT = re.compile(r"([.,])([^0-9])")
_DASH_AFTER_DIGIT = re.compile(r"([0-9])(-)")


def mteval_13a(text: str) -> list[str]:
    """The words of a text; full stops and commas inside numbers, hyphens and apostrophes part nothing.

    >>> mteval_13a('He said: "3.5 million, e.g. in 1990-91."')
    ['He', 'said', ':', '"', '3.5', 'million', ',', 'e', '.', 'g', '.', 'in', '1990', '-', '91', '.', '"']
    """
    if text.isalnum():  # most pieces of most texts: nothing to part
        return [text]
    if text[-1:] in _STOPS and text[:-1].isalnum():  # most others
        return [text[:-1], text[-1]]
    if "&" in text:
        for entity, sign in _ENTITIES:
            text = text.replace(entity, sign)
    text = _SIGN.sub(r" \1 ", f" {text} ")
    text = _STOP_AFTER_NO_DIGIT.sub(r"\1 \2 ", text)
    text = _STOP_BEFORE_NO_DIGIT.sub(r" \1 \2", text)
    return _DASH_AFTER_DIGIT.sub(r"\1 \2 ", text).split()
