"""The datasheet as a page and as its form saves it."""

from __future__ import annotations

from textassay.sharing.datasheet.questions import QUESTIONS
from textassay.sharing.datasheet.sheet import Answer, Datasheet, undecided


def sheet(**given: Answer) -> Datasheet:
    criteria = ("clarity", "fluency")
    answers = {
        (each.number, criterion): undecided()
        for each in QUESTIONS
        for criterion in (criteria if each.of_criterion else ("",))
    }
    changed = {(key.split("_")[0], key.split("_")[1]): answer for key, answer in given.items()}
    return Datasheet("Study", criteria, {**answers, **changed}, ("Beware.",), {"consent": "# Yes\n\nYou agree."})


FILLED = sheet(**{"5.1_": Answer("The committee"), "5.2_": Answer("names", (2,)), "4.3.3_clarity": Answer("7")})


def test_the_form_loads_what_it_saves_itself() -> None:
    # The form keeps one entry per field: values by criterion, and of options which are ticked, with their words.
    form = FILLED.form()
    assert form["heds-ethics-review_body"] == {"data": {"": "The committee"}, "control": {}, "number": "5.1"}
    assert form["heds-ethics-personal_data-2"]["data"] == {"": True}
    assert form["heds-ethics-personal_data-2"]["text"] == {"": "yes"}
    assert form["heds-ethics-personal_data-1"]["data"] == {"": False}
    assert form["heds-ethics-personal_data-other_text"]["data"] == {"": "names"}
    size = "heds-criteria-criterion-response_elicitation-size_of_scale"
    assert form[size]["data"] == {"clarity": "7", "fluency": ""}  # what is open is blank
    assert form["heds-criteria-criterion"]["control"] == {"clarity": True, "fluency": False}
    fields = sum(1 if not each.options else len(each.options) + 1 for each in QUESTIONS)
    assert len(form) == fields + 1


def test_what_is_open_is_not_in_the_form() -> None:
    known = sheet(**{"5.1_": undecided("A consent page is shown.")})
    assert known.form()["heds-ethics-review_body"]["data"] == {"": ""}
    assert "**Open:** only the researcher can say. A consent page is shown." in known.markdown()


def test_the_page_ends_with_what_only_the_researcher_can_say() -> None:
    page = FILLED.markdown()
    assert "> Beware." in page
    assert "## What participants read: consent\n\n> # Yes\n>\n> You agree.\n" in page
    assert "**5.2 Are there personal data in texts or responses?**\n\n2. yes: names\n" in page
    asked = page.partition("## What only the researcher can say")[2]
    assert "\n5.3:\n" in asked
    assert "\n5.1:\n" not in asked
    assert "\n4.3.3:\n  fluency:\n" in asked
    done = {key: Answer("x") for key in FILLED.answers}
    assert Datasheet("Study", ("clarity", "fluency"), done).markdown().endswith("Nothing is open.\n")
