"""The parts of which `textassay new --from` makes a study of somebody's own texts: the study file, blocks, pages.

Each kind of trial that needs nothing but texts has `NAME.block.txt`, its block, and `NAME.md`, its instructions; the
files are Jinja templates. The first line of a block says what participants do.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from textassay.errors import UsageError
from textassay.known_names import unknown

DEFAULT = "rating"
_HERE = Path(__file__).parent
_BLOCK = ".block.txt"


def names() -> list[str]:
    """The kinds of trial of which a study can be made from texts alone."""
    return sorted(path.name.removesuffix(_BLOCK) for path in _HERE.glob(f"*{_BLOCK}"))


def refuse_unknown(name: str) -> None:
    """Refuse a kind of trial that needs more than texts, or is none.

    Raises:
        UsageError: there is no such starter.
    """
    if name not in names():
        raise UsageError(f"{unknown('kind of trial to make from texts alone', name, names())} (--task)")


def study_files(name: str, values: dict[str, Any]) -> dict[str, str]:
    """The files of a study by their names, filled in.

    Args:
        name: The kind of trial.
        values: What the templates ask for; see `study.txt`.
    """
    from jinja2 import Environment, FileSystemLoader, StrictUndefined  # noqa: PLC0415 -- only where a study is made

    # Study files and Markdown, no HTML: what pages show of them is made safe when it is shown.
    made = Environment(loader=FileSystemLoader(_HERE), undefined=StrictUndefined, trim_blocks=True, autoescape=False)  # noqa: S701
    made.keep_trailing_newline = True
    block = made.get_template(f"{name}{_BLOCK}").render(values)
    return {
        "study.yaml": made.get_template("study.txt").render(values, block=block.partition("\n")[2].rstrip()),
        "instructions.md": made.get_template(f"{name}.md").render(values),
        "consent.md": made.get_template("consent.md").render(values),
        "finish.md": made.get_template("finish.md").render(values),
    }
