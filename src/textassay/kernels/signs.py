"""Signs of punctuation apart from words, as the evaluation script mteval-v13a parts them."""

from __future__ import annotations

import re

from textassay.kernels.choice import compiled_loop

# Every ASCII sign but ' - . , is a token of its own; spaces are in the original's class and do no harm.
SIGN = re.compile(r"([ -&(-+:-@\[-`{-~/])")
STOP_AFTER_NO_DIGIT = re.compile(r"([^0-9])([.,])")
STOP_BEFORE_NO_DIGIT = re.compile(r"([.,])([^0-9])")
DASH_AFTER_DIGIT = re.compile(r"([0-9])(-)")


def signs_apart(text: str) -> str:
    """The text with spaces around every sign that is a token of its own.

    What is next to the ends of the text matters. The same words with the compiled loop and with its fallback, which
    may put more spaces between them.

    >>> signs_apart(" 3.5 (e.g. in 1990-91). ").split()
    ['3.5', '(', 'e', '.', 'g', '.', 'in', '1990', '-', '91', ')', '.']
    """
    parted = signs_apart_utf8(text.encode("utf-8", "surrogatepass"))
    return _signs_apart(text) if parted is None else parted.decode("utf-8", "surrogatepass")


def signs_apart_utf8(data: bytes) -> bytes | None:
    """The same for text in UTF-8, only by the compiled loop; None where there is none."""
    loop = compiled_loop("signs")
    if loop is None:
        return None
    parted: bytes = loop.signs_apart(data)
    return parted


def _signs_apart(text: str) -> str:
    """The plain-Python fallback: the substitutions of the original."""
    text = SIGN.sub(r" \1 ", text)
    text = STOP_AFTER_NO_DIGIT.sub(r"\1 \2 ", text)
    text = STOP_BEFORE_NO_DIGIT.sub(r" \1 \2", text)
    return DASH_AFTER_DIGIT.sub(r"\1 \2 ", text)
