"""CER; its equality with jiwer is shown in `test_error_rate.py`."""

from __future__ import annotations

import pytest

from textassay.metrics import score


def test_by_hand() -> None:
    # "the mat" to "a mat": t substituted, h and e deleted, of seven characters.
    result = score("cer", ["a mat"], [[" the mat "]])
    assert result.corpus == pytest.approx(3 / 7)
    assert result.corpus_parts == {"hits": 4, "substitutions": 1, "deletions": 2, "insertions": 0}


def test_characters_beyond_the_first_plane_are_one_each() -> None:
    assert score("cer", ["\U0001f600\U0001f601"], [["\U0001f600\U0001f602"]]).corpus == 0.5
