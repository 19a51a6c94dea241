"""Results as plain values: nothing is lost, and what JSON has no word for is told apart."""

from __future__ import annotations

import json
import math
from dataclasses import replace
from datetime import UTC, datetime

import numpy as np
import pytest
from bundled_study import Bundled

from textassay.report.summary import RegistrationSummary
from textassay.results import Table
from textassay.sharing.results_file import exact, results_of, results_text


@pytest.mark.parametrize(
    ("value", "written"),
    [
        (np.float64(0.1), 0.1),
        (np.arange(2), [0, 1]),
        ((1, None), [1, None]),
        (math.nan, "NaN"),
        (-math.inf, "-Infinity"),
        (True, True),
        ({1: {"b", "a"}}, {"1": ["a", "b"]}),
        (datetime(2026, 3, 1, tzinfo=UTC), "2026-03-01T00:00:00+00:00"),
    ],
)
def test_exact(value: object, written: object) -> None:
    assert exact(value) == written
    assert type(exact(value)) is type(written)


def test_every_record_and_table_is_there_at_full_precision(bundled: Bundled) -> None:
    found, results = bundled.found, json.loads(results_text(results_of(bundled.found)))
    assert [each["name"] for each in results["analyses"]] == [each.analysis.name for each in found.sections]
    for section, stored in zip(found.sections, results["analyses"], strict=True):
        assert stored["records"] == exact(section.analysis.records())
        assert [table["rows"] for table in stored["tables"]] == [exact(table.rows) for table in section.analysis.tables]
    assert len(results["scores"]) == len(found.scores) > 0
    assert results["participants"]["figures"]["by status"]["withdrawn"] == 1
    assert any(isinstance(record["value"], float) for record in results["analyses"][0]["records"])


def test_what_the_report_says_of_the_registration_is_there(bundled: Bundled) -> None:
    changes = Table("changes", "Changes", ("what", "registered", "now"), (("alpha", "0.05", "0.01"),))
    registered = RegistrationSummary(("Registered.",), deviates=True, changes=changes)
    found = replace(bundled.found, summary=replace(bundled.found.summary, registration=registered))
    assert results_of(found)["registration"] == ["Registered.", ["alpha", "0.05", "0.01"]]
    assert results_of(bundled.found)["registration"] == []
