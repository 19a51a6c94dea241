"""Studies whose texts are in a file of its own layout: what they have, and what is said of wrong mappings."""

from __future__ import annotations

from pathlib import Path

import pytest

from textassay.errors import StudyError
from textassay.study.load import load_study
from textassay.study.planning import draw_plan
from textassay.study.settled import named_files
from textassay.study.study import Study

STUDY = """\
format: 1
title: Reports
tables:
  texts: TEXTS
participants: {wanted: 2}
blocks:
  - task: rating
    context: prompt
    criteria: [{name: clarity, question: How clear is it?}]
metrics: [{metric: rouge-l}]
"""
OUTPUTS = "id;prompt;gpt-x;llama-y;gold\n1;One?;Yes;No;So\n2;Two?;Ja;Nein;Doch\n"
MAPPING = "{file: out/outputs.csv, item: id, systems: [gpt-x, llama-y], context: prompt, reference: gold}"


def write(directory: Path, mapping: str, **files: str) -> Path:
    (directory / "out").mkdir()
    (directory / "out" / "outputs.csv").write_text(OUTPUTS, encoding="utf-8")
    (directory / "study.yaml").write_text(STUDY.replace("TEXTS", mapping), encoding="utf-8")
    for name, content in files.items():
        (directory / f"{name}.csv").write_text(content, encoding="utf-8")
    return directory


def tables(study: Study) -> tuple[object, ...]:
    items = {item: row.values for item, row in study.items.items()}
    return study.texts, items, study.references, study.systems, study.items_in_order


def test_file_in_its_own_layout_is_the_same_study_as_tidy_tables(tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    (tmp_path / "b").mkdir()
    mapped = load_study(write(tmp_path / "a", MAPPING))
    tidy = load_study(
        write(
            tmp_path / "b",
            "texts.csv\n  items: items.csv\n  references: references.csv",
            texts="item,system,text\n1,gpt-x,Yes\n1,llama-y,No\n2,gpt-x,Ja\n2,llama-y,Nein\n",
            items="item,prompt\n1,One?\n2,Two?\n",
            references="item,text\n1,So\n2,Doch\n",
        )
    )
    assert tables(mapped) == tables(tidy)
    assert draw_plan(mapped).made_from == draw_plan(tidy).made_from
    assert named_files(mapped) == ["study.yaml", "out/outputs.csv"]
    assert mapped.files == ("out/outputs.csv",)


def test_items_table_is_joined_with_the_file(tmp_path: Path) -> None:
    study = load_study(write(tmp_path, f"{MAPPING}\n  items: items.csv", items="item,topic\n1,sea\n2,sky\n"))
    assert study.items["2"].values == {"item": "2", "prompt": "Two?", "topic": "sky"}


@pytest.mark.parametrize(
    ("texts", "message"),
    [
        ("{file: out/outputs.csv}", "study.yaml:4:3: tables.texts: it does not say where the texts are; add"),
        ("{item: id, systems: [gpt-x]}", "study.yaml:4:3: tables.texts.file: 'file' is missing; add it"),
        ("{file: no.csv, systems: [a]}", "study.yaml:4:11: tables.texts.file: file 'no.csv' is not there; create it"),
        (MAPPING.replace("item:", "itm:"), "tables.texts.itm: unknown key 'itm'; did you mean 'item'?"),
        (MAPPING.replace("[gpt-x, llama-y]", "gpt-x"), "tables.texts.systems: a list is needed, got 'gpt-x'"),
        (MAPPING.replace("gold", "[gold, 3]"), "tables.texts.reference[1]: a text is needed, got 3"),
        (MAPPING.replace("gold", "god"), "outputs.csv:1: god: column 'god', which 'reference' names, is missing; did"),
        (
            "{file: out/outputs.csv, text: gold}",
            "tables.texts.text: 'text' needs 'system', the column with the name of",
        ),
        ("{file: out/outputs.csv, systems: [a], system: id}", "tables.texts.system: 'system' goes with 'text' or"),
        ("{file: out/outputs.csv, systems: [a, a]}", "tables.texts.systems: duplicate system 'a'; keep one"),
        (MAPPING.replace("id,", "id, outputs: o, text: t,"), "tables.texts: got 'outputs' and 'text'; keep one of"),
        (f"{MAPPING}\n  references: references.csv", "tables.texts.reference: references come from this file and from"),
        (f"{MAPPING}\n  items: items.csv", "items.csv:2: prompt: item '1' has another value here than in out/outputs"),
        ("3", "study.yaml:4:3: tables.texts: a text is needed, got 3; put it in quotation marks"),
    ],
)
def test_wrong_mappings(tmp_path: Path, texts: str, message: str) -> None:
    write(tmp_path, texts, references="item,text\n1,So\n2,Doch\n", items="item,prompt\n1,Other\n2,Two?\n")
    with pytest.raises(StudyError) as caught:
        load_study(tmp_path)
    assert message in str(caught.value)
