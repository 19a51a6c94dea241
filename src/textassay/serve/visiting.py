"""The pages of a participant, from the first to the last, and withdrawal."""

from __future__ import annotations

import json
from collections.abc import Container
from typing import Any

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from textassay.answers.answer_rows import remaining_seconds
from textassay.answers.records import Participant
from textassay.serve import joining, session
from textassay.serve.middleware import CSP, policy
from textassay.serve.platforms import Platform, ReturnLink
from textassay.serve.rendering import task_template
from textassay.serve.session import Page, PageSequence
from textassay.serve.site import Site, Visit
from textassay.study.markup import markdown
from textassay.study.model import EmailField, Outcome
from textassay.study.study import Study

_MESSAGES: dict[Outcome, str] = {
    "completed": "end",
    "screened_out": "excluded",
    "no_consent": "declined",
    "withdrawn": "withdrawn",
}
"""Prefix of the messages for each outcome."""


async def find_visit(request: Request, site: Site) -> Visit:
    """The state of the participant with this link.

    Raises:
        HTTPException: 404 if there is no such participant.
    """
    visit = await site.visit(request.path_params["token"])
    if visit is None:
        raise HTTPException(404)
    return visit


async def entrance(request: Request, site: Site) -> Response:
    """The participant's own link: the start page, a redirection to the current page, or the last page."""
    visit = await site.visit(request.path_params["token"])
    if visit is None:
        return await joining.invited(request, site)
    outcome = outcome_of(site.study, visit.participant, visit.answers)
    if outcome is not None:
        return last_page(site, visit.base, outcome, visit.participant)
    due = visit.current
    return RedirectResponse(visit.url(due.number if due else len(visit.pages) + 1), 303)


def last_page(site: Site, base: str, outcome: Outcome, participant: Participant | None, **more: Any) -> Response:
    """The last page, with the way back to the recruiting platform.

    Args:
        site: The study.
        base: Address of the participant's link.
        outcome: How it ended.
        participant: The participant; None in a preview.
        more: Further values for the template.
    """
    back = way_back(site.study, site.platform, outcome, participant)
    if outcome == "completed" and (participant is None or participant.status == "completed"):
        html = markdown(site.study.pages["finish"]) if "finish" in site.study.pages else ""
        reply = site.renderer.page("end.html", html=html, base=base, way_back=back, outcome=outcome, **more)
    else:
        # A participant who withdraws after completing sees the withdrawal text, but still gets the completion code.
        words = participant.status if participant and outcome == "completed" else _MESSAGES[outcome]
        title, text = f"{words}.title", f"{words}.text"
        reply = site.renderer.page("left.html", title=title, text=text, way_back=back, outcome=outcome, **more)
    if back.fields:
        platform = site.platform
        reply.headers[CSP] = policy(framed_by=platform.framed_by, forms_to=platform.forms_to)
    return reply


async def page(request: Request, site: Site) -> Response:
    """One page. Where its answer can no longer be changed, it says so; pages ahead redirect to the current one."""
    visit = await find_visit(request, site)
    asked = next((each for each in visit.pages if str(each.number) == request.path_params["number"]), None)
    may_go_back = site.study.file.participants.may_go_back
    if asked is None or visit.participant.status != "active" or visit.current is None:
        return RedirectResponse(visit.base, 303)
    if not session.may_open(asked, visit.current, may_go_back=may_go_back):
        if asked.key not in visit.answers:
            return RedirectResponse(visit.base, 303)
        return site.renderer.page("answered.html", base=visit.base, title="answered.title", text="answered.text")
    if asked.kind == "sitting":
        link = str(request.url.replace(path=visit.base, query=""))
        hours = site.hours_left(visit, asked)
        if hours:
            return _too_early(site, visit, asked, hours, link)
        return render_page(site, visit, asked, None, link=link)
    return render_page(site, visit, asked, await _limit(site, visit, asked))


def _too_early(site: Site, visit: Visit, asked: Page, hours: int, link: str) -> Response:
    part = session.sitting(visit.pages, asked)
    return site.renderer.page("sitting_wait.html", base=visit.base, part=part, hours=hours, link=link)


def render_page(
    site: Site, sequence: PageSequence, asked: Page, limit: dict[str, float] | None, **more: Any
) -> Response:
    """Render one page.

    Args:
        site: The study.
        sequence: The pages and answers.
        asked: The page.
        limit: The trial's time limit and the remaining time, if it has one.
        more: Further values for the template.
    """
    back = sequence.url(asked.number - 1) if site.study.file.participants.may_go_back and asked.number > 1 else ""
    values = {
        "base": sequence.base,
        "back": back,
        "data": _script_data(site, sequence, asked, limit),
        **_template_values(site, sequence, asked),
    }
    return site.renderer.page(f"{asked.kind}.html", **values, **more)


def time_limit(site: Site, asked: Page) -> float | None:
    """The time limit of a page's trial in seconds, if it has one."""
    block = site.study.block(asked.block) if asked.trial else None
    return block.task.limit_seconds() if block else None


