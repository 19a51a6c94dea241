"""Words of the interface that a study brings itself: another wording, or a language that is not shipped.

The file that `messages` names maps keys of messages to texts, or to plural forms and texts. What it does not give stays
as it is shipped, in English where the language is not.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from string import Formatter
from typing import TYPE_CHECKING, Any

from textassay.errors import ProblemsError
from textassay.known_names import did_you_mean
from textassay.plural_forms import forms
from textassay.study.model import Problems
from textassay.study.validation_messages import describe_value
from textassay.study.yaml_reader import read_yaml

if TYPE_CHECKING:
    from textassay.study.load import Sources
    from textassay.study.study import Study
    from textassay.tasks.contract import Task

_SHIPPED = Path(__file__).parent.parent / "serve" / "messages"
_ENGLISH = "en.json"
_OF_RESEARCHERS = ("board", "links", "preview", "kinds")
"""Beginnings of the keys of messages that participants never see."""
_SHOWN = 4
"""How many missing messages a warning names."""

OwnMessages = Mapping[str, str | Mapping[str, str]]
"""Key of a message to its text, or to its texts by plural form."""


def interface_languages() -> tuple[str, ...]:
    """The languages of buttons and hints that are shipped: those with a file of messages."""
    return tuple(sorted(path.stem for path in _SHIPPED.glob("*.json")))


def shipped_messages(tasks: Iterable[type[Task[Any]]]) -> dict[str, Any]:
    """All messages in English that participants of a study with these tasks can see."""
    found: dict[str, Any] = {}
    for folder in (_SHIPPED, *(task.folder() / "messages" for task in tasks)):
        found |= json.loads((folder / _ENGLISH).read_text(encoding="utf-8"))
    return {key: text for key, text in found.items() if key.partition(".")[0] not in _OF_RESEARCHERS}


def read_messages(sources: Sources, path: Any, language: str, tasks: Iterable[type[Task[Any]]]) -> OwnMessages:
    """The messages of the file; nothing where none is named or something in it is wrong, which the sources are told."""
    if not sources.is_there(path, ("messages",)):
        return {}
    try:
        document = read_yaml(sources.directory / path, path)
    except ProblemsError as error:
        sources.problems.extend(error.problems)
        return {}
    found = [*message_problems(document.data, language, shipped_messages(tasks))]
    sources.problems += [*document.problems, *(document.problem(where, message) for where, message in found)]
    return {} if document.problems or found else document.data


def message_problems(data: Any, language: str, shipped: Mapping[str, Any]) -> Problems:
    """What is wrong with messages as they were written: path in the file, and message."""
    if not isinstance(data, dict):
        yield (), f"a mapping of messages to texts is needed, got {describe_value(data)}; write 'page.next: …'"
        return
    for key, given in data.items():
        if key not in shipped:
            yield (key,), unknown_message(key, shipped)
            continue
        several = isinstance(given, dict)
        if several and isinstance(shipped[key], str):
            yield (key,), "this message has no number in it; write one text"
            continue
        if several and set(given) != set(forms(language)):
            got, needed = ", ".join(map(str, given)), ", ".join(forms(language))
            yield (key,), f"got the plural forms {got}; in {language!r} a number takes {needed}: write these"
            continue
        for form, text in given.items() if several else [(None, given)]:
            problem = _text_problem(text, _values(shipped[key]))
            if problem is not None:
                yield (key,) if form is None else (key, str(form)), problem


def unknown_message(key: Any, shipped: Mapping[str, Any]) -> str:
    """There is no such message: which one is near, or where they are listed."""
    near = did_you_mean(key, shipped)
    return f"there is no message {key!r}{near or '; the reference lists them in messages.md'}"


def _text_problem(text: Any, values: set[str]) -> str | None:
    if not isinstance(text, str) or not text.strip():
        return f"got {describe_value(text)}; write a text"
    try:
        named = _values(text)
    except ValueError:
        return "a brace does not fit; write {{ and }} for braces in the text"
    if named - values:
        known = " and ".join(sorted(f"{{{value}}}" for value in values)) or "no value"
        return f"{{{min(named - values)}}} is not known here; this message has {known}"
    return None


def _values(message: str | Mapping[str, str]) -> set[str]:
    """The names in braces for which values are put into a message."""
    texts = [message] if isinstance(message, str) else message.values()
    return {name for text in texts for _, name, _, _ in Formatter().parse(text) if name is not None}


def language_warnings(study: Study) -> Iterable[str]:
    """What participants will read in English though the study is in another language."""
    known, file = interface_languages(), study.file
    language = (file.interface or file.language).partition("-")[0].lower()
    if language in known:
        return
    if file.messages is None:
        yield (
            f"buttons and hints are not translated into {file.language!r}, so they will be in English; "
            f"'interface' can be one of {', '.join(known)}, and 'messages' can name a file with your own words"
        )
        return
    shipped = shipped_messages(block.task_class for block in study.blocks)
    missing = [key for key in shipped if key not in study.messages]
    if missing:
        named = ", ".join(missing[:_SHOWN]) + (" …" if len(missing) > _SHOWN else "")
        yield f"{file.messages} lacks {len(missing)} of {len(shipped)} messages, which will be English: {named}"
