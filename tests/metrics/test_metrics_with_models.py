"""The example of a package with metrics that have a model, installed: its names, its messages, its real model."""

from __future__ import annotations

import csv
import json
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
from installed_package import install, run_with
from small_study import write_small_study

PACKAGE = Path(__file__).parents[2] / "examples" / "textassay-embeddings"
NEEDS_MODEL = pytest.mark.skipif(
    any(find_spec(name) is None for name in ("wordllama", "tokenizers", "safetensors")),
    reason="the real model is in: pip install wordllama",
)


@pytest.fixture(autouse=True)
def kernels() -> None:
    """Once: other processes do the work."""


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return install(PACKAGE, tmp_path_factory.mktemp("package"))


@pytest.fixture
def files(tmp_path: Path) -> list[object]:
    (tmp_path / "ref.txt").write_text("the dog barks at night\nwe pay taxes\n", encoding="utf-8")
    (tmp_path / "near.txt").write_text("a hound barks at night\nwe pay a tax\n", encoding="utf-8")
    (tmp_path / "far.txt").write_text("it rains in Spain\nblue cheese\n", encoding="utf-8")
    return ["-r", tmp_path / "ref.txt", "-i", tmp_path / "near.txt", tmp_path / "far.txt"]


@pytest.mark.parametrize(
    ("metric", "package", "module"),
    [("bertscore", "bert-score", "bert_score"), ("comet", "unbabel-comet", "comet")],
)
def test_what_is_not_installed_is_named_with_the_remedy(
    installed: Path, files: list[object], metric: str, package: str, module: str
) -> None:
    if find_spec(module) is not None:
        pytest.skip(f"{package} is installed")
    ran = run_with(installed, "score", *files, "--sources", files[1], "-m", metric)
    assert ran.returncode == 2
    assert f"{metric} needs the package {package} (" in ran.stderr
    assert f"install it with: pip install {package}" in ran.stderr


@NEEDS_MODEL
def test_from_the_command_line(installed: Path, files: list[object]) -> None:
    ran = run_with(installed, "score", *files, "-m", "embedding-similarity", "--format", "json")
    near, far = json.loads(ran.stdout)
    assert near["value"] > far["value"] + 0.4
    for part in ("|model:wordllama|", "|sha256:e057aee0e6b6|", "|by:tokenizers-", "|version:0.1.0"):
        assert part in near["signature"]


@NEEDS_MODEL
def test_in_a_study(installed: Path, tmp_path: Path) -> None:
    def change(study: dict[str, Any]) -> None:
        study["metrics"] = [{"metric": "embedding-similarity"}]

    study = write_small_study(tmp_path / "study", change)
    assert run_with(installed, "check", study).returncode == 0
    rows = list(csv.DictReader(run_with(installed, "score", study, "--format", "csv").stdout.splitlines()))
    assert len(rows) == 3
    assert all(0.5 < float(row["embedding-similarity"]) < 1 for row in rows)
