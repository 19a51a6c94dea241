"""Texts cut once for several encoders: each still finds its own words, whatever the others do in between."""

from __future__ import annotations

import pytest

from textassay.metrics import TextSegments, tokeniser, tokens
from textassay.metrics.tokenisers import Tokeniser
from textassay.metrics.tokens import Cutter, DistinctTexts, Encoder, TextPieces


class Counting(Cutter):
    """Counts how often it cuts."""

    times = 0

    def cut(self, texts: object) -> TextPieces:
        self.times += 1
        return super().cut(texts)


def words(encoder: Encoder, texts: DistinctTexts) -> list[list[str]]:
    encoded = encoder.encode(texts)
    bounds = encoded.offsets.tolist()
    numbers = [encoded.tokens[bounds[row] : bounds[row + 1]].tolist() for row in encoded.rows.tolist()]
    return [[encoded.words[number] for number in text] for text in numbers]


def test_a_text_given_twice_counts_once() -> None:
    same = "a b"
    texts = DistinctTexts([same, "c", same], Cutter())
    assert (list(texts.distinct), texts.rows.tolist()) == (["a b", "c"], [0, 1, 0])


def test_one_cut_serves_all_tokenisers() -> None:
    cutter, names = Counting(), ("none", "13a", "char", "rouge-score", "unicode-words", "chrf-words")
    texts = DistinctTexts(["It's late.", "so late"], cutter)
    for name in names:
        chosen = tokeniser(name)
        assert words(Encoder(chosen), texts) == [chosen.words("It's late."), chosen.words("so late")]
    assert cutter.times == 1


def test_metrics_on_one_chunk_share_the_cut(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[int] = []
    cut = Cutter.cut

    def counted(self: Cutter, texts: list[str]) -> TextPieces:
        seen.append(len(texts))
        return cut(self, texts)

    monkeypatch.setattr(Cutter, "cut", counted)
    segments = TextSegments(["a b"], [["a", "b c"]])
    for name in ("none", "13a", "unicode-words"):
        segments.tokens(tokeniser(name))
    assert seen == [3]


@pytest.mark.parametrize("most", [0, 2, 100])
def test_a_cutter_may_begin_anew_at_any_time(monkeypatch: pytest.MonkeyPatch, most: int) -> None:
    monkeypatch.setattr(tokens, "MOST_PIECES", most)
    cutter = Cutter()
    chosen: list[Tokeniser] = [tokeniser("none"), tokeniser("13a"), tokeniser("unicode-words", stem=True)]
    encoders = [Encoder(each) for each in chosen]
    # The second chunk has what 13a takes out first, so that it is cut a second time between the others.
    for given in (["a rose, is", "a rose."], ["is <skipped> it", "co-\noperate roses"], ["it is.", "a new rose"]):
        texts = DistinctTexts(given, cutter)
        for each, encoder in zip(chosen, encoders, strict=True):
            assert words(encoder, texts) == [each.words(text) for text in given]
