"""`textassay power`: how many participants and items a study needs."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from textassay import pipeline
from textassay.cli.options import HERE, Format, Quiet, StudyDirectory, Whole, named_number
from textassay.cli.output import progress_bar, show_analyses
from textassay.errors import UsageError
from textassay.known_names import unknown
from textassay.rehearsal import power as simulation
from textassay.rehearsal.power import PowerOptions
from textassay.results import Analysis
from textassay.study.study import Block, Study
from textassay.tables.frames import read_frame

_Several = Parameter(consume_multiple=True, negative="")


def power(  # noqa: PLR0913 -- one parameter per flag
    study: StudyDirectory = HERE,
    *,
    participants: Annotated[list[Whole] | None, Parameter(name=["--participants", "-n"]), _Several] = None,
    items: Annotated[list[Whole] | None, _Several] = None,
    effect: Annotated[list[float] | None, _Several] = None,
    assume: Annotated[list[str] | None, _Several] = None,
    pilot: Path | None = None,
    block: str | None = None,
    runs: Whole = 500,
    alpha: float | None = None,
    null: Annotated[bool, Parameter(negative="")] = False,
    format: Format = "text",  # noqa: A002 -- the flag's name
    quiet: Quiet = False,
) -> None:
    """Estimate by simulation how many participants and items a study needs.

    Args:
        study: The study directory; the current directory by default.
        participants: Numbers of participants to try; by default the study's own.
        items: Numbers of items to try; by default the study's own. Further items are made up as needed.
        effect: Difference between the best and the worst system, in the unit that the result names; several to compare.
        assume: Further assumptions as name=value; the result lists the names.
        pilot: Exported answers of an earlier study of this kind, from which the variances are estimated.
        block: Name of one block; all blocks by default.
        runs: Simulations per combination.
        alpha: Level of significance; by default the study's own.
        null: Also estimate the rate of false positives, with equal systems.
        format: How the result is printed.
        quiet: Show no progress.
    """
    loaded = pipeline.load(study)
    blocks = _blocks(loaded, block)
    if len(blocks) > 1 and (effect or assume or pilot):
        names = ", ".join(each.name for each in blocks)
        raise UsageError(f"--effect, --assume and --pilot apply to one block; choose it with --block: {names}")
    assumed = dict(named_number(text, "--assume", "participant_sd=0.5") for text in assume or ())
    found: list[Analysis] = []
    for each in blocks:
        options = PowerOptions(
            participants=tuple(participants or ()),
            items=tuple(items or ()),
            effects=tuple(effect or ()),
            assume={**_piloted(each, pilot), **assumed},
            runs=runs,
            alpha=alpha,
            null=null,
        )
        with progress_bar(f"runs of {each.name}", quiet=quiet) as progress:
            analysis = simulation.power(loaded, each, options, progress=progress).analysis()
        found.append(analysis.within(each.name) if len(loaded.blocks) > 1 else analysis)
    show_analyses(found, format)


def _piloted(block: Block, pilot: Path | None) -> dict[str, float]:
    if pilot is None:
        return {}
    return dict(block.task.sample_class().pilot_assumptions(block.task, read_frame(pilot, block.task.schema)))


def _blocks(study: Study, name: str | None) -> tuple[Block, ...]:
    if name is None:
        return study.blocks
    found = tuple(block for block in study.blocks if block.name == name)
    if not found:
        raise UsageError(unknown("block", name, (each.name for each in study.blocks)))
    return found
