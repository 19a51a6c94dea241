"""`textassay new`: make a study, from somebody's own texts or as a copy of a ready one."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from textassay import pipeline, ready_studies
from textassay.cli.completing import template_names
from textassay.cli.options import Whole
from textassay.cli.output import console, show_tables
from textassay.errors import UsageError
from textassay.results import Table

_Several = Parameter(consume_multiple=True, negative="")
_TEMPLATE = "rating-scale"


@Parameter(name="*")
@dataclass(frozen=True, kw_only=True)
class OwnTexts:
    """A study of your own texts: the files, and what is in them; what is not said is guessed and shown."""

    from_: Annotated[list[Path] | None, Parameter(name="--from"), _Several] = None
    """Your texts: a table (.csv, .tsv, .xlsx, .json, .jsonl, .parquet), several, plain files with one text per line,
    a folder of them, or - for standard input."""
    item: str | None = None
    """Column that identifies the item; `none` to number the rows."""
    systems: str | None = None
    """Columns with the texts of one system each, separated by commas."""
    system: str | None = None
    """Column with the name of the system, where each text has its own row."""
    text: str | None = None
    """Column with the text, where each text has its own row."""
    context: str | None = None
    """Column (or plain file) shown beside the text, such as the prompt; `none` for none."""
    reference: str | None = None
    """Columns (or plain files) with references, separated by commas; `none` for none."""
    task: str | None = None
    """The kind of trial: rating (the default), side-by-side, preference, ranking or reading."""
    items: Whole | None = None
    """Draw this many items at random instead of taking all."""


def new(
    directory: Path | None = None,
    *,
    template: Annotated[str | None, Parameter(name=["--template", "-t"], completer=template_names)] = None,
    own: OwnTexts | None = None,
) -> None:
    """Make a study of your own texts (--from), or copy a ready study; without a directory, list the ready studies.

    Args:
        directory: The directory to create.
        template: The ready study to copy; by default rating-scale.
        own: Your own texts.
    """
    own = own or OwnTexts()
    if own.from_:
        _from_files(directory, own.from_, own, template)
        return
    said = [name for name, value in vars(own).items() if value is not None]
    if said:
        raise UsageError(f"--{said[0]} says what is in a file of your own texts; name the file with --from FILE")
    if directory is None:
        show_tables([templates()], "text")
        return
    if directory.is_file():
        raise UsageError(f"{directory} is a file; to make a study of it: textassay new my-study --from {directory}")
    ready_studies.copy(template or _TEMPLATE, directory)
    print(f"Created {directory} from {template or _TEMPLATE!r}. Edit {directory / 'study.yaml'}, then:")
    print(f"  textassay check {directory}")
    print(f"  textassay serve {directory}")


def _from_files(directory: Path | None, files: list[Path], own: OwnTexts, template: str | None) -> None:
    from textassay.study.from_files.layout import Said  # noqa: PLC0415 -- only where a study is made from files
    from textassay.study.from_files.new_study import study_from_files  # noqa: PLC0415

    named = " ".join(map(str, files))
    if template is not None:
        raise UsageError("--template copies a ready study and --from makes one of your own texts; give one of the two")
    if directory is None:
        *others, last = files
        if others and not last.exists():  # the directory was probably named last
            raise UsageError(f"name the directory first: textassay new {last} --from {' '.join(map(str, others))}")
        raise UsageError(f"name the directory to create: textassay new my-study --from {named}")
    said = Said(own.item, _names(own.systems), own.system, own.text, own.context, _names(own.reference))
    made = study_from_files(directory, files, said, own.task or "", own.items)
    title = "column" if not made.columns or len(files) == 1 else "column or file"
    show_tables([Table("columns", f"What {named} was read as", (title, "read as", "example"), made.columns)], "text")
    say = console()
    say.print(f"{made.numbers}.")
    for doubt in made.doubts:
        say.print(f"Please check: {doubt}.")
    for note in made.notes:
        say.print(f"Note: {note}.")
    say.print(f"\nCreated {directory} with {', '.join(made.written)}.")
    say.print(f"Design: {made.design}. Edit {directory / 'study.yaml'}, then:", soft_wrap=True)
    width = max(len(f"textassay simulate {directory}"), 0)
    for command, why in (
        ("check", "find problems, show who sees what"),
        ("simulate", "rehearse it with made-up participants"),
        ("serve", "open it for participants"),
    ):
        say.print(f"  {f'textassay {command} {directory}':{width}}  # {why}", soft_wrap=True)


def _names(joined: str | None) -> tuple[str, ...]:
    return tuple(name.strip() for name in joined.split(",") if name.strip()) if joined else ()


def templates() -> Table:
    """The ready studies, each with one line about it and the size of its design."""
    rows = []
    for name, about in ready_studies.ABOUT.items():
        study = pipeline.load(ready_studies.folder(name))
        people = sum(cohort.wanted for cohort in study.cohorts)
        rows.append((name, about, len(study.items_in_order), len(study.systems), people))
    columns = ("template", "about", "items", "systems", "participants")
    note = (
        "Copy one into a new directory: textassay new my-study --template NAME\n"
        "Or make a study of your own texts: textassay new my-study --from FILE"
    )
    return Table("templates", "Ready studies", columns, tuple(rows), note)
