from __future__ import annotations

from made_up_results import made_up

from textassay.headline import Headline
from textassay.report.key_results import key_results
from textassay.report.summary import Section
from textassay.results import Analysis, Figure


def section(rows: int) -> Section:
    groups = [{"system": f"s{n}", "mean": float(n), "low": n - 0.1, "high": n + 0.1, "n": 9} for n in range(rows)]
    figure = Figure("means-clarity", "Means", "means", {"criterion": "clarity", "groups": groups})
    headline = Headline("clarity", (("The systems differ.",),), "means-clarity")
    other = Headline("fluency", (("No clear difference.",),))
    return Section("Quality", Analysis("q", "Q", figures=(figure,), headlines=(headline, other)))


def test_headlines_are_printed_as_they_are() -> None:
    one, other = key_results([section(3)])
    assert (one.subject, one.sentences, one.section, one.figure) == ("clarity", (("The systems differ.",),), 0, 0)
    assert (other.subject, other.figure) == ("fluency", None)


def test_one_headline_a_criterion_and_the_figure_that_shows_it() -> None:
    _, sections = made_up()
    found = key_results(sections)
    assert [(each.subject, each.section, each.figure) for each in found] == [
        ("clarity", 0, 0), ("fluency", 0, 2), ("Metrics and people", 1, 0),
    ]  # fmt: skip


def test_a_tall_figure_stays_in_its_section() -> None:
    assert key_results([section(13)])[0].figure is None


def test_of_several_blocks_each_finds_its_figure() -> None:
    own = section(3).analysis.within("First")
    assert key_results([Section("Quality", own)])[0].figure == 0


def test_nothing_found_nothing_said() -> None:
    assert key_results([Section("Empty", Analysis("e", "E"))]) == []
