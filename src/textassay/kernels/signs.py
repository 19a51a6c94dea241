"""Signs of punctuation apart from words, as the evaluation script mteval-v13a parts them."""

from __future__ import annotations

import re

from textassay.kernels.choice import compiled_loop

# Every ASCII sign but ' - . , is a token of its own; spaces are in the original's class and do no harm.
SIGN = re.compile(r"([ -&(-+:-@\[-`{-~/])")
STOP_AFTER_NO_DIGIT = re.compile(r"([^0-9])([.,])")
STOP_BEFORE_NO_DIGIT = re.compile(r"([.,])([^0-9])")
DASH_AFTER_DIGIT = re.compile(r"([0-9])(-)")


def signs_apart(text: str, *, between_spaces: bool = True) -> str:
    """The text with spaces around every sign that is a token of its own.

    The same words with the compiled loop and with its fallback, which may put more spaces between them.

    Args:
        text: The text.
        between_spaces: Whether a space is to be thought before and after it. If not, a stop that is the first or the
            last character may stay where it is.

    >>> signs_apart("3.5 (e.g. in 1990-91).").split()
    ['3.5', '(', 'e', '.', 'g', '.', 'in', '1990', '-', '91', ')', '.']
    >>> signs_apart("In 1990.").split(), signs_apart("In 1990.", between_spaces=False).split()
    (['In', '1990', '.'], ['In', '1990.'])
    """
    parted = signs_apart_utf8(text.encode("utf-8", "surrogatepass"), between_spaces=between_spaces)
    if parted is None:
        return _signs_apart(f" {text} " if between_spaces else text)
    return parted.decode("utf-8", "surrogatepass")


def signs_apart_utf8(data: bytes, *, between_spaces: bool = True) -> bytes | None:
    """The same for text in UTF-8, only by the compiled loop; None where there is none."""
    loop = compiled_loop("signs")
    if loop is None:
        return None
    parted: bytes = loop.signs_apart(data, between_spaces)
    return parted


def _signs_apart(text: str) -> str:
    """The plain-Python fallback: the substitutions of the original."""
    text = SIGN.sub(r" \1 ", text)
    text = STOP_AFTER_NO_DIGIT.sub(r"\1 \2 ", text)
    text = STOP_BEFORE_NO_DIGIT.sub(r" \1 \2", text)
    return DASH_AFTER_DIGIT.sub(r"\1 \2 ", text)
