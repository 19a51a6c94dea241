"""Whole participations in a real browser, with trusted input only."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from playwright.sync_api import expect

if TYPE_CHECKING:
    from playwright.sync_api import BrowserContext

EMAIL = "ada@letters.uni-koeln.de"


def newest(small: Any) -> Any:
    return small.server.store.participants()[-1]


def test_whole_study_by_keyboard_alone(small: Any, hands: Any) -> None:
    page, keys = hands.page, hands.page.keyboard
    page.goto(small.server.links.join[""])
    hands.tab_to(page.get_by_role("button", name="Begin"))
    keys.press("Enter")

    hands.wait_for_page(1)
    hands.tab_to(page.get_by_role("checkbox"))
    keys.press("Space")
    hands.tab_to(hands.next)
    keys.press("Enter")

    hands.wait_for_page(2)
    hands.tab_to(page.get_by_role("radio", name="yes"))
    keys.press("Space")
    hands.tab_to(page.get_by_label("How old are you?"))
    keys.type("34")
    hands.tab_to(page.get_by_label("Your e-mail address"))
    keys.type(EMAIL)
    keys.press("Enter")

    hands.wait_for_page(3)
    hands.tab_to(hands.next)
    keys.press("Space")

    given: dict[str, dict[str, Any]] = {}
    participant = newest(small)
    pages = [each for each in hands_pages(small, participant) if each.number > 3]
    for each in pages:
        hands.wait_for_page(each.number)
        if each.trial is None:
            expect(page.locator("h1")).to_have_text("Time for a short break")
            hands.tab_to(hands.next)
            keys.press("Enter")
            continue
        given[each.key] = rate_by_keyboard(hands, each.number)
    page.get_by_text("SMALL-42").wait_for()

    assert newest(small).status == "completed"
    answers = small.server.store.answers(participant.id)
    assert {key: answers[key].payload for key in given} == given
    assert answers["questionnaire"].payload["age"] == 34
    for answer in answers.values():
        assert answer.revision == 0
        assert 0 < answer.rt_ms < 60_000
        # the two clocks of the browser agree
        assert abs((answer.answered_at - answer.started_at).total_seconds() * 1000 - answer.rt_ms) < 50


def hands_pages(small: Any, participant: Any) -> Any:
    from textassay.serve.session import pages

    return pages(small.study, small.plan.slot(participant.slot))


def rate_by_keyboard(hands: Any, number: int) -> dict[str, Any]:
    """Rate by digits, or by arrows on every other page; hand in from the button, or straight from the scale."""
    keys = hands.page.keyboard
    hands.tab_to(hands.radio(1))
    if number % 2:
        value = number % 7 + 1
        keys.press(str(value))
    else:
        keys.press("Space")
        keys.press("ArrowRight")
        keys.press("ArrowRight")
        value = 3
    expect(hands.radio(value)).to_be_checked()
    hands.tab_to(hands.slider)
    for _ in range(number):
        keys.press("ArrowLeft")
    comment = ""
    if number % 2:
        hands.tab_to(hands.page.get_by_label("Anything else?"))
        keys.type("schön")
        comment = "schön"
        hands.tab_to(hands.next)
    keys.press("Enter")
    return {"ratings": {"clarity": value, "fluency": 50 - number}, "comment": comment}


def test_by_mouse_with_reload_back_and_a_closed_tab(
    small: Any, hands: Any, new_context: Callable[..., BrowserContext]
) -> None:
    context = new_context()
    page = hands.page = context.new_page()
    introduce_oneself_by_mouse(small, hands)

    # half of a trial, then a reload
    hands.wait_for_page(4)
    hands.click(hands.step(6))
    hands.click(hands.slider, across=0.9)
    moved = hands.slider.input_value()
    page.reload()
    hands.wait_until_ready()
    expect(hands.radio(6)).to_be_checked()
    expect(hands.slider).to_have_value(moved)
    hands.click(hands.next)

    # the back button tells that the answer is there, and the way to the page that is due
    hands.wait_for_page(5)
    page.go_back()
    page.get_by_role("heading", name="You have already answered this page").wait_for()
    hands.click(page.get_by_role("link", name="Go to the current page"))
    hands.wait_for_page(5)
    expect(page.locator("h1")).to_have_text("Practice 2 of 2")

    # half of a trial, then the tab is closed; the link that everybody gets leads back
    hands.click(hands.step(2))
    hands.click(page.get_by_label("Anything else?"))
    page.keyboard.type("half")
    page.close()
    page = hands.page = context.new_page()
    page.goto(small.server.links.join[""])
    hands.click(page.get_by_role("link", name="Continue where you stopped"))
    hands.wait_for_page(5)
    expect(hands.radio(2)).to_be_checked()
    expect(page.get_by_label("Anything else?")).to_have_value("half")

    participant = newest(small)
    for each in hands_pages(small, participant)[4:]:
        hands.wait_for_page(each.number)
        if each.trial is not None:
            hands.click(hands.step(each.number % 7 + 1))
            hands.click(hands.slider, across=0.25)
        hands.click(hands.next)
    page.get_by_text("SMALL-42").wait_for()
    assert newest(small).status == "completed"
    answers = small.server.store.answers(participant.id)
    assert len(answers) == len(hands_pages(small, participant))
    assert {answer.revision for answer in answers.values()} == {0}
    assert answers["quality-p1"].payload["ratings"] == {"clarity": 6, "fluency": int(moved)}
    assert answers["quality-p1"].client["loads"] == 2
    assert answers["quality-p2"].payload["comment"] == "half"
    assert answers["quality-1"].client["loads"] == 1
    # nothing of the participation stays on the device
    hands.wait_until_nothing_is_kept()


def introduce_oneself_by_mouse(small: Any, hands: Any) -> None:
    """Begin, agree, and fill in the questionnaire, with a reload on the way."""
    page = hands.page
    page.goto(small.server.links.join[""])
    hands.click(page.get_by_role("button", name="Begin"))
    hands.wait_for_page(1)
    hands.click(page.get_by_role("checkbox"))
    hands.click(hands.next)
    hands.wait_for_page(2)
    hands.click(page.get_by_text("yes", exact=True))
    hands.click(page.get_by_label("What do you work as?"))
    page.keyboard.type("baker")
    hands.click(page.get_by_label("Your e-mail address"))
    page.keyboard.type(EMAIL)
    # a reload keeps what was entered, but not the address, which does not stay on the device
    page.reload()
    hands.wait_until_ready()
    expect(page.get_by_role("radio", name="yes")).to_be_checked()
    expect(page.get_by_label("What do you work as?")).to_have_value("baker")
    expect(page.get_by_label("Your e-mail address")).to_have_value("")
    assert EMAIL not in str(page.evaluate("JSON.stringify(localStorage)"))
    hands.click(page.get_by_label("Your e-mail address"))
    page.keyboard.type(EMAIL)
    hands.click(hands.next)
    hands.wait_for_page(3)
    hands.click(hands.next)


def test_going_back_where_answers_may_be_changed(serve: Callable[..., Any], hands: Any) -> None:
    served = serve(lambda data: data["participants"].update(may_go_back=True))
    person = served.join()
    person.pass_pages("quality-2")
    page = hands.page
    page.goto(served.server.links.base + person.base)
    due = hands.number()
    hands.wait_until_ready()
    hands.click(page.get_by_role("link", name="Back"))
    hands.wait_for_page(due - 1)
    expect(hands.radio(3)).to_be_checked()
    expect(hands.slider).to_have_value("16")
    hands.click(hands.step(7))
    hands.click(hands.next)
    hands.wait_for_page(due)
    page.go_back()
    hands.wait_for_page(due - 1)
    expect(hands.radio(7)).to_be_checked()
    assert person.answers["quality-1"].revision == 1
    assert person.answers["quality-1"].payload["ratings"]["clarity"] == 7


def test_withdrawing(hands: Any, at: Callable[[str], Any]) -> None:
    person = at("quality-1")
    page = hands.page
    hands.click(hands.step(3))
    assert page.evaluate("localStorage.length") > 0
    hands.click(page.get_by_role("link", name="Stop taking part"))
    hands.click(page.get_by_role("link", name="No, continue"))
    hands.wait_for_page(6)
    hands.click(page.get_by_role("link", name="Stop taking part"))
    hands.click(page.get_by_role("button", name="Yes, stop for good"))
    page.get_by_role("heading", name="You have stopped taking part").wait_for()
    assert person.participant.status == "withdrawn"
    hands.wait_until_nothing_is_kept()


def test_implausible_address_gets_a_hint_and_is_taken(hands: Any, at: Callable[[str], Any]) -> None:
    person = at("questionnaire")
    page = hands.page
    hands.click(page.get_by_text("yes", exact=True))
    hands.click(page.get_by_label("Your e-mail address"))
    page.keyboard.type("nobody")
    page.keyboard.press("Tab")
    page.get_by_text("This does not look like an e-mail address.").wait_for()
    hands.click(hands.next)
    hands.wait_for_page(3)
    assert person.answers["questionnaire"].payload["email"]["plausible"] is False


def test_double_click_on_begin_creates_one_participant(small: Any, hands: Any) -> None:
    before = len(small.server.store.participants())
    hands.page.goto(small.server.links.join[""])
    hands.page.get_by_role("button", name="Begin").dblclick()
    hands.wait_for_page(1)
    assert len(small.server.store.participants()) == before + 1


def test_completion_code_is_copied(small: Any, hands: Any, new_context: Callable[..., BrowserContext]) -> None:
    person = small.join()
    person.pass_pages()
    context = new_context(permissions=["clipboard-read", "clipboard-write"])
    page = hands.page = context.new_page()
    page.goto(small.server.links.base + person.base)
    hands.click(page.get_by_role("button", name="Copy code"))
    page.get_by_text("Copied.").wait_for()
    assert page.evaluate("navigator.clipboard.readText()") == "SMALL-42"
