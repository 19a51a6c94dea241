"""`textassay new --from`: files that people have, each one command away from a study; and what is said of others."""

from __future__ import annotations

import io
import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import own_files
import pytest
from svg_only import svg_only
from workbook import write_workbook

from textassay import pipeline
from textassay.ready_studies import starters
from textassay.study.load import load_study
from textassay.study.settled import named_files

Command = Callable[..., Any]

WANTED = sorted(own_files.text(topic, system) for topic in own_files.TOPICS for system in own_files.SYSTEMS)


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


@pytest.mark.parametrize("layout", own_files.FILES)
def test_every_layout_is_one_command_away_from_a_study(textassay: Command, tmp_path: Path, layout: str) -> None:
    before = own_files.FILES[layout](tmp_path)
    content = {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()}
    made = textassay("new", "study", "--from", *before)
    assert (made.code, made.err) == (0, "")
    study = pipeline.load("study")
    missing = 18 - len(study.texts)
    assert set(study.texts.values()) <= set(WANTED)
    assert missing == (layout in ("long", "workbook"))
    assert study.systems == own_files.SYSTEMS or set(study.systems) == set(own_files.SYSTEMS)
    assert len(study.items_in_order) == 6
    shown = [str(row.get(study.blocks[0].settings.model_dump().get("context") or "")) for row in study.items.values()]
    if layout not in ("parquet", "workbook"):
        assert all(own_files.prompt(topic) in " ".join(" ".join(shown).split()) for topic in own_files.TOPICS)
    assert bool(study.references) == (layout in ("Windows-1252", "lines", "parquet"))
    assert "no problems found" in textassay("check", "study").out
    pipeline.simulate(study)
    assert {path: path.read_bytes() for path in content} == content


DIFFERENT = ("german Excel", "Windows-1252", "workbook")
"""Studies without references, with them, with a missing text; those of the other layouts are like one of these."""


@svg_only()
@pytest.mark.parametrize(
    "layout", [name if name in DIFFERENT else pytest.param(name, marks=pytest.mark.long) for name in own_files.FILES]
)
def test_what_was_made_is_simulated_and_reported(textassay: Command, tmp_path: Path, layout: str) -> None:
    textassay("new", "study", "--from", *own_files.FILES[layout](tmp_path))
    study = pipeline.load("study")
    pipeline.simulate(study)
    page = pipeline.report(study).read_text(encoding="utf-8")
    assert all(system in page for system in own_files.SYSTEMS)
    assert ("chrf" in page) == bool(study.references)


@pytest.mark.parametrize("task", starters.names())
def test_every_kind_of_trial_that_needs_texts_alone(textassay: Command, tmp_path: Path, task: str) -> None:
    textassay("new", "study", "--task", task, "--from", *own_files.nested(tmp_path))
    study = load_study("study")
    assert textassay("check", "study").code == 0
    pipeline.simulate(study)
    counted = [person for person in pipeline.collect(study).participants if person["counted"]]
    assert len(counted) == sum(cohort.wanted for cohort in study.cohorts)


def test_guess_is_shown_with_what_is_not_certain(textassay: Command, tmp_path: Path) -> None:
    rows = "1,Say it.,Now,It is said.,So it is.,It.\n2,Do it.,Then,It is done.,Done it is.,\n"
    (tmp_path / "t.csv").write_text(f"id,prompt,input,alpha,beta,gold\n{rows}", encoding="utf-8")
    out = " ".join(textassay("new", "study", "--from", "t.csv").out.split())
    assert "id item 1 prompt context Say it. input property of the item Now alpha system It is said." in out
    assert "2 items × 2 systems (alpha, beta), 4 texts." in out
    assert "read as systems because nothing else is known of them; to say which are: --systems alpha,beta." in out
    assert "column 'input' could be the context too" in out
    assert "column 'gold' looks like references but is empty in row 3, so it is not used" in out
    assert "Note: t.csv was copied into study" in out
    assert "textassay simulate study" in out


