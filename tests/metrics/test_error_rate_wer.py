"""WER; its equality with jiwer is shown in `test_error_rate.py`."""

from __future__ import annotations

from textassay.metrics import score


def test_known_answer_above_one() -> None:
    # One substitution and two insertions for one word of the reference.
    result = score("wer", ["b c d"], [["a"]])
    assert result.corpus == 3.0
    assert result.corpus_parts == {"hits": 0, "substitutions": 1, "deletions": 0, "insertions": 2}


def test_any_white_space_parts_words() -> None:
    assert score("wer", ["a\tb\u00a0c\n d"], [["a b c d"]]).corpus == 0


def test_signature() -> None:
    signature = score("wer", ["a"], [["a"]]).signature
    assert signature.startswith("wer|nrefs:1|multi:best|case:mixed|corpus:pooled|scale:0-inf|version:")
