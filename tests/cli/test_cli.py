"""Each command first the wrong way, then the right way: exit codes, messages, what is written."""

from __future__ import annotations

import csv
import errno
import json
import os
import re
from collections.abc import Callable
from importlib.metadata import version
from pathlib import Path
from typing import Any

import pytest
from small_study import ITEMS, SYSTEMS, write_csv, write_small_study
from svg_only import svg_only

from textassay import cli, pipeline, ready_studies

Command = Callable[..., object]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["chekc"], "there is no command"),
        (["verify"], "textassay: 'verify' needs BUNDLE: the zip file, or the folder"),
        (["check", "--format"], "--format requires an argument"),
        (["check", "one", "two"], "textassay: unexpected argument: two\nSee 'textassay check --help'."),
        (["--verison"], "textassay: there is no option '--verison'; did you mean '--version'?"),
        (["check", "--frmt", "json"], "--frmt"),
        (["score"], "give either a study or a table of texts"),
        (["serve", "x", "--port", "high"], "--port"),
    ],
)
def test_wrong_usage_exits_2_and_says_what_is_wrong(textassay: Command, arguments: list[str], message: str) -> None:
    ran = textassay(*arguments)
    assert ran.code == 2
    assert message in ran.err
    assert ran.out == ""


@pytest.mark.parametrize(
    ("typed", "shown"),
    [("help", "Usage: textassay COMMAND"), ("help check", "Usage: textassay check"), ("-V", version("textassay"))],
)
def test_help_and_version_are_understood_as_people_type_them(textassay: Command, typed: str, shown: str) -> None:
    ran = textassay(*typed.split())
    assert ran.code == 0
    assert ran.out.strip().startswith(shown)


def test_a_mistyped_command_is_answered_with_the_nearest_one_and_all_the_others(textassay: Command) -> None:
    lines = textassay("chekc").err.splitlines()
    assert lines[0] == "textassay: there is no command 'chekc'; did you mean 'check'?"
    assert lines[1].startswith("Commands: new, check, ")
    assert lines[1].endswith("list, doctor, completion.")
    assert textassay("zzz").err.splitlines()[0] == "textassay: there is no command 'zzz'"


@pytest.mark.parametrize("command", ["check", "serve", "simulate", "screen", "report", "export"])
def test_a_directory_without_a_study_exits_1_with_the_remedy(textassay: Command, tmp_path: Path, command: str) -> None:
    ran = textassay(command, tmp_path)
    assert ran.code == 1
    assert "no such file" in ran.err
    assert "textassay new" in ran.err


@pytest.mark.parametrize(
    ("number", "remedy"), [(errno.ENOSPC, "free some space on the disk"), (errno.EROFS, "make it writable for you")]
)
def test_a_disk_that_cannot_be_written_is_no_fault_of_the_program(
    textassay: Command, answered: Path, monkeypatch: pytest.MonkeyPatch, number: int, remedy: str
) -> None:
    def refused(*_: Any, **__: Any) -> None:
        raise OSError(number, os.strerror(number), "report/figure.svg")

    monkeypatch.setattr(pipeline, "report", refused)
    ran = textassay("report", answered)
    assert ran.code == 1
    assert ran.err.startswith(f"textassay: report/figure.svg: {os.strerror(number)}; {remedy}")


def test_every_command_is_there_and_has_help(textassay: Command) -> None:
    listed = textassay("--help").out
    for commands in cli.COMMANDS.values():
        for name, (_, line) in commands.items():
            assert name in listed
            assert line in " ".join(listed.replace("│", " ").split())
            assert "Usage: textassay" in textassay(name, "--help").out


@pytest.mark.parametrize("template", ready_studies.names())
def test_new_then_check(textassay: Command, tmp_path: Path, template: str) -> None:
    directory = tmp_path / "mine"
    assert textassay("new", directory, "--template", template).code == 0
    checked = textassay("check", directory)
    assert checked.code == 0, checked.err
    assert "no problems found" in checked.out
    assert not (directory / "plan.json").exists()  # checking leaves no trace
    again = textassay("new", directory)
    assert again.code == 2
    assert "not empty" in again.err


def test_new_names_the_templates_there_are(textassay: Command, tmp_path: Path) -> None:
    ran = textassay("new", tmp_path / "x", "--template", "nonsense")
    assert ran.code == 2
    assert "rating-scale" in ran.err


def test_check_shows_all_problems_at_once(textassay: Command, tmp_path: Path) -> None:
    def spoil(data: dict) -> None:
        data["titel"] = data.pop("title")
        data["seed"] = -1

    ran = textassay("check", write_small_study(tmp_path / "s", spoil))
    assert ran.code == 1
    assert "did you mean 'title'?" in ran.err
    assert "'title' is missing" in ran.err
    assert "it must be 0 or more" in ran.err


