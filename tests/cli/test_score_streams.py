"""What sacreBLEU's users pass besides plain files: the standard input, gzip, several references in a line."""

from __future__ import annotations

import gzip
import io
import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace

import pytest

Command = Callable[..., object]
REFERENCE = "the cat is on the mat\na dog barks loudly at night\nit rains today\n"
HYPOTHESIS = "the cat sat on the mat\ndog barks at night\nit rained today\n"
SECOND = "there is a cat on the mat\na dog barks\nit rained today\n"
# sacreBLEU 2.6.0: sacrebleu ref.txt -i in.txt -b -w 2, and with both references as columns and -nr 2.
ONE_REFERENCE, TWO_REFERENCES = 25.28, 38.98


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("ref.txt").write_text(REFERENCE, encoding="utf-8")
    Path("in.txt").write_text(HYPOTHESIS, encoding="utf-8")
    columns = zip(REFERENCE.splitlines(), SECOND.splitlines(), strict=True)
    Path("columns.txt").write_text("".join(f"{one}\t{two}\n" for one, two in columns), encoding="utf-8")


def bleu(ran: object) -> dict[str, float]:
    return {row["by"]: round(row["value"], 2) for row in json.loads(ran.out)}


def piped(monkeypatch: pytest.MonkeyPatch, data: bytes) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data)))


def test_the_standard_input_is_a_system(textassay: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    piped(monkeypatch, HYPOTHESIS.replace("\n", "\r\n").encode())
    ran = textassay("score", "-r", "ref.txt", "-m", "bleu", "--format", "json")
    assert bleu(ran) == {"stdin": ONE_REFERENCE}


@pytest.mark.parametrize(
    ("data", "code", "message"),
    [
        (b"", 2, "the standard input is empty; write one text per line"),
        (b"\xe4\n", 1, "the standard input:1:1: byte 0xE4 is not UTF-8; save the file as UTF-8"),
    ],
)
def test_a_standard_input_that_does_not_do(
    textassay: Command, monkeypatch: pytest.MonkeyPatch, data: bytes, code: int, message: str
) -> None:
    piped(monkeypatch, data)
    ran = textassay("score", "-r", "ref.txt", "-m", "bleu")
    assert (ran.code, ran.err) == (code, f"textassay: {message}\n")


def test_nobody_waits_for_a_terminal(textassay: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    piped(monkeypatch, b"")
    monkeypatch.setattr(sys.stdin, "isatty", lambda: True)
    ran = textassay("score", "-r", "ref.txt", "-m", "bleu")
    assert "plain files with -i and -r" in ran.err


def test_gzip_files_are_unpacked(textassay: Command) -> None:
    Path("packed.txt.gz").write_bytes(gzip.compress(HYPOTHESIS.encode()))
    Path("ref.gz").write_bytes(gzip.compress(REFERENCE.encode()))
    ran = textassay("score", "-r", "ref.gz", "-i", "packed.txt.gz", "in.txt", "-m", "bleu", "--format", "json")
    assert bleu(ran) == {"packed": ONE_REFERENCE, "in": ONE_REFERENCE}


def test_a_damaged_gzip_file(textassay: Command) -> None:
    Path("cut.gz").write_bytes(gzip.compress(HYPOTHESIS.encode())[:30])
    ran = textassay("score", "-r", "ref.txt", "-i", "cut.gz", "-m", "bleu")
    assert (ran.code, ran.err.partition(" (")[0]) == (1, "textassay: cut.gz: a gzip file that cannot be unpacked")


def test_several_references_in_a_line(textassay: Command) -> None:
    given = ("score", "-r", "columns.txt", "-i", "in.txt", "-m", "bleu", "--format", "json")
    assert bleu(textassay(*given, "--num-refs", "2")) == {"in": TWO_REFERENCES}
    assert "every line has 1 tab, treated as part of the text; if tabs separate references, add --num-refs 2" in (
        textassay(*given).err
    )


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (["-r", "columns.txt", "--num-refs", "3"], "columns.txt:1: 2 tab-separated columns instead of 3"),
        (["-r", "ref.txt", "columns.txt", "--num-refs", "2"], "--num-refs 2 is for one file"),
        (["-r", "ref.txt", "--num-refs", "0"], "--num-refs 0 is for one file"),
        (["--num-refs", "2"], "--num-refs applies to a plain file of references; give one with -r"),
    ],
)
def test_references_in_columns_that_do_not_fit(textassay: Command, given: list[str], message: str) -> None:
    assert message in textassay("score", "-i", "in.txt", "-m", "bleu", *given).err


def test_plain_files_load_neither_the_model_of_a_study_nor_a_data_frame() -> None:
    program = (
        "import json, sys; from textassay.cli import run; code = run(['score', '-r', 'ref.txt', '-i', 'in.txt', '-m', "
        "'BLEU', '-f', 'json']); print(json.dumps([code, *sys.modules]), file=sys.stderr)"
    )
    ran = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True, encoding="utf-8")
    code, *loaded = json.loads(ran.stderr.splitlines()[-1])
    assert (code, bleu(SimpleNamespace(out=ran.stdout))) == (0, {"in": ONE_REFERENCE})
    heavy = {"importlib.metadata", "pandas", "pydantic", "ruamel.yaml", "scipy", "sqlalchemy", "zipfile"}
    own = {"textassay.pipeline", "textassay.study.model", "textassay.tables.reader"}
    assert (heavy | own).intersection(loaded) == set()