def test_everything_can_be_said(textassay: Command, tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text(
        "k,a,b,c,d\n1,A one,B one,C one,D one\n2,A two,B two,C two,D two\n", encoding="utf-8"
    )
    flags = ["--item", "k", "--systems", "b,c", "--context", "a", "--reference", "d"]
    assert textassay("new", "study", "--from", "t.csv", *flags).code == 0
    study = load_study("study")
    assert (study.systems, study.items_in_order, study.references["2"]) == (("b", "c"), ("1", "2"), ("D two",))
    assert study.items["1"]["a"] == "A one"


def test_long_table_can_be_said(textassay: Command, tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text("who,what,which\nA,one,x\nB,two,x\nA,three,y\nB,four,y\n", encoding="utf-8")
    flags = ["--system", "who", "--text", "what", "--item", "which"]
    assert textassay("new", "study", "--from", "t.csv", *flags).code == 0
    assert load_study("study").texts["y", "B"] == "four"


@pytest.mark.parametrize(
    ("content", "systems"),
    [
        ('{"id": 1, "prompt": "P", "outputs": {"a": "A one", "b": "B one"}}\n', ("a", "b")),
        ("prompt\tgpt-x\tllama-y\nP\tA one\tB one\n", ("gpt-x", "llama-y")),
        ("A one\nA two\n", ("outputs",)),
    ],
)
def test_standard_input(
    textassay: Command, monkeypatch: pytest.MonkeyPatch, content: str, systems: tuple[str, ...]
) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(content.encode())))
    assert textassay("new", "study", "--from", "-").code == 0
    assert load_study("study").systems == systems


@pytest.mark.parametrize(("folder", "named"), [("study", "study/outputs.jsonl"), ("study/data", "study/data")])
def test_file_in_the_directory_is_read_in_place(textassay: Command, tmp_path: Path, folder: str, named: str) -> None:
    (tmp_path / folder).mkdir(parents=True)
    own_files.nested(tmp_path / folder)
    made = textassay("new", "study", "--from", named)
    assert (made.code, "copied" in made.out) == (0, False)
    assert Path("study", named_files(load_study("study"))[1]) == Path(folder, "outputs.jsonl")


def test_plain_files_can_be_said(textassay: Command, tmp_path: Path) -> None:
    for name in ("a.txt", "b.txt", "c.txt", "d.txt"):
        (tmp_path / name).write_text(f"{name} one\n{name} two\n", encoding="utf-8")
    files = ["a.txt", "b.txt", "c.txt", "d.txt"]
    textassay("new", "study", "--from", *files, "--context", "a.txt", "--reference", "b.txt,c.txt", "--systems", "d")
    study = load_study("study")
    assert study.texts == {("1", "d"): "d.txt one", ("2", "d"): "d.txt two"}
    assert study.references["1"] == ("b.txt one", "c.txt one")
    assert study.items["2"]["context"] == "a.txt two"


