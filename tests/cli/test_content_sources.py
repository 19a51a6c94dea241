"""`textassay score` of parsed and annotated texts as files of their own."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from annotations import WARD_XML
from parses import conllu

from textassay.cli import run
from textassay.cli.score_files import Files
from textassay.cli.score_sources import find_texts
from textassay.content.annotation_json import write_annotation_json
from textassay.content.annotation_xml import read_annotation_xml
from textassay.metrics import ScoringOptions, metric


def write(path: Path, text: str) -> Path:
    path.write_text(text, encoding="utf-8")
    return path


def values(source: Path | None, name: str, **files: Any) -> dict[tuple[str, str], float]:
    found = find_texts(source, Files(**files))
    table = found.score({name: metric(name)}, ScoringOptions())
    return {(row["item"], row["system"]): row["value"] for row in table.rows()}


def test_parses_that_name_their_texts(tmp_path: Path) -> None:
    text = "\n".join(
        f"# item = 1\n# {who}\n{conllu(notation)}"
        for who, notation in (
            ("system = A", "it>2:nsubj rains>0:root"),
            ("system = B", "it>2:expl rains>0:root"),
            ("role = reference", "it>2:nsubj rains>0:root"),
        )
    )
    found = values(write(tmp_path / "a.conllu", text), "dependency-f")
    assert (found["1", "A"], found["1", "B"]) == (1, 0)


def test_parses_that_match_sentence_by_sentence(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    gold = write(tmp_path / "gold.conllu", conllu("it>2:nsubj rains>0:root | it>2:nsubj snows>0:root"))
    system = write(tmp_path / "sys.conllu", conllu("it>2:nsubj rains>0:root | it>2:expl snows>0:root"))
    assert values(None, "dependency-f", input=[system], reference=[gold]) == {
        ("1", "sys"): 1,
        ("2", "sys"): 0,
        ("", "sys"): 0.5,
    }
    short = write(tmp_path / "short.conllu", conllu("it>2:nsubj rains>0:root"))
    plain = write(tmp_path / "plain.txt", "it rains\n")
    empty = write(tmp_path / "empty.conllu", "")
    for arguments, message in (
        (["-i", str(short), "-r", str(gold)], "short.conllu has 1 sentence, "),
        (["-i", str(plain), "-r", str(gold)], "plain.txt is no .conllu file, but others are"),
        (["-i", str(system)], "parsed files need references"),
        (["-i", str(empty), "-r", str(gold)], "empty.conllu is empty"),
    ):
        assert run(["score", *arguments, "-m", "dependency-f"]) == 2
        assert message in capsys.readouterr().err


def test_annotated_texts_as_xml_and_as_json_lines(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    xml = write(tmp_path / "a.xml", WARD_XML)
    lines = write(tmp_path / "a.jsonl", write_annotation_json(read_annotation_xml(WARD_XML.encode())))
    for path in (xml, lines):
        assert values(path, "event-count")["1", "expert"] == 4
        assert values(path, "event-f")["1", "expert"] == 0
    types = write(tmp_path / "o.yaml", "concepts: {calm: }")
    for arguments, code, message in (
        (
            [str(xml), "--ontology", str(types)],
            1,
            "a.xml:5: event e1 has the type 'desaturation', which is no concept of o",
        ),
        ([str(xml), "--references", str(types)], 2, "a.xml has its references in itself"),
        ([str(xml), "-m", "rouge-l"], 2, "rouge-l takes text, not annotation"),
    ):
        assert run(["score", *arguments, *([] if "-m" in arguments else ["-m", "event-f"])]) == code
        assert message in capsys.readouterr().err


def test_a_text_that_is_there_twice_or_not_at_all_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text, reference = read_annotation_xml(WARD_XML.encode())
    for texts, message in (
        ([text, text], "item 1, system expert is annotated twice"),
        ([reference], "has no texts of"),
    ):
        path = write(tmp_path / "a.jsonl", write_annotation_json(texts))
        assert run(["score", str(path), "-m", "event-count"]) == 2
        assert message in capsys.readouterr().err