@svg_only()
def test_simulate_then_report(textassay: Command, tmp_path: Path) -> None:
    directory = write_small_study(tmp_path / "s")
    assert "Simulated " in textassay("simulate", directory).out
    texts = [(item, system) for item in ITEMS for system in SYSTEMS]
    theirs = directory / "scores.csv"
    write_csv(
        theirs, ("item", "system", "judge", "errors"), [(*each, place, -place) for place, each in enumerate(texts)]
    )
    assert textassay("import", directory, theirs, "--lower-is-better", "errors").code == 0
    before = theirs.read_bytes()
    ran = textassay("report", directory, "--no-screens")
    assert ran.code == 0
    page = Path(ran.out.strip()).read_text(encoding="utf-8")
    assert page.startswith("<!doctype html>")

    # scores from elsewhere are used beside the study's own, and a file of the user is never replaced
    assert f"Note: {theirs} is not used and was left as it is" in ran.err
    assert theirs.read_bytes() == before
    with (directory / "report" / "metric-scores.csv").open(encoding="utf-8") as stream:
        assert {row["metric"] for row in csv.DictReader(stream)} == {"rouge-l", "judge", "errors"}
    assert "Scores by judge and errors were computed elsewhere and imported; lower scores are better of errors." in page
    assert "higher is taken to be better of judge, since the scores do not say it" in page


