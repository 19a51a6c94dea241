"""Chunks: the same statistics however the segments are cut, and one tokenising for all metrics of a chunk."""

from __future__ import annotations

import json
import os
import signal
from pathlib import Path
from threading import Thread

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from local_cluster import cluster, process, wait_for
from watched_metric import Watched

from textassay.errors import UsageError
from textassay.metrics import TextSegments, metric
from textassay.metrics.engine import MetricStatistics, ScoringOptions, measure
from textassay.metrics.rouge_l import RougeL
from textassay.metrics.tokens import Encoder
from textassay.workers import Workers

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


# --- The same numbers with any number of workers, and after a worker died -----------------------------------------


SUPPORT = Path(__file__).parents[1] / "support"
HYPOTHESES = [f"text {number} about {number % 7} things" for number in range(40)]
REFERENCES = [[f"text {number + 1} about {number % 5} things", "nothing"] for number in range(40)]


@pytest.fixture(autouse=True)
def kernels() -> None:
    """Once: other processes do the work."""


def segments() -> TextSegments:
    return TextSegments.checked(HYPOTHESES, REFERENCES)


def same(one: MetricStatistics, other: MetricStatistics) -> bool:
    return all(
        np.array_equal(getattr(one, name), getattr(other, name))
        for name in ("statistics", "totals", "counts", "references")
    )


def started_chunks(log: Path) -> list[list[str]]:
    """Chunk and process of everything begun so far."""
    return [line.rsplit(" ", 1) for line in log.read_text("utf-8").splitlines()] if log.exists() else []


@pytest.mark.parametrize("keep", [True, False])
def test_processes_of_this_machine(tmp_path: Path, keep: bool) -> None:
    groups = np.arange(40) % 3
    metrics = [metric("rouge-l"), Watched(log=str(tmp_path / "log"), seconds=0.2)]
    here = measure(metrics, segments(), groups, ScoringOptions(keep=keep))
    (tmp_path / "log").unlink()
    there = measure(metrics, segments(), groups, ScoringOptions(keep=keep, workers=Workers(jobs=2)))
    assert all(map(same, here, there))
    processes = {process for _, process in started_chunks(tmp_path / "log")}
    assert len(processes) == 2
    assert str(os.getpid()) not in processes


def test_worker_of_a_cluster_that_is_killed_has_its_chunk_done_by_another(tmp_path: Path) -> None:
    log = tmp_path / "log"
    metrics = [metric("rouge-l"), Watched(log=str(log), seconds=0.5)]
    found: list[MetricStatistics] = []
    with cluster(tmp_path) as (address, workers):
        options = ScoringOptions(workers=Workers(cluster=address))
        work = Thread(target=lambda: found.extend(measure(metrics, segments(), options=options)))
        work.start()
        victim = str(workers[1].pid)
        wait_for(lambda: victim in [pid for _, pid in started_chunks(log)])
        lost = [chunk for chunk, pid in started_chunks(log) if pid == victim][-1]
        os.kill(workers[1].pid, signal.SIGKILL)
        work.join(timeout=120)
    assert [pid for chunk, pid in started_chunks(log) if chunk == lost] == [victim, str(workers[0].pid)]
    here = measure([metric("rouge-l"), Watched(log=str(tmp_path / "here"))], segments())
    assert all(map(same, here, found))
    assert len(found) == 2


def test_cluster_without_workers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("textassay.workers._PATIENCE", 3)
    file = tmp_path / "scheduler.json"
    arguments = ("--host", "127.0.0.1", "--port", "0", "--no-dashboard", "--scheduler-file", str(file))
    with process("distributed.cli.dask_scheduler", *arguments):
        wait_for(lambda: file.exists() and file.read_text("utf-8").endswith("}"))
        address = json.loads(file.read_text("utf-8"))["address"]
        with pytest.raises(UsageError, match=r"has no workers; start some with: dask worker tcp://127.0.0.1"):
            list(Workers(cluster=address).map(str, [1]))
