"""The tables of Gatt & Portet (2010)."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest

from textassay.analysis.gatt_portet_tables import gatt_portet_tables
from textassay.analysis.metric_correlations import MetricOptions
from textassay.errors import DataError
from textassay.meta import AlignmentOptions, CorrelationOptions
from textassay.stats import paired_t, pearson

EVENTS = {"H": [9.0, 7, 8, 5, 6, 9], "C": [4.0, 7, 5, 3, 2, 8]}
P = {"H": [0.9, 0.6, 0.8, 0.3, 0.5, 0.1], "C": [0.3, 0.6, 0.4, 0.2, 0.1, 0.9]}
ROUGE = [0.1, 0.5, 0.2, 0.4, 0.3, 0.9]
OPTIONS = MetricOptions(
    correlation=CorrelationOptions(AlignmentOptions(reference_system="H", error_criteria=frozenset({"P_INAP"})))
)


def judgements() -> pd.DataFrame:
    rows = [
        ("p", f"s{place}", system, criterion, sign * value, place == 5)
        for system, values in {**P, "G": [0.5] * 6}.items()
        for place, value in enumerate(values)
        for criterion, sign in (("P", 1), ("P_INAP", -1))
    ]
    return pd.DataFrame(rows, columns=["participant", "item", "system", "criterion", "value", "no_action"])


def scores() -> pd.DataFrame:
    counts = [(system, place, value) for system, own in EVENTS.items() for place, value in enumerate(own)]
    rows = [(f"s{place}", system, "event-count", value) for system, place, value in counts]
    rows += [(f"s{place}", "C", "rouge-4", value) for place, value in enumerate(ROUGE)]
    rows += [(f"s{place}", "H", "rouge-4", 1.0) for place in range(6)]
    return pd.DataFrame(rows, columns=["item", "system", "metric", "value"])


def rows(table: Any) -> dict[str, dict[str, Any]]:
    return {row["metric"]: row for row in table.records()}


def test_tables_without_and_with_scenarios_of_no_action() -> None:
    found = gatt_portet_tables(judgements(), scores(), OPTIONS)
    assert [table.name for table in found.tables] == [
        f"table-{number}{which}" for which in ("", "-with-scenarios-of-no-action") for number in range(4)
    ]
    assert [table.detail for table in found.tables] == [False] * 4 + [True] * 4
    conditions, differences, compared, absolute = map(rows, found.tables[:4])
    t = paired_t(EVENTS["H"][:5], EVENTS["C"][:5])
    assert conditions["event-count"] | {"p": ""} == {
        "metric": "event-count", "mean H": "7.00", "SD H": "1.58", "mean C": "4.20", "SD C": "1.92",
        "t": f"t(4) = {t.t:.2f}", "p": "",
    }  # fmt: skip
    assert (conditions["rouge-4"]["mean H"], conditions["rouge-4"]["mean C"]) == ("", ".30")  # it compares with H
    gains = [np.subtract(own["H"], own["C"])[:5] for own in (EVENTS, P)]
    assert differences["event-count (H−C)"]["P (H−C)"].startswith(f"{pearson(*gains).r:.2f}"[1:])
    # less of P_INAP is better, but the table has it as it is
    assert differences["event-count (H−C)"]["P_INAP (H−C)"].startswith("−.")
    assert compared["rouge-4"]["P (C)"].startswith(f"{pearson(ROUGE[:5], P['C'][:5]).r:.2f}"[1:])
    assert set(compared) == {"rouge-4"}
    assert set(absolute) == {"event-count"}
    assert list(absolute["event-count"])[1:] == ["P (H)", "P_INAP (H)", "P (C)", "P_INAP (C)"]


def test_marks_and_records() -> None:
    found = gatt_portet_tables(judgements(), scores(), OPTIONS)
    records = [record for record in found.records() if record["statistic"] == "pearson"]
    assert {record["items"] for record in records} == {"5 scenarios", "with scenarios of no action"}
    marked = [cell for table in found.tables for row in table.rows for cell in row if str(cell).endswith("◇")]
    assert len(marked) == sum(record["p"] <= 0.05 for record in records) > 0


def test_without_knowing_which_scenarios_ask_for_no_action() -> None:
    found = gatt_portet_tables(judgements().drop(columns="no_action"), scores(), OPTIONS)
    assert len(found.tables) == 4
    assert "Pearson's r over 6 scenarios" in found.tables[1].note


def test_needs_two_conditions() -> None:
    with pytest.raises(DataError, match="compare two conditions that have texts with scores, got H"):
        gatt_portet_tables(judgements(), scores().query("system == 'H'"), OPTIONS)
    with pytest.raises(DataError, match="there are no judgements"):
        gatt_portet_tables(judgements()[:0], scores(), OPTIONS)
