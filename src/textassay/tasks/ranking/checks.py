"""What must hold between a ranking block and the files of its study."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textassay.tasks.beside import beside_problems
from textassay.tasks.contract import Found
from textassay.tasks.ranking.settings import MOST_TEXTS, RankingSettings

if TYPE_CHECKING:
    from textassay.study.study import Block, Study


def block_problems(settings: RankingSettings, block: Block, study: Study) -> Found:
    """Everything that is wrong with the block."""
    yield from beside_problems(settings, block, study)
    yield from _systems(settings, study)
    yield from _practice(block)


def _systems(settings: RankingSettings, study: Study) -> Found:
    n, size = len(study.systems), settings.systems_per_trial
    if n < 2:
        yield (), f"there is only one system ({study.systems[0]!r}), so there is nothing to rank; add texts of another"
    elif size is not None and size > n:
        yield ("systems_per_trial",), f"got {size}, but there are only {n} systems; lower it"
    elif size is None and n > MOST_TEXTS:
        message = f"{n} texts do not fit a page (at most {MOST_TEXTS}); say in 'systems_per_trial' how many to rank"
        yield (), message


def _practice(block: Block) -> Found:
    checks = block.task.attention_items()
    for item in block.practice:
        if item in checks:
            yield ("practice",), f"item {item!r} of the practice table has the name of an attention check; rename it"
        elif len(block.practice_units.get(item, ())) < 2:
            remedy = "give the table a column 'unit' that names its texts, and a row for each"
            yield ("practice",), f"practice item {item!r} has fewer than two texts to rank; {remedy}"