def test_a_pdf_needs_a_browser_which_is_said_before_the_work(
    textassay: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TEXTASSAY_BROWSER", str(tmp_path / "gone"))
    ran = textassay("report", write_small_study(tmp_path / "s"), "--pdf")  # it has no answers either
    assert ran.code == 1
    assert "TEXTASSAY_BROWSER" in ran.err
    assert "correct it, or unset it" in ran.err


@pytest.mark.parametrize("command", ["screen", "analyse", "correlate", "report"])
def test_a_study_without_answers_is_refused_with_the_remedy(textassay: Command, tmp_path: Path, command: str) -> None:
    ran = textassay(command, write_small_study(tmp_path / "s"))
    assert ran.code == 1
    assert "no answers yet" in ran.err
    assert "textassay serve" in ran.err


@pytest.mark.usefixtures("analysed_once")
@pytest.mark.parametrize("command", ["screen", "analyse", "correlate"])
def test_results_in_every_format(textassay: Command, answered: Path, command: str) -> None:
    assert textassay(command, answered).out
    records = json.loads(textassay(command, answered, "--format", "json").out)
    assert isinstance(records, list)
    assert records
    assert "," in textassay(command, answered, "--format", "csv").out.splitlines()[0]
    assert r"\begin{table}" in textassay(command, answered, "--format", "latex").out


def test_analyse_with_and_without_those_left_out(textassay: Command, brief: Path) -> None:
    def n(*arguments: object) -> int:
        records = json.loads(textassay("analyse", brief, "--format", "json", *arguments).out)
        return sum(record["n"] for record in records if record["statistic"] == "mean")

    assert n("--everyone") > n()


def test_export_writes_tables_and_codebook(textassay: Command, answered: Path, tmp_path: Path) -> None:
    written = textassay("export", answered, "--to", tmp_path / "out").out.split()
    assert {"participants.csv", "judgements.csv", "codebook.csv"} <= {Path(path).name for path in written}
    with (tmp_path / "out" / "judgements.csv").open(encoding="utf-8") as stream:
        rows = list(csv.DictReader(stream))
    assert {row["system"] for row in rows} == set(SYSTEMS)
    assert "comment" not in rows[0]
    textassay("export", answered, "--to", tmp_path / "all", "--personal")
    assert "comment" in (tmp_path / "all" / "judgements.csv").read_text(encoding="utf-8").splitlines()[0]


def test_what_was_exported_can_be_imported_and_gives_the_same_figures(
    textassay: Command, brief: Path, tmp_path: Path
) -> None:
    textassay("export", brief, "--to", tmp_path / "out")

    def unscreened(data: dict[str, Any]) -> None:
        data["screening"] = {}
        data["blocks"][0]["criteria"] = data["blocks"][0]["criteria"][:1]

    elsewhere = write_small_study(tmp_path / "elsewhere", unscreened)
    ran = textassay("import", elsewhere, tmp_path / "out" / "judgements.csv")
    assert ran.code == 0, ran.err
    theirs = json.loads(textassay("analyse", elsewhere, "--format", "json").out)
    ours = json.loads(textassay("analyse", brief, "--everyone", "--format", "json").out)
    assert [record["value"] for record in theirs] == [record["value"] for record in ours]


def test_analyse_a_bare_table(textassay: Command, tmp_path: Path) -> None:
    # Two systems, two items, two participants; means 2.5 and 4.5 by hand.
    rows = [
        (person, item, system, "clarity", value)
        for system, values in (("A", (2, 3, 2, 3)), ("B", (4, 5, 4, 5)))
        for (person, item), value in zip([("p", "i"), ("p", "j"), ("q", "i"), ("q", "j")], values, strict=True)
    ]
    write_csv(tmp_path / "judgements.csv", ("participant", "item", "system", "criterion", "value"), rows)
    records = json.loads(textassay("analyse", tmp_path / "judgements.csv", "--format", "json").out)
    means = {record["by"]: record["value"] for record in records if record["statistic"] == "mean"}
    assert means == {"A": 2.5, "B": 4.5}
    write_csv(tmp_path / "other.csv", ("a", "b"), [(1, 2)])
    wrong = textassay("analyse", tmp_path / "other.csv")
    assert wrong.code == 2
    assert "has the columns of no task" in wrong.err


def test_score_a_study_a_table_and_plain_files(textassay: Command, tmp_path: Path) -> None:
    directory = write_small_study(tmp_path / "s")
    from_study = json.loads(textassay("score", directory, "--format", "json").out)
    table = ("score", directory / "texts.csv", "--references", directory / "references.csv", "-m", "rouge-l")
    from_table = json.loads(textassay(*table, "--format", "json").out)
    assert from_study == from_table
    for system in SYSTEMS:
        lines = [f"The {system} text about {item} is here." for item in ITEMS]
        (tmp_path / f"{system}.txt").write_text("\n".join(lines) + "\n", encoding="utf-8")
    (tmp_path / "ref.txt").write_text("\n".join(f"The text about {item}." for item in ITEMS) + "\n", encoding="utf-8")
    files = [tmp_path / f"{system}.txt" for system in SYSTEMS]
    ran = textassay("score", "-r", tmp_path / "ref.txt", "-i", *files, "-m", "rouge-l", "--format", "json")
    from_lines = json.loads(ran.out)
    assert [record["value"] for record in from_lines] == [record["value"] for record in from_study]
    assert "rouge-l|nrefs:1" in textassay("score", directory, "--segments").out


def test_score_says_which_file_is_too_short(textassay: Command, tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("one\ntwo\n", encoding="utf-8")
    (tmp_path / "r.txt").write_text("one\n", encoding="utf-8")
    ran = textassay("score", "-r", tmp_path / "r.txt", "-i", tmp_path / "a.txt", "-m", "rouge-l")
    assert ran.code == 2
    assert f"{tmp_path / 'a.txt'} has 2 lines" in ran.err


def test_correlate_two_tables(textassay: Command, tmp_path: Path) -> None:
    people = [("p", item, system, "clarity", value) for item, system, value in _VALUES]
    scores = [(item, system, "m", value / 10) for item, system, value in _VALUES]
    write_csv(tmp_path / "j.csv", ("participant", "item", "system", "criterion", "value"), people)
    write_csv(tmp_path / "s.csv", ("item", "system", "metric", "value"), scores)
    records = json.loads(textassay("correlate", tmp_path / "j.csv", tmp_path / "s.csv", "--format", "json").out)
    segment = {record["by"]: record["value"] for record in records if record["statistic"] == "pearson"}
    assert (segment["item"], segment[""]) == pytest.approx((1, 1))
    alone = textassay("correlate", tmp_path / "j.csv")
    assert alone.code == 2
    assert "give a table of scores" in alone.err


_VALUES = [("i", "A", 1), ("i", "B", 2), ("i", "C", 4), ("j", "A", 2), ("j", "B", 3), ("j", "C", 5)]


def test_demo_leaves_other_directories_alone(
    textassay: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "textassay-demo").mkdir()
    (tmp_path / "textassay-demo" / "mine.txt").write_text("keep", encoding="utf-8")
    ran = textassay("demo")
    assert ran.code == 2
    assert (tmp_path / "textassay-demo" / "mine.txt").read_text(encoding="utf-8") == "keep"


def test_demo_runs_from_plan_to_report(textassay: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The report itself is read in `tests/browser/test_ready_reports.py`."""
    reported: list[Path] = []
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(
        pipeline, "report", lambda study, **_: reported.append(study.directory) or study.directory / "report.html"
    )
    ran = textassay("demo")
    assert ran.code == 0, ran.err
    assert [directory.resolve() for directory in reported] == [tmp_path / "textassay-demo"]
    assert "textassay serve textassay-demo" in ran.out
    assert "How good are these sea-weather reports? 4 systems × 8 items.\n" in ran.out
    excluded = int(re.search(r"Simulated \d+ participants; (\d+) are excluded", ran.out)[1])
    assert 0 < excluded == sum(not verdict.valid for verdict in verdicts_of(tmp_path / "textassay-demo"))


def verdicts_of(directory: Path) -> list[Any]:
    study = pipeline.load(directory)
    return pipeline.screen(study, pipeline.collect(study))
