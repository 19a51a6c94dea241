"""A study's metrics, of texts and of orders, in one table."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from decision_study import write_decision_study
from reordering_study import write_reordering_study
from small_study import ITEMS, write_csv, write_small_study
from svg_only import svg_only

from textassay import pipeline
from textassay.analysis.study_scores import score_study
from textassay.errors import StudyError, UsageError
from textassay.metrics import ScoringOptions, metric, score


def with_metrics(*names: str) -> Any:
    return lambda data: data.update(metrics=[{"metric": name} for name in names])


def test_orders_and_texts_stand_side_by_side(tmp_path: Path) -> None:
    study = pipeline.load(
        write_reordering_study(tmp_path, study=with_metrics("order-tau", "rouge-l", "order-accuracy"))
    )
    table = pipeline.score(study)
    found = {(record["of"], record["by"]): record["value"] for record in table.records()}
    # Of six pairs, 1 4 2 3 has two in the wrong order and 1 3 2 4 one; against 1 2 3 4 one and two places are right.
    assert found["order-tau", "original"] == 1
    assert found["order-tau", "random"] == pytest.approx(1 - 2 * 2 / 6)
    assert found["order-tau", "shortest"] == pytest.approx(1 - 2 * 1 / 6)
    assert found["order-accuracy", "random"] == pytest.approx(1 / 4)
    assert found["order-accuracy", "shortest"] == pytest.approx(2 / 4)
    assert found["rouge-l", "original"] == 1
    assert len(table.rows()) == 3 * 3 * 7  # metrics × systems × items and the whole


def test_orders_are_compared_with_those_of_the_reference_system(tmp_path: Path) -> None:
    def against_another(data: dict[str, Any]) -> None:
        with_metrics("order-tau")(data)
        data["tables"]["reference_system"] = "shortest"

    table = pipeline.score(pipeline.load(write_reordering_study(tmp_path, study=against_another)))
    found = {record["by"]: record["value"] for record in table.records()}
    assert (found["shortest"], found["original"]) == (1, pytest.approx(1 - 2 * 1 / 6))


def test_orders_are_compared_with_references_that_nobody_is_shown(tmp_path: Path) -> None:
    """As in materials made from bins of tau: the original order is none of the systems. Two references, by name."""

    def with_references(data: dict[str, Any]) -> None:
        with_metrics("order-tau", "rouge-l")(data)
        data["tables"] = {"texts": "texts.csv", "references": "references.csv"}

    write_reordering_study(tmp_path, study=with_references)
    orders = {"original": "1234", "last first": "4123"}
    lines = [
        f"i{item},{name},s{unit},Sentence {unit}."
        for item in range(1, 7)
        for name, order in orders.items()
        for unit in order
    ]
    (tmp_path / "references.csv").write_text("\n".join(["item,reference,unit,text", *lines]), encoding="utf-8")
    study = pipeline.load(tmp_path)
    assert study.references["i1"][1] == "Sentence 4. Sentence 1. Sentence 2. Sentence 3."
    found = {(record["of"], record["by"]): record["value"] for record in pipeline.score(study).records()}
    # 1 2 3 4 is one with the first, and has three of six pairs as the second has them: (1 + 0) / 2.
    assert found["order-tau", "original"] == pytest.approx(0.5)
    assert ("rouge-l", "original") in found


@svg_only()
def test_scores_of_orders_are_correlated_with_what_people_did(tmp_path: Path) -> None:
    study = pipeline.load(write_reordering_study(tmp_path, study=with_metrics("order-tau")))
    pipeline.simulate(study)
    page = pipeline.report(study)
    assert "order-tau" in page.read_text(encoding="utf-8")


def test_units_and_a_reference_are_asked_for_when_the_study_is_loaded(tmp_path: Path) -> None:
    def without_reference(data: dict[str, Any]) -> None:
        with_metrics("order-tau")(data)
        del data["tables"]["reference_system"]

    write_reordering_study(tmp_path, study=without_reference)
    with pytest.raises(StudyError, match=r"order-tau compares orders with a reference order; give tables.references"):
        pipeline.load(tmp_path)


def test_sources_are_a_column_of_the_items_table(tmp_path: Path) -> None:
    write_small_study(tmp_path, with_metrics("sari"))
    with pytest.raises(StudyError, match="sari needs what each text was made from, but item i1 has no source; give"):
        pipeline.load(tmp_path)
    rows = [(item, f"Data behind {item}.", f"A text which is about {item}.") for item in ITEMS]
    write_csv(tmp_path / "items.csv", ("item", "context", "source"), rows)
    table = pipeline.score(pipeline.load(tmp_path))
    texts, references, sources = (
        [form.format(item) for item in ITEMS]
        for form in ("The human text about {} is here.", "The text about {}.", "A text which is about {}.")
    )
    alone = score("sari", texts, [[reference] for reference in references], sources=sources)
    assert table.scores["sari"]["human"].corpus == alone.corpus


def test_kinds_that_a_study_does_not_have_are_refused(tmp_path: Path) -> None:
    study = pipeline.load(write_reordering_study(tmp_path, study=with_metrics("rouge-l")))
    made = metric("rouge-l")

    class Parses(made.takes):  # type: ignore[name-defined, misc]
        kind = "waves"

    class OfParses(type(made)):  # type: ignore[misc]
        takes = Parses

    with pytest.raises(UsageError, match="trees takes waves, which a study does not have; score that apart"):
        score_study(study, {"trees": OfParses()}, {}, ScoringOptions())


def test_a_system_that_shows_a_plot_has_no_scores(tmp_path: Path) -> None:
    def scored(data: dict[str, Any]) -> None:
        data["tables"]["reference_system"] = "human"
        with_metrics("rouge-l")(data)

    study = pipeline.load(write_decision_study(tmp_path, scored))
    assert "graph" in study.systems
    found = {row["system"] for row in pipeline.score(study).rows()}
    assert found == set(study.systems) - {"graph"}
