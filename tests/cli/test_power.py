"""`textassay power`: what it prints in each form, and what it refuses."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from reading_study import write_reading_study
from small_study import STUDY, write_small_study

Command = Callable[..., Any]
QUICK = ("--participants", 6, 9, "--items", 6, "--runs", 4)


@pytest.fixture(scope="module")
def study(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_reading_study(tmp_path_factory.mktemp("reading") / "study")


def test_text_answers_the_question_and_says_what_it_rests_on(textassay: Command, study: Path) -> None:
    ran = textassay("power", study, *QUICK, "--effect", 40, "--null")
    assert ran.code == 0, ran.err
    words = " ".join(ran.out.split())
    assert "Participants" in words
    assert "0 (none: false positives)" in words
    assert "The fewest trials with a power of 0.8" in words
    assert "participant_sd" in words
    assert "how much longer the slowest system takes than the fastest, in per cent" in words
    assert "95 % interval (Wilson)" in words
    assert sorted(path.name for path in study.iterdir() if path.name in ("plan.json", "answers.db")) == []


def test_json_holds_records_with_stable_keys(textassay: Command, study: Path) -> None:
    ran = textassay("power", study, *QUICK, "--effect", 10, 40, "--format", "json")
    records = json.loads(ran.out)
    sizes = [(each["participants"], each["items"], each["effect"]) for each in records]
    assert sizes == [(6, 6, 10), (6, 6, 40), (9, 6, 10), (9, 6, 40)]
    assert {each["statistic"] for each in records} == {"power"}
    assert all(0 <= each["ci"][0] <= each["value"] <= each["ci"][1] <= 1 for each in records)
    again = textassay("power", study, *QUICK, "--effect", 10, 40, "--format", "json")
    assert again.out == ran.out


def test_csv_is_one_table_and_latex_has_rows(textassay: Command, study: Path) -> None:
    rows = list(csv.DictReader(io.StringIO(textassay("power", study, *QUICK, "--format", "csv").out)))
    assert [row["participants"] for row in rows] == ["6", "9"]
    assert all(0 <= float(row["ci_low"]) <= float(row["value"]) for row in rows)
    assert r"\begin{tabular}" in textassay("power", study, *QUICK, "--format", "latex").out


def test_assumptions_are_set_by_name(textassay: Command, study: Path) -> None:
    ran = textassay("power", study, *QUICK, "--assume", "noise_sd=0.1", "participant_sd=0.5", "--format", "json")
    assert ran.code == 0, ran.err
    assert "participant_sd:0.5" in json.loads(ran.out)[0]["signature"]
    assert "noise_sd:0.1" in json.loads(ran.out)[0]["signature"]


def test_pilot_tells_what_varies_and_a_flag_beats_it(textassay: Command, tmp_path: Path) -> None:
    pilot = write_reading_study(tmp_path / "pilot")
    assert textassay("simulate", pilot, "-q").code == 0
    assert textassay("export", pilot, "--to", tmp_path / "tables").code == 0
    answers = tmp_path / "tables" / "reading-times.csv"
    ran = textassay("power", pilot, *QUICK, "--pilot", answers, "--assume", "noise_sd=0.2", "--format", "json")
    assert ran.code == 0, ran.err
    signature = json.loads(ran.out)[0]["signature"]
    assert "noise_sd:0.2" in signature
    assert "participant_sd:0.28|" not in signature  # what is assumed without a pilot


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--effect", -5], "effect is -5; it must be 0 to 500 (per cent)"),
        (["--runs", 0], "0 runs"),
        (["--alpha", 2], "alpha is 2"),
        (["--assume", "noise"], "it has no value; write name=value"),
        (["--assume", "noise_sd=much"], "'much' is not a number"),
        (["--assume", "effect=3"], "give the effect with --effect"),
        (["--assume", "nois_sd=3"], "there is no assumption 'nois_sd'; did you mean 'noise_sd'?"),
        (["--block", "nowhere"], "there is no block 'nowhere'; use one of: texts"),
        (["--participants", "many"], "--participants"),
        (["--items", 0], "0 items"),
    ],
)
def test_wrong_usage_exits_2_with_the_remedy(
    textassay: Command, study: Path, arguments: list[object], message: str
) -> None:
    ran = textassay("power", study, *arguments)
    assert ran.code == 2
    assert message in " ".join(ran.err.split())


def two_blocks(data: dict[str, Any]) -> None:
    data["blocks"].append({**STUDY["blocks"][0], "name": "again"})


@pytest.mark.parametrize("given", [("--effect", 1), ("--assume", "a=1"), ("--pilot", "answers.csv")])
def test_what_is_about_one_block_needs_its_name(textassay: Command, tmp_path: Path, given: tuple[object, ...]) -> None:
    directory = write_small_study(tmp_path, two_blocks)
    ran = textassay("power", directory, *given)
    assert ran.code == 2
    assert "choose it with --block: quality, again" in ran.err


def test_every_block_is_told_apart(textassay: Command, tmp_path: Path) -> None:
    directory = write_small_study(tmp_path, two_blocks)
    ran = textassay("power", directory, "--runs", 2, "--format", "json")
    assert ran.code == 0, ran.err
    assert {each["block"] for each in json.loads(ran.out)} == {"quality", "again"}
    one = textassay("power", directory, "--runs", 2, "--block", "again", "--effect", 1, "--format", "json")
    assert {(each["block"], each["effect"]) for each in json.loads(one.out)} == {("again", 1)}
