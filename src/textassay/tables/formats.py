"""The file formats of tables by file ending."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path

from textassay.tables.delimited import read_delimited
from textassay.tables.json_lines import read_json_lines
from textassay.tables.parquet import read_parquet
from textassay.tables.raw import RawTable

Reader = Callable[[Path, str], RawTable]

FORMATS: dict[str, Reader] = {
    ".csv": partial(read_delimited, delimiter=","),
    ".tsv": partial(read_delimited, delimiter="\t"),
    ".jsonl": read_json_lines,
    ".ndjson": read_json_lines,
    ".parquet": read_parquet,
}
"""The reader for each file ending."""
