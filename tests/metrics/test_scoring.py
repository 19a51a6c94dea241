"""`score`: the public way in."""

from __future__ import annotations

import math
import subprocess
import sys

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import textassay
from textassay.errors import UsageError
from textassay.metrics import Metric, metric, score


def test_score_has_what_other_programs_rely_on() -> None:
    result = score("rouge-l", ["a b", "c"], [["a b"], ["d"]])
    assert isinstance(result.segments, np.ndarray)
    assert result.segments.tolist() == [1.0, 0.0]
    assert result.corpus == 0.5
    assert list(result.parts) == ["f", "precision", "recall", "lcs", "hypothesis_words", "reference_words"]
    assert all(len(part) == 2 for part in result.parts.values())
    signed = "rouge-l|nrefs:1|multi:best|tok:unicode-words|stem:no|stop:kept|unicode:15.1|corpus:mean|scale:0-1"
    assert result.signature == f"{signed}|version:{textassay.__version__}"


def test_settings_change_the_signature() -> None:
    result = score("rouge-l", ["a"], [["a"]], stem=True, tokeniser="rouge-score", multi="mean")
    assert "|multi:mean|tok:rouge-score|stem:porter|" in result.signature


def test_records() -> None:
    record = score("rouge-l", ["a b", "c"], [["a b"], ["d"]]).records()[0]
    assert (record["statistic"], record["of"], record["value"], record["n"]) == ("rouge-l", "corpus", 0.5, 2)
    assert (record["precision"], record["recall"]) == (0.5, 0.5)


def test_result_is_frozen_and_shows_itself() -> None:
    result = score("rouge-l", ["a"], [["a"]])
    with pytest.raises(AttributeError):
        result.corpus = 2  # type: ignore[misc]
    assert "rouge-l" in result._repr_html_()
    assert '"value": 1.0' in result.to_json()


def test_no_hypotheses() -> None:
    result = score("rouge-l", [], [])
    assert result.segments.size == 0
    assert math.isnan(result.corpus)
    assert result.warnings == ("rouge-l: no segments, so the corpus score is undefined",)
    assert all(math.isnan(value) for value in result.corpus_parts.values())
    assert score("rouge-l", [], [], multi="mean").segments.size == 0


def test_progress_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    made = metric("rouge-l")
    monkeypatch.setattr(type(made), "chunk", 2)
    told: list[tuple[int, int]] = []
    chunked = score(made, list("abcde"), [["a"]] * 5, progress=lambda done, of: told.append((done, of)))
    assert told == [(2, 5), (4, 5), (5, 5)]
    assert chunked.segments.tolist() == [1, 0, 0, 0, 0]


def test_metric_instance_is_used_as_it_is() -> None:
    made = metric("rouge-l", stem=True)
    assert isinstance(made, Metric)
    assert "stem:porter" in score(made, ["a"], [["a"]]).signature
    with pytest.raises(UsageError, match=r"rouge-l is already constructed; pass its settings \(stem\) when making it"):
        score(made, ["a"], [["a"]], stem=False)


def test_unknown_metric_and_setting() -> None:
    with pytest.raises(UsageError, match=r"there is no metric 'rogue'; did you mean 'rouge-"):
        score("rogue", ["a"], [["a"]])
    with pytest.raises(UsageError, match="rouge-l has no setting 'beta'; it has: multi, tokeniser, stem"):
        score("rouge-l", ["a"], [["a"]], beta=2)
    with pytest.raises(UsageError, match="tokeniser is '13b'; choose one of: unicode-words, rouge-score"):
        score("rouge-l", ["a"], [["a"]], tokeniser="13b")


def test_import_and_first_call_are_quick() -> None:
    # Time of this process only, beyond NumPy; one of five runs is quick, since the machine may be busy.
    program = (
        "import time, numpy; start = time.process_time(); import textassay.metrics; middle = time.process_time();"
        "textassay.metrics.score('rouge-l', ['ä b'], [['ö b']]); print(middle - start, time.process_time() - middle)"
    )
    runs = []
    for _ in range(5):
        done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
        runs.append([float(seconds) for seconds in done.stdout.split()])
        if min(run[0] for run in runs) < 0.050 and min(run[1] for run in runs) < 0.2:
            return
    pytest.fail(f"seconds of the import and of the first call: {runs}")


QUICK = [
    (name, settings)
    for name, choices in {
        "edit-distance": ({}, {"form": "normalised"}, {"unit": "words", "lowercase": True}, {"multi": "mean"}),
        "edit-similarity": ({}, {"unit": "words"}),
        "exact-match": ({}, {"lowercase": True}),
        "cer": ({}, {"lowercase": True}, {"multi": "mean"}),
        "wer": ({}, {"lowercase": True}),
    }.items()
    for settings in choices
]


@pytest.mark.parametrize(("name", "settings"), QUICK)
@pytest.mark.parametrize("several", [False, True])
@given(texts=st.lists(st.tuples(*[st.text("abA 字\t", max_size=12)] * 2), min_size=2, max_size=8))
def test_quick_scores_are_the_very_same(
    name: str, settings: dict[str, object], several: bool, texts: list[tuple[str, str]]
) -> None:
    hypotheses = [ours for ours, _ in texts]
    references = [[theirs, "a b"] if several else [theirs] for _, theirs in texts]
    quick = score(name, hypotheses, references, **settings)
    usual = score(name, hypotheses, references, progress=lambda _done, _all: None, **settings)
    assert quick.segments.tolist() == usual.segments.tolist()
    assert quick.corpus == usual.corpus
    assert (quick.signature, quick.warnings, quick.n) == (usual.signature, usual.warnings, usual.n)
    assert quick.corpus_parts == usual.corpus_parts
    np.testing.assert_array_equal(quick.statistics, usual.statistics)
    assert quick.records() == usual.records()


def test_quick_scores_of_many_texts_are_summed_in_chunks_as_usual() -> None:
    texts = [f"{'a' * (row % 7)}b" for row in range(10_001)]
    others = [f"{'a' * (row % 5)}c{row}" for row in range(10_001)]
    for name in ("edit-similarity", "cer"):
        quick, usual = (score(name, texts, others, progress=told) for told in (None, lambda _done, _all: None))
        assert quick.corpus == usual.corpus
        assert quick.segments.tolist() == usual.segments.tolist()
