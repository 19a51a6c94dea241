from __future__ import annotations

import copy
import os
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from reading_study import write_reading_study
from ruamel.yaml import YAML
from small_study import STUDY, write_small_study

from textassay import catalogue
from textassay.errors import StudyError
from textassay.study.load import load_study

TASKS = ", ".join(catalogue.names("task"))


def problems(where: Path) -> list[str]:
    with pytest.raises(StudyError) as caught:
        load_study(where)
    return str(caught.value).split("\n")


@pytest.mark.parametrize(
    ("screening", "rules"),
    [
        (None, ["incomplete"]),
        ({"too-fast": {"seconds": 1}}, ["too-fast", "incomplete"]),
        ({"incomplete": {"share": 0.5}}, ["incomplete"]),
        ({"incomplete": False}, []),
        ({"incomplete": False, "too-fast": {"seconds": 1}}, ["too-fast"]),
    ],
)
def test_who_did_not_finish_is_excluded_unless_the_study_says_otherwise(
    tmp_path: Path, screening: Any, rules: list[str]
) -> None:
    def change(data: dict[str, Any]) -> None:
        del data["screening"]
        data |= {} if screening is None else {"screening": screening}

    study = load_study(write_small_study(tmp_path, change))
    assert [rule.name for rule in study.rules] == rules
    assert study.facts().records()[6] == {"study": "screening rules", "value": ", ".join(rules) or "none"}
    if "incomplete" in rules:
        assert study.rules[-1].share == (0.5 if screening and "incomplete" in screening else 1)  # type: ignore[attr-defined]


def test_only_the_rule_that_applies_by_itself_can_be_turned_off(tmp_path: Path) -> None:
    where = write_small_study(tmp_path, lambda data: data.update(screening={"too-fast": False}))
    (said,) = problems(where)
    assert "screening.too-fast: a mapping of keys to values is needed, got false" in said


def test_a_study_is_loaded_with_all_that_it_names(tmp_path: Path) -> None:
    study = load_study(write_small_study(tmp_path))
    assert study.systems == ("human", "neural", "template")
    assert study.items_in_order == ("i1", "i2", "i3", "i4", "i5", "i6")
    assert study.texts["i2", "neural"] == "The neural text about i2 is here."
    assert study.items["i2"]["context"] == "Data behind i2."
    assert study.references["i2"] == ("The text about i2.",)
    assert study.pages["consent"].startswith("# Consent")
    assert "welcome" not in study.pages
    assert [rule.name for rule in study.rules] == sorted(STUDY["screening"])
    block = study.block("quality")
    assert block.instructions == "# What to do\n\nRead each text and rate it.\n"
    assert list(block.practice) == ["p1", "p2"]


def test_the_study_file_itself_can_be_named(tmp_path: Path) -> None:
    assert load_study(str(write_small_study(tmp_path) / "study.yaml")).directory == tmp_path


def test_a_directory_without_study_file(tmp_path: Path) -> None:
    place = tmp_path / "study.yaml"
    remedy = "give a study directory, or make one with 'textassay new'"
    assert problems(tmp_path) == [f"{place}: no such file; {remedy}"]
    assert problems(tmp_path / "gone") == [f"{tmp_path / 'gone'}: no such file; {remedy}"]
    write_small_study(tmp_path / "my-study")
    near = "no such file; did you mean 'my-study'?"
    assert problems(tmp_path / "MyStudy") == [f"{tmp_path / 'MyStudy'}: {near}"]
    assert problems(tmp_path) == [f"{place}: no such file; studies in {tmp_path.name}: my-study"]


def test_a_file_that_is_no_study_file(tmp_path: Path) -> None:
    texts = write_small_study(tmp_path) / "texts.csv"
    assert problems(texts) == [f"{texts}: not a study file; give a study directory, or the study.yaml in it"]


@pytest.mark.parametrize(
    ("text", "seen"), [("- a\n- b\n", "a list of 2"), ("study\n", "'study'"), ("7\n", "7"), ("# empty\n", "nothing")]
)
def test_a_file_that_is_no_mapping(tmp_path: Path, text: str, seen: str) -> None:
    (tmp_path / "study.yaml").write_text(text, encoding="utf-8")
    message = f"a mapping of keys to values is needed, got {seen}; begin with 'format: 1'"
    assert problems(tmp_path) == [f"study.yaml:1:1: {message}"]


