"""Each paper whose tables can be made has a recipe of its own, which the study file and the command line both know."""

from __future__ import annotations

from typing import get_args

import pytest

from textassay.analysis.published_tables import Paper, published_tables
from textassay.cli.metric_parts import PartOptions
from textassay.study.model import AnalysisOptions


@pytest.mark.parametrize(("paper", "name"), [("c09", "cahill_tables"), ("g10", "gatt_portet_tables")])
def test_every_paper_has_its_recipe(paper: Paper, name: str) -> None:
    assert published_tables(paper).__name__ == name
    assert PartOptions(tables=paper).recipe is published_tables(paper)


def test_the_study_file_knows_the_same_papers() -> None:
    field = AnalysisOptions.model_fields["published_tables"]
    assert set(get_args(field.annotation)[0].__args__) == set(get_args(Paper))
