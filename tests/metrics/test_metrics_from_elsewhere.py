"""Metrics of another package, really installed, do whatever our own do."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from installed_package import install, run_with

PACKAGE = Path(__file__).parents[1] / "support" / "example_package"


@pytest.fixture(autouse=True)
def kernels() -> None:
    """Once: other processes do the work."""


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder that the package was installed into."""
    return install(PACKAGE, tmp_path_factory.mktemp("package"))


def textassay(installed: Path, *arguments: object) -> str:
    ran = run_with(installed, *arguments)
    assert ran.returncode == 0, ran.stderr
    return ran.stdout


@pytest.fixture
def files(tmp_path: Path) -> list[object]:
    for name, lines in {
        "ref": ["the cat sat", "a dog ran", "it rained", "no", "yes", "maybe so"],
        "a": ["the cat ran", "a dog ran", "it snowed", "no", "no", "maybe not"],
        "b": ["cats", "dogs run", "rain", "no", "yes", "maybe so"],
    }.items():
        (tmp_path / f"{name}.txt").write_text("\n".join(lines), encoding="utf-8")
    return ["-r", tmp_path / "ref.txt", "-i", tmp_path / "a.txt", tmp_path / "b.txt"]


def test_scores_intervals_and_tests(installed: Path, files: list[object]) -> None:
    flags = ["--ci", "--paired-ar", "--resamples", "50", "--format", "json"]
    records = json.loads(textassay(installed, "score", *files, "-m", "example-overlap", "bleu", *flags))
    values = {(one["of"], one["by"]): one["value"] for one in records if one["statistic"] == "example-overlap"}
    # a: 2 of 3, 3 of 3, 1 of 2, 1 of 1, 0 of 1, 1 of 2; b: 0, 0 of 2, 0, 1, 1 of 1, 2 of 2.
    assert values["example-overlap", "a"] == pytest.approx(8 / 12)
    assert values["example-overlap", "b"] == pytest.approx(4 / 8)
    assert all("version:3.2.1" in one["signature"] for one in records if one["statistic"] == "example-overlap")
    assert any("randomisation" in str(one["method"]) and one["of"] == "example-overlap" for one in records)


@pytest.mark.parametrize(("jobs", "loads"), [(1, range(1, 2)), (2, range(1, 3))])
def test_model_is_loaded_once_for_each_process(
    installed: Path, files: list[object], tmp_path: Path, jobs: int, loads: range
) -> None:
    log = tmp_path / "log"
    named = f"example-model:device=cpu,log={log}"
    out = textassay(installed, "score", *files, "-m", named, "--jobs", jobs, "--format", "json")
    assert {one["by"]: one["n"] for one in json.loads(out)} == {"a": 6, "b": 6}
    # Twelve texts in batches of four are three chunks, of which two processes share the work.
    assert len(log.read_text("utf-8").splitlines()) in loads


def test_unknown_name_lists_those_from_elsewhere(installed: Path, files: list[object]) -> None:
    ran = run_with(installed, "score", *files, "-m", "example-overlapp")
    assert ran.returncode == 2
    assert "example-overlap" in ran.stderr
    package = "of the package textassay-example-metrics 3.2.1"
    assert f"the metric 'bleu' {package} is not used, since textassay has one of that name" in ran.stderr


def test_metric_that_cannot_be_imported_names_its_package(installed: Path, files: list[object]) -> None:
    ran = run_with(installed, "score", *files, "-m", "example-broken")
    assert ran.returncode == 2
    assert "example-broken" in ran.stderr
    assert "of the package textassay-example-metrics 3.2.1 cannot be imported" in " ".join(ran.stderr.split())
