from __future__ import annotations

import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

from textassay.errors import ProblemsError
from textassay.tables.formats import read_parquet

HAS_PYARROW = find_spec("pyarrow") is not None


def test_without_pyarrow_the_message_says_what_to_install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow.parquet", None)  # Python's own way to say: not installed
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(ProblemsError) as caught:
        read_parquet(tmp_path / "t.parquet", "t.parquet")
    assert str(caught.value) == (
        "t.parquet: reading Parquet needs pyarrow; install it with: pip install 'textassay[parquet]'"
    )


@pytest.mark.skipif(not HAS_PYARROW, reason="needs the extra 'parquet'")
def test_rows_are_read(tmp_path: Path) -> None:
    import pyarrow as pa
    from pyarrow import parquet

    parquet.write_table(pa.table({"item": ["i1", "i2"], "value": [1, None]}), tmp_path / "t.parquet")
    table = read_parquet(tmp_path / "t.parquet", "t.parquet")
    assert table.header == ["item", "value"]
    assert [(row.line, row.values) for row in table.rows] == [
        (1, {"item": "i1", "value": 1}),
        (2, {"item": "i2", "value": None}),
    ]


@pytest.mark.skipif(not HAS_PYARROW, reason="needs the extra 'parquet'")
def test_wrong_files_are_refused(tmp_path: Path) -> None:
    with pytest.raises(ProblemsError, match=r"^t\.parquet: no such file; create it or correct the path$"):
        read_parquet(tmp_path / "t.parquet", "t.parquet")
    (tmp_path / "t.parquet").write_bytes(b"no parquet at all")
    with pytest.raises(ProblemsError, match=r"^t\.parquet: not a Parquet file \(.+\); save it again$"):
        read_parquet(tmp_path / "t.parquet", "t.parquet")
