"""Texts, items and references from one file in each layout, and what is said of files that do not fit."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from textassay.errors import TableError
from textassay.study.study_tables import TextSource
from textassay.study.text_sources import SourceTables, read_source
from textassay.tables.reader import raw_table

TEXTS = [("1", "a", "A one"), ("1", "b", "B one"), ("2", "a", "A two"), ("2", "b", "B two")]
"""What every layout below says."""


def read(tmp_path: Path, name: str, content: Any, **mapping: Any) -> SourceTables:
    path = tmp_path / name
    if isinstance(content, str):
        path.write_text(content, encoding="utf-8")
    else:
        path.write_text("".join(json.dumps(row) + "\n" for row in content), encoding="utf-8")
    return read_source(raw_table(path, name), TextSource.model_validate({"file": name, **mapping}), name)


def texts_of(found: SourceTables) -> list[tuple[str, str, str]]:
    return [(row["item"], row["system"], row["text"]) for row in found.texts]


def said(role: str, content: str) -> dict[str, str]:
    return {"role": role, "content": content}


LAYOUTS: dict[str, tuple[str, Any, dict[str, Any]]] = {
    "wide": ("t.csv", "nr,a,b\n1,A one,B one\n2,A two,B two\n", {"item": "nr", "systems": ["a", "b"]}),
    "wide, rows numbered": ("t.csv", "a,b\nA one,B one\nA two,B two\n", {"systems": ["a", "b"]}),
    "object": (
        "t.jsonl",
        [{"id": 1, "outputs": {"a": "A one", "b": "B one"}}, {"id": 2, "outputs": {"a": "A two", "b": "B two"}}],
        {"item": "id", "outputs": "outputs"},
    ),
    "list of objects": (
        "t.jsonl",
        [
            {"meta": {"id": n}, "out": [{"model": "a", "response": f"A {w}"}, {"model": "b", "response": f"B {w}"}]}
            for n, w in ((1, "one"), (2, "two"))
        ],
        {"item": "meta.id", "outputs": "out"},
    ),
    "long": (
        "t.csv",
        "model,nr,out\na,1,A one\nb,1,B one\na,2,A two\nb,2,B two\n",
        {"item": "nr", "system": "model", "text": "out"},
    ),
    "long, items by context": (
        "t.csv",
        "model,prompt,out\na,P,A one\nb,P,B one\na,Q,A two\nb,Q,B two\n",
        {"system": "model", "text": "out", "context": "prompt"},
    ),
    "long, items by place": (
        "t.csv",
        "model,out\na,A one\nb,B one\na,A two\nb,B two\n",
        {"system": "model", "text": "out"},
    ),
    "conversations": (
        "t.jsonl",
        [
            {"model": model, "messages": [said("user", prompt), said("assistant", f"{model.upper()} {prompt}")]}
            for prompt in ("one", "two")
            for model in ("a", "b")
        ],
        {"system": "model", "messages": "messages"},
    ),
}


@pytest.mark.parametrize("layout", LAYOUTS)
def test_every_layout_gives_the_same_texts(tmp_path: Path, layout: str) -> None:
    name, content, mapping = LAYOUTS[layout]
    assert sorted(texts_of(read(tmp_path, name, content, **mapping))) == TEXTS


def test_columns_that_are_not_named_are_properties_of_items(tmp_path: Path) -> None:
    content = "id,prompt,topic,,a,gold,more\nx,P,sea,?,A,G,H\ny,Q,sky,?,B,,I\n"
    found = read(tmp_path, "t.csv", content, item="id", systems=["a"], context="prompt", reference=["gold", "more"])
    assert found.items is not None
    assert [(row.line, row.values) for row in found.items] == [
        (2, {"item": "x", "prompt": "P", "topic": "sea"}),
        (3, {"item": "y", "prompt": "Q", "topic": "sky"}),
    ]
    assert found.references is not None
    assert [tuple(row.values.values()) for row in found.references] == [("x", "G"), ("x", "H"), ("y", "I")]


def test_columns_that_differ_within_an_item_stay_with_the_texts(tmp_path: Path) -> None:
    content = "model,nr,out,tokens,topic\na,1,A,3,sea\nb,1,B,4,sea\n"
    found = read(tmp_path, "t.csv", content, item="nr", system="model", text="out")
    assert found.items is not None
    assert found.items.columns == ("item", "topic")
    assert [row["tokens"] for row in found.texts] == ["3", "4"]


def test_empty_cells_are_missing_texts_and_lists_are_several_references(tmp_path: Path) -> None:
    rows = [{"a": "A", "b": None, "gold": ["G", "H"]}, {"a": float("nan"), "b": "B", "gold": "I"}, {"a": " "}]
    found = read(tmp_path, "t.jsonl", rows, systems=["a", "b"], reference="gold")
    assert texts_of(found) == [("1", "a", "A"), ("2", "b", "B")]
    assert found.references is not None
    assert [row["text"] for row in found.references] == ["G", "H", "I"]


def test_context_is_the_conversation_before_the_last_answer(tmp_path: Path) -> None:
    turns = [said("system", "Be kind."), said("user", "Hi"), said("assistant", "Hello"), said("user", "Bye")]
    answer = {"role": "assistant", "content": [{"type": "text", "text": "Farewell"}, {"type": "image"}]}
    found = read(tmp_path, "t.jsonl", [{"m": "a", "chat": [*turns, answer]}], system="m", messages="chat")
    assert texts_of(found) == [("1", "a", "Farewell")]
    assert found.items is not None
    assert found.items.rows[0]["context"] == "System: Be kind.\n\nUser: Hi\n\nAssistant: Hello\n\nUser: Bye"


WRONG: list[tuple[str, dict[str, Any], str]] = [
    (
        "a,b\n1,2\n",
        {"systems": ["a", "bb"]},
        "1: bb: column 'bb', which 'systems' names, is missing; did you mean 'b'?",
    ),
    (
        "id,prompt\n1,2\n",
        {"systems": ["id"], "context": "promt"},
        "1: promt: column 'promt', which 'context' names, is missing; did you mean 'prompt'?",
    ),
    ("a,a\n1,2\n", {"systems": ["a"]}, "1: a: duplicate column 'a'; rename or remove one"),
    ("id,a\nx,1\n,2\n", {"item": "id", "systems": ["a"]}, "3:1: id: column 'id' is empty; fill it in"),
    (
        "id,a\nx,1\nx,3\n",
        {"item": "id", "systems": ["a"]},
        (
            "3:1: item 'x' is already in line 2; keep one of the two rows, name another column, "
            "or leave 'item: id' out to number the items"
        ),
    ),
    (
        "m,i,t,p\na,1,A,P\nb,1,B,Q\n",
        {"item": "i", "system": "m", "text": "t", "context": "p"},
        (
            "3:7: p: item '1' has another 'p' here than in line 2; make them the same, "
            "or give the two texts different items"
        ),
    ),
    ("m,t\na,A\n,B\n", {"system": "m", "text": "t"}, "3:1: m: column 'm' is empty; fill it in"),
    (
        "o\nnothing\n",
        {"outputs": "o"},
        (
            "2:1: o: 'nothing' is no list of texts by system; "
            'write {"system": "text", …} or [{"system": …, "text": …}, …]'
        ),
    ),
    (
        "m,c\na,nothing\n",
        {"system": "m", "messages": "c"},
        (
            "2:3: c: 'nothing' is no conversation; "
            'write [{"role": "user", "content": …}, {"role": "assistant", "content": …}]'
        ),
    ),
    (
        "id,Systems,\n,a,b\n1,A,B\n",
        {"systems": ["a", "b"]},
        (
            "1: the header seems to have two rows, as merged cells leave it (no name in column 3); "
            "make it one row: id, a, b"
        ),
    ),
    (
        "a,b\n1,2,3\n",
        {"systems": ["a"]},
        "2: 3 values, but the header has 2 columns; put a value that contains ',' in quotation marks",
    ),
    ("a,b\n", {"systems": ["a"]}, "1: the table has no rows; add at least one"),
    ("a,b\n,x\n", {"systems": ["a"]}, "2: no text in any row; name the columns in which the texts are"),
]


@pytest.mark.parametrize(("content", "mapping", "message"), WRONG)
def test_files_that_do_not_fit(tmp_path: Path, content: str, mapping: dict[str, Any], message: str) -> None:
    with pytest.raises(TableError) as caught:
        read(tmp_path, "t.csv", content, **mapping)
    assert str(caught.value) == f"t.csv:{message}"


def test_values_that_are_no_texts_are_told(tmp_path: Path) -> None:
    with pytest.raises(TableError, match=r"t\.jsonl:1: a: \"\['x'\]\" is not a text; write it as a string"):
        read(tmp_path, "t.jsonl", [{"a": ["x"]}], systems=["a"])
