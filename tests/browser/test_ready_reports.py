"""Every ready study from `check` to its report in a browser without network; its effects, its paper's tables and pages.

Each study is simulated, analysed and reported once. What is known of its texts and its plan without participants is
tested in `tests/contracts/test_ready_*.py`.
"""

from __future__ import annotations

import importlib.util
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING

import numpy as np
import pytest
from barriers import barriers, sideways
from rehearsals import Rehearsals, Rehearsed, rehearsing

from textassay import cli, ready_studies
from textassay.results import Record

if TYPE_CHECKING:
    from playwright.sync_api import BrowserContext

ROOT = Path(__file__).resolve().parents[2]
OPEN_ALL = """() => {
  const rest = (found, most) => [...found].slice(most).forEach((one) => one.remove());
  document.querySelectorAll("details").forEach((details) => { details.open = true; });
  document.querySelectorAll("tbody").forEach((body) => rest(body.rows, 2));
  document.querySelectorAll("svg g").forEach((group) => rest(group.children, 3));
  rest(document.querySelectorAll(".marked-text"), 2);
}"""
"""Unfolds everything. Rows of a table, marks of a drawing and marked texts are alike, and a few of each are left: axe
takes a minute for all of them."""


def make_papers() -> ModuleType:
    """docs/make_papers.py, which fills in the pages about papers."""
    specification = importlib.util.spec_from_file_location("make_papers", ROOT / "docs" / "make_papers.py")
    assert specification is not None
    assert specification.loader is not None
    module = importlib.util.module_from_spec(specification)
    specification.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def rehearsals(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Rehearsals]:
    with rehearsing(tmp_path_factory.mktemp("ready")) as found:
        yield found


def by_first(rows: list[Record], column: str) -> dict[str, float]:
    """A column by the first one of the table."""
    return {str(next(iter(row.values()))): row[column] for row in rows}


def df(row: Record) -> tuple[float, float]:
    return row["df 1"], row["df 2"]


# --- effects in the published direction, and the paper's tables


def lapata_ratings(found: Rehearsed) -> None:
    means = found.tables["means-comprehensibility"]
    assert {"Mean", "Least", "Most", "SD"} <= set(means.columns)  # Table 3
    assert list(by_first(means.records(), "Mean").values()) == sorted(
        by_first(means.records(), "Mean").values(), reverse=True
    )
    tests = {row["Test"]: row for row in found.tables["f-ratios"].records()}
    assert df(tests["F2, texts as items"]) == (7, 56)
    pooled = next(row for row in found.tables["correlations"].records() if row["level"] == "all texts")
    assert pooled["n"] == 64
    assert pooled["value"] > 0.4  # .45, published: more tau, higher ratings
    others = next(row for row in found.tables["shared-texts"].records() if row["Statistic"] == "r with the others")
    assert -1 <= others["Least r"] < others["Value"] < others["Greatest r"] <= 1
    ages = next(table for table in found.findings.summary.participants.demographics if table.name.endswith("age"))
    assert ages.note.startswith("Mean 3")
    assert ", range 18 to " in ages.note


def lapata_reading(found: Rehearsed) -> None:
    times = found.tables["times"]
    assert {"Mean", "Least", "Most", "SD"} <= set(times.columns)  # Table 4
    by_subjects = {row["System"]: row["Mean"] for row in times.records() if row["By"] == "subjects"}
    assert by_subjects["high"] < by_subjects["medium"] < by_subjects["low"]
    tests = {row["Test"]: row for row in found.tables["f-ratios-time-per-unit-in-ms"].records()}
    assert df(tests["F1"]) == (2, 2 * (tests["F1"]["n"] - 1))  # (2, 62) where all 32 have every cell
    assert df(tests["F2"]) == (2, 14)
    slopes = by_first(found.tables["regression"].records(), "Estimate")
    assert slopes["individual equations"] < 0
    assert slopes["correlation over texts (published)"] < -0.3  # -.48, published


def madnani_reordering(found: Rehearsed) -> None:
    near = {row["Condition"]: row["Mean tau"] for row in found.tables["tau"].records() if row["Compared with"] == "O"}
    assert near["O"] > near["T"] > near["R"]
    table = found.tables["condition-scores-published"]
    assert table.columns[:7] == ("Score", "F", "df 1", "df 2", "p", "HSD", "D1")  # Table 1
    assert [row["Score"].split()[::2] for row in table.records()] == [
        [measure, target] for measure in ("kappa", "r", "rho", "tau") for target in "ORT"
    ]
    assert {df(row) for row in table.records()} == {(2, 16)}
    assert {df(row) for row in found.tables["condition-scores-one-way"].records()} == {(2, 24)}
    assert found.tables["texts-that-differ"].columns == ("Test", "S+", "S-")  # Table 2
    assert by_first(found.tables["pairs-anova"].records(), "df")["pair"] == 152


