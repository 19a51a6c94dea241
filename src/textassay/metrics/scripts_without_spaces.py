"""Texts in scripts that put no space between words, such as Chinese or Thai, but cut at spaces: hardly a word matches.

A score of 0, or an error rate of 1, then says nothing of the texts. Metrics that cut words so say it.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from textassay.metrics.segments import EncodedSegments, TextSegments
from textassay.metrics.tokenisers.words import are_spaceless
from textassay.text_block import most_characters

_AT_SPACES = ("13a", "intl", "none")
"""Tokenisers that need spaces between words."""


def remark_on_scripts(hypotheses: Sequence[str], words: npt.NDArray[np.integer], remedy: str) -> dict[str, int]:
    """How many of the hypotheses are such texts, under what a metric says of them.

    Args:
        hypotheses: The texts.
        words: How many words each was cut into.
        remedy: What to do.
    """
    # A look at the few texts of very long words, or of one, is enough, and costs others nothing.
    rows = np.flatnonzero((most_characters(hypotheses) > 8 * words) | (words == 1))
    texts = [hypotheses[row] for row in rows.tolist()]
    few = words[rows]
    long = (most_characters(texts) > 8 * few) | (few == 1)  # what is a block has no more bytes than these
    seen = (
        "hypotheses are in a script without spaces between words (such as Chinese or Thai) but are cut at spaces, so "
        "that almost nothing matches"
    )
    return {f"{seen}; {remedy}": int((long & are_spaceless(texts)).sum())}


def remark_on_tokeniser(
    tokeniser: str, segments: TextSegments, encoded: EncodedSegments, remedy: str
) -> dict[str, int]:
    """The same of a metric whose tokeniser can be chosen: nothing, unless it needs spaces."""
    if tokeniser not in _AT_SPACES:
        return {}
    return remark_on_scripts(segments.hypotheses, encoded.texts.lengths[encoded.hypotheses], remedy)
