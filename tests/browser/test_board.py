"""The researcher's board, previews and the ways in and out of the study, in a real browser with trusted input only."""

from __future__ import annotations

import contextlib
import re
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qs

import pytest
from barriers import barriers, sideways
from decision_study import serving_decisions
from playwright.sync_api import Error, expect
from reading_study import write_reading_study
from served_study import Person

if TYPE_CHECKING:
    from playwright.sync_api import BrowserContext, Page, Route

NARROW, WIDE = {"width": 360, "height": 640}, {"width": 1200, "height": 800}
Contexts = Callable[..., "BrowserContext"]


@pytest.fixture
def researcher(small: Any, new_context: Contexts) -> Page:
    """The board, opened by its link."""
    page = new_context(viewport=WIDE).new_page()
    page.goto(small.server.links.board)
    expect(page.get_by_role("heading", level=1, name="Overview")).to_be_visible()
    return page


def rows(served: Any) -> list[Any]:
    return [(each.status, each.external_id) for each in served.server.store.participants()]


# --- pause and resume -------------------------------------------------------------------------------------------------


def test_pausing_and_resuming(serve: Callable[..., Any], new_context: Contexts, hands: Any) -> None:
    served = serve()
    board = new_context().new_page()
    board.goto(served.server.links.board)
    board.get_by_role("button", name="Pause recruiting").click()
    expect(board.get_by_role("heading", name="Recruiting is paused")).to_be_visible()

    page = hands.page
    page.goto(served.server.links.join[""])
    expect(page.get_by_role("heading", name="The study is paused")).to_be_visible()
    assert page.get_by_role("button").count() == 0
    assert rows(served) == []

    hands.page = board
    hands.tab_to(board.get_by_role("button", name="Resume recruiting"))
    board.keyboard.press("Enter")
    expect(board.get_by_role("button", name="Pause recruiting")).to_be_visible()
    hands.page = page
    page.reload()
    hands.click(page.get_by_role("button", name="Begin"))
    hands.wait_for_page(1)
    assert rows(served) == [("active", None)]


def test_start_page_left_open_over_a_pause_begins_nobody(serve: Callable[..., Any], hands: Any) -> None:
    served = serve()
    hands.page.goto(served.server.links.join[""])
    served.server.store.recruiting.pause()
    hands.click(hands.page.get_by_role("button", name="Begin"))
    expect(hands.page.get_by_role("heading", name="The study is paused")).to_be_visible()
    assert rows(served) == []


# --- the board itself -------------------------------------------------------------------------------------------------


def test_board_keeps_itself_up_to_date(small: Any, researcher: Page) -> None:
    researcher.clock.install()
    researcher.reload()
    person = small.join()
    expect(researcher.locator("#board")).not_to_contain_text(person.participant.code)
    researcher.clock.fast_forward(10_500)
    expect(researcher.locator("#board")).to_contain_text(person.participant.code)
    expect(researcher.locator("tr", has_text=person.participant.code)).to_contain_text("0 of")


def test_times_are_told_as_people_say_them(small: Any, researcher: Page) -> None:
    small.join()
    researcher.goto(f"{small.server.links.base}/board/participants")
    time = researcher.locator("time").first
    expect(time).to_have_text(re.compile(r"^(now|\d+ seconds? ago)$"))
    assert re.fullmatch(r"\d{4}-\d\d-\d\d \d\d:\d\d UTC", time.get_attribute("title") or "")


def test_tables_are_downloaded(small: Any, researcher: Page, tmp_path: Path) -> None:
    small.join()
    for name, start in (("Download tables and codebook (ZIP)", b"PK"), ("participants.csv", b"participant,cohort")):
        with researcher.expect_download() as download:
            researcher.get_by_role("link", name=name).click()
        download.value.save_as(tmp_path / "file")
        assert (tmp_path / "file").read_bytes().startswith(start)


# --- waiting for a place, and releasing one ---------------------------------------------------------------------------


