"""The pages that a participant passes, and the ways out."""

from __future__ import annotations

import json
from typing import Any

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from textassay.answers.limits import remaining_seconds
from textassay.serve import session
from textassay.serve.rendering import task_template
from textassay.serve.session import Page
from textassay.serve.site import Site, Visit
from textassay.study.model import EmailField
from textassay.study.texts import markdown


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
    """The participant's link: on to the page that is due, or the last word."""
    visit = await visit_of(request, site)
    match visit.participant.status:
        case "completed":
            return _end(site, visit)
        case "withdrawn" | "excluded" as status:
            return site.renderer.page("left.html", title=f"{status}.title", text=f"{status}.text")
        case "active":
            due = visit.current
            return RedirectResponse(visit.url(due.number if due else len(visit.pages) + 1), 303)


def _end(site: Site, visit: Visit) -> Response:
    html = markdown(site.study.pages["finish"]) if "finish" in site.study.pages else ""
    code = site.study.file.finish.completion_code
    return site.renderer.page("end.html", html=html, code=code, base=visit.base)


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
    back = visit.url(asked.number - 1) if may_go_back and asked.number > 1 else ""
    data = _data(site, visit, asked, await _limit(site, visit, asked))
    values = {"base": visit.base, "back": back, "data": data, **_shown(site, visit, asked)}
    return site.renderer.page(f"{asked.kind}.html", **values)


async def _limit(site: Site, visit: Visit, asked: Page) -> dict[str, float] | None:
    """Keep when the page was first opened; the trial's time limit and what is left of it, where it has one."""
    block = site.study.block(asked.block) if asked.trial else None
    limit = block.task.limit_seconds(block) if block else None
    now = site.clock()
    opening = site.store.asynchronously(site.store.opened, visit.participant.id, asked.key, now)
    if limit is None:
        site.leave(opening)  # nobody waits for the disk where the time only goes into the tables
        return None
    return {"seconds": limit, "remaining": remaining_seconds(limit, now - await opening)}


def _data(site: Site, visit: Visit, asked: Page, limit: dict[str, float] | None) -> str:
    """What the page's script needs to know."""
    stored = visit.answers.get(asked.key)
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


def _shown(site: Site, visit: Visit, asked: Page) -> dict[str, Any]:
    """What the page's template needs to know."""
    study, t = site.study, site.messages
    match asked.kind:
        case "consent":
            return {"heading": t("consent.title"), "html": markdown(study.pages["consent"])}
        case "questionnaire":
            fields = study.file.questionnaire
            given = visit.answers["questionnaire"].payload if "questionnaire" in visit.answers else {}
            kept = any(field.name in given for field in fields if isinstance(field, EmailField))
            return {"heading": t("questionnaire.title"), "fields": fields, "kept_email": kept}
        case "instructions":
            html = markdown(study.block(asked.block).instructions or "")
            return {"heading": t("instructions.title"), "html": html}
        case "break":
            return {"heading": t("break.title"), "progress": session.passed_trials(visit.pages, asked)}
        case "trial":
            return _trial(site, visit, asked)


def _trial(site: Site, visit: Visit, asked: Page) -> dict[str, Any]:
    trial, progress = asked.trial, session.progress(visit.pages, asked)
    if trial is None or progress is None:
        raise HTTPException(404)
    block = site.study.block(asked.block)
    place = "trial.practice" if asked.practice else "progress.place"
    return {
        "heading": site.messages(place, n=progress.n, total=progress.total),
        "progress": session.passed_trials(visit.pages, asked),
        "practice": asked.practice,
        "follows_practice": session.follows_practice(visit.pages, asked),
        "view_template": task_template(block.task.name),
        "view": block.task.view(block, trial, site.study),
        "media": lambda name: f"{visit.base}/media/{site.media.opaque(name)}",
    }


async def ask_withdrawal(request: Request, site: Site) -> Response:
    """Whether the participant really wants to stop."""
    visit = await visit_of(request, site)
    if visit.participant.status not in ("active", "completed"):
        return RedirectResponse(visit.base, 303)
    words = "withdraw" if visit.participant.status == "active" else "retract"
    title, text = f"{words}.title", f"{words}.text"
    return site.renderer.page("withdraw.html", words=words, title=title, text=text, base=visit.base)


async def withdraw(request: Request, site: Site) -> Response:
    """The participant stops for good; what was answered stays, marked."""
    visit = await visit_of(request, site)
    if visit.participant.status in ("active", "completed"):
        await site.store.asynchronously(site.store.finish, visit.participant.id, "withdrawn", site.clock())
    return RedirectResponse(visit.base, 303)
