"""Chunks: the same statistics however the segments are cut, and one tokenising for all metrics of a chunk."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from textassay.metrics import TextSegments, metric
from textassay.metrics.engine import measure
from textassay.metrics.rouge_l import RougeL
from textassay.metrics.tokens import Encoder

TEXT = st.text("abc ", max_size=10)


@given(
    st.lists(st.tuples(TEXT, st.lists(TEXT, min_size=1, max_size=3))),
    st.integers(1, 5),
    st.sampled_from(["best", "mean"]),
)
def test_chunks_change_nothing(pairs: list[tuple[str, list[str]]], size: int, multi: str) -> None:
    segments = TextSegments.checked([hyp for hyp, _ in pairs], [refs for _, refs in pairs])
    whole = measure([metric("rouge-l", multi=multi)], segments)[0]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(RougeL, "chunk", size)
        cut = measure([metric("rouge-l", multi=multi)], segments)[0]
    assert np.array_equal(whole.statistics, cut.statistics)
    assert whole.warnings == cut.warnings


def test_metrics_that_share_a_tokeniser_share_the_encoding(monkeypatch: pytest.MonkeyPatch) -> None:
    encodings: list[int] = []
    encode = Encoder.encode
    monkeypatch.setattr(Encoder, "encode", lambda self, texts: encodings.append(len(texts.rows)) or encode(self, texts))
    segments = TextSegments.checked(["a", "b"], [["a"], ["b"]])
    measure([metric("rouge-l"), metric("rouge-l", multi="mean"), metric("rouge-l", stem=True)], segments)
    assert encodings == [4, 4]  # one for the two without stemming, one for the third


def test_no_metrics() -> None:
    assert measure([], TextSegments.checked(["a"], [["a"]])) == []


def test_number_of_references_is_told_for_each_group() -> None:
    segments = TextSegments.checked(["a", "b", "c"], [["a"], ["b", "c"], ["d", "e", "f"]])
    assert measure([metric("rouge-l")], segments)[0].nrefs(0) == "1-3"
    assert measure([metric("rouge-l")], segments.take([1]))[0].nrefs(0) == "2"
    assert measure([metric("rouge-l")], segments.take([]))[0].nrefs(0) == "0"
    of_two = measure([metric("rouge-l")], segments, np.array([1, 0, 1]))[0]
    assert (of_two.nrefs(0), of_two.nrefs(1)) == ("2", "1-3")