def test_waiting_page_becomes_the_start_page_when_the_researcher_releases_a_place(
    serve: Callable[..., Any], new_context: Contexts, hands: Any
) -> None:
    served = serve(lambda data: data["participants"].update(wanted=1))
    person = served.join()
    page = hands.page
    page.clock.install()
    page.goto(served.server.links.join[""])
    expect(page.get_by_role("heading", name="All places are taken at the moment")).to_be_visible()
    assert barriers(page) == []
    with page.expect_response("**/join/*"):
        page.clock.fast_forward(60_000)
    expect(page.get_by_role("heading", name="All places are taken at the moment")).to_be_visible()

    board = new_context(viewport=WIDE).new_page()
    board.goto(served.server.links.board)
    board.get_by_role("link", name="Places", exact=True).click()
    assert barriers(board) == []
    code = person.participant.code
    button = board.get_by_role("button", name=f"Release the place of {code}")
    expect(button).to_have_count(0)  # it asks first
    board.locator("summary").click()
    assert barriers(board) == []
    button.click()
    expect(board.locator("summary")).to_have_count(0)

    page.clock.fast_forward(60_000)
    hands.click(page.get_by_role("button", name="Begin"))
    hands.wait_for_page(1)
    assert [each.slot for each in served.server.store.participants()] == [1, 1]


def test_waiting_page_looks_again_without_scripts(serve: Callable[..., Any], new_context: Contexts) -> None:
    served = serve(lambda data: data["participants"].update(wanted=1, platform="prolific"))
    person = served.join()
    page = new_context(java_script_enabled=False).new_page()
    page.goto(f"{served.server.links.join['']}?PROLIFIC_PID=p1&STUDY_ID=st&SESSION_ID=se")
    expect(page.get_by_text("please return your place on Prolific")).to_be_visible()
    refresh = page.locator("meta[http-equiv=refresh]").get_attribute("content") or ""
    assert re.fullmatch(r"\d\d; url=/join/[\w-]+\?PROLIFIC_PID=p1&STUDY_ID=st&SESSION_ID=se", refresh)
    person.client.post(f"{person.base}/withdraw")
    page.goto(served.server.links.base + refresh.partition("url=")[2])
    page.get_by_role("button", name="Begin").click()
    page.wait_for_url("**/p/*/1")
    assert rows(served) == [("withdrawn", None), ("active", "p1")]


# --- preview ----------------------------------------------------------------------------------------------------------


def stored(served: Any) -> tuple[int, int]:
    store = served.server.store
    return len(store.participants()), store.journal.extent().answers


@pytest.mark.console_errors("status of 422")
def test_preview_of_a_trial_is_checked_and_stores_nothing(small: Any, researcher: Page, hands: Any) -> None:
    before = stored(small)
    page = hands.page = researcher
    page.get_by_role("link", name="Preview").click()
    hands.click(page.get_by_role("spinbutton", name="Place"), count=3)  # which selects what stands there
    page.keyboard.type("3")
    page.keyboard.press("Enter")
    page.wait_for_url("**/board/preview/3")
    trials = [each for each in page.locator("table tr").all() if "Trial" in each.inner_text()]
    trials[0].get_by_role("link").click()
    hands.wait_until_ready()
    expect(page.get_by_role("complementary", name="Preview")).to_contain_text("Nothing is stored.")
    number = hands.number()

    # an empty answer is refused as usual
    hands.click(hands.next)
    page.locator("[aria-invalid=true]").first.wait_for()
    assert hands.number() == number
    # a fitting one leads on
    hands.click(hands.step(4))
    hands.click(hands.slider, across=0.8)
    hands.click(hands.next)
    page.wait_for_url(f"**/board/preview/3/{number + 1}")
    hands.wait_until_ready()
    # coming back, nothing of it is there
    page.get_by_role("link", name="Previous page").click()
    page.wait_for_url(f"**/board/preview/3/{number}")
    hands.wait_until_ready()
    expect(hands.radio(4)).not_to_be_checked()
    assert stored(small) == before


def test_whole_way_through_a_preview_by_keyboard(small: Any, researcher: Page, hands: Any) -> None:
    before = stored(small)
    page = hands.page = researcher
    page.goto(f"{small.server.links.base}/board/preview/2/start")
    hands.tab_to(page.get_by_role("button", name="Begin"))
    page.keyboard.press("Enter")
    page.wait_for_url("**/board/preview/2/1?*")
    hands.wait_until_ready()
    hands.tab_to(page.get_by_role("checkbox"))
    page.keyboard.press("Space")
    hands.tab_to(hands.next)
    page.keyboard.press("Enter")
    page.wait_for_url("**/board/preview/2/2")
    page.goto(f"{small.server.links.base}/board/preview/2/completed")
    expect(page.get_by_text("SMALL-42")).to_be_visible()
    assert stored(small) == before
    assert page.evaluate("Object.keys(localStorage).filter((key) => key.includes('preview')).length") == 0


