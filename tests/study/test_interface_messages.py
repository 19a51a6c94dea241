"""Words of the interface that a study brings itself."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from small_study import write_small_study

from textassay import catalogue
from textassay.answers.served_material import material
from textassay.serve.messages import languages
from textassay.study.interface_messages import (
    interface_languages,
    language_warnings,
    message_problems,
    shipped_messages,
)
from textassay.study.load import load_study
from textassay.study.settled import named_files

SHIPPED = {"page.next": "Next", "end.n": {"one": "{n} page", "other": "{n} pages"}}


def test_the_pages_speak_what_the_server_has_words_for() -> None:
    assert interface_languages() == languages()
    assert {"de", "en"} <= set(interface_languages())


@pytest.mark.parametrize(
    ("given", "where", "message"),
    [
        (["Next"], (), "a mapping of messages to texts is needed, got a list of 1; write 'page.next: …'"),
        ({"page.nexd": "Dál"}, ("page.nexd",), "there is no message 'page.nexd'; did you mean 'page.next'?"),
        ({"x": "Dál"}, ("x",), "there is no message 'x'; the reference lists them in messages.md"),
        ({"page.next": {"one": "Dál"}}, ("page.next",), "this message has no number in it; write one text"),
        ({"page.next": 3}, ("page.next",), "got 3; write a text"),
        ({"page.next": "{"}, ("page.next",), "a brace does not fit; write {{ and }} for braces in the text"),
        ({"page.next": "Dál {n}"}, ("page.next",), "{n} is not known here; this message has no value"),
        ({"end.n": "{m} stran"}, ("end.n",), "{m} is not known here; this message has {n}"),
        (
            {"end.n": {"one": "{n} strana", "other": "{n} stran"}},
            ("end.n",),
            "got the plural forms one, other; in 'cs' a number takes one, few, other: write these",
        ),
        ({"end.n": {"one": "strana", "few": "", "other": "{n} stran"}}, ("end.n", "few"), "got ''; write a text"),
    ],
)
def test_wrong_messages(given: Any, where: tuple[str, ...], message: str) -> None:
    assert list(message_problems(given, "cs", SHIPPED)) == [(where, message)]


def test_a_study_in_a_language_that_is_not_shipped(tmp_path: Path) -> None:
    def czech(data: dict[str, Any]) -> None:
        data.update(language="cs", interface="cs", messages="cestina.yaml")

    (tmp_path / "cestina.yaml").write_text("page.next: Pokračovat\nrating.text: Text k hodnocení\n", encoding="utf-8")
    study = load_study(write_small_study(tmp_path, czech))
    assert study.messages == {"page.next": "Pokračovat", "rating.text": "Text k hodnocení"}
    assert "cestina.yaml" in named_files(study)
    assert "words of the interface" in material(study)
    shipped = shipped_messages([catalogue.find("task", "rating")])
    assert "rating.text" in shipped
    assert not any(key.startswith(("board.", "preference.")) for key in shipped)
    (warning,) = language_warnings(study)
    lacks = (
        f"cestina.yaml lacks {len(shipped) - 2} of {len(shipped)} messages, which will be English: contact, start.min"
    )
    assert warning.startswith(lacks)


def test_a_shipped_language_in_other_words_needs_no_warning(tmp_path: Path) -> None:
    (tmp_path / "words.yaml").write_text("page.next: Go on\n", encoding="utf-8")
    study = load_study(write_small_study(tmp_path, lambda data: data.update(messages="words.yaml")))
    assert list(language_warnings(study)) == []
