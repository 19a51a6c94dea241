"""The report in a real browser, opened from the disk with the network off."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from barriers import barriers
from made_up_results import SYSTEMS, made_up
from PIL import Image
from svg_only import svg_only

from textassay.report.page import write_report
from textassay.report.summary import ScreenPicture, ScreensSummary

if TYPE_CHECKING:
    from playwright.sync_api import BrowserContext, Page

pytestmark = pytest.mark.browser
FIGURES = "figure svg"


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> Path:
    summary, sections = made_up()
    folder = tmp_path_factory.mktemp("report")
    Image.new("RGB", (120, 80), "white").save(folder / "start.webp")
    pictures = (ScreenPicture("Start", "Start as participants saw it: a button", folder / "start.webp", 960, 640),)
    with svg_only():
        return write_report(replace(summary, screens=ScreensSummary(pictures)), sections, folder)


@pytest.fixture(scope="module")
def crowded(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A report with many systems whose names are long, or in other scripts."""
    names = [f"a-rather-long-name-of-a-system-without-any-space-number-{n}" for n in range(3)]
    summary, sections = made_up(["人間が書いた文章" * 4, "שלום עולם", "<b>&amp;</b>", *names])
    with svg_only():
        return write_report(summary, sections, tmp_path_factory.mktemp("crowded"))


@pytest.fixture
def open_report(new_context: Callable[..., BrowserContext]) -> Callable[..., Page]:
    """Opens a report offline; the fixture of the context fails the test on any error in the console."""

    def make(path: Path, width: int = 1280, **options: Any) -> Page:
        context = new_context(viewport={"width": width, "height": 900}, **options)
        context.set_offline(True)
        page = context.new_page()
        page.goto(path.as_uri())
        return page

    return make


def test_it_opens_offline_and_asks_for_nothing_else(new_context: Callable[..., BrowserContext], report: Path) -> None:
    context = new_context()
    context.set_offline(True)
    asked: list[str] = []
    context.on("request", lambda request: asked.append(request.url))
    page = context.new_page()
    page.goto(report.as_uri())
    assert page.title() == "How good are generated weather reports? – report"
    assert asked == [report.as_uri()]


def test_every_figure_is_visible(open_report: Callable[..., Page], report: Path) -> None:
    page = open_report(report)
    page.evaluate("document.querySelectorAll('details').forEach((details) => { details.open = true; })")
    boxes = page.eval_on_selector_all(
        FIGURES, "all => all.map((svg) => { const box = svg.getBoundingClientRect(); return [box.width, box.height]; })"
    )
    assert len(boxes) == 7
    assert all(width > 300 and height > 60 for width, height in boxes)
    # the strict security policy leaves no style behind: colours come through as attributes
    colours = page.eval_on_selector_all(
        "#figure-clarity-means [data-mark='system:human'] use", "all => all.map((mark) => getComputedStyle(mark).fill)"
    )
    assert colours == ["rgb(0, 114, 178)"]


def test_style_and_script_pass_the_security_policy(open_report: Callable[..., Page], report: Path) -> None:
    page = open_report(report)
    assert page.evaluate("getComputedStyle(document.querySelector('.card')).backgroundColor") == "rgb(255, 255, 255)"
    assert page.locator(".marker").is_visible()  # the script shows it


@pytest.mark.parametrize(
    ("name", "width", "scheme"),
    [
        pytest.param("report", 1280, "light", marks=pytest.mark.long),
        ("report", 1280, "dark"),
        ("crowded", 360, "light"),
        pytest.param("crowded", 360, "dark", marks=pytest.mark.long),
    ],
)
def test_no_axe_violations(
    open_report: Callable[..., Page], request: pytest.FixtureRequest, name: str, width: int, scheme: str
) -> None:
    # the policy of the page would keep axe out, so only here it is set aside
    page = open_report(request.getfixturevalue(name), width, bypass_csp=True, color_scheme=scheme)
    if name == "report":  # folded, the crowded one has enough to look at
        page.evaluate("document.querySelectorAll('details').forEach((details) => { details.open = true; })")
    assert barriers(page) == []


@pytest.mark.parametrize("name", ["report", "crowded"])
@pytest.mark.parametrize("width", [320, 360, 768, 1280])
def test_the_page_never_scrolls_sideways(
    open_report: Callable[..., Page], request: pytest.FixtureRequest, name: str, width: int
) -> None:
    page = open_report(request.getfixturevalue(name), width)
    page.evaluate("document.querySelectorAll('details').forEach((details) => { details.open = true; })")
    assert page.evaluate("document.documentElement.scrollWidth") <= width


def test_dark_on_a_dark_screen_and_light_on_paper(open_report: Callable[..., Page], report: Path) -> None:
    page = open_report(report, color_scheme="dark")
    ground = "getComputedStyle(document.documentElement).backgroundColor"
    mark = "getComputedStyle(document.querySelector(\"#figure-clarity-means [data-mark='system:human'] use\")).fill"
    text = "getComputedStyle(document.querySelector('#figure-clarity-means text')).fill"
    assert page.evaluate(ground) == "rgb(18, 22, 27)"
    assert page.evaluate(mark) == "rgb(86, 172, 244)"
    assert page.evaluate(text) in ("rgb(227, 231, 236)", "rgb(164, 173, 185)")
    page.emulate_media(media="print")
    assert page.evaluate(ground) == "rgb(255, 255, 255)"
    assert page.evaluate(mark) == "rgb(0, 114, 178)"


def test_the_headlines_are_on_the_first_screen(open_report: Callable[..., Page], report: Path) -> None:
    for width in (1280, 360):
        page = open_report(report, width)
        first = page.locator(".key-result").first
        box = first.bounding_box()
        assert box is not None
        assert box["y"] + box["height"] < 900