@pytest.mark.parametrize(("before", "end"), [(b"\xef\xbb\xbf", b"\n"), (b"", b"\r\n")])
def test_files_of_windows_are_read(tmp_path: Path, before: bytes, end: bytes) -> None:
    write_small_study(tmp_path)
    for path in tmp_path.iterdir():
        path.write_bytes(before + path.read_bytes().replace(b"\n", end))
    study = load_study(tmp_path)
    assert study.texts["i1", "human"] == "The human text about i1 is here."
    assert study.items_in_order[-1] == "i6"


WRONG = """\
format: 1
title:
tables:
  texts: texts.csv
  items: [items.csv]
  references: references.csv
participants:
  wanted: 0
consent: gone.md
interface: tlh
questionnaire:
  - {name: a, question: A?, type: number, min: 5, max: 1}
  - {name: a, question: B?, type: choice, choices: [x, x]}
blocks:
  - task: rating
    instructions: empty.md
    practice: practice.csv
    criteria:
      - {name: clarity, question: Clear?, scale: {from: 1, to: 1}}
  - task: rating
    criteria:
      - {name: truth, question: True?}
      - {name: truth, question: True?}
  - task: liking
screening:
  too-fast: {second: 1}
  too-fst: {}
metrics:
  - metric: rouge-l
    stem: 1
finish: {code: X}
"""


def test_problems_in_all_places_are_reported_together(tmp_path: Path) -> None:
    (tmp_path / "study.yaml").write_text(WRONG, encoding="utf-8")
    (tmp_path / "texts.csv").write_text("item,system,text\ni1,A,x\ni1,B,x\ni2,A,x\n", encoding="utf-8")
    (tmp_path / "references.csv").write_text("item\ni1\n", encoding="utf-8")
    (tmp_path / "practice.csv").write_text("item,text\np1,\n", encoding="utf-8")
    (tmp_path / "empty.md").write_text("", encoding="utf-8")
    assert problems(tmp_path) == [
        "practice.csv:2:4: text: column 'text' is empty; fill it in or remove the row",
        "references.csv:1: text: column 'text' is missing; add it; columns seen: item",
        "study.yaml:2:1: title: a text is needed, got nothing; write it after ':'",
        "study.yaml:5:3: tables.items: a text is needed, got a list of 1; write one instead",
        "study.yaml:8:3: participants.wanted: got 0; it must be 1 or more",
        "study.yaml:9:1: consent: file 'gone.md' is not there; create it or correct the path",
        "study.yaml:10:1: interface: buttons and hints are not translated into 'tlh'; use one of: ar, de, en, es, fr",
        "study.yaml:12:51: questionnaire[0].max: max 1 is below min 5; swap them",
        "study.yaml:13:6: questionnaire[1].name: duplicate field 'a'; rename one",
        "study.yaml:13:56: questionnaire[1].choices[1]: duplicate choice 'x'; remove one",
        "study.yaml:16:5: blocks[0].instructions: file 'empty.md' is empty; write something in it or remove this key",
        "study.yaml:19:43: blocks[0].criteria[0].scale: one step only (from 1 to 1); set 'to' above 'from'",
        "study.yaml:23:10: blocks[1].criteria[1].name: duplicate criterion 'truth'; rename one",
        "study.yaml:24:5: blocks[2].task: 'liking' is not a task; use one of: " + TASKS,
        "study.yaml:26:14: screening.too-fast.second: unknown key 'second'; did you mean 'seconds'?",
        "study.yaml:27:3: screening.too-fst: there is no screening rule 'too-fst'; did you mean 'too-fast'?",
        "study.yaml:30:5: metrics[0].stem: rouge-l: stem is 1; it must be of type bool, like False",
        "study.yaml:31:10: finish.code: unknown key 'code'; did you mean 'codes'?",
        "texts.csv:4: system: item 'i2' has no text from system 'B'; add that row",
    ]


def test_a_sound_block_is_checked_beside_an_unsound_one(tmp_path: Path) -> None:
    def change(data: dict[str, Any]) -> None:
        other = copy.deepcopy(data["blocks"][0])
        other["name"] = "other"
        other["context"] = "weather"
        data["blocks"][0]["comment"] = ""
        data["blocks"].append(other)

    found = problems(write_small_study(tmp_path, change))
    assert [line.partition(": ")[2] for line in found] == [
        "blocks[0].comment: got ''; it must not be empty",
        "blocks[1].context: the items table has no column 'weather'; use one of: item, context; or add it",
    ]


