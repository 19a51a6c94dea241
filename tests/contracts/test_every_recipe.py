"""All that each recipe says of small made-up data, with no option as it is by default, is what it said before.

All headlines, tables, notes, figures, warnings and records are in `recipe_outputs/`. After a change that is meant,
`TEXTASSAY_WRITE_OUTPUTS=1 python -m pytest tests/contracts/test_every_recipe.py` writes them again; read the difference
before you commit it. That the numbers are right, other tests tell.
"""

from collections.abc import Iterator
from pathlib import Path

import pytest
from kept_outputs import compare, same, shown
from recipe_cases import CASES

from textassay.pairwise import PairwiseComparisons
from textassay.results import Analysis

OUTPUTS = Path(__file__).parent / "recipe_outputs"


def lines(analysis: Analysis) -> Iterator[str]:
    yield f"# {analysis.name}: {analysis.title}"
    yield from (f"headline {each.subject} ({each.figure or 'no figure'}): {each.text}" for each in analysis.headlines)
    yield from (f"warning: {text}" for text in analysis.warnings)
    for table in analysis.tables:
        yield f"## {table.name}: {table.title}"
        yield " | ".join(table.columns)
        yield from (" | ".join(map(shown, row)) for row in table.rows)
        yield f"note: {table.note}"
    for figure in analysis.figures:
        yield f"## figure {figure.name}: {figure.title} ({figure.kind})"
        yield from (f"{key}: {shown(value)}" for key, value in figure.data.items())
        yield f"note: {figure.note}"
    yield "## records"
    for record in analysis.records():
        told = {key: value for key, value in record.items() if key != "signature" and value not in (None, "")}
        yield "; ".join(f"{key}: {shown(value)}" for key, value in told.items())
    for pairs in (each for each in analysis.results if isinstance(each, PairwiseComparisons)):
        told = {"better": pairs.better, "alpha": pairs.alpha, "winners": [pair.winner for pair in pairs]}
        yield f"pairs of {pairs.of}: {shown(told)}"
    yield from dict.fromkeys(f"signature: {each.signature.rpartition('|')[0]}" for each in analysis.results)


@pytest.mark.parametrize("name", CASES)
def test_what_a_recipe_says(name):
    compare([line for analysis in CASES[name]() for line in lines(analysis)], OUTPUTS / f"{name}.txt")


def test_a_small_change_of_a_number_or_a_word_is_seen():
    assert same("mean 1.234567 of 3", "mean 1.234568 of 3")
    assert not same("mean 1.2345 of 3", "mean 1.2375 of 3")
    assert not same("mean 0.5 of 3", "mean -0.5 of 3")
    assert not same("mean 1.5 of 3", "mean 1.5 of 4")
    assert not same("the mean is undefined", "the mean is defined")
