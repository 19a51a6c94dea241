"""Metrics and tests as users type them, and what they are told when it is wrong."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, fields
from importlib.metadata import EntryPoint
from pathlib import Path
from typing import Any

import pytest

from textassay import catalogue
from textassay.cli.score import metrics_named
from textassay.errors import UsageError
from textassay.metrics.contract import Settings, setting
from textassay.metrics.references import POLICIES

Command = Callable[..., object]


@pytest.mark.parametrize(
    ("typed", "message"),
    [
        (["rouge-l:stem"], "-m rouge-l:stem: 'stem' is not a setting; write name=value, for example rouge-l:stem=yes"),
        (["rouge-l:"], "-m rouge-l:: '' is not a setting; write name=value, for example rouge-l:stem=yes"),
        (["rouge-l:stem=maybe"], "-m rouge-l:stem=maybe: stem is yes or no, not 'maybe'"),
        (["rouge-l:stem=yes,stem=no"], "-m rouge-l:stem=yes,stem=no: stem is a duplicate; give it once"),
        (["rouge-l", "rouge-l"], "-m rouge-l is a duplicate; give it once, or with other settings"),
        (["rouge-l,bleu"], "there is no metric 'rouge-l,bleu'; separate metrics by spaces: -m rouge-l bleu"),
        (["rouge-l:multi=worst"], f"rouge-l: multi is 'worst'; choose one of: {', '.join(POLICIES)}"),
    ],
)
def test_wrong_metrics(typed: list[str], message: str) -> None:
    with pytest.raises(UsageError) as caught:
        metrics_named(typed)
    assert str(caught.value) == message


def test_what_is_no_metric(monkeypatch: pytest.MonkeyPatch) -> None:
    point = EntryPoint("tidiness", "textassay.errors:Problem", "textassay.metrics")
    monkeypatch.setattr(catalogue, "_entry_points", lambda kind: [point] if kind == "metric" else [])
    catalogue.find.cache_clear()
    try:
        with pytest.raises(UsageError, match=r"'tidiness' is Problem, which is no subclass of .*; update or uninstall"):
            metrics_named(["tidiness"])
    finally:
        catalogue.find.cache_clear()


def test_unknown_metric_names_those_that_are_near() -> None:
    with pytest.raises(UsageError, match=r"^there is no metric 'ROUGEL-SU'; did you mean 'rouge-su'\?$"):
        metrics_named(["ROUGEL-SU"])
    with pytest.raises(UsageError, match=r"^there is no metric 'xyzzy'; use one of: .*rouge-l"):
        metrics_named(["xyzzy"])


def test_metrics_are_understood_in_any_case() -> None:
    assert list(metrics_named(["BLEU", "Rouge_L:stem=yes"])) == ["bleu", "rouge-l:stem=yes"]
    with pytest.raises(UsageError, match="-m BLEU is a duplicate"):
        metrics_named(["bleu", "BLEU"])


def test_unknown_setting_lists_those_there_are() -> None:
    has = ", ".join(each.name for each in fields(catalogue.find("metric", "rouge-l").Settings))
    with pytest.raises(UsageError) as caught:
        metrics_named(["rouge-l:lowercase=yes"])
    assert str(caught.value) == f"rouge-l has no setting 'lowercase'; it has: {has}"


@dataclass(frozen=True)
class _Numbers(Settings):
    order: int = setting(4, sign="order")
    beta: float = setting(1.0, sign="beta")


@pytest.fixture
def numbers(monkeypatch: pytest.MonkeyPatch) -> None:
    """A metric with settings that are numbers, under the name of one that is there."""
    rouge_l = catalogue.find("metric", "rouge-l")
    made = type("Made", (rouge_l,), {"name": "made", "Settings": _Numbers})
    monkeypatch.setattr(catalogue, "names", lambda kind: ("made",))
    monkeypatch.setattr(catalogue, "find", lambda kind, name: made)


@pytest.mark.usefixtures("numbers")
def test_numbers_are_numbers() -> None:
    settings: Any = metrics_named(["made:order=6,beta=2"])["made:order=6,beta=2"].settings
    assert (settings.order, settings.beta) == (6, 2.0)
    for typed, message in (
        ("made:order=six", "-m made:order=six: order is a whole number, like 4, not 'six'"),
        ("made:order=1.5", "-m made:order=1.5: order is a whole number, like 4, not '1.5'"),
        ("made:beta=x", "-m made:beta=x: beta is a number, like 1.0, not 'x'"),
    ):
        with pytest.raises(UsageError) as caught:
            metrics_named([typed])
        assert str(caught.value) == message


@pytest.mark.parametrize(
    ("flags", "message"),
    [
        (["--baseline", "a"], "--baseline applies to tests of systems; choose one with --paired-bs or --paired-ar"),
        (
            ["--all-pairs", "--ci"],
            "--all-pairs applies to tests of systems; choose one with --paired-bs or --paired-ar",
        ),
        (["--resamples", "9"], "--resamples applies to resampling only; add --ci, --paired-bs or --paired-ar"),
        (["--ci", "--resamples", "0"], "--resamples must be 1 or more, for example 1000; got 0"),
        (["--ci", "--confidence", "95"], "--confidence must lie between 0 and 1, for example 0.95; got 95"),
        (["--paired-ar", "--baseline", "c"], "--baseline c: there is no system 'c'; use one of: a, b"),
        (["--paired-ar", "--all-pairs", "--baseline", "a"], "--all-pairs has no baseline; omit one of the two"),
        (
            ["--segments", "--ci"],
            "--segments shows texts, but --ci and tests are about systems; write the texts with --to",
        ),
        (["--to", "x.docx"], "x.docx: cannot write a table with this ending; use .csv, .tsv or .jsonl"),
    ],
)
def test_wrong_flags(
    textassay: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, flags: list[str], message: str
) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("ref", "a", "b"):
        (tmp_path / f"{name}.txt").write_text("x\n", encoding="utf-8")
    ran = textassay("score", "-r", "ref.txt", "-i", "a.txt", "b.txt", "-m", "rouge-l", *flags)
    assert (ran.code, ran.out, ran.err) == (2, "", f"textassay: {message}\n")


def test_a_test_needs_two_systems(textassay: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("a.txt").write_text("x\n", encoding="utf-8")
    ran = textassay("score", "-r", "a.txt", "-i", "a.txt", "-m", "rouge-l", "--paired-bs")
    assert ran.err == "textassay: a paired test compares systems, but there is only a; give another one\n"
