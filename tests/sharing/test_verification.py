"""Verifying a bundle: what is the same, what differs, and what is no bundle at all."""

from __future__ import annotations

import json
import shutil
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from bundled_study import Bundled
from small_study import write_small_study

import textassay
from textassay import pipeline
from textassay.errors import DataError, UsageError
from textassay.sharing.archive import write_checksums
from textassay.sharing.verification import Verification, verify_bundle


def with_known_results(source: Path, bundled: Bundled) -> Verification:
    """Verify without working the results out anew: for what lies around it."""
    return verify_bundle(source, lambda _: bundled.found, tolerance=1e-9)


def edited(path: Path, change: Callable[[Any], object]) -> None:
    data = json.loads(path.read_text(encoding="utf-8"))
    change(data)
    path.write_text(json.dumps(data), encoding="utf-8")


def test_every_number_comes_out_again_in_an_empty_directory(
    bundled: Bundled, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shutil.copyfile(bundled.path, tmp_path / "bundle.zip")
    (tmp_path / "empty").mkdir()
    monkeypatch.chdir(tmp_path / "empty")
    found = pipeline.verify("../bundle.zip")
    assert found.comparison.numbers > 500
    assert found.verdict == f"All {found.comparison.numbers:,} numbers came out the same."
    assert found.same
    assert found.carried == {"questionnaire": 1, "took-part-twice": 1}
    assert "questionnaire (1 excluded), took-part-twice (1 excluded). Their verdicts are those in the bundle." in (
        " ".join(found.notes())
    )
    assert sorted(path.name for path in tmp_path.rglob("*")) == ["bundle.zip", "empty"]


def test_changed_answer_with_mended_checksums_is_caught(unpacked: Path) -> None:
    table = unpacked / "imported" / "judgements.csv"
    header, *rows = table.read_text(encoding="utf-8").splitlines()
    place = header.split(",").index("value")
    cells = rows[0].split(",")
    cells[place] = "7" if cells[place] != "7" else "1"
    table.write_text("\n".join([header, ",".join(cells), *rows[1:]]) + "\n", encoding="utf-8")
    write_checksums(unpacked)
    found = pipeline.verify(unpacked)
    assert not found.same
    assert not found.changes
    assert found.comparison.different_numbers > 5
    assert f"{found.comparison.different_numbers:,} of " in found.verdict
    assert any(each.part.startswith("table") for each in found.comparison.differences)


def test_changed_number_is_caught(unpacked: Path, bundled: Bundled) -> None:
    def change(results: Any) -> None:
        record = next(each for each in results["analyses"][0]["records"] if isinstance(each["value"], float))
        record["value"] *= 1.01

    edited(unpacked / "results.json", change)
    write_checksums(unpacked)
    found = with_known_results(unpacked, bundled)
    assert found.verdict == f"1 of {found.comparison.numbers:,} numbers differ."
    [row] = found.tables()[0].records()
    assert row["relative"] == pytest.approx(0.01 / 1.01)
    assert not found.same


def test_files_that_are_not_as_they_were(unpacked: Path, bundled: Bundled) -> None:
    (unpacked / "codebook.md").unlink()
    (unpacked / "texts.csv").write_bytes((unpacked / "texts.csv").read_bytes() + b"\n")
    (unpacked / "imported" / "surprise.csv").write_text("participant\n")
    found = with_known_results(unpacked, bundled)  # the file that was added is not read
    assert found.verdict == (
        f"All {found.comparison.numbers:,} numbers came out the same; "
        "1 file (texts.csv) was changed; 1 file (codebook.md) is missing; 1 file (imported/surprise.csv) was added."
    )
    assert [tuple(row.values()) for row in found.tables()[0].records()] == [
        ("texts.csv", "changed"),
        ("codebook.md", "missing"),
        ("imported/surprise.csv", "added"),
    ]
    assert not found.same


def test_folder_is_left_as_it_is(unpacked: Path, bundled: Bundled) -> None:
    before = {path: path.stat().st_mtime_ns for path in unpacked.rglob("*")}
    assert with_known_results(unpacked, bundled).same
    assert {path: path.stat().st_mtime_ns for path in unpacked.rglob("*")} == before


def test_archive_that_somebody_packed_anew_is_as_good(
    unpacked: Path, bundled: Bundled, again: Callable[[Path], Path]
) -> None:
    (unpacked / ".DS_Store").write_text("made by a file manager")
    assert with_known_results(again(unpacked), bundled).same


def test_other_versions_are_named_as_the_possible_reason(unpacked: Path, bundled: Bundled) -> None:
    def change(about: Any) -> None:
        about["versions"] |= {"textassay": "9.9", "numpy": "0.1"}

    edited(unpacked / "bundle.json", change)
    edited(unpacked / "results.json", lambda results: results["participants"]["figures"].update(included=99))
    write_checksums(unpacked)
    found = with_known_results(unpacked, bundled)
    note = found.notes()[-1]
    assert f"textassay 9.9 there, {textassay.__version__} here, numpy 0.1 there" in note
    assert note.endswith("small differences may come from that.")


def test_what_is_no_bundle(tmp_path: Path, bundled: Bundled) -> None:
    with pytest.raises(UsageError, match=r"there is no .*nothing"):
        with_known_results(tmp_path / "nothing", bundled)
    with pytest.raises(UsageError, match=r"is a study, not a bundle.*textassay bundle"):
        with_known_results(write_small_study(tmp_path / "study"), bundled)
    (tmp_path / "folder").mkdir()
    with pytest.raises(DataError, match=r"is no bundle of textassay: there is no bundle\.json in it"):
        with_known_results(tmp_path / "folder", bundled)
    with zipfile.ZipFile(tmp_path / "photos.zip", "w") as made:
        made.writestr("photos/one.jpg", "…")
    with pytest.raises(DataError, match="is no bundle of textassay"):
        with_known_results(tmp_path / "photos.zip", bundled)
    (tmp_path / "text.zip").write_text("no archive")
    with pytest.raises(DataError, match="is no complete zip file"):
        with_known_results(tmp_path / "text.zip", bundled)


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("bundle.json", "{", "says something else"),
        ("bundle.json", '{"kind": "another", "format": 1}', "says something else"),
        (
            "bundle.json",
            '{"kind": "textassay bundle", "format": 2, "title": "T", "versions": {"textassay": "3.0"}}',
            "has format 2, and this release of textassay reads format 1; install textassay 3.0",
        ),
        ("results.json", "{", "results.json is missing or damaged"),
        ("results.json", '{"analyses": [3]}', "results.json has another form"),
        ("SHA256SUMS", "nonsense\n", "SHA256SUMS:1: not a checksum"),
        ("study.yaml", "format: 1\n", "the results cannot be worked out again: study.yaml"),
    ],
)
def test_damaged_bundle(unpacked: Path, bundled: Bundled, name: str, text: str, message: str) -> None:
    (unpacked / name).write_text(text)
    with pytest.raises(DataError, match=message):
        with_known_results(unpacked, bundled)


def test_missing_table_of_answers_is_told_with_the_reason(unpacked: Path, bundled: Bundled) -> None:
    (unpacked / "texts.csv").unlink()
    with pytest.raises(DataError, match=r"texts\.csv.*missing since the bundle was made: 1 file \(texts\.csv\)"):
        with_known_results(unpacked, bundled)
