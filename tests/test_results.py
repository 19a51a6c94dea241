from __future__ import annotations

import json
import math
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

import numpy as np
import pytest

import textassay
from textassay.results import RECORD_KEYS, Analysis, Figure, Record, Result, Table, plain, shown, table_of_records


@dataclass(frozen=True, kw_only=True)
class Mean(Result):
    """A result such as methods give."""

    value: float

    def records(self) -> list[Record]:
        return [self.record("mean", self.value, of="clarity", n=3, trimmed=0.1)]


MEAN = Mean(method="mean", settings={"trim": 0.1, "exact": True}, value=2.5)


def test_the_signature_names_method_settings_and_version() -> None:
    assert MEAN.signature == f"mean|trim:0.1|exact:True|version:{textassay.__version__}"


def test_a_record_has_the_stable_keys_first() -> None:
    (record,) = MEAN.records()
    assert tuple(record)[: len(RECORD_KEYS)] == RECORD_KEYS
    assert tuple(record)[len(RECORD_KEYS) :] == ("trimmed",)
    assert (record["statistic"], record["of"], record["n"], record["p"]) == ("mean", "clarity", 3, None)


def test_a_table_of_a_result_leaves_out_what_says_nothing() -> None:
    table = MEAN.table()
    assert (table.name, table.title) == ("mean", "mean")
    assert table.columns == ("statistic", "of", "value", "n", "method", "signature", "trimmed")
    assert table.records()[0]["value"] == 2.5


def test_zero_and_false_say_something() -> None:
    assert table_of_records([{"a": 0, "b": False, "c": None}], name="t", title="T").columns == ("a", "b")


def test_json_has_null_for_what_is_undefined() -> None:
    undefined = Mean(method="mean", warnings=("no values",), value=math.nan)
    stored = json.loads(undefined.to_json())
    assert stored["records"][0]["value"] is None
    assert stored["warnings"] == ["no values"]


def test_notebooks_see_escaped_text_and_warnings() -> None:
    text = Mean(method="a < b", warnings=("<b>",), value=1.0)._repr_html_()
    assert "a &lt; b" in text
    assert "<p>⚠ &lt;b&gt;</p>" in text
    assert "<b>" not in text
    # every part of a table, whoever wrote it
    table = Table("t", "<b>title", ("<b>column",), (("<b>cell",), (("<b>one", "<b>other"),)))._repr_html_()
    assert (table.count("&lt;b&gt;"), table.count("<b>")) == (5, 0)


def test_an_analysis_has_the_records_of_its_results() -> None:
    assert len(Analysis("a", "A", results=(MEAN, MEAN)).records()) == 2


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (None, ""),
        ("x", "x"),
        (True, "yes"),
        (np.bool_(False), "no"),
        (3, "3"),
        (np.int64(1234567), "1234567"),
        (0.123456, "0.1235"),
        (np.float64(2.0), "2"),
        (999.96, "1000"),
        (12345.678, "12345.7"),
        (1e-9, "1e-09"),
        (math.nan, "undefined"),
        (math.inf, "∞"),
        (-math.inf, "−∞"),
        ((1.5, 2.25), "1.5 to 2.25"),
    ],
)
def test_cells_as_readers_want_them(value: Any, text: str) -> None:
    assert shown(value) == text


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ({"a": (1, math.nan)}, {"a": [1, None]}),
        ({1: math.inf}, {"1": None}),
        (np.array([[1.0, math.nan]]), [[1.0, None]]),
        (np.int32(3), 3),
        ("text", "text"),
        (datetime(2026, 1, 31, tzinfo=UTC), "2026-01-31T00:00:00+00:00"),
        (None, None),
    ],
)
def test_plain_is_what_json_can_say(value: Any, expected: Any) -> None:
    assert plain(value) == expected
    json.dumps(plain(value), allow_nan=False)


def test_a_table_whose_rows_do_not_fit_its_columns_is_refused() -> None:
    with pytest.raises(ValueError, match="table 't' has 2 columns, but a row of 1"):
        Table("t", "T", ("a", "b"), ((1, 2), (1,)))


def test_a_frame_has_the_interval_as_numbers_and_no_empty_columns() -> None:
    @dataclass(frozen=True, kw_only=True)
    class Two(Result):
        def records(self) -> list[Record]:
            return [self.record("mean", 2.5, ci=(2.0, 3.0)), self.record("median", 2.25)]

    frame = Two(method="two").to_frame()
    assert frame.columns.tolist() == ["statistic", "value", "ci_low", "ci_high", "method", "signature"]
    assert frame["ci_low"].tolist()[0] == 2.0
    assert math.isnan(frame["ci_high"].tolist()[1])


def test_an_analysis_is_one_frame_of_all_its_results() -> None:
    frame = Analysis("means", "Means", results=(MEAN, MEAN)).to_frame()
    assert frame["value"].tolist() == [2.5, 2.5]


def test_a_notebook_shows_title_warnings_tables_and_figures_of_an_analysis() -> None:
    table = Table("clarity", "Clarity <1>", ("system", "mean"), (("a", 2.5),))
    data = {"x_label": "BLEU", "y_label": "clarity", "points": [], "r": math.nan, "p": math.nan}
    figure = Figure("agreement", "BLEU & people", "scatter", data, note="No texts.")
    analysis = Analysis("means", "Means & more", tables=(table,), figures=(figure,), warnings=("few people",))
    view = analysis._repr_html_()
    expected = ("Means &amp; more", "few people", "Clarity &lt;1&gt;", "2.5", "<svg", "BLEU &amp; people No texts.")
    assert [part for part in expected if part not in view] == []
