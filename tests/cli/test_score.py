"""`textassay score`: from files, tables and studies to scores, intervals and tests."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable
from pathlib import Path

import pytest
from small_study import SYSTEMS, write_csv, write_small_study

from textassay.metrics import score

Command = Callable[..., object]
REFERENCES = ["the cat is on the mat", "a dog barks loudly", "it rains today", "we sing a song"]
A = ["the cat sat on the mat", "a dog barks", "it rains", "we sing"]
B = ["a cat on mat", "the dog barks loudly", "rain", "we song a sing"]


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[str, ...]:
    """Three files in the working directory; the flags that name them."""
    monkeypatch.chdir(tmp_path)
    for name, texts in (("ref", REFERENCES), ("a", A), ("b", B)):
        (tmp_path / f"{name}.txt").write_text("\n".join(texts) + "\n", encoding="utf-8")
    return ("score", "-r", "ref.txt", "-i", "a.txt", "b.txt", "-m", "rouge-l")


def corpus(texts: list[str], **settings: object) -> float:
    return score("rouge-l", texts, [[reference] for reference in REFERENCES], **settings).corpus


def test_one_row_a_system_one_column_a_metric(textassay: Command, files: tuple[str, ...]) -> None:
    ran = textassay(*files, "rouge-l:stem=yes,multi=mean", "--format", "csv")
    rows = list(csv.DictReader(ran.out.splitlines()))
    assert [row["system"] for row in rows] == ["a", "b"]
    assert float(rows[1]["rouge-l"]) == corpus(B)
    assert float(rows[1]["rouge-l:stem=yes,multi=mean"]) == corpus(B, stem=True, multi="mean")
    assert ran.err == ""


def test_text_has_signatures_below_the_tables(textassay: Command, files: tuple[str, ...]) -> None:
    out = textassay(*files, "rouge-l:stem=yes", "--ci", "--paired-bs", "--paired-ar", "--seed", "5").out
    starts = [line.split("|")[0] for line in out.splitlines() if "|version:" in line]
    assert starts == [
        "rouge-l",
        "rouge-l:stem=yes: rouge-l",
        "bootstrap interval",
        "paired bootstrap test",
        "paired approximate randomisation test",
    ]
    assert "Paired bootstrap test" in out
    assert "Note: with 4 segments the paired bootstrap finds differences too easily; prefer randomisation" in out
    assert "Note" not in textassay(*files, "--ci", "--quiet").out


def test_segments_are_one_wide_table(textassay: Command, files: tuple[str, ...], tmp_path: Path) -> None:
    shown = list(csv.DictReader(textassay(*files, "rouge-l:stem=yes", "--segments", "-f", "csv").out.splitlines()))
    assert list(shown[0]) == ["item", "system", "rouge-l", "rouge-l:stem=yes"]
    assert [(row["item"], row["system"]) for row in shown] == [(str(n), name) for name in "ab" for n in range(1, 5)]
    expected = score("rouge-l", B, [[reference] for reference in REFERENCES]).segments.tolist()
    assert [float(row["rouge-l"]) for row in shown[4:]] == expected
    records = json.loads(textassay(*files, "--segments", "-f", "json").out)
    assert records[4]["rouge-l"] == expected[0]
    assert r"\begin{table}" in textassay(*files, "--segments", "-f", "latex").out
    assert "Scores of texts" in textassay(*files, "--segments").out


@pytest.mark.parametrize("ending", ["csv", "tsv", "jsonl"])
def test_segments_go_to_a_file(textassay: Command, files: tuple[str, ...], tmp_path: Path, ending: str) -> None:
    ran = textassay(*files, "--segments", "--to", f"out.{ending}")
    assert "Scores of texts" not in ran.out  # the systems are shown instead of a long list
    text = (tmp_path / f"out.{ending}").read_text(encoding="utf-8")
    if ending == "jsonl":
        rows = [json.loads(line) for line in text.splitlines()]
    else:
        rows = list(csv.DictReader(text.splitlines(), delimiter="," if ending == "csv" else "\t"))
    assert len(rows) == 8
    assert list(rows[0]) == ["item", "system", "rouge-l"]


def test_systems_go_to_a_file_with_their_intervals(textassay: Command, files: tuple[str, ...], tmp_path: Path) -> None:
    textassay(*files, "--ci", "--to", "systems.csv")
    with (tmp_path / "systems.csv").open(encoding="utf-8") as stream:
        rows = list(csv.DictReader(stream))
    assert list(rows[0]) == ["system", "rouge-l", "rouge-l interval low", "rouge-l interval high"]
    assert float(rows[0]["rouge-l interval low"]) <= float(rows[0]["rouge-l"])


def test_long_scores_are_what_correlate_reads(textassay: Command, files: tuple[str, ...], tmp_path: Path) -> None:
    textassay(*files, "--scores-to", "scores.csv")
    with (tmp_path / "scores.csv").open(encoding="utf-8") as stream:
        found = [(row["system"], row["item"]) for row in csv.DictReader(stream)]
    assert found == [(name, item) for name in "ab" for item in ("1", "2", "3", "4", "")]
    people = [("p", str(n), name, "clarity", n * (1 if name == "a" else 2)) for name in "ab" for n in range(1, 5)]
    write_csv(tmp_path / "j.csv", ("participant", "item", "system", "criterion", "value"), people)
    assert textassay("correlate", "j.csv", "scores.csv").code == 0
    # the same metrics again replace their scores; nothing else is ever replaced
    assert textassay(*files, "--scores-to", "scores.csv").code == 0
    with (tmp_path / "scores.csv").open("a", encoding="utf-8") as stream:
        stream.write("9,mine,comet,1,,\n")
    ran = textassay(*files, "--scores-to", "scores.csv")
    assert ran.code == 2
    assert "scores.csv has scores by comet, which would be lost; write to another file" in ran.err
    assert "is no table of scores" in textassay(*files, "--scores-to", "j.csv").err


def test_json_has_scores_intervals_and_tests(textassay: Command, files: tuple[str, ...]) -> None:
    flags = ("--ci", "--paired-bs", "--paired-ar", "--resamples", "99", "--seed", "3")
    records = json.loads(textassay(*files, *flags, "-f", "json").out)
    kinds = [(record["statistic"], record["method"]) for record in records]
    assert kinds == [
        ("rouge-l", "rouge-l"),
        ("rouge-l", "rouge-l"),
        ("corpus score", "bootstrap interval"),
        ("corpus score", "bootstrap interval"),
        ("difference", "paired bootstrap test"),
        ("difference", "paired approximate randomisation test"),
    ]
    assert (records[4]["first"], records[4]["second"]) == ("b", "a")
    assert records[4]["value"] == pytest.approx(corpus(B) - corpus(A))
    assert "draws:99|seed:3" in records[4]["signature"]
    assert textassay(*files, *flags, "-f", "json").out == textassay(*files, *flags, "-f", "json").out


def test_csv_is_one_table_of_systems_or_of_comparisons(textassay: Command, files: tuple[str, ...]) -> None:
    flags = ("--ci", "--resamples", "99", "--format", "csv")
    systems = list(csv.DictReader(textassay(*files, *flags).out.splitlines()))
    assert list(systems[0]) == ["system", "rouge-l", "rouge-l interval low", "rouge-l interval high"]
    assert [float(row["rouge-l"]) for row in systems] == [corpus(A), corpus(B)]
    flat = list(csv.DictReader(textassay(*files, *flags, "--paired-bs", "--paired-ar").out.splitlines()))
    assert [row["test"] for row in flat] == ["paired bootstrap test", "paired approximate randomisation test"]
    for row in flat:
        assert (row["system"], row["baseline"]) == ("b", "a")
        assert float(row["difference"]) == pytest.approx(float(row["system score"]) - float(row["baseline score"]))
        assert row["system interval low"] == systems[1]["rouge-l interval low"]
        assert row["baseline interval high"] == systems[0]["rouge-l interval high"]
    assert flat[0]["difference interval low"]
    assert not flat[1]["difference interval low"]


def test_digits_are_aligned_and_have_the_width_asked_for(
    textassay: Command, files: tuple[str, ...], tmp_path: Path
) -> None:
    def rows(*flags: str) -> list[str]:
        lines = textassay(*files, "bleu", "length", *flags).out.splitlines()
        return [line.rstrip() for line in lines if line.startswith((" a ", " b "))]

    for shown, decimals in ((rows(), [4, 2, 4]), (rows("--width", "1"), [1, 1, 1]), (rows("-w", "0"), [0, 0, 0])):
        assert len(shown) == 2
        assert len({len(line) for line in shown}) == 1
        for line in shown:
            assert [len(cell.partition(".")[2]) for cell in line.split()[1:]] == decimals
    texts = textassay(*files, "bleu", "--segments").out.splitlines()
    cells = [line.split()[2:] for line in texts if line[1:2].isdigit()]
    assert [[len(cell.partition(".")[2]) for cell in row] for row in cells] == [[4, 2]] * 8
    (interval,) = {line.index(" to ") for line in rows("--ci", "--resamples", "9")}  # aligned at the same place
    assert interval
    assert r"\textbf" in textassay(*files, "--width", "1", "-f", "latex").out
    assert textassay(*files, "--width", "1", "-f", "json").err == (
        "textassay: --width rounds text and LaTeX; json has all digits\n"
    )
    assert "--width must be 0 or more; got -1" in textassay(*files, "--width", "-1").err


def test_which_systems_are_compared(textassay: Command, files: tuple[str, ...], tmp_path: Path) -> None:
    (tmp_path / "c.txt").write_text("\n".join(A[::-1]) + "\n", encoding="utf-8")
    three = ("score", "-r", "ref.txt", "-i", "a.txt", "b.txt", "c.txt", "-m", "rouge-l", "--paired-ar", "-f", "json")

    def compared(*flags: str) -> list[str]:
        records = json.loads(textassay(*three, *flags).out)
        return [f"{record['first']} - {record['second']}" for record in records if record["statistic"] == "difference"]

    assert compared() == ["b - a", "c - a"]
    assert compared("--baseline", "b") == ["a - b", "c - b"]
    assert compared("--all-pairs") == ["b - a", "c - a", "c - b"]


@pytest.mark.usefixtures("files")
def test_latex_marks_the_best_and_what_differs(textassay: Command, tmp_path: Path) -> None:
    for name, text in (("ref", "a b c d"), ("low_base", "a x y z"), ("high", "a b c d"), ("same", "a q r s")):
        (tmp_path / f"{name}.txt").write_text(f"{text}\n" * 40, encoding="utf-8")
    flags = ("-i", "low_base.txt", "high.txt", "same.txt", "-m", "rouge-l", "--paired-bs", "--paired-ar", "--ci")
    out = textassay("score", "-r", "ref.txt", *flags, "--confidence", "0.99", "-f", "latex").out
    # 40 texts that all differ: p = 1/1001 and 1/10001, doubled by Holm; `same` shares one word of four like the base.
    assert r"low\_base & 0.250 & 0.250--0.250 \\" in out
    assert r"high & \textbf{1.000}$^{*}$$^{\dagger}$ & 1.000--1.000 \\" in out
    assert r"same & 0.250 & 0.250--0.250 \\" in out
    assert r"Bold: the best. {*} differs from low\_base: paired bootstrap test, p $<$ 0.01 (Holm)." in out
    alone = textassay("score", "-r", "ref.txt", "-i", "high.txt", "-m", "rouge-l", "-f", "latex").out
    assert r"high & 1.000 \\" in alone
    assert "Bold" not in alone


def test_as_sacrebleu_says_what_it_is(textassay: Command, files: tuple[str, ...]) -> None:
    ran = textassay(*files, "--paired-bs", "--as-sacrebleu", "-f", "json")
    assert "form:sacreBLEU" in ran.out
    assert "which is not valid" in ran.err


def test_a_study_gives_its_metrics_and_its_seed(textassay: Command, tmp_path: Path) -> None:
    directory = write_small_study(tmp_path / "s")
    records = json.loads(textassay("score", directory, "--paired-ar", "-f", "json").out)
    tests = [record for record in records if record["statistic"] == "difference"]
    assert [(record["first"], record["second"]) for record in tests] == [(each, SYSTEMS[0]) for each in SYSTEMS[1:]]
    drawn = json.loads(textassay("score", directory, "--ci", "-f", "json").out)
    assert "|seed:7|" in drawn[-1]["signature"]


def test_units_of_a_table_are_one_text(textassay: Command, tmp_path: Path) -> None:
    rows = [("1", "S", "u1", "the cat"), ("1", "S", "u2", "sat"), ("2", "S", "u1", "")]
    write_csv(tmp_path / "t.csv", ("item", "system", "unit", "text"), rows)
    write_csv(tmp_path / "r.csv", ("item", "text"), [("1", "the cat sat"), ("2", "a dog")])
    flags = ("score", tmp_path / "t.csv", "--references", tmp_path / "r.csv", "-m", "rouge-l")
    ran = textassay(*flags, "--segments", "-f", "json")
    assert [(row["item"], row["rouge-l"]) for row in json.loads(ran.out)] == [("1", 1.0), ("2", 0.0)]
    assert "1 hypotheses contain no words and score 0" in ran.err
