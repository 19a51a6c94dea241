"""A study of several blocks of different kinds, from plan to report."""

from __future__ import annotations

import copy
import csv
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from preference_study import BLOCK as PREFERENCE
from ranking_study import BLOCK as RANKING
from reading_study import BLOCK as READING
from small_study import SYSTEMS, write_small_study
from svg_only import svg_only

from textassay import pipeline
from textassay.answers.export import export_study
from textassay.rehearsal.recruiting import Rehearsal
from textassay.serve.session import pages
from textassay.study.study import Study
from textassay.tables.reader import read_table

NAMES = ("quality", "style", "duel", "places", "texts")
TABLES = {
    "judgements": ("quality", "style"),
    "preferences": ("duel",),
    "rankings": ("places",),
    "reading-times": ("texts",),
}


def several(data: dict[str, Any]) -> None:
    """Two blocks of ratings with the same criteria, then one each of preferences, rankings and reading."""
    data["participants"]["wanted"] = 10
    data["block_order"] = "balanced"
    quality = data["blocks"][0]
    others = [{**copy.deepcopy(quality), "name": "style"}, *map(copy.deepcopy, (PREFERENCE, RANKING, READING))]
    for block in (quality, *others[:3]):
        block["criteria"] = block["criteria"][:1]
    for block in others:
        block.pop("practice", None)
        block["design"] = {"repeats": 1, "items_per_participant": 3}
    del others[-1]["questions"]
    others[-1]["units"] = "sentences"
    data["blocks"] = [quality, *others]


def short(data: dict[str, Any]) -> None:
    """Fewer trials of each block: many pages through the server take long."""
    several(data)
    for block in data["blocks"]:
        block["design"]["items_per_participant"] = 2


def simulated(directory: Path, *, over_http: bool) -> tuple[Study, Rehearsal]:
    study = pipeline.load(write_small_study(directory, short if over_http else several))
    return study, pipeline.simulate(study, over_http=over_http)


@pytest.fixture(scope="module")
def direct(tmp_path_factory: pytest.TempPathFactory) -> tuple[Study, Rehearsal]:
    return simulated(tmp_path_factory.mktemp("direct") / "study", over_http=False)


@pytest.fixture(scope="module")
def over_http(tmp_path_factory: pytest.TempPathFactory) -> tuple[Study, Rehearsal]:
    return simulated(tmp_path_factory.mktemp("http") / "study", over_http=True)


@pytest.fixture(params=["direct", "over_http"])
def taken(request: pytest.FixtureRequest) -> tuple[Study, Rehearsal]:
    """Taken both ways."""
    both: tuple[Study, Rehearsal] = request.getfixturevalue(request.param)
    return both


def test_everybody_takes_all_blocks_in_the_order_of_the_plan(taken: tuple[Study, Rehearsal]) -> None:
    study, came = taken
    assert came.full
    plan = pipeline.plan(study)
    orders = {tuple(dict.fromkeys(trial.block for trial in slot.trials)) for slot in plan.slots}
    assert len(orders) == 10  # five blocks: two Williams squares of five
    for slot in plan.slots:
        shown = [page.block for page in pages(study, slot) if page.block]
        assert list(dict.fromkeys(shown)) == list(dict.fromkeys(trial.block for trial in slot.trials))
    data = pipeline.collect(study)
    for person in (row for row in data.participants if row["counted"]):
        answered = {
            row["block"]: row["answered_at"]
            for table in TABLES
            for row in data.rows(table)
            if row["participant"] == person["participant"] and row["position"] == 1
        }
        planned = tuple(dict.fromkeys(trial.block for trial in plan.slot(person["slot"]).trials))
        assert tuple(sorted(answered, key=lambda block: answered[block])) == planned


def test_each_kind_has_its_own_table(taken: tuple[Study, Rehearsal], tmp_path: Path) -> None:
    study, _ = taken
    data = pipeline.collect(study)
    export_study(study, tmp_path)
    for name, blocks in TABLES.items():
        rows = read_table(tmp_path / f"{name}.csv", data.schemas[name])
        assert {row["block"] for row in rows} == set(blocks)
    with (tmp_path / "codebook.csv").open(encoding="utf-8", newline="") as stream:
        described = {row["file"] for row in csv.DictReader(stream)}
    assert {f"{name}.csv" for name in TABLES} <= described


def test_findings_are_told_apart_by_block(direct: tuple[Study, Rehearsal], monkeypatch: pytest.MonkeyPatch) -> None:
    study, _ = direct
    data = pipeline.collect(study)
    findings = pipeline.analyse(study, data, pipeline.screen(study, data))
    monkeypatch.setattr(pipeline, "analyse", lambda *_: findings)
    for blocks, names in ((1, ["study"]), (2, ["study, quality", "study, style"])):
        fewer = replace(study, blocks=study.blocks[:blocks])
        assert [each.name for each in pipeline.evaluation_summaries(fewer, data, [])] == names
    assert tuple(findings) == NAMES
    analyses = [analysis for found in findings.values() for analysis in found]
    for block, found in findings.items():
        assert all(analysis.title.startswith(f"{block}: ") for analysis in found)
    names = [part.name for analysis in analyses for parts in (analysis.tables, analysis.figures) for part in parts]
    assert sorted({*(analysis.name for analysis in analyses)}) == sorted(analysis.name for analysis in analyses)
    assert all(name.startswith(tuple(f"{block}-" for block in NAMES)) for name in names)


def test_people_and_metrics_are_compared_block_by_block(direct: tuple[Study, Rehearsal]) -> None:
    from textassay.tables.frames import to_frame
    from textassay.tables.schema import SCORES

    study, _ = direct
    data = pipeline.collect(study)
    scores = to_frame(pipeline.score(study).rows(), SCORES)
    agreement = pipeline.correlate(study, data, pipeline.screen(study, data), scores)
    assert {"quality", "style", "duel", "places"} <= set(agreement)

    def compared(block: str) -> set[int]:
        records = agreement[block].records()
        texts = ("segment", "", "clarity")
        return {one["n"] for one in records if (one["level"], one["by"], one["criterion"]) == texts}

    assert compared("quality") == compared("style") == {6 * len(SYSTEMS)}


@svg_only()
def test_report_holds_every_block(tmp_path: Path) -> None:
    def fewer(data: dict[str, Any]) -> None:
        several(data)  # a report of five blocks has 38 figures, which take long to draw
        data["blocks"] = [block for block in data["blocks"] if block["name"] in ("quality", "style", "texts")]

    study = pipeline.load(write_small_study(tmp_path / "study", fewer))
    pipeline.simulate(study)
    page = pipeline.report(study)
    text = page.read_text(encoding="utf-8")
    for block in study.blocks:
        assert f"{block.name}: " in text
    files = [path.name for path in page.parent.rglob("*.csv")]
    assert any(name.startswith("quality-") for name in files)
    assert any(name.startswith("style-") for name in files)
    assert any(name.startswith("texts-") for name in files)
