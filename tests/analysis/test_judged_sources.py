"""Judgements from blocks of studies and from tables of any task."""

from __future__ import annotations

from pathlib import Path

import pandas as pd
from decision_study import write_decision_study
from small_study import write_csv

from textassay import pipeline
from textassay.analysis.judged_sources import judged_block, judged_table, study_metric_options


def test_block_of_a_study(tmp_path: Path) -> None:
    study = pipeline.load(write_decision_study(tmp_path / "ward"))
    (block,) = study.blocks
    judged = judged_block(study, block, pd.DataFrame())
    assert (judged.name, judged.error_criteria) == ("ward", {"P_INAP"})
    assert {system for _, system in judged.texts} == set(study.systems) - {"graph"}  # which shows a plot
    item = study.items_in_order[0]
    assert judged.column("text")[item, "human"] == study.texts[item, "human"]
    options = study_metric_options(study, judged).correlation
    assert (options.alpha, options.alignment.error_criteria) == (study.file.analysis.alpha, {"P_INAP"})


def test_table_of_rankings_with_texts(tmp_path: Path) -> None:
    rows = [("p", "i", "a", "clarity", 1, "So."), ("p", "i", "b", "clarity", 2, "Well.")]
    write_csv(tmp_path / "ranks.csv", ("participant", "item", "system", "criterion", "rank", "text"), rows)
    judged = judged_table(tmp_path / "ranks.csv")
    assert (judged.name, judged.judgements["value"].tolist()) == ("ranks", [2, 1])
    assert judged.texts == {("i", "a"): "So.", ("i", "b"): "Well."}