def test_blocks_without_names_get_the_name_of_their_task(tmp_path: Path) -> None:
    def change(data: dict[str, Any]) -> None:
        del data["blocks"][0]["name"]
        rating = data["blocks"][0]
        ranking = {"task": "ranking", "criteria": [{"name": "quality", "question": "?"}]}
        data["blocks"] += [ranking, rating, {**rating, "name": "own"}, rating, ranking]

    names = [block.name for block in load_study(write_small_study(tmp_path, change)).blocks]
    assert names == ["rating", "ranking", "rating-2", "own", "rating-3", "ranking-2"]


@pytest.mark.skipif(os.name == "nt", reason="making links needs a privilege there")
def test_a_link_out_of_the_directory_is_outside(tmp_path: Path) -> None:
    write_small_study(tmp_path / "study")
    (tmp_path / "consent.md").write_text("x", encoding="utf-8")
    (tmp_path / "study" / "consent.md").unlink()
    (tmp_path / "study" / "consent.md").symlink_to(tmp_path / "consent.md")
    assert problems(tmp_path / "study")[0].endswith(
        "consent: file 'consent.md' is outside the study directory; copy it into the directory"
    )


def test_an_absolute_path_is_outside(tmp_path: Path) -> None:
    def change(data: dict[str, Any]) -> None:
        data["consent"] = str(tmp_path / "consent.md")

    (message,) = problems(write_small_study(tmp_path, change))
    assert message.endswith("is outside the study directory; copy it into the directory")


# --- whatever stands in the file, the answer is a study or a list of problems ---------------------------------------

scalars = (
    st.none()
    | st.booleans()
    | st.integers(-3, 200)
    | st.floats()
    | st.sampled_from(["", " ", "rating", "texts.csv", "..", "study.yaml", "yes", "\u2028", "x" * 70, "10", "choice"])
)
anything = st.recursive(
    scalars,
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(["task", "type", "name", "from", "x", 1, True]), inner, max_size=3)
    ),
    max_leaves=6,
)


def places(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """All places in the data."""
    below = (
        list(value.items()) if isinstance(value, dict) else list(enumerate(value)) if isinstance(value, list) else []
    )
    return [path, *(place for key, part in below for place in places(part, (*path, key)))]


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.data())
def test_nothing_that_yaml_can_say_breaks_the_loader(tmp_path: Path, data: st.DataObject) -> None:
    study = copy.deepcopy(STUDY)
    for _ in range(data.draw(st.integers(1, 3))):
        *above, key = data.draw(st.sampled_from(places(study)[1:]))
        here: Any = study
        for part in above:
            here = here[part]
        if data.draw(st.booleans()):
            here[key] = data.draw(anything)
        elif isinstance(here, dict):
            here[data.draw(st.sampled_from(["extra", 7, "task", "type", "name", "scale"]))] = data.draw(anything)
    write_small_study(tmp_path)
    with (tmp_path / "study.yaml").open("w", encoding="utf-8") as stream:
        YAML(typ="safe", pure=True).dump(study, stream)
    try:
        loaded = load_study(tmp_path)
    except StudyError:
        return
    assert loaded.blocks


# --- tables of a block ----------------------------------------------------------------------------------------------


def test_tables_of_a_block_are_read(tmp_path: Path) -> None:
    block = load_study(write_reading_study(tmp_path)).blocks[0]
    (key,) = block.task.block_tables
    table = block.tables[key]
    assert table.file == "questions.csv"
    assert table.rows[0]["question"] == "Does the text have ten sentences?"


def test_table_of_a_block_that_is_not_there(tmp_path: Path) -> None:
    write_reading_study(tmp_path)
    (tmp_path / "questions.csv").unlink()
    (problem,) = problems(tmp_path)
    assert problem.endswith("questions: file 'questions.csv' is not there; create it or correct the path")


def test_table_of_a_block_with_a_wrong_column(tmp_path: Path) -> None:
    write_reading_study(tmp_path)
    text = (tmp_path / "questions.csv").read_text(encoding="utf-8")
    (tmp_path / "questions.csv").write_text(text.replace("correct", "right", 1), encoding="utf-8")
    assert problems(tmp_path) == [
        "questions.csv:1: correct: column 'correct' is missing; add it; columns seen: item, question, choices, right"
    ]


def test_table_of_a_block_need_not_be_named(tmp_path: Path) -> None:
    def without(data: dict[str, Any]) -> None:
        del data["blocks"][0]["questions"]

    assert load_study(write_reading_study(tmp_path, without)).blocks[0].tables == {}
