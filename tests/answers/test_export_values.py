from __future__ import annotations

from collections.abc import Callable
from typing import Any, get_args

from textassay.answers import columns
from textassay.answers.export import column_values
from textassay.answers.records import Status
from textassay.design.plan import TrialKind
from textassay.study.study import Study


def test_values_stand_only_under_columns_that_are_there(study: Study) -> None:
    for schema in columns.schemas(study).values():
        assert column_values(study, schema).keys() <= {column.name for column in schema.columns}


def test_every_status_and_kind_is_explained(study: Study) -> None:
    schemas = columns.schemas(study)
    assert tuple(column_values(study, schemas["participants"])["status"]) == get_args(Status)
    kinds = [
        kind for name in ("judgements", "judgements-unscored") for kind in column_values(study, schemas[name])["kind"]
    ]
    assert sorted(kinds) == sorted(get_args(TrialKind))


def test_cohorts(write_study: Callable[..., Study]) -> None:
    def change(data: dict[str, Any]) -> None:
        data["participants"] = {"cohorts": [{"name": "experts", "wanted": 3}, {"name": "lay", "wanted": 6}]}

    study = write_study(change)
    found = column_values(study, columns.participants_schema(study))
    assert found["cohort"] == {"experts": "3 wanted", "lay": "6 wanted"}


def test_study_without_cohorts_has_no_values_for_them(study: Study) -> None:
    assert "cohort" not in column_values(study, columns.participants_schema(study))
