"""What a reader sees first, what is folded, and that no figure comes twice."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path

from made_up_results import made_up
from svg_only import svg_only

from textassay.headline import Headline, SystemName
from textassay.report.page import write_report
from textassay.report.summary import Section, StudySummary
from textassay.results import Analysis, Figure, Table

GROUPS = [
    {"system": name, "mean": mean, "low": mean - 1, "high": mean + 1, "n": 9} for name, mean in (("a", 3.0), ("b", 4.0))
]


def figure(name: str, *, detail: bool = False) -> Figure:
    return Figure(name, f"The {name}", "means", {"criterion": name, "groups": GROUPS}, subject="clarity", detail=detail)


def table(name: str, *, detail: bool = False) -> Table:
    return Table(name, f"Table of {name}", ("System", "n"), (("a", 1),), detail=detail)


def page(tmp_path: Path, *analyses: Analysis, summary: StudySummary | None = None) -> str:
    summary = summary or made_up()[0]
    return write_report(summary, [Section(each.title, each) for each in analyses], tmp_path).read_text(encoding="utf-8")


PAIRS = Figure("pairs", "Pairs", "means", {"criterion": "x", "groups": [{**GROUPS[0], "system": "a – b"}]})
MAIN = Analysis(
    "systems",
    "Systems compared",
    tables=(table("means"), table("odds", detail=True)),
    figures=(figure("first"), figure("second", detail=True)),
    headlines=(Headline("clarity", ((SystemName("b"), " was rated higher than ", SystemName("a"), "."),)),),
    warnings=("a small matter",),
    cautions=("a grave matter",),
)
LATER = (
    Analysis("published", "As published", tables=(table("published"),), place="published"),
    Analysis("agreement", "Agreement", tables=(table("w"),), figures=(PAIRS,), place="agreement"),
    Analysis("detail", "By subjects", tables=(table("f1"),), place="details"),
    Analysis("metrics", "Metrics and people", headlines=(Headline("bleu", (("r = .5.",),)),), place="metrics"),
    Analysis(
        "who", "With and without exclusions", headlines=(Headline("who", (("No change.",),)),), place="participants"
    ),
)


@svg_only()
def test_the_order_of_the_page(tmp_path: Path) -> None:
    summary = replace(made_up()[0], alerts=("Simulated participants.",), systems=("a", "b"))
    html = page(tmp_path, *LATER, MAIN, summary=summary)
    wanted = [
        "Simulated participants.", "Key results", "was rated higher than", "r = .5.", "a grave matter",
        'aria-label="Contents"', 'id="section-1"', "The first", "Table of means", "The second", "Table of odds",
        "a small matter", "Table of w", ">Who answered</h2>", "No change.", ">Metrics and people</h2>",
        ">Methods</h2>", "Questions and balance of the plan", "appendix-heading", "Table of f1",
        "Analyses as they were published", "Table of published", "The same page again", "The study file",
    ]  # fmt: skip
    body = html[html.index("<body>") :]
    places = [body.index(text) for text in wanted]
    assert places == sorted(places)
    assert body.index('id="section-1"') < body.rindex("a grave matter") < body.index("The first")  # again where it is
    # only systems of the study can be highlighted, although a figure shows a pair of them
    assert "a – b" in html
    assert re.findall(r'<button type="button" data-mark="([^"]*)"', html) == ["system:a", "system:b"]
    # the files of a table say what the page says beside it
    stored = json.loads((tmp_path / "report" / "tables" / "means.json").read_text(encoding="utf-8"))
    assert stored["warnings"] == ["a grave matter", "a small matter"]


@svg_only()
def test_no_figure_comes_twice(tmp_path: Path) -> None:
    html = page(tmp_path, MAIN)
    assert html.count('aria-label="The first"') == 1


@svg_only()
def test_what_may_be_passed_over_is_folded_and_what_matters_is_not(tmp_path: Path) -> None:
    html = page(tmp_path, *LATER, MAIN)
    # no folded part holds another, except those of the appendix
    folded = " ".join(
        re.findall(r'<details class="more.*?</details>', html[: html.index("appendix-heading")], re.DOTALL)
    )
    assert all(text in folded for text in ("The second", "Table of odds", "a small matter"))
    assert not any(text in folded for text in ("The first", "Table of means", "a grave matter", "Table of w"))
    assert "<summary>More: The second; Table of odds</summary>" in html
    assert "<summary>1 note on these numbers</summary>" in html
    after = html[html.index("appendix-heading") :]
    assert re.search(r"<details.*?Table of f1.*?</details>", after, re.DOTALL)
    assert re.search(r"<details[^>]*><summary>Analyses as they were published.*?Table of published", after, re.DOTALL)


@svg_only()
def test_many_folded_titles_are_cut_short(tmp_path: Path) -> None:
    many = replace(MAIN, figures=tuple(figure(f"f{n}", detail=True) for n in range(9)), tables=())
    html = page(tmp_path, many)
    assert "<summary>More: The f0; The f1; The f2; The f3; The f4; The f5; and 3 more</summary>" in html


@svg_only()
def test_who_was_excluded_by_which_rule(tmp_path: Path) -> None:
    summary, _ = made_up()
    people = replace(summary.participants, reasons={"incomplete": 4, "too-fast": 1})
    html = page(tmp_path, MAIN, summary=replace(summary, participants=people))
    assert "Excluded by rule: incomplete 4, too-fast 1. Their answers are kept." in html
