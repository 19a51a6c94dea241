"""Every message that is asked for exists in every language, with all its forms and values."""

from __future__ import annotations

import json
import re
from pathlib import Path
from string import Formatter
from typing import Any, get_args

import pytest

from textassay import catalogue
from textassay.plural_forms import forms
from textassay.screening.contract import MESSAGES as SCREENING
from textassay.serve.board.overview import STANDINGS, What
from textassay.serve.board.preview import PLACES
from textassay.serve.messages import OWN, direction, interface_language, languages, load_messages

SERVE = OWN.parent
TASKS = {name: catalogue.find("task", name).folder() for name in catalogue.names("task")}
TOGETHER = SERVE.parent / "tasks"
"""What several tasks share."""
FOLDERS = {"serve": OWN, "screening": SCREENING, **{name: folder / "messages" for name, folder in TASKS.items()}}
KEY = re.compile(r"""["']([a-z_]+\.(?!(?:css|html|js|json|svg|zip)["'])[a-z_]+|contact)["']""")
"""A quoted message key; what ends like the name of a file is one."""
SHARED = re.compile(r"""task ~ ["']\.([a-z_]+)["']""")
"""The end of a key that a shared template puts behind the name of a task."""
IN_CODE = re.compile(r"""f["']\{(?:self\.)?task\}\.([a-z_]+)["']""")
"""The same in a module."""
LOOPED = re.compile(r"for key in \(([^)]*)\)")
"""Several such ends, one after the other."""


def texts(folder: Path, language: str) -> dict[str, Any]:
    read: dict[str, Any] = json.loads((folder / f"{language}.json").read_text(encoding="utf-8"))
    return read


def values_in(text: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(text) if name}


def values_of(message: Any) -> set[str]:
    every = [message] if isinstance(message, str) else list(message.values())
    return set().union(*map(values_in, every))


def used(*folders: Path) -> set[str]:
    """Keys that templates and modules name."""
    found: set[str] = set()
    for folder in folders:
        for path in [*folder.glob("*.py"), *folder.rglob("*.html")]:
            found |= set(KEY.findall(path.read_text(encoding="utf-8")))
    return found


# Keys that are put together at run time, and what from.
COMPOSED = {
    *(
        f"{words}.{part}"
        for words in ("decline", "retract", "withdraw")
        for part in ("title", "text", "kept", "yes", "no")
    ),
    *(f"{status}.{part}" for status in ("declined", "excluded", "withdrawn") for part in ("title", "text")),
    *(f"preview.{place}" for place in PLACES),
    *(f"board.{standing}" for standing in STANDINGS),
    *(f"kinds.{what}" for what in (*get_args(What), "repeat", "check")),
    *(f"board.{unit}" for unit in ("seconds", "minutes")),
    *(f"board.address_{mistake}" for mistake in ("undeclared", "proxy", "other", "insecure", "refused")),
    *(f"board.{place}" for place in ("overview", "people", "slots", "links", "preview")),
    *(f"{error}.{part}" for error in ("not_found", "refused", "server_error") for part in ("title", "text")),
}


@pytest.mark.parametrize("language", languages())
@pytest.mark.parametrize("folder", FOLDERS.values(), ids=FOLDERS)
def test_every_language_has_the_same_messages_with_the_same_values(folder: Path, language: str) -> None:
    english, other = texts(folder, "en"), texts(folder, language)
    assert other.keys() == english.keys()
    assert {key: values_of(other[key]) for key in other} == {key: values_of(english[key]) for key in english}
    for key, message in other.items():
        if isinstance(message, dict):
            assert set(message) == set(forms(language)), key
        assert all(text.strip() for text in ([message] if isinstance(message, str) else message.values())), key


def test_every_message_of_the_server_is_used_and_every_used_one_is_there() -> None:
    known = set(texts(OWN, "en"))
    named = used(SERVE, SERVE / "board", TOGETHER)  # templates that tasks share have words of the server too
    assert known - named - COMPOSED == set()
    kinds = {key.partition(".")[0] for key in known}
    assert {key for key in named | COMPOSED if key.partition(".")[0] in kinds} - known == set()


