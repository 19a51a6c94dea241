"""`textassay correlate`: which scores are used, and for which systems."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from small_study import write_csv, write_small_study

from textassay.results import Analysis

Command = Callable[..., Any]


@pytest.fixture
def compared(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """What was compared: metrics by name, the reference system, and the level of significance."""
    seen: list[Any] = []

    def compare(_judged: Any, scores: Any, options: Any, lengths: Any = None) -> Analysis:
        assert lengths is None or lengths["i1", "human"] == 7
        chosen = options.correlation
        seen.append((sorted(set(scores["metric"])), chosen.alignment.reference_system, chosen.alpha))
        return Analysis("x", "Compared", (), ())

    monkeypatch.setattr("textassay.cli.correlate.metric_correlations", compare)
    monkeypatch.setattr("textassay.analysis.metric_correlations.metric_correlations", compare)
    return seen


def scores(path: Path) -> Path:
    write_csv(
        path, ("item", "system", "metric", "value"), [("i1", "human", "made-up", 1), ("i1", "neural", "made-up", 2)]
    )
    return path


@pytest.mark.parametrize(("flags", "expected"), [([], None), (["--reference-system", "A"], "A")])
def test_reference_system_of_tables_is_passed_on(
    textassay: Command, compared: list[Any], tmp_path: Path, flags: list[str], expected: str | None
) -> None:
    rows = [("p", "i1", "human", "clarity", 3), ("p", "i1", "neural", "clarity", 4)]
    write_csv(tmp_path / "j.csv", ("participant", "item", "system", "criterion", "value"), rows)
    assert textassay("correlate", tmp_path / "j.csv", scores(tmp_path / "s.csv"), *flags).code == 0
    assert compared == [(["made-up"], expected, 0.05)]


def test_study_takes_its_own_metrics_unless_a_table_is_given(
    textassay: Command, compared: list[Any], answered: Path, tmp_path: Path
) -> None:
    assert textassay("correlate", answered).code == 0
    assert textassay("correlate", answered, scores(tmp_path / "s.csv")).code == 0
    assert compared == [(["rouge-l"], None, 0.05), (["made-up"], None, 0.05)]
    refused = textassay("correlate", answered, "--reference-system", "human")
    assert (refused.code, len(compared)) == (2, 2)
    assert "a study names its reference system itself" in refused.err


def test_study_without_metrics_says_what_is_missing(textassay: Command, tmp_path: Path) -> None:
    ran = textassay("correlate", write_small_study(tmp_path, lambda data: data.pop("metrics")))
    assert ran.code == 2
    assert "names no metrics; add them to the study file, import scores with" in ran.err


def test_any_tasks_answers_are_judgements(textassay: Command, tmp_path: Path) -> None:
    # of two texts, rank 1 becomes 2 points and rank 2 one point
    rows = [("p", f"i{n}", system, "clarity", rank) for n in range(3) for rank, system in enumerate("ab", 1)]
    write_csv(tmp_path / "r.csv", ("participant", "item", "system", "criterion", "rank"), rows)
    table = [(item, system, "made-up", 3 - rank) for _, item, system, _, rank in rows]
    write_csv(tmp_path / "s.csv", ("item", "system", "metric", "value"), table)
    ran = textassay("correlate", tmp_path / "r.csv", tmp_path / "s.csv", "--format", "json")
    assert ran.code == 0, ran.err
    assert '"value": 1.0' in ran.out or '"value": 0.99999999' in ran.out
    ran = textassay("correlate", tmp_path / "r.csv", tmp_path / "s.csv", "--task", "rating")
    assert (ran.code, "missing columns: value" in ran.err) == (2, True)


def test_error_marks_are_recognised(textassay: Command, tmp_path: Path) -> None:
    # a has no error, b a minor one, c a major one; the metric says so too
    kinds = {"a": ("no-error", "no-error"), "b": ("Style", "Minor"), "c": ("Other", "Major")}
    rows = [("r1", item, system, *kind) for item in "12" for system, kind in kinds.items()]
    write_csv(tmp_path / "m.csv", ("rater", "item", "system", "category", "severity"), rows)
    table = [
        (item, system, "made-up", value) for item in "12" for system, value in zip("abc", (0, -1, -5), strict=True)
    ]
    write_csv(tmp_path / "s.csv", ("item", "system", "metric", "value"), table)
    ran = textassay("correlate", tmp_path / "m.csv", tmp_path / "s.csv", "--coefficient", "pearson", "--format", "json")
    assert ran.code == 0, ran.err
    assert '"criterion": "errors"' in ran.out
    assert '"value": 1.0' in ran.out or '"value": 0.99999999' in ran.out
    ran = textassay("correlate", tmp_path / "m.csv", tmp_path / "s.csv", "--weights", "minor=9", "--format", "json")
    assert '"value": 1.0' not in ran.out


def test_two_tables_of_answers_are_set_against_each_other(textassay: Command, tmp_path: Path) -> None:
    columns = ("participant", "item", "system", "criterion", "value", "order")
    rows = [("p", item, system, "clarity", n, f"{item}{n}") for item in "12" for n, system in enumerate("abc")]
    write_csv(tmp_path / "one.csv", columns, rows)
    other = [("q", f"x{item}", system, "ease", 9 - value, order) for _, item, system, _, value, order in rows[1:]]
    write_csv(tmp_path / "two.csv", columns, other)
    ran = textassay("correlate", tmp_path / "one.csv", tmp_path / "two.csv", "--match", "order")
    assert ran.code == 0, ran.err
    assert "Over 5 texts that both studies have, clarity (one) and ease (two): Pearson's r = −1.000" in ran.out
    refused = textassay("correlate", tmp_path / "one.csv", tmp_path / "two.csv")
    assert (refused.code, "one and two have no text in common, by names of items and systems" in refused.err) == (
        2,
        True,
    )
    refused = textassay("correlate", tmp_path / "one.csv", scores(tmp_path / "s.csv"), "--match", "order")
    assert (refused.code, "--match is for two studies" in refused.err) == (2, True)


def test_a_study_is_set_against_itself(textassay: Command, answered: Path) -> None:
    ran = textassay("correlate", answered, answered, "--coefficient", "pearson")
    assert ran.code == 0, ran.err
    assert "Pearson's r = 1.000" in ran.out


def test_shares_are_checked(textassay: Command, tmp_path: Path) -> None:
    ran = textassay("correlate", tmp_path / "j.csv", tmp_path / "s.csv", "--only-significant-groups", "5")
    assert (ran.code, "must lie between 0 and 1, got 5" in ran.err) == (2, True)
