from __future__ import annotations

from pathlib import Path
from typing import Any

from small_study import write_small_study

from textassay.analysis.methods_section.design import design_sentences, material_sentences, procedure_sentences
from textassay.study.load import load_study
from textassay.study.planning import draw_plan


def design(directory: Path, **changes: Any) -> str:
    def change(data: dict[str, Any]) -> None:
        for key, value in changes.items():
            data.setdefault(key, {})
            data[key] = {**data[key], **value} if isinstance(value, dict) else value

    study = load_study(write_small_study(directory, change))
    return " ".join(design_sentences(study, draw_plan(study)))


def test_cohorts_with_the_same_plan_are_told_of_once(tmp_path: Path) -> None:
    cohorts = [{"name": "lay", "wanted": 6}, {"name": "expert", "wanted": 6}]

    def change(data: dict[str, Any]) -> None:
        data["participants"] = {"cohorts": cohorts}

    study = load_study(write_small_study(tmp_path / "study", change))
    said = list(design_sentences(study, draw_plan(study)))
    saw, over = (text for text in said if "cohort" in text)
    assert saw.startswith("Each of the six planned participants of each cohort (lay and expert) saw all six items,")
    assert saw.endswith("each once, and each system twice.")
    assert over.startswith("Over these participants of each cohort (lay and expert), every item was shown with every")
    assert over.endswith("system twice (1 Latin square of 6 × 6).")


def test_what_is_not_exactly_balanced_is_said(tmp_path: Path) -> None:
    text = design(tmp_path / "study", participants={"wanted": 5})
    assert "every item was shown with every system one to two times." in text
    assert "not exactly; the table of balance shows where" in text


def test_several_blocks_in_balanced_order(tmp_path: Path) -> None:
    def change(data: dict[str, Any]) -> None:
        data["blocks"].append({**data["blocks"][0], "name": "again"})
        data["block_order"] = "balanced"

    study = load_study(write_small_study(tmp_path / "study", change))
    text = " ".join(design_sentences(study, draw_plan(study)))
    assert "The study had two blocks: " in text
    assert "Their order was balanced over participants by Williams squares (Williams 1949)." in text
    assert "In block again, the order of trials was random for each participant." in text
    assert "Block again. In each trial, participants rated" in " ".join(procedure_sentences(study, served=True))


def test_answers_from_elsewhere_were_not_given_in_our_browser_pages(tmp_path: Path) -> None:
    study = load_study(write_small_study(tmp_path / "study"))
    assert not any("browsers" in text for text in procedure_sentences(study, served=False))


def test_an_unknown_language_is_named_by_its_tag(tmp_path: Path) -> None:
    def change(data: dict[str, Any]) -> None:
        data["language"] = "tlh"

    study = load_study(write_small_study(tmp_path / "study", change))
    assert "18 texts in the language tlh, on six items by each of three systems" in next(
        iter(material_sentences(study))
    )


def dealt(directory: Path, **design: Any) -> list[str]:
    def change(data: dict[str, Any]) -> None:
        data["blocks"][0]["design"] = {"order": "random", **design}
        if design.keys() & {"judgements_per_text", "plan"}:
            data["participants"].pop("wanted")

    write_small_study(directory, change)
    rows = ["participant,item,system,position", "P1,i1,human,1", "P1,i2,neural,2", "P2,i1,human,1"]
    (directory / "who.csv").write_text("\n".join(rows), encoding="utf-8")
    study = load_study(directory)
    return list(design_sentences(study, draw_plan(study)))


def test_everyone_sees_everything(tmp_path: Path) -> None:
    said = dealt(tmp_path / "study", everyone="all")
    assert said[0] == "Each of the six planned participants saw all 18 texts."
    assert "Latin" not in " ".join(said)


def test_texts_are_dealt(tmp_path: Path) -> None:
    saw, judged, *_ = dealt(tmp_path / "study", judgements_per_text=2, texts_per_participant=6)
    assert saw == "Each of the six planned participants saw six texts, no two of the same item."
    assert judged.startswith("Each of the 18 texts was judged by two of them, dealt at random")


def test_systems_lie_between_participants(tmp_path: Path) -> None:
    saw, assigned, judged, *_ = dealt(tmp_path / "study", between="systems")
    assert saw == "Each of the six planned participants saw six texts of one system only."
    assert assigned == (
        "Each system was assigned to two participants at random, so systems were compared between participants."
    )
    assert judged == "Each of the 18 texts was judged by two of them."


def test_the_researchers_chose_who_sees_what(tmp_path: Path) -> None:
    saw, judged, order, *_ = dealt(tmp_path / "study", plan="who.csv")
    assert saw == "Each of the two planned participants saw one to two texts, chosen by the researchers."
    assert judged == "Each of the 18 texts was judged by at most two of them."
    assert order == "Trials came in an order set by the researchers."