def shared_with(task: str) -> set[str]:
    """Keys that shared templates and modules put together for the tasks that import them."""
    own = "".join(path.read_text(encoding="utf-8") for path in [*TASKS[task].glob("*.py"), TASKS[task] / "view.html"])
    shared = [path for path in (SERVE / "templates").glob("*.html") if f'"{path.name}"' in own]
    shared += [path for path in TOGETHER.glob("*.html") if f'"task/{path.name}"' in own]
    written = [path.read_text(encoding="utf-8") for path in shared]
    ends = {end for text in written for group in LOOPED.findall(text) for end in re.findall("[a-z_]+", group)}
    ends |= {end for text in written for end in SHARED.findall(text)}
    for path in TOGETHER.glob("*.py"):
        if f"textassay.tasks.{path.stem} import" in own:
            ends |= set(IN_CODE.findall(path.read_text(encoding="utf-8")))
    return {f"{task}.{end}" for end in ends}


def composed_in(task: str, known: set[str]) -> set[str]:
    """Keys whose end the task's own page puts behind its name, where that end is a word of the task's code."""
    written = "".join(
        path.read_text(encoding="utf-8") for path in [*TASKS[task].glob("*.py"), *TASKS[task].glob("*.html")]
    )
    if f'"{task}." ~' not in written:
        return set()
    return {key for key in known if re.search(f"""["']{key.removeprefix(f"{task}.")}["']""", written)}


@pytest.mark.parametrize("task", TASKS)
def test_every_message_of_a_task_is_used_and_begins_with_its_name(task: str) -> None:
    known = set(texts(FOLDERS[task], "en"))
    assert {key for key in known if not key.startswith(f"{task}.")} == set()
    named = {key for key in used(TASKS[task]) if key.startswith(f"{task}.")}
    assert named - known == set()
    assert known - named - shared_with(task) - composed_in(task, known) == set()


@pytest.mark.parametrize("language", languages())
def test_messages_can_be_said(language: str) -> None:
    messages = load_messages(language, [folder for name, folder in FOLDERS.items() if name != "serve"])
    values = {name: 3 for message in messages.texts.values() for name in values_of(message)}
    assert all(messages(key, **values) for key in messages.texts)


def test_plural_forms_follow_the_number() -> None:
    german, arabic = load_messages("de"), load_messages("ar")
    assert german("start.minutes", n=1) == "Die Teilnahme dauert etwa 1 Minute."
    assert german("start.minutes", n=2) == "Die Teilnahme dauert etwa 2 Minuten."
    # One minute, two minutes (the dual), 3 to 10 minutes (plural), 11 to 99 and 100 minutes (singular nouns).
    nouns = {1: "دقيقة واحدة", 2: "دقيقتين", 3: "3 دقائق", 10: "10 دقائق", 11: "11 دقيقة", 100: "100 دقيقة"}
    for n, noun in nouns.items():
        assert arabic("start.minutes", n=n) == f"تستغرق المشاركة {noun} تقريبًا."


@pytest.mark.parametrize(
    ("wanted", "study", "expected"),
    [
        (None, "de-AT", "de"),
        (None, "ar-EG", "ar"),
        (None, "ja", "en"),
        ("de", "ar", "de"),
        ("xx", "de", "de"),
        (None, "en-GB", "en"),
    ],
)
def test_interface_language(wanted: str | None, study: str, expected: str) -> None:
    assert interface_language(wanted, study) == expected


@pytest.mark.parametrize(
    ("language", "expected"),
    [("en", "ltr"), ("ar", "rtl"), ("fa-IR", "rtl"), ("he", "rtl"), ("uz-Arab-AF", "rtl"), ("ps-Latn", "ltr")],
)
def test_direction(language: str, expected: str) -> None:
    assert direction(language) == expected


def test_a_study_with_its_own_words_can_be_in_any_language() -> None:
    assert interface_language(None, "cs-CZ", brought=True) == "cs"
    own = {"page.next": "Pokračovat", "start.minutes": {"one": "{n} minuta", "few": "{n} minuty", "other": "{n} minut"}}
    czech = load_messages("cs", own=own)
    assert czech("page.next") == "Pokračovat"
    assert [czech("start.minutes", n=n) for n in (1, 2, 5)] == ["1 minuta", "2 minuty", "5 minut"]
    # the others are English, also where Czech has a plural form that English has not
    assert czech("questionnaire.too_long", n=3) == "Please use at most 3 characters."


def test_task_without_the_language_speaks_english(tmp_path: Path) -> None:
    (tmp_path / "en.json").write_text('{"other.word": "word"}')
    assert load_messages("de", [tmp_path])("other.word") == "word"
