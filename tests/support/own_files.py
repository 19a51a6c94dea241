"""Files with the texts of three systems in the layouts that people have, some with the faults that they have."""

from __future__ import annotations

import csv
import gzip
import io
import json
from collections.abc import Callable, Iterable, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from workbook import write_workbook

SYSTEMS = ("gpt-x", "llama-y", "baseline")
TOPICS = ("sea", "sky", "wind", "rain", "café", "night")
HAS_PYARROW = find_spec("pyarrow") is not None


def prompt(topic: str) -> str:
    return f"Describe the {topic} in one sentence."


def text(topic: str, system: str) -> str:
    return {
        "gpt-x": f"The {topic} is calm today, and it will stay calm; nothing else is to be said of it.",
        "llama-y": f"Today the {topic} is calm and quiet.",
        "baseline": f"{topic.capitalize()} calm.",
    }[system]


def reference(topic: str) -> str:
    return f"The {topic} is calm today."


def _table(rows: Iterable[Sequence[Any]], delimiter: str = ",", end: str = "\n") -> str:
    file = io.StringIO()
    csv.writer(file, delimiter=delimiter, lineterminator=end).writerows(rows)
    return file.getvalue()


def _lines(values: Iterable[Any]) -> str:
    return "".join(json.dumps(value, ensure_ascii=False) + "\n" for value in values)


def german_excel(folder: Path) -> list[str]:
    """Semicolons, a byte order mark, line breaks in cells, empty rows and columns at the end."""
    rows = [
        [n, prompt(topic).replace(" in ", "\nin "), *(text(topic, system) for system in SYSTEMS), ""]
        for n, topic in enumerate(TOPICS, 1)
    ]
    content = _table([["Nr", "Prompt", *SYSTEMS, ""], *rows, [""] * 6, [""] * 6], ";", "\r\n")
    (folder / "ausgaben.csv").write_bytes(content.encode("utf-8-sig"))
    return ["ausgaben.csv"]


def windows_csv(folder: Path) -> list[str]:
    """Windows-1252, as Excel writes for 'CSV'; a topic that is no system, and references."""
    rows = [
        [
            topic,
            "nature" if n % 2 else "town",
            prompt(topic),
            *(text(topic, each) for each in SYSTEMS),
            reference(topic),
        ]
        for n, topic in enumerate(TOPICS)
    ]
    content = _table([["id", "category", "prompt", *SYSTEMS, "gold"], *rows])
    (folder / "outputs.csv").write_bytes(content.encode("cp1252"))
    return ["outputs.csv"]


def long_table(folder: Path) -> list[str]:
    """One row per text, other names of columns, no ids, one text missing."""
    rows = [[system, prompt(topic), text(topic, system), 12] for topic in TOPICS for system in SYSTEMS]
    (folder / "responses.tsv").write_text(
        _table([["Model", "Prompt", "Response", "tokens"], *rows[:-1]], "\t"), encoding="utf-8"
    )
    return ["responses.tsv"]


def nested(folder: Path) -> list[str]:
    """All texts of an item in one object."""
    rows = [
        {"id": topic, "prompt": prompt(topic), "outputs": {system: text(topic, system) for system in SYSTEMS}}
        for topic in TOPICS
    ]
    (folder / "outputs.jsonl").write_text(_lines(rows), encoding="utf-8")
    return ["outputs.jsonl"]


def nested_list(folder: Path) -> list[str]:
    """One JSON list, ids and inputs inside other objects, outputs as a list."""
    rows = [
        {
            "meta": {"uid": n, "split": "test"},
            "input": {"text": prompt(topic)},
            "completions": [{"model": system, "text": text(topic, system), "tokens": 7} for system in SYSTEMS],
        }
        for n, topic in enumerate(TOPICS)
    ]
    (folder / "run.json").write_text(json.dumps({"data": rows}, indent=1), encoding="utf-8")
    return ["run.json"]


