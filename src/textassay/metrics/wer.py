"""WER: the word error rate. See `error_rate.py` for its definition; words are what white space parts.

jiwer parts words at spaces, and at other white space only where two or more characters of it come together. Here a
single tab, line break or no-break space parts words as well.
"""

from __future__ import annotations

from textassay.metrics.error_rate import ErrorRate
from textassay.metrics.tokenisers import Tokeniser, tokeniser


class Wer(ErrorRate):
    """Substituted, deleted and inserted words over the words of the reference.

    >>> from textassay.metrics import score
    >>> result = score("wer", ["b c d", "the cat sat"], [["a"], ["the cat", "a cat sat down"]])
    >>> result.segments.tolist(), result.corpus
    ([3.0, 0.5], 1.3333333333333333)
    >>> {kind: int(count) for kind, count in result.corpus_parts.items()}
    {'hits': 2, 'substitutions': 1, 'deletions': 0, 'insertions': 3}
    """

    name = "wer"

    def tokeniser(self) -> Tokeniser:
        """Words by white space."""
        return tokeniser("none", lower=self.settings.lowercase)