def test_preview_with_a_time_limit_goes_on_by_itself(tmp_path: Path, new_context: Contexts) -> None:
    def short(data: dict[str, Any]) -> None:
        data["blocks"][0]["limit_seconds"] = 2

    with serving_decisions(tmp_path, short) as served:
        page = new_context().new_page()
        page.goto(served.server.links.board)
        page.goto(f"{served.server.links.base}/board/preview/1/3")
        expect(page.locator(".countdown-left strong")).to_be_visible()
        page.wait_for_url("**/board/preview/1/4", timeout=10_000)
        # and the time is all there again at the next look
        page.goto(f"{served.server.links.base}/board/preview/1/3")
        expect(page.locator(".countdown-left strong")).to_be_visible()
        assert stored(served) == (0, 0)


def test_preview_of_self_paced_reading(tmp_path: Path, new_context: Contexts) -> None:
    from textassay.serve.server import ServerThread
    from textassay.serve.session import pages
    from textassay.study.load import load_study
    from textassay.study.planning import stored_plan

    study = load_study(write_reading_study(tmp_path))
    plan = stored_plan(study)
    number = next(each.number for each in pages(study, plan.slot(1)) if each.trial and not each.practice)
    with ServerThread(study, plan) as server:
        page = new_context().new_page()
        page.goto(server.links.board)
        page.goto(f"{server.links.base}/board/preview/1/{number}")
        page.locator("[data-reading], .reading, #answer").first.wait_for()
        for _ in range(7):  # one press shows the first unit, each further one the next
            page.wait_for_timeout(120)
            page.keyboard.press("Space")
        expect(page.locator("#answer input[type=radio]").first).to_be_visible()
        assert server.store.journal.extent().answers == 0


# --- personal links ---------------------------------------------------------------------------------------------------


def test_personal_link_on_two_devices(serve: Callable[..., Any], new_context: Contexts, hands: Any) -> None:
    served = serve()
    board = new_context(permissions=["clipboard-read", "clipboard-write"]).new_page()
    board.goto(served.server.links.board)
    board.get_by_role("link", name="Links").click()
    hands.page = board
    hands.click(board.get_by_label("Names or codes"))
    board.keyboard.type("Ada Lovelace\nP-02")
    hands.click(board.get_by_role("button", name="Create links"))
    row = board.locator("tr", has_text="Ada Lovelace")
    expect(row).to_contain_text("not started")
    hands.click(row.get_by_role("button", name="Copy"))
    expect(board.locator("#said")).to_have_text("Copied.")
    link = board.evaluate("navigator.clipboard.readText()")
    assert link == row.locator("code").inner_text()

    phone = hands.page = new_context(viewport=NARROW, has_touch=True).new_page()
    phone.goto(link)
    expect(phone.get_by_text("on any device")).to_be_visible()
    hands.tap(phone.get_by_role("button", name="Begin"))
    hands.wait_for_page(1)
    hands.tap(phone.get_by_role("checkbox"))
    hands.tap(hands.next)
    hands.wait_for_page(2)

    laptop = hands.page = new_context().new_page()
    laptop.goto(link)
    hands.wait_for_page(2)
    assert rows(served) == [("active", "Ada Lovelace")]
    board.reload()
    expect(row).to_contain_text("Taking part now")


def may_reach_this_machine(page: Page) -> None:
    """Newer browsers ask before a site of the world shows one of this machine; that is not what is tried here."""
    with contextlib.suppress(Error):
        page.context.grant_permissions(["local-network-access"])


# --- platforms --------------------------------------------------------------------------------------------------------


def prolific(data: dict[str, Any]) -> None:
    data["participants"]["platform"] = "prolific"
    data["finish"]["codes"] = {"no_consent": "NO-1"}


