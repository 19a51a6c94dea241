"""What people put into files, and what they are told."""

from __future__ import annotations

import json
import math
import os
from collections.abc import Callable
from pathlib import Path

import pytest
from sacrebleu.metrics import BLEU
from small_study import write_csv, write_small_study

Command = Callable[..., object]


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Work in an empty folder that has a good pair of files."""
    monkeypatch.chdir(tmp_path)
    write(ref="one two\nthree four\nfive six\n", good="one two\nthree\nfive six seven\n")


def write(**files: str | bytes) -> None:
    for name, content in files.items():
        Path(f"{name}.txt").write_bytes(content.encode() if isinstance(content, str) else content)


def scores(ran: object) -> list[float]:
    return [row["rouge-l"] for row in json.loads(ran.out)]


MATCH = "the files must match line by line: ref.txt has 3 lines, in.txt has"
FIND = "find the lines that are missing or extra"
SAVE = "in.txt has carriage returns inside its lines: save it with plain line ends"
WRONG_FILES = [
    pytest.param("1\n2\n3\n4\n", f"{MATCH} 4 lines; {FIND}", id="longer"),
    pytest.param("1\n", f"{MATCH} 1 line; {FIND}", id="shorter"),
    pytest.param("1\r2\r3\r", f"{MATCH} 1 line; {SAVE}", id="old Mac line ends"),
    pytest.param("", "in.txt is empty; write one text per line", id="empty"),
    pytest.param(b"\xef\xbb\xbf", "in.txt is empty; write one text per line", id="only a mark"),
]


@pytest.mark.parametrize(("content", "message"), WRONG_FILES)
def test_files_that_do_not_fit(textassay: Command, content: str | bytes, message: str) -> None:
    write(**{"in": content})
    ran = textassay("score", "-r", "ref.txt", "-i", "in.txt", "-m", "rouge-l")
    assert (ran.code, ran.out, ran.err) == (2, "", f"textassay: {message}\n")


SAVE_IT = "save the file as UTF-8"
NUL = "a NUL byte; is this a text file? Save it as plain UTF-8 text"
UNREADABLE = [
    pytest.param("1\ncafé\n3\n".encode("latin-1"), f"2:4: byte 0xE9 is not UTF-8; {SAVE_IT}", id="Latin-1"),
    pytest.param("1\n".encode("utf-16"), "1:1: the file is UTF-16, not UTF-8; save it as UTF-8", id="UTF-16"),
    pytest.param("1\n".encode("utf-32"), "1:1: the file is UTF-32, not UTF-8; save it as UTF-8", id="UTF-32"),
    pytest.param("1\n".encode("utf-16-le"), f"1:2: {NUL}", id="UTF-16 without a mark"),
    pytest.param(b"1\n2 \0 x\n3\n", f"2:3: {NUL}", id="NUL byte"),
    pytest.param(b"1\n2\n\xed\xa0\x80\n", f"3:1: byte 0xED is not UTF-8; {SAVE_IT}", id="lone surrogate"),
    pytest.param(b"1\n2\n\xc3", f"3:1: byte 0xC3 is not UTF-8; {SAVE_IT}", id="cut in a character"),
]


@pytest.mark.parametrize(("content", "message"), UNREADABLE)
@pytest.mark.parametrize("as_reference", [False, True])
def test_files_that_are_no_utf8_text(textassay: Command, content: bytes, message: str, *, as_reference: bool) -> None:
    write(**{"in": content})
    names = ("in.txt", "good.txt") if as_reference else ("ref.txt", "in.txt")
    ran = textassay("score", "-r", names[0], "-i", names[1], "-m", "rouge-l")
    assert (ran.code, ran.out, ran.err) == (1, "", f"textassay: in.txt:{message}\n")


def test_paths_that_are_no_files(textassay: Command) -> None:
    Path("folder").mkdir()
    for name, message in (
        ("folder", "folder: this is a folder, not a file; name a file in it"),
        ("nosuch.txt", "nosuch.txt: no such file; create it or correct the path"),
    ):
        ran = textassay("score", "-r", "ref.txt", "-i", name, "-m", "rouge-l")
        assert (ran.code, ran.err) == (1, f"textassay: {message}\n")


@pytest.mark.skipif(not hasattr(os, "geteuid"), reason="needs links that anybody may make")
def test_a_file_that_cannot_be_read(textassay: Command) -> None:
    Path("loop.txt").symlink_to("loop.txt")
    ran = textassay("score", "-r", "ref.txt", "-i", "loop.txt", "-m", "rouge-l")
    assert ran.code == 1
    assert ran.err.startswith("textassay: loop.txt: cannot be read (")
    assert ran.err.endswith("); check its permissions\n")


EITHER = "give either a study or a table of texts, or plain files with -i and -r"
WITH_TABLE = "give a table item, text with --references"
ONE_EACH = "give one file for each set of references, with a line for each text"
USAGE = [
    ("t.csv -i good.txt", EITHER),
    ("-i good.txt", "plain files need references; give one or more files with -r"),
    ("-r ref.txt -i good.txt ./good.txt", f"{Path('./good.txt')} is a duplicate after -i; give each system once"),
    ("-r ref.txt ref.txt -i good.txt", "ref.txt is a duplicate after -r; give each set of references once"),
    (
        "-i good.txt -r ref.txt --references r.csv",
        "--references r.csv goes with a table of texts; give plain files of references with -r",
    ),
    ("t.csv -r ref.txt", f"t.csv is a table, but -r is for plain files; {WITH_TABLE}"),
    ("t.csv", f"t.csv needs references; {WITH_TABLE}"),
    ("good.txt", "good.txt is a plain file; score it with -i good.txt and its references with -r"),
    (
        "s --sources ref.txt",
        "s is a study, whose items table has the sources in a column 'source'; omit --sources",
    ),
    ("s -r ref.txt", "s is a study, which names its own references; omit -r and --references"),
    (
        "-r 1.txt 2.txt 3.txt -i good.txt",
        f"the references look transposed: 3 files of 2 lines for 3 texts a system; {ONE_EACH}",
    ),
]


@pytest.mark.parametrize(("arguments", "message"), USAGE)
def test_sources_that_make_no_sense(textassay: Command, arguments: str, message: str) -> None:
    write_csv(Path("t.csv"), ("item", "system", "text"), [("1", "S", "x")])
    write(**{"1": "x\ny\n", "2": "x\ny\n", "3": "x\ny\n"})
    Path("s").mkdir()
    ran = textassay("score", *arguments.split(), "-m", "rouge-l")
    assert (ran.code, ran.out, ran.err) == (2, "", f"textassay: {message}\n")


def test_sources_are_a_plain_file_or_a_table(textassay: Command) -> None:
    write(src="a b\nb c\n", made="a c\nb\n", like="a d\nb\n")
    write_csv(Path("t.csv"), ("item", "system", "text"), [("1", "made", "a c"), ("2", "made", "b")])
    write_csv(Path("r.csv"), ("item", "text"), [("1", "a d"), ("2", "b")])
    write_csv(Path("s.csv"), ("item", "source"), [("1", "a b"), ("2", "b c")])
    lines = textassay(
        "score", *["-i", "made.txt", "-r", "like.txt", "--sources", "src.txt", "-m", "sari", "--format", "csv"]
    )
    table = textassay(
        "score", *["t.csv", "--references", "r.csv", "--sources", "s.csv", "-m", "sari", "--format", "csv"]
    )
    assert lines.code == table.code == 0
    assert lines.out == table.out
    for arguments in ("-i made.txt -r like.txt", "t.csv --references r.csv"):
        ran = textassay("score", *arguments.split(), "-m", "sari")
        message = "sari needs the source of each text, what it was made from; give a file with --sources"
        assert (ran.code, ran.err) == (2, f"textassay: {message}\n")
    ran = textassay("score", *["-i", "made.txt", "-r", "like.txt", "--sources", "ref.txt", "-m", "sari"])
    assert "the files must match line by line" in ran.err


HEAD = "item,system,text\n"
TABLES = [
    ("t.tab", "", "t.tab: unknown file format (.tab); use one of: .csv, .json, .jsonl, .ndjson, .parquet, .tsv, .xlsx"),
    ("t.csv", "item,sytem,text\n1,S,x\n", "t.csv:1: system: column 'system' is missing; rename 'sytem' to 'system'"),
    ("t.csv", HEAD, "t.csv:1: the table has a header but no rows; add at least one"),
    (
        "t.csv",
        f"{HEAD}1,S,x\n1,S,y\n",
        "t.csv:3: item, system: item '1', system 'S' is already in line 2; keep one of the two rows",
    ),
    (
        "t.jsonl",
        '{"item": "1", "system": "S", "text": "x \\ud800"}\n',
        "t.jsonl:1: text: contains a character that is not text (U+D800); remove it",
    ),
    ("t.csv", f"{HEAD}1,S,x\n9,S,y\n", "no reference for item 9; add one, or drop the item"),
]


@pytest.mark.parametrize(("name", "content", "message"), TABLES)
def test_tables_that_are_wrong(textassay: Command, name: str, content: str, message: str) -> None:
    Path(name).write_text(content, encoding="utf-8")
    write_csv(Path("r.csv"), ("item", "text"), [("1", "x")])
    ran = textassay("score", name, "--references", "r.csv", "-m", "rouge-l")
    assert (ran.code, ran.out, ran.err) == (1, "", f"textassay: {message}\n")


def test_right_answers_from_odd_files(textassay: Command) -> None:
    write(
        crlf="one two\r\nthree\r\nfive six seven\r\n",
        mark=b"\xef\xbb\xbfone two\nthree\nfive six seven\n",
        unended="one two\nthree\nfive six seven",
        gaps="one two\n\nfive six seven\n",
        separators="one\x0btwo\nthree\u2028\nfive\x85six seven\n",
    )
    shown = ("-r", "ref.txt", "-m", "rouge-l", "--segments", "-f", "json")
    expected = scores(textassay("score", "-i", "good.txt", *shown))
    assert expected == pytest.approx([1, 2 / 3, 0.8])  # P and R are 1, 1; 1, 1/2; 2/3, 1
    for name in ("crlf", "mark", "unended", "separators"):
        assert scores(textassay("score", "-i", f"{name}.txt", *shown)) == expected, name
    gaps = textassay("score", "-i", "gaps.txt", *shown)
    assert scores(gaps) == [expected[0], 0, expected[2]]
    assert gaps.err == "Note: rouge-l: 1 hypotheses contain no words and score 0\n"


def test_lines_of_a_hundred_thousand_words(textassay: Command) -> None:
    line = " ".join(f"w{number % 5000}" for number in range(100_000))
    write(ref=f"{line}\n", **{"in": f"{line} more\n"})
    ran = textassay("score", "-r", "ref.txt", "-i", "in.txt", "-m", "rouge-l", "-f", "json")
    assert json.loads(ran.out)[0]["value"] == pytest.approx(200_000 / 200_001)  # 2·100,000 / (100,000 + 100,001)


def test_empty_references_can_be_texts_without_words_as_in_sacrebleu(textassay: Command) -> None:
    write(ref="a b c d e f g h\n", second="\n", both="a b c d e f g h\t\n", short="a b c d\n")
    several, columns = ("-r", "ref.txt", "second.txt"), ("-r", "both.txt", "--num-refs", "2")
    for files, what in ((several, "second.txt: 1 empty line"), (columns, "both.txt: 1 empty column")):
        shown = ("score", "-i", "short.txt", *files, "-m", "bleu", "-f", "json")
        missing, texts = textassay(*shown), textassay(*shown, "--empty-references", "texts")
        assert json.loads(missing.out)[0]["value"] == pytest.approx(100 * math.exp(-1))  # 4 words for 8
        assert f"{what}; the texts there have one reference fewer" in missing.err
        theirs = BLEU().corpus_score(["a b c d"], [["a b c d e f g h"], [""]]).score
        assert json.loads(texts.out)[0]["value"] == pytest.approx(theirs) == pytest.approx(100)
        assert f"{what}, read as references without words, as sacreBLEU does" in texts.err
    ran = textassay("score", "t.csv", "-m", "bleu", "--empty-references", "texts")
    assert ran.code == 2
    assert "--empty-references applies to a plain file of references; give one with -r" in ran.err


def test_texts_that_are_their_references_are_noted_once(textassay: Command) -> None:
    write(ref="a b\nc d\ne f\ng h\n", near="a b\nc d\ne f\ng\n", far="a b\nc d\ne\ng\n")
    shown = ("-r", "ref.txt", "-i", "near.txt", "far.txt", "-m", "bleu", "chrf", "nist", "ter")
    ran = textassay("score", *shown, "-f", "json")
    assert ran.err.count("identical") == 1
    assert "near: 3 of 4 hypotheses are identical to one of their references" in ran.err
    assert "identical" not in textassay("score", "-i", "near.txt", "-r", "ref.txt", "-m", "length", "-f", "json").err


def test_an_empty_line_of_one_of_several_references_is_no_reference(textassay: Command) -> None:
    write(second="\nthree\n\n", third="\n\n\n")
    shown = ("-m", "rouge-l", "--segments", "-f", "json")
    ran = textassay("score", "-i", "good.txt", "-r", "ref.txt", "second.txt", *shown)
    assert scores(ran) == pytest.approx([1, 1, 0.8])  # the second reference is the better one of line 2
    assert ran.err == "Note: second.txt: 2 empty lines; the texts there have one reference fewer\n"
    assert "nrefs:1-2" in textassay("score", "-i", "good.txt", "-r", "ref.txt", "second.txt", "-m", "rouge-l").out
    nothing = textassay("score", "-i", "good.txt", "-r", "third.txt", *shown)
    assert scores(nothing) == [0, 0, 0]  # an empty reference has a value; that there is none would be an error
    assert nothing.err == "Note: rouge-l: 3 references contain no words\n"


def test_a_file_may_be_its_own_reference_and_files_of_one_name_keep_their_folders(textassay: Command) -> None:
    itself = textassay("score", "-i", "ref.txt", "-r", "ref.txt", "-m", "rouge-l", "--segments", "-f", "json")
    assert scores(itself) == [1, 1, 1]
    for folder in ("x", "y"):
        Path(folder).mkdir()
        Path(folder, "out.txt").write_text("one\ntwo\nthree\n", encoding="utf-8")
    files = [str(Path(folder, "out.txt")) for folder in ("x", "y")]
    records = json.loads(textassay("score", "-r", "ref.txt", "-i", *files, "-m", "rouge-l", "-f", "json").out)
    assert [record["by"] for record in records] == files


def test_a_folder_without_a_study(textassay: Command) -> None:
    Path("empty").mkdir()
    ran = textassay("score", "empty")
    assert ran.code == 1
    assert "no such file" in ran.err


def test_a_study_without_metrics_asks_for_one(textassay: Command) -> None:
    directory = write_small_study(Path("study"), lambda data: data.pop("metrics"))
    ran = textassay("score", directory)
    assert (ran.code, ran.err) == (2, "textassay: no metric named; say which with -m, for example -m rouge-l\n")
