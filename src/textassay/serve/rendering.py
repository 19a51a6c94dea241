"""Pages from templates."""

from __future__ import annotations

import secrets
from collections import OrderedDict
from collections.abc import Callable, Hashable, Mapping
from pathlib import Path
from typing import Any

from jinja2 import ChoiceLoader, Environment, FileSystemLoader, PrefixLoader, StrictUndefined
from markupsafe import Markup, escape
from starlette.responses import HTMLResponse

from textassay.durations import duration
from textassay.serve.assets import Assets
from textassay.serve.messages import Messages, base, direction
from textassay.serve.protection import NO_STORE
from textassay.study.markup import is_long
from textassay.study.study import Study
from textassay.tasks.contract import SHARED

TEMPLATES = Path(__file__).parent / "templates"
TASKS = "task"
"""Prefix of the templates of tasks."""


_MOST_BYTES = 12 * 1024 * 1024
Values = dict[str, Any]


class CommonParts:
    """The common parts of pages that were asked for lately, up to a number of bytes."""

    def __init__(self, most: int = _MOST_BYTES) -> None:
        self._most, self._size = most, 0
        self._parts: OrderedDict[Hashable, list[bytes]] = OrderedDict()

    def get(self, identity: Hashable) -> list[bytes] | None:
        """The parts of a page, if they are there."""
        found = self._parts.get(identity)
        if found is not None:
            self._parts.move_to_end(identity)
        return found

    def put(self, identity: Hashable, parts: list[bytes]) -> None:
        """Keep the parts of a page; those that were not asked for longest make room."""
        self._parts[identity] = parts
        self._size += sum(map(len, parts))
        while self._size > self._most and self._parts:
            self._size -= sum(map(len, self._parts.popitem(last=False)[1]))


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
        self._common = CommonParts()
        self._mark = f"\ue000{secrets.token_hex(8)}\ue001"  # no text of a study contains it
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
            retry_after=None,  # set where a page loads itself again
            detail="",
            preview=None,  # set when the researcher previews a page
        )

    def filled_page(
        self, template: str, identity: Hashable, own: Mapping[str, str], values: Callable[[Mapping[str, str]], Values]
    ) -> HTMLResponse:
        """A page of which most is the same for everybody: that is rendered once, then the rest is filled in.

        Args:
            template: The template.
            identity: What the common part depends on.
            own: The participant's own values by name; wherever they are in the page, they are plain text.
            values: The values for the template from the own ones, or from what stands for them.
        """
        parts = self._common.get(identity)
        if parts is None:
            marked = {name: f"{self._mark}{name}{self._mark}" if own[name] else "" for name in own}
            parts = self.html(template, **values(marked)).encode().split(self._mark.encode())
            self._common.put(identity, parts)
        filled = {name.encode(): str(escape(value)).encode() for name, value in own.items()}
        # Names and text alternate, beginning and ending with text.
        pieces = [part if number % 2 == 0 else filled[part] for number, part in enumerate(parts)]
        return HTMLResponse(b"".join(pieces), headers=NO_STORE)

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
