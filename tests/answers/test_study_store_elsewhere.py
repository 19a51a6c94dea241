from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from small_study import write_csv

from textassay.answers.imports import import_table
from textassay.answers.records import Participant
from textassay.answers.study_store import took_part_in
from textassay.study.study import Study


def test_found_by_any_way_to_write_the_address(study: Study, taken: list[Participant]) -> None:
    assert took_part_in("ADA+new@uni-koeln.de", study.directory)
    assert not took_part_in("bob@uni-koeln.de", study.directory)


def test_found_among_the_imported(study: Study, tmp_path: Path) -> None:
    path = tmp_path / "participants.csv"
    write_csv(path, ("participant", "email"), [("x1", "ada@uni-koeln.de")])
    import_table(study, path)
    assert took_part_in("ada@uni-koeln.de", study.directory)
    assert not took_part_in("bob@uni-koeln.de", study.directory)


def test_study_that_nobody_took(write_study: Callable[..., Study]) -> None:
    other = write_study(name="other")
    assert not took_part_in("ada@uni-koeln.de", other.directory)
    assert not (other.directory / "answers.db").exists()
