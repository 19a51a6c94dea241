from __future__ import annotations

import base64
import hashlib
import re
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path

import pytest
from made_up_results import Found, made_up
from svg_only import svg_only

from textassay.headline import Headline
from textassay.marked_text import TONES
from textassay.report.page import Section, write_report
from textassay.report.summary import ParticipantsSummary, RegistrationSummary, ScreenPicture, ScreensSummary
from textassay.results import Analysis, Table

VOID = {"meta", "path", "use", "rect", "circle", "link", "br", "hr", "img", "input"}


class Reader(HTMLParser):
    """Collects what a page has, and whether its elements are closed in order."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.open: list[str] = []
        self.ids: list[str] = []
        self.links: list[str] = []
        self.headings: list[int] = []
        self.text: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        values = dict(attrs)
        self.ids += [values["id"] or ""] if "id" in values else []
        self.links += [value or "" for key in ("href", "src") if (value := values.get(key)) is not None]
        if re.fullmatch(r"h[1-6]", tag):
            self.headings.append(int(tag[1]))
        if tag not in VOID and not (self.get_starttag_text() or "").endswith("/>"):
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        if tag not in VOID and self.open:
            assert self.open.pop() == tag, f"</{tag}> at line {self.getpos()[0]}"

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)

    def handle_data(self, data: str) -> None:
        self.text.append(data)


def read(path: Path) -> tuple[str, Reader]:
    html = path.read_text(encoding="utf-8")
    reader = Reader()
    reader.feed(html)
    assert reader.open == []
    return html, reader


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    summary, sections = made_up()
    directory = tmp_path_factory.mktemp("report")
    assert write_report(summary, sections, directory) == directory / "report.html"
    return directory


def test_every_table_and_figure_has_its_files(folder: Path) -> None:
    _, sections = made_up()
    tables = {path.name for path in (folder / "report" / "tables").iterdir()}
    figures = {path.name for path in (folder / "report" / "figures").iterdir()}
    for analysis in (section.analysis for section in sections):
        assert {f"{t.name}.{e}" for t in analysis.tables for e in ("csv", "tex", "json")} <= tables
        assert {f"{f.name}.{e}" for f in analysis.figures for e in ("svg", "pdf", "png", "csv")} <= figures
    assert {"excluded.csv", "age.json"} <= tables


def test_the_page_is_sound_html_with_unique_ids_and_headings_in_order(folder: Path) -> None:
    _, reader = read(folder / "report.html")
    assert len(reader.ids) == len(set(reader.ids))
    assert reader.headings[0] == 1
    assert reader.headings.count(1) == 1
    steps = [after - before for before, after in zip(reader.headings, reader.headings[1:], strict=False)]
    assert max(steps) <= 1


def test_every_link_leads_somewhere(folder: Path) -> None:
    _, reader = read(folder / "report.html")
    assert reader.links
    for link in reader.links:
        if link.startswith("#"):
            assert link[1:] in reader.ids
        elif not link.startswith("data:text/csv;"):
            assert re.fullmatch(r"report/((tables|figures)/[a-z0-9-]+|methods|checksums)\.\w+", link)
            assert (folder / link).is_file()


def test_the_security_policy_allows_exactly_our_style_and_script(folder: Path) -> None:
    html, _ = read(folder / "report.html")
    policy = re.search(r'Content-Security-Policy" content="([^"]+)"', html)
    assert policy
    allowed = policy.group(1).replace("&#39;", "'")
    for tag in ("style", "script"):
        (content,) = re.findall(rf"<{tag}>(.*?)</{tag}>", html, re.DOTALL)
        digest = base64.b64encode(hashlib.sha256(content.encode()).digest()).decode()
        assert f"{tag}-src 'sha256-{digest}'" in allowed
    assert allowed.startswith("default-src 'none'; img-src data:; ")  # images of figures only, within the page
    assert "unsafe" not in allowed
    assert not re.search(r'\sstyle="|\son\w+="', html)


def test_what_the_page_says(folder: Path) -> None:
    _, reader = read(folder / "report.html")
    text = " ".join(" ".join(reader.text).split())
    for said in (
        "How good are generated weather reports?",
        "was rated highest, 5.26.",
        "How clear is the text?",
        "4 Latin squares of 6 × 6; 1008 trials in total.",
        "42 completed, 2 withdrawn, 1 active; 42 were planned.",
        "The results are based on 39 participants; the trials took them 11 minutes",
        "minutes (median; range 6.2 minutes to 32 minutes).",
        "the same answer in 24 of 24 trials",
        "The balance is not exact",
        "2 participants gave one text no answer; W leaves them out",
        "rouge-l|nrefs:1|tok:unicode|version:0.1.0",
        "title: How good are generated weather reports?",
        "Made on 2025-06-01 at 12:30 UTC by textassay 0.1.0.",
    ):
        assert said in text


def test_marked_texts_are_shown_with_what_their_colours_stand_for(folder: Path) -> None:
    page = (folder / "report.html").read_text(encoding="utf-8")
    opened, folded = re.findall(r'<article class="card marked-text".*?</article>', page, re.DOTALL)
    assert "i1, &lt;b&gt;human&lt;/b&gt;" in opened
    assert '<mark class="event tone-3" title="a tip &lt;3&gt;">' in opened
    assert '<span class="of"> crossing</span>' in opened
    assert "<li>“word0” causes “word9”.</li>" in opened
    before = page[: page.index(folded)]
    assert before.rindex("<summary>1 more text</summary>") > page.index(opened)
    style = page[page.index("<style>") : page.index("</style>")]
    for tone in range(TONES + 1):
        assert f'<li><mark class="event tone-{tone}"><bdi>kind {tone}</bdi></mark></li>' in opened
        assert f".tone-{tone} {{ --tone: " in style


@svg_only()
def test_the_same_results_give_the_same_page(folder: Path, tmp_path: Path) -> None:
    summary, sections = made_up()
    again = write_report(summary, sections, tmp_path / "new" / "folder")
    assert again.read_bytes() == (folder / "report.html").read_bytes()


def test_an_undefined_number_leads_to_its_reason(tmp_path: Path) -> None:
    summary, _ = made_up()
    result = Found(method="m", warnings=("W is undefined: one rater only",))
    table = Table("w", "Agreement", ("criterion", "W"), (("clarity", float("nan")),))
    section = Section("Agreement", Analysis("a", "A", (result,), (table,)))
    html, reader = read(write_report(summary, [section], tmp_path))
    assert re.search(r'<a href="#section-1-notes"[^>]*>undefined</a>', html)
    assert "section-1-notes" in reader.ids
    assert "W is undefined: one rater only" in reader.text


def test_a_reason_that_the_analysis_repeats_stands_there_once(tmp_path: Path) -> None:
    summary, _ = made_up()
    analysis = Analysis("a", "A", (Found(method="m", warnings=("too few",)),), warnings=("clarity: too few",))
    _, reader = read(write_report(summary, [Section("P", analysis)], tmp_path))
    assert reader.text.count("clarity: too few") == 1
    assert "too few" not in reader.text


@svg_only()
def test_names_are_never_taken_as_html(tmp_path: Path) -> None:
    name = "<script>alert(1)</script>\"'&"
    summary, sections = made_up([name, "</style>", "</svg>"])
    summary = replace(summary, title=name, settings=replace(summary.settings, study_file=f"{name}</code></pre>"))
    html, reader = read(write_report(summary, sections, tmp_path))
    assert html.count("<script>") == 1
    assert name in reader.text


def test_quick_participants_took_seconds_not_zero_minutes(tmp_path: Path) -> None:
    summary, _ = made_up()
    quick = replace(summary.participants, minutes=0.4, minutes_range=(0.2, 2.5))
    html, reader = read(write_report(replace(summary, participants=quick), [], tmp_path))
    assert "<dt>seconds (median)</dt><dd>24</dd>" in html
    text = " ".join(" ".join(reader.text).split())
    assert "the trials took them 24 seconds (median; range 12 seconds to 2.5 minutes)." in text


def test_a_study_with_nothing_to_show(tmp_path: Path) -> None:
    summary, _ = made_up()
    bare = replace(
        summary, participants=ParticipantsSummary({}, 0, 0), exclusions=None, warnings=(), blocks=(), designs=()
    )
    _, reader = read(write_report(bare, [Section("Quality", Analysis("q", "Q"))], tmp_path))
    assert "No participant was excluded." in " ".join(" ".join(reader.text).split())
    assert "Key results" not in reader.text
    assert "Please note" not in reader.text


def test_pages_of_participants_are_shown_or_said_to_be_missing(tmp_path: Path) -> None:
    summary, _ = made_up()
    assert "written without pictures of the pages" in write_report(summary, [], tmp_path).read_text(encoding="utf-8")
    (tmp_path / "start.webp").write_bytes(b"a picture")
    picture = ScreenPicture("Start", 'Start as participants saw it: "Begin"', tmp_path / "start.webp", 960, 420)
    screens = ScreensSummary((picture,), "Not all pages of participants are pictured: it took too long.")
    html, reader = read(write_report(replace(summary, screens=screens), [], tmp_path))
    assert f"data:image/webp;base64,{base64.b64encode(b'a picture').decode()}" in reader.links
    assert 'alt="Start as participants saw it: &#34;Begin&#34;"' in html
    assert "it took too long" in html
    assert "written without pictures" not in html


def test_registration_comes_before_the_first_figure(tmp_path: Path) -> None:
    summary, _ = made_up()
    changes = Table(
        "registration", "What differs", ("What", "Registered", "Now"), (("analysis.alpha", "0.05", "0.01"),)
    )
    told = RegistrationSummary(("Registered on <Monday>.",), deviates=True, changes=changes)
    sections = [Section("Means", Analysis("means", "Means", headlines=(Headline("x", (("found",),)),)))]
    page = write_report(replace(summary, registration=told), sections, tmp_path).read_text(encoding="utf-8")
    block = page[page.index('<section id="registration"') : page.index('<section id="key"')]
    assert '<div class="care" role="note"><p>Registered on &lt;Monday&gt;.</p></div>' in block
    assert "<bdi>analysis.alpha</bdi>" in block
    assert (tmp_path / "report" / "tables" / "registration.csv").is_file()
    plain = replace(summary, registration=RegistrationSummary(("Nothing.",), deviates=False))
    assert "<div><p>Nothing.</p></div>" in write_report(plain, sections, tmp_path).read_text(encoding="utf-8")
    assert "registration-heading" not in write_report(summary, sections, tmp_path).read_text(encoding="utf-8")