def test_design_can_be_dealt_where_texts_are_missing(textassay: Command, tmp_path: Path) -> None:
    # Three items each, without one twice, cannot be dealt here: items 1 and 3 have one text each.
    outputs: list[dict[str, str | None]] = [
        {"a": "One.", "b": None},
        {"a": "Two.", "b": "Three."},
        {"a": "", "b": "Four."},
    ]
    rows = [{"qid": n, "prompt": "Why?", "outputs": each} for n, each in enumerate(outputs)]
    (tmp_path / "t.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    assert "4 texts; 2 texts are missing (item 0, b; item 2, a)" in textassay("new", "study", "--from", "t.jsonl").out
    assert textassay("check", "study").code == 0
    assert (
        "has no system 'c' (--systems); use one of: a, b"
        in textassay("new", "other", "--from", "t.jsonl", "--systems", "c").err
    )


def test_sample_of_items(textassay: Command, tmp_path: Path) -> None:
    textassay("new", "study", "--items", "4", "--from", *own_files.windows_csv(tmp_path))
    study = load_study("study")
    assert (len(study.items_in_order), len(study.texts), len(study.references)) == (4, 12, 4)
    assert not (tmp_path / "study" / "outputs.csv").exists()


def test_many_participants_are_told(textassay: Command, tmp_path: Path) -> None:
    rows = [{"id": n, "prompt": f"Prompt {n}", "gpt-x": "A text.", "llama-y": "Another."} for n in range(4000)]
    (tmp_path / "t.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    out = " ".join(textassay("new", "study", "--from", "t.jsonl").out.split())
    assert "600 participants are many; with a sample of the items, drawn at random, there are fewer: --items 50." in out


COLUMNS = """\
t.csv: which columns are the texts of the systems? Its columns are:
  title   One
  first   A long text of some words
  second  Another text of some words
Say it, for example: textassay new my-study --from t.csv --systems second --context first"""

WRONG = [
    ("--from t.csv", 2, "name the directory to create: textassay new my-study --from t.csv"),
    ("t.csv", 2, "t.csv is a file; to make a study of it: textassay new my-study --from t.csv"),
    ("t.csv --from t.csv", 2, "t.csv is a file; name a new directory first: textassay new my-study --from t.csv"),
    ("s --item id", 2, "--item says what is in a file of your own texts; name the file with --from FILE"),
    (
        "s --from t.csv -t demo",
        2,
        "--template copies a ready study and --from makes one of your own texts; give one of the two",
    ),
    ("full --from t.csv", 2, "full is not empty (mine.txt is in it); name a new directory"),
    ("s --from none.csv", 2, "none.csv: no such file; correct the path"),
    ("s --from empty", 2, "empty has no files in it; name a folder with files, or files"),
    (
        "s --from t.csv a.txt",
        2,
        (
            "t.csv is a table and a.txt a plain file; name tables (one, or one for each system), or plain "
            "files with one text per line"
        ),
    ),
    (
        "s --from a.txt b.txt",
        2,
        (
            "the files must match line by line: a.txt has 2 lines, b.txt has 1 line; find the lines that are"
            " missing or extra"
        ),
    ),
    (
        "s --from a.txt --item id",
        2,
        "a.txt is a plain file, in which each line is an item; omit --item, --system, --text",
    ),
    ("s --from t.csv", 2, COLUMNS),
    ("s --from t.csv --context Title", 2, "t.csv has no column 'Title' (--context); did you mean 'title'?"),
    (
        "s --from t.csv --systems first,third",
        2,
        "t.csv has no column 'third' (--systems); use one of: title, first, second",
    ),
    (
        "s --from t.csv --systems first,second --task dreaming",
        2,
        "there is no kind of trial to make from texts alone 'dreaming'; did you mean 'reading'? (--task)",
    ),
    (
        "s --from t.csv --systems first --task preference",
        2,
        "t.csv cannot be a study of the kind 'preference': pairs need two systems or more, got 1",
    ),
    ("s --from t.csv --systems first,second --items 9", 2, "--items 9: there are 2 items; draw from 1 to 2"),
    ("s --from twice.csv --item id", 1, "twice.csv:3:1: item 'x' is already in line 2; keep one of the two rows"),
    (
        "s --from ragged.csv",
        1,
        ("ragged.csv:2: 4 values, but the header has 3 columns; put a value that contains ',' in quotation marks"),
    ),
    (
        "s --from merged.xlsx",
        1,
        (
            "merged.xlsx:1: the header seems to have two rows, as merged cells leave it (no name in column "
            "3); make it one row: id, gpt-x, llama-y"
        ),
    ),
    ("s --from t.docx", 2, "t.docx: .docx is not a format that can be read; save it as a table, or as plain text"),
    ("s --from t.bin", 1, "t.bin:1:2: a NUL byte; is this a text file?"),
    ("s --from zero.csv", 2, "zero.csv is empty; name a file with texts"),
    ("s --from head.csv", 2, "head.csv has a header but no rows; name a file with texts"),
    ("--from t.csv s", 2, "name the directory first: textassay new s --from t.csv"),
    (
        "s --from arena.csv",
        2,
        "arena.csv: the systems differ from row to row (model_a, model_b), so no column has the texts of one system",
    ),
    ("s --from t.csv --text first --system titel", 2, "t.csv has no column 'titel' (--system); did you mean 'title'?"),
    ("s --from n.jsonl --systems gpt-x,lama", 2, "n.jsonl has no system 'lama' (--systems); did you mean 'llama'?"),
]


@pytest.mark.parametrize(("command", "code", "message"), WRONG)
def test_wrong_ways(textassay: Command, tmp_path: Path, command: str, code: int, message: str) -> None:
    files = {
        "t.csv": "title,first,second\nOne,A long text of some words,Another text of some words\nTwo,No other,None\n",
        "a.txt": "one\ntwo\n",
        "b.txt": "one\n",
        "twice.csv": "id,gpt-x\nx,One\nx,Two\n",
        "ragged.csv": "id,gpt-x,llama-y\n1,One, two,Three\n",
        "full/mine.txt": "mine",
        "t.docx": "P\0K",
        "t.bin": "P\0K",
        "zero.csv": "",
        "head.csv": "id,gpt-x\n",
        "n.jsonl": '{"id": 1, "outputs": {"gpt-x": "One text.", "llama": "Another."}}\n',
        "arena.csv": "question,model_a,model_b,response_a,response_b\nQ,x,y,One.,Two.\nR,y,z,Three.,Four.\n",
    }
    for name, content in files.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(content, encoding="utf-8")
    (tmp_path / "empty").mkdir()
    write_workbook(tmp_path / "merged.xlsx", [["id", "Systems"], [None, "gpt-x", "llama-y"], [1, "One", "Two"]])
    before = sorted(path.name for path in tmp_path.rglob("*"))
    ran = textassay("new", *command.split())
    assert ran.code == code
    assert ran.err.startswith(message if "\n" in message else f"textassay: {message}")
    assert sorted(path.name for path in tmp_path.rglob("*")) == before  # nothing is left behind