def test_who_does_not_agree_goes_back_to_prolific_with_that_code(serve: Callable[..., Any], hands: Any) -> None:
    served = serve(prolific)
    page = hands.page
    asked: list[tuple[str, str | None]] = []

    def reply(route: Route) -> None:
        asked.append((route.request.url, route.request.headers.get("referer")))
        route.fulfill(body="<title>Prolific</title>", content_type="text/html")

    page.context.route("https://app.prolific.com/**", reply)
    page.goto(f"{served.server.links.join['']}?PROLIFIC_PID=p1&STUDY_ID=st&SESSION_ID=se")
    hands.click(page.get_by_role("button", name="Begin"))
    hands.wait_for_page(1)
    hands.click(page.get_by_role("link", name="I do not agree"))
    hands.click(page.get_by_role("link", name="Back to the consent"))
    hands.wait_for_page(1)
    hands.click(page.get_by_role("link", name="I do not agree"))
    hands.click(page.get_by_role("button", name="I will not take part"))
    hands.click(page.get_by_role("link", name="Back to Prolific"))
    page.wait_for_url("https://app.prolific.com/**")
    # the platform is told the code, and nothing of the participant's own link
    assert asked == [("https://app.prolific.com/submissions/complete?cc=NO-1", None)]
    assert rows(served) == [("withdrawn", "p1")]


def test_assignment_of_mturk_in_its_frame(serve: Callable[..., Any], hands: Any) -> None:
    served = serve(lambda data: data["participants"].update(platform="mturk"))
    page = hands.page
    may_reach_this_machine(page)
    told: list[dict[str, list[str]]] = []
    link = f"{served.server.links.join['']}?workerId=W1&hitId=H1&turkSubmitTo=https%3A%2F%2Fwww.mturk.com&assignmentId="

    def frame(route: Route) -> None:
        assignment = route.request.url.rpartition("/")[2]
        body = f'<title>MTurk</title><iframe src="{link}{assignment}" width="1000" height="900"></iframe>'
        route.fulfill(body=body, content_type="text/html")

    def submit(route: Route) -> None:
        told.append(parse_qs(route.request.post_data or ""))
        route.fulfill(body="<h1>Handed in</h1>", content_type="text/html")

    page.context.route("https://worker.mturk.com/**", frame)
    page.context.route("https://www.mturk.com/mturk/externalSubmit", submit)
    page.goto("https://worker.mturk.com/ASSIGNMENT_ID_NOT_AVAILABLE")
    inside = page.frame_locator("iframe")
    expect(inside.get_by_text("please accept it on MTurk first")).to_be_visible()
    expect(inside.get_by_role("button", name="Begin")).to_be_disabled()

    page.goto("https://worker.mturk.com/A1")
    hands.click(inside.get_by_role("button", name="Begin"))
    expect(inside.get_by_role("checkbox")).to_be_visible()
    hands.click(inside.get_by_role("checkbox"))
    hands.click(inside.get_by_role("button", name="Next"))
    expect(inside.get_by_label("How old are you?")).to_be_visible()
    token = served.server.store.recruiting.token_of_sent("W1")
    Person(served, served.client(), token).pass_pages()
    page.goto("https://worker.mturk.com/A1")  # opened again: the same assignment goes on
    hands.click(inside.get_by_role("button", name="Continue where you stopped"))
    hands.click(inside.get_by_role("button", name="Submit on MTurk"))
    expect(inside.get_by_role("heading", name="Handed in")).to_be_visible()
    assert told == [{"assignmentId": ["A1"], "outcome": ["completed"], "code": ["SMALL-42"]}]


@pytest.mark.console_errors("frame-ancestors|Refused to frame|Framing")
def test_nobody_else_can_frame_a_page(small: Any, hands: Any) -> None:
    page = hands.page
    may_reach_this_machine(page)
    link = small.server.links.join[""]
    page.context.route(
        "https://elsewhere.example/**",
        lambda route: route.fulfill(body=f'<iframe src="{link}"></iframe>', content_type="text/html"),
    )
    page.goto("https://elsewhere.example/")
    page.wait_for_timeout(500)
    assert page.frame_locator("iframe").get_by_role("button", name="Begin").count() == 0