def test_a_link_to_folded_notes_opens_them(open_report: Callable[..., Page], report: Path) -> None:
    page = open_report(report)
    notes = page.locator("details.notes ul").first
    page.evaluate(f"location.hash = '{notes.get_attribute('id')}'")
    page.wait_for_function("document.querySelector('details.notes').open")
    assert notes.is_visible()


def test_nothing_is_cut_off_on_a4(open_report: Callable[..., Page], report: Path) -> None:
    page = open_report(report, 718)  # the width of A4 within the margins that browsers leave
    page.emulate_media(media="print")
    page.evaluate("document.querySelectorAll('details').forEach((details) => { details.open = true; })")
    assert page.evaluate("document.documentElement.scrollWidth") <= 718


def test_a_button_shows_its_system_in_all_figures_and_tables(open_report: Callable[..., Page], report: Path) -> None:
    page = open_report(report)
    button = page.get_by_role("button", name="retrieval")
    button.focus()
    page.keyboard.press("Enter")
    assert button.get_attribute("aria-pressed") == "true"
    marked = page.eval_on_selector_all(".is-marked", "all => all.map((one) => one.dataset.mark)")
    assert set(marked) == {"system:retrieval"}
    places = ("#figure-clarity-means", "#figure-clarity-answers", "#figure-rouge-l-systems", "#table-clarity-tukey")
    assert all(page.locator(f"{place} .is-marked").count() > 0 for place in places)
    other = page.locator("#figure-clarity-means [data-mark='system:human']").first
    page.wait_for_function("one => Number(getComputedStyle(one).opacity) < 0.2", arg=other.element_handle())
    page.keyboard.press("Escape")
    assert button.get_attribute("aria-pressed") == "false"
    page.locator("h1").click()
    assert page.locator(".is-marked").count() == 0


def test_pointing_at_a_participant_shows_the_same_in_all_strips(open_report: Callable[..., Page], report: Path) -> None:
    page = open_report(report)
    page.get_by_text("Who was excluded, and why").first.click()
    code = page.locator("#table-excluded tbody th").first
    code.hover()
    mark = f"participant:{code.inner_text()}"
    assert page.locator("#figure-participants .is-marked").count() == 4  # no agreement: the answers do not vary
    assert set(page.eval_on_selector_all(".is-marked", "all => all.map((one) => one.dataset.mark)")) == {mark}


def test_every_system_has_its_button(open_report: Callable[..., Page], report: Path) -> None:
    assert open_report(report).locator(".marker button").all_inner_texts() == list(SYSTEMS)


def test_csv_comes_out_of_the_page_itself(open_report: Callable[..., Page], report: Path, tmp_path: Path) -> None:
    alone = tmp_path / "mailed.html"
    alone.write_bytes(report.read_bytes())
    page = open_report(alone)
    with page.expect_download() as waiting:
        page.get_by_role("link", name="Means of clarity as CSV", exact=True).first.click()
    assert waiting.value.suggested_filename == "clarity-means.csv"
    saved = waiting.value.path().read_text(encoding="utf-8-sig")
    assert saved == (report.parent / "report" / "tables" / "clarity-means.csv").read_text(encoding="utf-8")


def test_everything_can_be_reached_by_keyboard(open_report: Callable[..., Page], report: Path) -> None:
    page = open_report(report)
    wanted = page.evaluate(
        """() => {
          window.wanted = [...document.querySelectorAll("a[href], button, summary, [tabindex='0']")]
            .filter((one) => one.checkVisibility());
          return window.wanted.length;
        }"""
    )
    seen: list[int] = []
    while -1 not in seen and len(seen) <= wanted:  # -1: past the last one, the browser itself
        page.keyboard.press("Tab")
        seen.append(page.evaluate("window.wanted.indexOf(document.activeElement)"))
    assert seen[:wanted] == list(range(wanted))


def test_print_opens_what_is_folded(open_report: Callable[..., Page], report: Path) -> None:
    page = open_report(report)
    closed = page.locator("details:not([open])").count()
    assert closed > 0
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    assert page.locator("details:not([open])").count() == 0
    page.evaluate("dispatchEvent(new Event('afterprint'))")
    assert page.locator("details:not([open])").count() == closed
    assert page.pdf(format="A4").startswith(b"%PDF")


def test_names_from_elsewhere_stay_text(open_report: Callable[..., Page], crowded: Path) -> None:
    page = open_report(crowded)
    assert page.locator("b", has_text="&amp;").locator("b").count() == 0
    names = page.locator(".marker button").all_inner_texts()
    assert "<b>&amp;</b>" in names
    written = (crowded.parent / "report" / "tables" / "clarity-means.json").read_text(encoding="utf-8")
    assert json.loads(written)["records"]


def test_the_methods_are_copied_by_keyboard_with_their_headings(open_report: Callable[..., Page], report: Path) -> None:
    page = open_report(report)
    page.evaluate("addEventListener('copy', () => { window.copied = String(getSelection()); })")
    page.get_by_role("button", name="Copy this text").focus()
    page.keyboard.press("Enter")
    page.get_by_role("status").get_by_text("Copied.").wait_for()
    text = page.evaluate("window.copied")
    assert text.startswith("Material")
    assert "p was corrected after Holm (1979)." in text


def test_without_script_the_methods_can_be_read_and_no_button_is_dead(
    open_report: Callable[..., Page], report: Path
) -> None:
    page = open_report(report, java_script_enabled=False)
    assert page.get_by_text("p was corrected after Holm (1979).").is_visible()
    assert page.locator("button:visible").count() == 0
