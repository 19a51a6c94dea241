"""Pages from templates."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from jinja2 import ChoiceLoader, Environment, FileSystemLoader, PrefixLoader, StrictUndefined
from markupsafe import Markup
from starlette.responses import HTMLResponse

from textassay.durations import duration
from textassay.serve.assets import Assets
from textassay.serve.messages import Messages, base, direction
from textassay.serve.middleware import NO_STORE
from textassay.study.markup import is_long
from textassay.study.study import Study
from textassay.tasks.contract import SHARED

TEMPLATES = Path(__file__).parent / "templates"
TASKS = "task"
"""Prefix of the templates of tasks."""


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
