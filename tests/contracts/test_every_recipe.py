"""All that each recipe says of small made-up data, with no option as it is by default, is what it said before.

All headlines, tables, notes, figures, warnings and records are in `recipe_outputs/`. After a change that is meant,
`TEXTASSAY_WRITE_OUTPUTS=1 python -m pytest tests/contracts/test_every_recipe.py` writes them again; read the difference
before you commit it. That the numbers are right, other tests tell.
"""

from pathlib import Path

import pytest
from kept_outputs import analysis_lines, compare, same
from recipe_cases import CASES

from textassay.report.outline import outline
from textassay.report.summary import Section

pytestmark = pytest.mark.usefixtures("strings_of_pyarrow")

OUTPUTS = Path(__file__).parent / "recipe_outputs"


@pytest.fixture(scope="module", params=CASES)
def case(request):
    return request.param, CASES[request.param]()


def test_what_a_recipe_says(case):
    name, analyses = case
    compare([line for analysis in analyses for line in analysis_lines(analysis)], OUTPUTS / f"{name}.txt")


def test_a_report_shows_every_row_and_figure_once(case):
    _, analyses = case
    sections = outline([Section(analysis.title, analysis) for analysis in analyses], ())
    shown = [len(table.rows) for section in sections for table in section.tables]
    assert sum(shown) == sum(len(table.rows) for analysis in analyses for table in analysis.tables)
    figures = [figure.name for section in sections for figure in section.figures]
    assert sorted(figures) == sorted(figure.name for analysis in analyses for figure in analysis.figures)


def test_a_small_change_of_a_number_or_a_word_is_seen():
    assert same("mean 1.234567 of 3", "mean 1.234568 of 3")
    assert not same("mean 1.2345 of 3", "mean 1.2375 of 3")
    assert not same("mean 0.5 of 3", "mean -0.5 of 3")
    assert not same("mean 1.5 of 3", "mean 1.5 of 4")
    assert not same("the mean is undefined", "the mean is defined")
