"""The pages that a participant passes, and the ways out."""

from __future__ import annotations

import json
from typing import Any

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from textassay.answers.limits import remaining_seconds
from textassay.answers.records import Participant
from textassay.serve import joining, session
from textassay.serve.ending import lacks_consent, outcome_of, way_back
from textassay.serve.protection import CSP, policy
from textassay.serve.rendering import task_template
from textassay.serve.session import Page
from textassay.serve.site import Site, Visit, Walk
from textassay.study.model import EmailField, Outcome
from textassay.study.texts import markdown

_WORDS: dict[Outcome, str] = {
    "completed": "end",
    "screened_out": "excluded",
    "no_consent": "declined",
    "withdrawn": "withdrawn",
}
"""Messages for each way to end."""


async def visit_of(request: Request, site: Site) -> Visit:
    """Where the participant of this link stands.

    Raises:
        HTTPException: 404 where nobody has this link.
    """
    visit = await site.visit(request.path_params["token"])
    if visit is None:
        raise HTTPException(404)
    return visit


async def entrance(request: Request, site: Site) -> Response:
    """A link of one's own: to the start for who has not begun, to the page that is due, or the last word."""
    visit = await site.visit(request.path_params["token"])
    if visit is None:
        return await joining.invited(request, site)
    outcome = outcome_of(site.study, visit.participant, visit.answers)
    if outcome is not None:
        return last_page(site, visit.base, outcome, visit.participant)
    due = visit.current
    return RedirectResponse(visit.url(due.number if due else len(visit.pages) + 1), 303)


def last_page(site: Site, base: str, outcome: Outcome, participant: Participant | None, **more: Any) -> Response:
    """The last word, with the way back to whoever recruited.

    Args:
        site: The study.
        base: Address of the participant's link.
        outcome: How it ended.
        participant: Whose end it is; nobody's, where it is only looked at.
        more: What else the template is told.
    """
    back = way_back(site.study, site.platform, outcome, participant)
    if outcome == "completed" and (participant is None or participant.status == "completed"):
        html = markdown(site.study.pages["finish"]) if "finish" in site.study.pages else ""
        reply = site.renderer.page("end.html", html=html, base=base, way_back=back, outcome=outcome, **more)
    else:
        # Who has done the work and then takes the answers back is told of the latter, and paid for the former.
        words = participant.status if participant and outcome == "completed" else _WORDS[outcome]
        title, text = f"{words}.title", f"{words}.text"
        reply = site.renderer.page("left.html", title=title, text=text, way_back=back, outcome=outcome, **more)
    if back.fields:
        platform = site.platform
        reply.headers[CSP] = policy(framed_by=platform.framed_by, forms_to=platform.forms_to)
    return reply


async def page(request: Request, site: Site) -> Response:
    """One page; one that may not be opened leads to the one that is due."""
    visit = await visit_of(request, site)
    asked = next((each for each in visit.pages if str(each.number) == request.path_params["number"]), None)
    may_go_back = site.study.file.participants.may_go_back
    if (
        asked is None
        or visit.participant.status != "active"
        or not session.may_open(asked, visit.current, may_go_back=may_go_back)
    ):
        return RedirectResponse(visit.base, 303)
    return shown_page(site, visit, asked, await _limit(site, visit, asked))


def shown_page(site: Site, walk: Walk, asked: Page, limit: dict[str, float] | None, **more: Any) -> Response:
    """One page of somebody's way.

    Args:
        site: The study.
        walk: The way.
        asked: The page.
        limit: The trial's time limit and what is left of it, where it has one.
        more: What else the template is told.
    """
    back = walk.url(asked.number - 1) if site.study.file.participants.may_go_back and asked.number > 1 else ""
    values = {"base": walk.base, "back": back, "data": _data(site, walk, asked, limit), **_shown(site, walk, asked)}
    return site.renderer.page(f"{asked.kind}.html", **values, **more)


def limit_of(site: Site, asked: Page) -> float | None:
    """The time limit of a page's trial in seconds, where it has one."""
    block = site.study.block(asked.block) if asked.trial else None
    return block.task.limit_seconds() if block else None


async def _limit(site: Site, visit: Visit, asked: Page) -> dict[str, float] | None:
    """Keep when the page was first opened; the trial's time limit and what is left of it, where it has one."""
    limit = limit_of(site, asked)
    now = site.clock()
    opening = site.store.asynchronously(site.store.opened, visit.participant.id, asked.key, now)
    if limit is None:
        site.leave(opening)  # nobody waits for the disk where the time only goes into the tables
        return None
    return {"seconds": limit, "remaining": remaining_seconds(limit, now - await opening)}


def _data(site: Site, walk: Walk, asked: Page, limit: dict[str, float] | None) -> str:
    """What the page's script needs to know."""
    stored = walk.answers.get(asked.key)
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
            "private": asked.kind == "questionnaire",
            "limit": limit,
        },
        ensure_ascii=False,
    )


def _shown(site: Site, walk: Walk, asked: Page) -> dict[str, Any]:
    """What the page's template needs to know."""
    study, t = site.study, site.messages
    match asked.kind:
        case "consent":
            return {"heading": t("consent.title"), "html": markdown(study.pages["consent"])}
        case "questionnaire":
            fields = study.file.questionnaire
            given = walk.answers["questionnaire"].payload if "questionnaire" in walk.answers else {}
            kept = any(field.name in given for field in fields if isinstance(field, EmailField))
            return {"heading": t("questionnaire.title"), "fields": fields, "kept_email": kept}
        case "instructions":
            html = markdown(study.block(asked.block).instructions or "")
            return {"heading": t("instructions.title"), "html": html}
        case "break":
            return {"heading": t("break.title"), "progress": session.passed_trials(walk.pages, asked)}
        case "trial":
            return _trial(site, walk, asked)


def _trial(site: Site, walk: Walk, asked: Page) -> dict[str, Any]:
    trial, progress = asked.trial, session.progress(walk.pages, asked)
    if trial is None or progress is None:
        raise HTTPException(404)
    block = site.study.block(asked.block)
    place = "trial.practice" if asked.practice else "progress.place"
    return {
        "heading": site.messages(place, n=progress.n, total=progress.total),
        "progress": session.passed_trials(walk.pages, asked),
        "practice": asked.practice,
        "follows_practice": session.follows_practice(walk.pages, asked),
        "view_template": task_template(block.task.name),
        "view": block.task.view(trial),
        "media": lambda name: f"{walk.base}/media/{site.media.opaque(name)}",
    }


async def ask_withdrawal(request: Request, site: Site) -> Response:
    """Whether the participant really wants to stop."""
    visit = await visit_of(request, site)
    if visit.participant.status not in ("active", "completed"):
        return RedirectResponse(visit.base, 303)
    if visit.participant.status == "completed":
        words = "retract"
    else:
        words = "decline" if lacks_consent(site.study, visit.answers) else "withdraw"
    return withdrawal_page(site, visit.base, words)


def withdrawal_page(site: Site, base: str, words: str, **more: Any) -> Response:
    """The question whether to stop; `words` says what is stopped."""
    title, text = f"{words}.title", f"{words}.text"
    return site.renderer.page("withdraw.html", words=words, title=title, text=text, base=base, **more)


async def withdraw(request: Request, site: Site) -> Response:
    """The participant stops for good; what was answered stays, marked."""
    visit = await visit_of(request, site)
    if visit.participant.status in ("active", "completed"):
        await site.store.asynchronously(site.store.finish, visit.participant.id, "withdrawn", site.clock())
    return RedirectResponse(visit.base, 303)