def reading_against_the_clock(found: Rehearsed) -> None:
    right = by_first(found.tables["comprehension"].records(), "Right")
    ended = by_first(found.tables["time-limit"].records(), "Ended by the limit")
    assert max(right, key=right.__getitem__) == "O"
    assert min(ended, key=ended.__getitem__) == "O"
    page = found.page.read_text(encoding="utf-8")
    assert all(said in page for said in ("under the time limit", "Texts that the time limit ended"))
    assert "Metrics and comprehension" in page


def paper_tables(found: Rehearsed, *numbers: int) -> None:
    """The report's appendix has them under the paper's numbers, in its order."""
    analysis = next(each for each in found.analyses if each.place == "published" and each.title.startswith("Tables of"))
    titles = [table.title for table in analysis.tables]
    first = [next(place for place, title in enumerate(titles) if title.startswith(f"Table {n}:")) for n in numbers]
    assert first == sorted(first)
    page = found.page.read_text(encoding="utf-8")
    assert all(f"Table {number}: " in page for number in numbers)


def cahill_ranking(found: Rehearsed) -> None:
    means = {row["System"]: row["Mean rank"] for row in found.tables["mean-ranks-wording"].records()}
    # Table 1 of Cahill (2009)
    assert means == pytest.approx({"original": 1.4, "log-linear": 2.05, "language-model": 2.55}, abs=0.1)
    assert found.tables["start-positions-wording"].rows
    paper_tables(found, 1, 2, 4)
    assert {row["p (exact)"] for row in found.tables["table-2"].records()} == {".3333"}


def cahill_naturalness(found: Rehearsed) -> None:
    assert found.headlines["naturalness"].startswith("Only one system was judged on naturalness, log-linear")
    r = {row["metric"]: row["value"] for row in found.tables["correlations"].records() if row["statistic"] == "pearson"}
    assert 0.25 < r["gtm"] < 0.65  # .424 in Table 3
    paper_tables(found, 1, 3, 4)


def gatt_portet(found: Rehearsed) -> None:
    performance = by_first(found.tables["scores-p"].records(), "Mean")
    assert performance["H"] > performance["G"] > 0
    assert performance["H"] > performance["C"] > 0
    f1 = [row for row in found.tables["f-ratios"].records() if row["Test"] == "F1"]
    assert {df(row) for row in f1} == {(2, 70)}
    relevance = by_first(found.tables["metrics-by-criteria"].records(), "P")["relevance"]
    assert relevance.endswith("*")
    assert not relevance.startswith("−")
    paper_tables(found, 1, 2, 3)


def belz_kow(found: Rehearsed) -> None:
    factors: dict[str, dict[str, Record]] = {}
    for row in found.tables["variance"].records():
        factors.setdefault(row["Criterion"], {})[row["Factor"]] = row
    assert len(factors) == 2
    for own in factors.values():
        assert own["System"]["p"] < 0.001
        assert own["System"]["omega squared"] > max(own["Text"]["omega squared"], own["Evaluator"]["omega squared"])
    assert {row["All pairs"] for row in found.tables["significant-pairs"].records()} <= {45, 55}
    assert "W between" in found.tables["agreement"].columns


def any_result(found: Rehearsed) -> None:
    assert found.headlines


CLAIMS: dict[str, Callable[[Rehearsed], None]] = {
    "b10-forecast-preference": belz_kow,
    "b10-forecast-rating": belz_kow,
    "b10-preference": belz_kow,
    "b10-rating": belz_kow,
    "c09-naturalness": cahill_naturalness,
    "c09-ranking": cahill_ranking,
    "demo": any_result,
    "g10-decisions": gatt_portet,
    "l06-ratings": lapata_ratings,
    "l06-reading": lapata_reading,
    "m07-comprehension": reading_against_the_clock,
    "m07-reordering": madnani_reordering,
    **dict.fromkeys(ready_studies.TEMPLATES, any_result),
}
LONG = (
    *("b10-forecast-preference", "b10-forecast-rating", "b10-preference", "b10-rating", "g10-decisions"),
    *("c09-ranking", "l06-ratings", "m07-comprehension"),  # the other study of the same texts is tested
    *sorted(ready_studies.TEMPLATES.keys() - {"rating-scale"}),
)
"""Studies that take long; most are of a kind that another one here has, too.

Their rehearsals are in tests/contracts/test_ready_studies.py, the statistics of their tasks in tests/tasks/.
"""


