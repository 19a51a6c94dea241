"""CER: the character error rate. See `error_rate.py` for its definition; white space inside a text is a character."""

from __future__ import annotations

from textassay.metrics.error_rate import ErrorRate
from textassay.metrics.tokenisers import Tokeniser, tokeniser


class Cer(ErrorRate):
    """Substituted, deleted and inserted characters over the characters of the reference.

    >>> from textassay.metrics import score
    >>> score("cer", ["the cat sat"], [["the mat sat "]]).segments.round(4).tolist()
    [0.0909]
    """

    name = "cer"

    def tokeniser(self) -> Tokeniser:
        """Characters, those of white space at the ends left out."""
        return tokeniser("characters-and-spaces", lower=self.settings.lowercase)
