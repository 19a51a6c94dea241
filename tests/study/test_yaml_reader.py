from __future__ import annotations

from pathlib import Path

import pytest

from textassay.errors import StudyError
from textassay.study.yaml_reader import Document, format_path, read_yaml


def read(tmp_path: Path, text: str | bytes) -> Document:
    path = tmp_path / "study.yaml"
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    return read_yaml(path, "study.yaml")


TEXT = """\
# a comment first

title:   Reports
blocks:
  - task: rating
    criteria:
    - name: clarity
      scale: {from: 1, to: 7, labels: {1: low, 7: high}}
    -   name: fluency
        scale:
            from: 0
list:
- a
-   b
- [c, d]
"""


@pytest.mark.parametrize(
    ("path", "place"),
    [
        ((), (3, 1)),
        (("title",), (3, 1)),
        (("blocks",), (4, 1)),
        (("blocks", 0), (5, 5)),
        (("blocks", 0, "task"), (5, 5)),
        (("blocks", 0, "criteria"), (6, 5)),
        (("blocks", 0, "criteria", 0), (7, 7)),
        (("blocks", 0, "criteria", 0, "scale"), (8, 7)),
        (("blocks", 0, "criteria", 0, "scale", "to"), (8, 24)),
        (("blocks", 0, "criteria", 0, "scale", "labels", 7), (8, 48)),
        (("blocks", 0, "criteria", 1), (9, 9)),
        (("blocks", 0, "criteria", 1, "scale", "from"), (11, 13)),
        (("list", 1), (14, 5)),
        (("list", 2, 1), (15, 7)),
        # What is not there stands where the nearest thing above it stands.
        (("blocks", 0, "criteria", 1, "question"), (9, 9)),
        (("seed",), (3, 1)),
    ],
)
@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_place_of_everything(tmp_path: Path, path: tuple[str | int, ...], place: tuple[int, int], end: str) -> None:
    assert read(tmp_path, TEXT.replace("\n", end)).place(path) == place


def test_byte_order_mark_moves_nothing(tmp_path: Path) -> None:
    document = read(tmp_path, b"\xef\xbb\xbfformat: 1\n")
    assert document.data == {"format": 1}
    assert document.place(("format",)) == (1, 1)


def test_values_are_those_of_yaml_1_2(tmp_path: Path) -> None:
    text = 'a: no\nb: "1"\nc: 2026-01-31\nd: 010\ne: ~\nf: 0.5\ng: {1: x}\nh: |\n  two\n  lines\n'
    assert read(tmp_path, text).data == {
        "a": "no",
        "b": "1",
        "c": "2026-01-31",
        "d": 10,
        "e": None,
        "f": 0.5,
        "g": {1: "x"},
        "h": "two\nlines\n",
    }


def test_aliases_are_written_out(tmp_path: Path) -> None:
    document = read(tmp_path, "a: &scale {from: 1}\nb: *scale\nc: &scale {from: 2}\nd: *scale\n")
    assert document.data == {"a": {"from": 1}, "b": {"from": 1}, "c": {"from": 2}, "d": {"from": 2}}
    assert document.place(("b",)) == (2, 1)


def test_all_duplicate_keys_are_found_and_the_first_counts(tmp_path: Path) -> None:
    document = read(tmp_path, "a: 1\nb: {x: 1, x: 2}\na: 3\n1: x\n1.0: y\n")
    assert document.data == {"a": 1, "b": {"x": 1}, 1: "x"}
    assert [str(problem) for problem in document.problems] == [
        "study.yaml:2:11: b: key 'x' is already in line 2; keep one of the two",
        "study.yaml:3:1: key 'a' is already in line 1; keep one of the two",
        "study.yaml:5:1: key 1.0 is already in line 4; keep one of the two",
    ]


@pytest.mark.parametrize("text", ["", "\n", "# only a comment\n", "---\n", "~\n"])
def test_an_empty_file_holds_nothing(tmp_path: Path, text: str) -> None:
    assert read(tmp_path, text).data is None


def test_a_bomb_of_aliases_is_refused_before_it_grows(tmp_path: Path) -> None:
    lines = ["a0: &a0 [x]", *(f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 10)}]" for n in range(1, 30))]
    with pytest.raises(StudyError, match="more than 100000 values, counting aliases"):
        read(tmp_path, "\n".join(lines))


def test_paths_are_written_as_people_write_them() -> None:
    assert format_path(("screening", "too-fast", "seconds")) == "screening.too-fast.seconds"
    assert format_path((0, "a", 1, 2)) == "[0].a[1][2]"
    assert format_path(()) == ""


@pytest.mark.parametrize("value", ["!mine {a: 1}", "!mine [1]"])
def test_unknown_tag_of_a_mapping_or_a_list_is_told(tmp_path: Path, value: str) -> None:
    path = tmp_path / "study.yaml"
    path.write_text(f"title: {value}\n", encoding="utf-8")
    document = read_yaml(path, path.name)
    assert [str(problem) for problem in document.problems] == [
        "study.yaml:1:8: title: the tag !mine is not known; remove it"
    ]