def chats(folder: Path) -> list[str]:
    """Conversations, one file for each system."""
    for system in SYSTEMS:
        rows = [
            {"messages": [{"role": "user", "content": prompt(t)}, {"role": "assistant", "content": text(t, system)}]}
            for t in TOPICS
        ]
        (folder / f"run1.{system}.jsonl").write_text(_lines(rows), encoding="utf-8")
    return [f"run1.{system}.jsonl" for system in SYSTEMS]


def chats_in_one(folder: Path) -> list[str]:
    """Conversations of several turns with the name of the model, in the words of another program."""
    rows = [
        {
            "model": system,
            "conversations": [
                {"from": "human", "value": "Hello."},
                {"from": "gpt", "value": "Hello, how can I help?"},
                {"from": "human", "value": prompt(topic)},
                {"from": "gpt", "value": text(topic, system)},
            ],
        }
        for topic in TOPICS
        for system in SYSTEMS
    ]
    (folder / "chats.jsonl").write_text(_lines(rows), encoding="utf-8")
    return ["chats.jsonl"]


def workbook(folder: Path) -> list[str]:
    """An Excel workbook whose first sheet is empty, with a text missing and an id that occurs twice."""
    rows: list[list[Any]] = [[n // 2, prompt(t), *(text(t, each) for each in SYSTEMS)] for n, t in enumerate(TOPICS, 2)]
    rows[2][3] = None
    write_workbook(folder / "outputs.xlsx", [["id", "prompt", *SYSTEMS], *rows, [None, ""]], before=["About"])
    return ["outputs.xlsx"]


def parquet(folder: Path) -> list[str]:
    """A Parquet file, one row per text, with references as lists."""
    import pyarrow as pa
    from pyarrow import parquet as files

    rows = [
        {
            "example_id": n,
            "system": system,
            "output": text(topic, system),
            "references": [reference(topic), prompt(topic)],
        }
        for n, topic in enumerate(TOPICS)
        for system in SYSTEMS
    ]
    files.write_table(pa.Table.from_pylist(rows), folder / "predictions.parquet")
    return ["predictions.parquet"]


def line_files(folder: Path) -> list[str]:
    """A folder of plain files that match line by line, one with an empty line at its end."""
    (folder / "wmt").mkdir()
    (folder / "wmt" / "README.md").write_text("About these files.", encoding="utf-8")
    (folder / "wmt" / "newstest.src.en").write_text("".join(f"{prompt(t)}\n" for t in TOPICS), encoding="utf-8")
    (folder / "wmt" / "newstest.ref.de").write_text("".join(f"{reference(t)}\n" for t in TOPICS), encoding="utf-8")
    for system in SYSTEMS:
        content = "".join(f"{text(topic, system)}\r\n" for topic in TOPICS)
        (folder / "wmt" / f"newstest.{system}.de.gz").write_bytes(gzip.compress(content.encode()))
    return ["wmt"]


def unicode_text(folder: Path) -> list[str]:
    """What Excel saves as "Unicode text": UTF-16 with tabs, here under the name .csv; a first column without name."""
    rows = [[n, prompt(topic), *(text(topic, each) for each in SYSTEMS)] for n, topic in enumerate(TOPICS)]
    content = _table([["", "Question", *SYSTEMS], *rows], "\t", "\r\n")
    (folder / "export.csv").write_bytes(content.encode("utf-16"))
    return ["export.csv"]


FILES: dict[str, Callable[[Path], list[str]]] = {
    "german Excel": german_excel,
    "Windows-1252": windows_csv,
    "long": long_table,
    "nested": nested,
    "nested list": nested_list,
    "chats": chats,
    "chats in one": chats_in_one,
    "workbook": workbook,
    "lines": line_files,
    "unicode text": unicode_text,
    **({"parquet": parquet} if HAS_PYARROW else {}),
}
"""Each writes its files into a folder and gives the arguments after `--from`."""
