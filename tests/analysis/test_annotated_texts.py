from __future__ import annotations

from dataclasses import replace

from annotations import TRENDS, annotated

from textassay.analysis.annotated_texts import MOST, annotated_texts
from textassay.content.annotated_text import AnnotatedText


def texts(items: int) -> dict[tuple[str, str], AnnotatedText]:
    text = annotated("fall rise | calm", "STARTS 14:15 0", "CAUSE 0 1")
    keys = [(f"i{number}", system) for system in ("H", "C") for number in range(items)]
    return {key: replace(text, item=key[0], system=key[1]) for key in keys}


def test_the_first_item_is_open_and_the_others_are_folded() -> None:
    found = annotated_texts(texts(3), TRENDS, ["concerns"])
    opened = [text.title for text in found.texts if not text.detail]
    assert opened == ["i0, H", "i0, C"]
    assert [text.title for text in found.texts if text.detail] == ["i1, H", "i1, C", "i2, H", "i2, C"]
    assert found.texts[0].legend[0] == (1, "breath")
    assert not found.warnings


def test_how_much_each_system_says() -> None:
    (table,) = annotated_texts(texts(3)).tables
    assert table.rows == (("H", 3, 3, 3, 1, 1), ("C", 3, 3, 3, 1, 1))


def test_of_very_many_texts_the_first_are_shown() -> None:
    found = annotated_texts(texts(MOST))
    assert len(found.texts) == MOST
    assert found.warnings == (f"{MOST} more annotated texts are not shown here: a report shows {MOST}",)