# --- for everybody ----------------------------------------------------------------------------------------------------


PLACES = (
    "/board", "/board/participants", "/board/participants?standing=left_out", "/board/slots", "/board/links",
    "/board/preview/2", "/board/preview/2/start", "/board/preview/2/1", "/board/preview/2/6",
    "/board/preview/2/withdraw", "/board/preview/2/completed", "/board/preview/2/screened_out",
    "/board/preview/2/no_consent", "/board/preview/2/withdrawn",
)  # fmt: skip


LOOKED_AT = {"ar": (*PLACES[:2], "/board/links", "/board/preview/2/6"), "de": PLACES[:1]}
"""Where axe-core looks in other languages than English: one that runs the other way, one with long words."""


def peopled(served: Any) -> None:
    """Somebody of every kind has been there."""
    done, hasty, gone, unwilling, half_way = (
        served.join(cohort=name) for name in ("lay", "expert", "lay", "lay", "lay")
    )
    done.pass_pages()
    for page in hasty.pages:
        hasty.send(page.key, hasty.fitting(page), rt_ms=100.0)
    gone.pass_pages("quality-2")
    for person in (gone, unwilling):
        person.client.post(f"{person.base}/withdraw")
    half_way.pass_pages("quality-3")
    served.researcher().post("/board/links", data={"names": "Ada\nGrace", "cohort": "lay"})


@pytest.mark.parametrize(
    # German has the longest words, Arabic runs the other way.
    "language",
    ["en", "de", "ar", *(pytest.param(each, marks=pytest.mark.long) for each in ("fr", "es"))],
)
def test_no_barriers_and_no_sideways_scrolling(serve: Callable[..., Any], new_context: Contexts, language: str) -> None:
    def change(data: dict[str, Any]) -> None:
        data["language"] = language
        data["participants"] = {
            "cohorts": [{"name": "lay", "wanted": 6}, {"name": "expert", "wanted": 3}], "platform": "prolific"
        }  # fmt: skip
        data["finish"]["codes"] = {"screened_out": "OUT-1", "no_consent": "NO-1"}

    served = serve(change)
    peopled(served)
    # Without motion: buttons fade from one scheme to the other.
    page = new_context(viewport=NARROW, reduced_motion="reduce").new_page()
    page.goto(served.server.links.board)
    found = {}
    for place in PLACES:
        page.set_viewport_size(NARROW)
        page.goto(served.server.links.base + place)
        # The pages are built alike in all languages; only their words are longer or shorter, or run the other way.
        seen = barriers(page) if language == "en" or place in LOOKED_AT.get(language, ()) else []
        found[place, "narrow"] = [*seen, *(["scrolls sideways"] if sideways(page) else [])]
        page.set_viewport_size(WIDE)
        found[place, "wide"] = ["scrolls sideways"] if sideways(page) else []
        if language == "en" and place in PLACES[:6]:  # previews are light, as participants see them
            page.emulate_media(color_scheme="dark")
            found[place, "dark"] = barriers(page)
            page.emulate_media(color_scheme="light")
    if language == "en":
        served.server.store.recruiting.pause()
        for place in (served.server.links.join["lay"], served.server.links.base + "/board"):
            page.goto(place)
            found[place, "paused"] = barriers(page)
        page.emulate_media(color_scheme="dark")
        found["/board", "paused and dark"] = barriers(page)
    assert {place: problems for place, problems in found.items() if problems} == {}


def test_board_is_dark_where_the_browser_is_and_previews_stay_as_participants_see_them(
    serve: Callable[..., Any], new_context: Contexts
) -> None:
    served = serve()
    page = new_context(color_scheme="dark").new_page()
    page.goto(served.server.links.board)

    def ground() -> int:
        """The lightness of the page, 0 to 255."""
        colour = page.evaluate("getComputedStyle(document.body).backgroundColor")
        return min(map(int, re.findall(r"\d+", colour)))

    assert ground() < 40
    assert page.evaluate("getComputedStyle(document.documentElement).colorScheme") == "dark"
    page.goto(f"{served.server.links.base}/board/preview/1/1")
    assert ground() > 200
    page.emulate_media(color_scheme="light")
    page.goto(f"{served.server.links.base}/board")
    assert ground() > 200