def test_every_ready_study_is_here() -> None:
    assert tuple(sorted(CLAIMS)) == ready_studies.names()


@pytest.fixture(
    # Of the module, so that what is tested of one study comes together: two workers then share few of them.
    scope="module",
    params=[pytest.param(name, marks=pytest.mark.long) if name in LONG else name for name in CLAIMS],
)
def found(request: pytest.FixtureRequest, rehearsals: Rehearsals) -> Rehearsed:
    rehearsed: Rehearsed = rehearsals[request.param]
    return rehearsed


def test_report_has_the_published_direction_and_the_tables_of_the_paper(found: Rehearsed) -> None:
    assert cli.run(["check", str(found.study.directory)]) == 0
    assert any("simulated: these figures say nothing" in text for text in found.findings.summary.alerts)
    CLAIMS[found.study.directory.name](found)


def test_report_opens_offline_without_errors_requests_or_barriers(
    found: Rehearsed, new_context: Callable[..., BrowserContext]
) -> None:
    report = found.page
    # the policy of the page would keep axe out, so it is set aside; tests/browser/test_report.py has it in force
    context = new_context(bypass_csp=True)
    context.set_offline(True)
    asked: list[str] = []
    context.on("request", lambda request: asked.append(request.url))
    page = context.new_page()
    page.goto(report.as_uri())
    assert not sideways(page)
    page.evaluate(OPEN_ALL)
    assert barriers(page) == []
    assert asked == [report.as_uri()]


# --- two studies of one paper


@pytest.mark.long
@pytest.mark.parametrize("pair", ["l06-ratings l06-reading"])
def test_ratings_and_reading_times_of_the_same_texts_go_together(rehearsals: Rehearsals, pair: str) -> None:
    found = rehearsals.correlated(*pair.split())
    pooled = next(row for row in found.tables[0].records() if row["level"] == "all texts")
    assert pooled["n"] == 24
    assert pooled["value"] > 0.3  # -.47, published: there it is the time, here the speed


@pytest.mark.long
@pytest.mark.parametrize("pair", ["b10-rating b10-preference", "b10-forecast-rating b10-forecast-preference"])
def test_ratings_and_preferences_put_systems_in_the_same_order(rehearsals: Rehearsals, pair: str) -> None:
    (found,) = rehearsals.compared(*pair.split())
    places = next(
        table for table in found.tables if table.title == "Do both versions put the systems in the same places?"
    )
    assert np.min([row["rho"] for row in places.records()]) > 0.8
    *_, layout = found.tables
    assert layout.title == "In the layout of Belz & Kow (2010)"
    assert layout.columns == ("Version", "Measure", "clarity", layout.columns[-1])


PAGES = sorted((ROOT / "docs" / "papers").glob("*.md"))


def last_quick_study(page: Path) -> str | None:
    """Of the studies that the page shows without those that take long; None where all do."""
    return max((name for name in CLAIMS.keys() - set(LONG) if name.startswith(f"{page.stem}-")), default=None)


@pytest.mark.parametrize(
    # With a study of its own, so that it is tested beside that one's report: at the end of the module it might come to
    # another worker, which would make all studies again.
    ("found", "page"),
    [pytest.param(last_quick_study(page), page, id=page.stem) for page in PAGES if last_quick_study(page)],
    indirect=["found"],
)
def test_page_about_a_paper_shows_what_comes_out(rehearsals: Rehearsals, found: Rehearsed, page: Path) -> None:
    maker, text = make_papers(), page.read_text(encoding="utf-8")
    assert found.study.directory.name in maker.studies_of(text)
    assert text.splitlines() == maker.filled(text, rehearsals, but=LONG).splitlines(), "run: python docs/make_papers.py"


@pytest.mark.long
@pytest.mark.parametrize(
    "page",
    [page for page in PAGES if any(name.startswith(page.stem) for name in LONG)],
    ids=lambda page: page.stem,
)
def test_page_shows_what_comes_out_of_studies_that_take_long(rehearsals: Rehearsals, page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    assert text.splitlines() == make_papers().filled(text, rehearsals).splitlines(), "run: python docs/make_papers.py"
