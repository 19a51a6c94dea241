"""What others need to see and to redo a study: the pages as participants saw them, commands, checksums."""

from __future__ import annotations

import hashlib
import re
import shlex
from collections.abc import Iterator, Mapping
from importlib.metadata import version
from typing import TYPE_CHECKING, Any

from textassay import ready_studies
from textassay.report.summary import QuestionSummary, ShownPage
from textassay.study.markup import markdown
from textassay.study.model import ChoiceField, EmailField, NumberField, QuestionnaireField

if TYPE_CHECKING:
    from textassay.study.study import Study

_TITLES = {"welcome": "Welcome", "consent": "Consent", "finish": "Last page"}
_HEADING = re.compile(r"<h[1-6]([^>]*)>(.*?)</h[1-6]>", re.DOTALL)
_EFFECT = re.compile(r"^Effect put in: (.+) = (\S+)$", re.MULTILINE)
_LONGEST_PATH = 200
_COMPUTES = ("textassay", "numpy", "scipy", "pandas", "matplotlib")
"""Packages whose version may change a number or a figure."""


def without_codes(study: Study, text: str) -> str:
    """The text with the codes at the end of the study hidden: reports are shown to others, the codes are money."""
    for code in study.file.finish.every_code:
        text = text.replace(code, "(hidden)")
    return text


def shown_pages(study: Study) -> Iterator[ShownPage]:
    """Welcome, consent, the instructions of each block and the last page, in the order of the study."""
    several = len(study.blocks) > 1
    pages = [(_TITLES[name], study.pages[name]) for name in ("welcome", "consent") if name in study.pages]
    pages += [
        (f"Instructions of block {block.name}" if several else "Instructions", block.instructions)
        for block in study.blocks
        if block.instructions
    ]
    pages += [(_TITLES["finish"], study.pages["finish"])] if "finish" in study.pages else []
    for title, text in pages:
        yield ShownPage(title, _without_headings(markdown(without_codes(study, text))))


def _without_headings(html: str) -> str:
    """Headings as bold lines: within a report they would be headings of the report.

    >>> _without_headings("<h2>Hello</h2>")
    '<p><strong>Hello</strong></p>'
    """
    return _HEADING.sub(r"<p\1><strong>\2</strong></p>", html)


def asked_of_participants(study: Study) -> Iterator[QuestionSummary]:
    """The questionnaire: what was asked, and how it could be answered."""
    for field in study.file.questionnaire:
        must = "" if field.required else "; could be left out"
        yield QuestionSummary(field.name, field.question, f"{_answers(field)}{must}")


def _answers(field: QuestionnaireField) -> str:
    match field:
        case ChoiceField():
            return " / ".join(field.choices)
        case NumberField(min=low, max=high):
            ends = [*([] if low is None else [f"from {low:g}"]), *([] if high is None else [f"to {high:g}"])]
            return " ".join(["a number", *ends])
        case EmailField():
            return "an e-mail address, stored only as a keyed hash"
        case _:
            return f"a text of at most {field.max_length} characters"


def commands_to_redo(study: Study, *, rehearsal: bool) -> Iterator[str]:
    """What to type to get the same page again.

    Args:
        study: The study.
        rehearsal: Whether all participants are simulated: then others can make the same answers.
    """
    where = shlex.quote(study.directory.resolve().name)
    yield f"python -m pip install {' '.join(f'{name}=={version(name)}' for name in _COMPUTES)}"
    if rehearsal and not study.bundle_path.exists():  # a bundle has their answers
        template = next((name for name in ready_studies.names() if ready_studies.is_copy(name, study.directory)), None)
        if template is not None:
            yield f"textassay new {where} --template {template}"
        note = study.simulated_path.read_text(encoding="utf-8") if study.simulated_path.exists() else ""
        put_in = dict(_EFFECT.findall(note))
        given = {name: f"{size:g}" for name, size in study.file.simulate.effects.items()}
        more = [f"--effect {shlex.quote(f'{name}={size}')}" for name, size in put_in.items() if given.get(name) != size]
        yield " ".join([f"textassay simulate {where}", *more])
    yield f"textassay report {where}"


def checksums(study: Study) -> dict[str, str]:
    """SHA-256 of the study file, the plan and every file of the study directory that the study file names."""
    named = dict.fromkeys(_strings(study.file.model_dump()))
    paths = {name: study.directory / name for name in ("study.yaml", *named, study.plan_path.name)}
    return {name: hashlib.sha256(path.read_bytes()).hexdigest() for name, path in paths.items() if path.is_file()}


def _strings(value: Any) -> Iterator[str]:
    """All short strings in a study file, any of which may name a file."""
    if isinstance(value, Mapping):
        value = list(value.values())
    if isinstance(value, list):
        for part in value:
            yield from _strings(part)
    elif isinstance(value, str) and value.strip() and "\n" not in value and len(value) < _LONGEST_PATH:
        yield value