async def _limit(site: Site, visit: Visit, asked: Page) -> dict[str, float] | None:
    """Store when the page was first opened; returns the trial's time limit and the remaining time, if it has one."""
    limit = time_limit(site, asked)
    now = site.clock()
    opening = site.store.asynchronously(site.store.opened, visit.participant.id, asked.key, now)
    if limit is None:
        site.run_in_background(
            opening
        )  # without a limit the time is only recorded, so the participant need not wait for the disk
        return None
    return {"seconds": limit, "remaining": remaining_seconds(limit, now - await opening)}


def _script_data(site: Site, sequence: PageSequence, asked: Page, limit: dict[str, float] | None) -> str:
    """The data for the page's script, as JSON."""
    stored = sequence.answers.get(asked.key)
    answer = dict(stored.payload) if stored else None
    if answer and asked.kind == "questionnaire":
        answer = {name: value for name, value in answer.items() if not isinstance(value, dict)}
    task = site.study.block(asked.block).task.name if asked.trial else None
    return json.dumps(
        {
            "key": asked.key,
            "view": site.assets.task_script(task) if task else None,
            "answer": answer,
            "answer_id": stored.answer_id if stored else None,
            "limit": limit,
        },
        ensure_ascii=False,
    )


def _template_values(site: Site, sequence: PageSequence, asked: Page) -> dict[str, Any]:
    """The values for the page's template."""
    study, t = site.study, site.messages
    match asked.kind:
        case "consent":
            return {"heading": t("consent.title"), "html": markdown(study.pages["consent"])}
        case "questionnaire":
            fields = study.file.questionnaire
            given = sequence.answers["questionnaire"].payload if "questionnaire" in sequence.answers else {}
            kept = any(field.name in given for field in fields if isinstance(field, EmailField))
            return {"heading": t("questionnaire.title"), "fields": fields, "kept_email": kept}
        case "instructions":
            html = markdown(study.block(asked.block).instructions or "")
            return {"heading": t("instructions.title"), "html": html}
        case "break":
            return {"heading": t("break.title"), "progress": session.passed_trials(sequence.pages, asked)}
        case "sitting":
            part = session.sitting(sequence.pages, asked)
            heading = t("sitting.title", n=part.n, total=part.total)
            return {"heading": heading, "part": part, "progress": session.passed_trials(sequence.pages, asked)}
        case "trial":
            return _trial(site, sequence, asked)


def _trial(site: Site, sequence: PageSequence, asked: Page) -> dict[str, Any]:
    trial, progress = asked.trial, session.progress(sequence.pages, asked)
    if trial is None or progress is None:
        raise HTTPException(404)
    block = site.study.block(asked.block)
    place = "trial.practice" if asked.practice else "progress.place"
    return {
        "heading": site.messages(place, n=progress.n, total=progress.total),
        "progress": session.passed_trials(sequence.pages, asked),
        "practice": asked.practice,
        "follows_practice": session.follows_practice(sequence.pages, asked),
        "t": site.block_messages[block.name],
        "task": block.task.name,
        "beside": block.name in site.beside,
        "view_template": task_template(block.task.name),
        "view": block.task.view(trial),
        "media": lambda name: f"{sequence.base}/media/{site.media.opaque(name)}",
    }


async def ask_withdrawal(request: Request, site: Site) -> Response:
    """Ask the participant to confirm the withdrawal."""
    visit = await find_visit(request, site)
    if visit.participant.status not in ("active", "completed"):
        return RedirectResponse(visit.base, 303)
    if visit.participant.status == "completed":
        words = "retract"
    else:
        words = "decline" if lacks_consent(site.study, visit.answers) else "withdraw"
    return withdrawal_page(site, visit.base, words)


def withdrawal_page(site: Site, base: str, words: str, **more: Any) -> Response:
    """The page that asks for confirmation; `words` is the prefix of its messages."""
    title, text = f"{words}.title", f"{words}.text"
    return site.renderer.page("withdraw.html", words=words, title=title, text=text, base=base, **more)


async def withdraw(request: Request, site: Site) -> Response:
    """Withdraw the participant; the answers stay in the store, marked as withdrawn."""
    visit = await find_visit(request, site)
    if visit.participant.status in ("active", "completed"):
        await site.store.asynchronously(site.store.finish, visit.participant.id, "withdrawn", site.clock())
    return RedirectResponse(visit.base, 303)


def outcome_of(study: Study, participant: Participant, answered: Container[str]) -> Outcome | None:
    """How the participation ended; None while it is in progress.

    A participant who has answered all pages has completed the study, even if excluded by screening or withdrawn later.

    Args:
        study: The study.
        participant: The participant.
        answered: Keys of the answered pages.
    """
    if participant.status == "active":
        return None
    if participant.status == "completed" or participant.completed_at is not None:
        return "completed"
    if participant.status == "excluded":
        return "screened_out"
    return "no_consent" if lacks_consent(study, answered) else "withdrawn"


def lacks_consent(study: Study, answered: Container[str]) -> bool:
    """Whether the study asks for consent and the participant has not given it."""
    return "consent" in study.pages and "consent" not in answered


def way_back(study: Study, platform: Platform, outcome: Outcome, participant: Participant | None) -> ReturnLink:
    """The link back to the recruiting platform, with the completion code for this outcome."""
    return platform.way_back(outcome, study.file.finish.code(outcome), participant)
