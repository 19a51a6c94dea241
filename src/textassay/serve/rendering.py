"""Pages from templates."""

from __future__ import annotations

import re
from collections.abc import Mapping
from math import ceil
from pathlib import Path
from typing import Any
from unicodedata import east_asian_width

from jinja2 import ChoiceLoader, Environment, FileSystemLoader, PrefixLoader, StrictUndefined
from markupsafe import Markup
from starlette.responses import HTMLResponse

from textassay.durations import duration
from textassay.serve.assets import Assets
from textassay.serve.messages import Messages, base, direction
from textassay.serve.middleware import NO_STORE
from textassay.study.study import Study
from textassay.tasks.contract import SHARED

TEMPLATES = Path(__file__).parent / "templates"
TASKS = "task"
"""Prefix of the templates of tasks."""


_LINE_ENDS = re.compile(r"<br>|</(?:p|li|tr|h[1-6])>|\n")
_CODE = re.compile(r"(<pre\b.*?</pre>)", re.DOTALL)
_TAG = re.compile("<[^>]*>")
_CHARACTERS_A_LINE = 60
_LONG = 22
"""Lines of a passage that has a scroll area of its own where there is room beside it, and can be closed elsewhere."""


def is_long(html: str) -> bool:
    """Whether a passage is so long that the rest of the page would scroll away."""
    flowing = _CODE.split(html)
    flowing[::2] = [part.replace("\n", " ") for part in flowing[::2]]  # lines end as written in code only
    lines = [_TAG.sub("", line) for line in _LINE_ENDS.split("".join(flowing))]
    return sum(ceil(_width(line) / _CHARACTERS_A_LINE) for line in lines) > _LONG


def _width(line: str) -> int:
    """The width of a line in characters; Chinese, Japanese and Korean ones are twice as wide."""
    return len(line) + (0 if line.isascii() else sum(east_asian_width(character) in "WF" for character in line))


def is_beside(view: Mapping[str, Any]) -> bool:
    """Whether the context has a column of its own, with the text and the questions in the other."""
    return bool(view.get("image")) or is_long(view.get("context") or "")


class Renderer:
    """Fills templates with what all pages of a study share."""

    def __init__(self, study: Study, messages: Messages, assets: Assets) -> None:
        tasks = {block.task.name: FileSystemLoader(block.task.folder()) for block in study.blocks}
        own = FileSystemLoader(TEMPLATES)
        of_tasks = ChoiceLoader([PrefixLoader(tasks), FileSystemLoader(SHARED)])
        self._environment = Environment(
            loader=ChoiceLoader([own, PrefixLoader({TASKS: of_tasks})]),
            autoescape=True,
            undefined=StrictUndefined,
            trim_blocks=True,
            lstrip_blocks=True,
            auto_reload=False,  # templates do not change while a study runs
        )
        language = study.file.language
        self._environment.globals.update(
            study=study.file,
            language=language,
            direction=direction(language),
            ui=_marked(messages.language, language),
            t=messages,
            static=assets.static,
            duration=duration,
            is_long=is_long,
            is_beside=is_beside,
            preview=None,  # set when the researcher previews a page
        )

    def html(self, template: str, **values: Any) -> str:
        """The page as text."""
        return self._environment.get_template(template).render(values)

    def page(self, template: str, *, status: int = 200, **values: Any) -> HTMLResponse:
        """The page as a reply that is not cached."""
        return HTMLResponse(self.html(template, **values), status, headers=NO_STORE)


def task_template(task: str) -> str:
    """The name of a task's template."""
    return f"{TASKS}/{task}/view.html"


def _marked(interface: str, study: str) -> Markup:
    """Language attributes for interface texts, if the interface has another language than the study."""
    if base(study) == interface:
        return Markup()
    return Markup('lang="{}" dir="{}"').format(interface, direction(interface))
