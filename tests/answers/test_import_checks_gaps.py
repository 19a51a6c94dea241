"""What rules miss in imported tables is told, and what is there is used."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from small_study import write_csv

from textassay.answers.dataset import load_dataset
from textassay.answers.export import export_study
from textassay.answers.import_checks import screening_gaps
from textassay.answers.imports import import_table, imported_tables
from textassay.screening.verdicts import judge_all
from textassay.study.study import Study

RULES: dict[str, Any] = {"attention-checks": {}, "fake-email": {}, "took-part-twice": {}, "questionnaire": {}}


def with_rules(data: dict[str, Any]) -> None:
    data["screening"] = RULES


def lacking(study: Study) -> dict[str, str]:
    """What each rule lacks."""
    told = [gap.removeprefix("the rule ").split(" cannot be applied to the imported tables: ") for gap in found(study)]
    return dict(told)


def found(study: Study) -> tuple[str, ...]:
    return screening_gaps(study, imported_tables(study))


def test_nothing_is_missed_where_nothing_is_imported(study: Study) -> None:
    assert found(study) == ()


def test_bare_answers_lack_checks_and_people(write_study: Callable[..., Study], tmp_path: Path) -> None:
    study = write_study(with_rules)
    header = ("participant", "item", "system", "criterion", "value")
    write_csv(tmp_path / "judgements.csv", header, [("x1", "i1", "human", "clarity", 6)])
    import_table(study, tmp_path / "judgements.csv")
    assert lacking(study) == {
        "attention-checks": "attention checks are in judgements-unscored; import it, too",
        "fake-email": "the table participants is missing; import it, too",
        "took-part-twice": "the table participants is missing; import it, too",
        "questionnaire": "the table participants is missing; import it, too",
    }
    assert load_dataset(study).warnings == found(study)


def people(study: Study, tmp_path: Path) -> Path:
    """Three people: one with a fake address, and the third with that of the first."""
    columns = ("participant", "status", "native", "age", "email", "started_at")
    rows = [
        ("x1", "completed", "yes", 30, "ada@letters.uni-koeln.de", "2026-03-01T10:00:00+00:00"),
        ("x2", "completed", "yes", 30, "nobody@test", "2026-03-01T11:00:00+00:00"),
        ("x3", "completed", "yes", 30, "ada@letters.uni-koeln.de", "2026-03-01T12:00:00+00:00"),
    ]
    write_csv(tmp_path / "participants.csv", columns, rows)
    import_table(study, tmp_path / "participants.csv")
    return tmp_path


def broken(study: Study) -> dict[str, list[str]]:
    verdicts = judge_all(load_dataset(study).cases, study)
    return {
        verdict.participant: [reason.rule for reason in verdict.reasons] for verdict in verdicts if not verdict.valid
    }


def test_verdicts_that_rest_on_personal_columns_are_taken_over(
    write_study: Callable[..., Study], tmp_path: Path
) -> None:
    first = write_study(with_rules)
    people(first, tmp_path)
    assert broken(first) == {"x2": ["fake-email"], "x3": ["took-part-twice"]}
    public, private = write_study(with_rules, "public"), write_study(with_rules, "private")
    for study, personal in ((public, False), (private, True)):
        export_study(first, tmp_path / f"export of {study.directory.name}", personal=personal)
        import_table(study, tmp_path / f"export of {study.directory.name}" / "participants.csv")
    assert lacking(private) == {}
    assert broken(private) == broken(first)
    assert broken(public) == broken(first)
    assert [gap.partition(", which lack personal data; ")[2] for gap in found(public)] == [
        "its verdicts are those in the column 'reasons'"
    ] * 2  # took-part-twice, and the questionnaire with its free text; whether an address is plausible is no secret


def test_nothing_is_taken_over_from_a_table_without_verdicts(write_study: Callable[..., Study], tmp_path: Path) -> None:
    study = write_study(with_rules)
    write_csv(tmp_path / "participants.csv", ("participant", "native", "age", "job"), [("x1", "yes", 30, "")])
    import_table(study, tmp_path / "participants.csv")
    remedy = "if it comes from an export, export with --personal"
    assert lacking(study)["took-part-twice"] == f"participants has no column 'email'; {remedy}"
    assert broken(study) == {}
