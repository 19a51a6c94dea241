"""The pages of a participant, from the first to the last, and withdrawal."""

from __future__ import annotations

import json
from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from typing import Any

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from textassay.answers.answer_rows import remaining_seconds
from textassay.answers.records import Participant, StoredAnswer
from textassay.errors import StoreError
from textassay.serve import joining, session
from textassay.serve.platforms import Platform, ReturnLink
from textassay.serve.protection import CSP, policy
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
    outcome = outcome_of(visit.participant, lacks_consent=lacks_consent(site.study, visit))
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
    number = request.path_params["number"]
    asked = visit.pages[number - 1] if 1 <= number <= len(visit.pages) else None
    may_go_back = site.study.file.participants.may_go_back
    if asked is None or visit.participant.status != "active" or visit.current is None:
        return RedirectResponse(visit.base, 303)
    answered = visit.session.answered.includes(asked)
    if not session.may_open(asked, visit.current, may_go_back=may_go_back):
        if not answered:
            return RedirectResponse(visit.base, 303)
        return site.renderer.page("answered.html", base=visit.base, title="answered.title", text="answered.text")
    if asked.kind == "sitting":
        link = site.base(request) + visit.base
        hours = await site.hours_left(visit, asked)
        if hours:
            return _too_early(site, visit, asked, hours, link)
        return render_page(site, visit, PageState(asked, site.page_key(visit.participant, asked)), link=link)
    key, person = site.page_key(visit.participant, asked), visit.participant.id
    stored = await site.store.asynchronously(site.store.latest, person, asked.key) if answered else None
    return render_page(site, visit, PageState(asked, key, stored, await _limit(site, visit, asked)))


def _too_early(site: Site, visit: Visit, asked: Page, hours: int, link: str) -> Response:
    part = session.sitting(visit.pages, asked)
    return site.renderer.page("sitting_wait.html", base=visit.base, part=part, hours=hours, link=link)


@dataclass(frozen=True)
class PageState:
    """A page, as one participant finds it."""

    page: Page
    key: str
    """What the browser knows it by."""
    stored: StoredAnswer | None = None
    """The answer that was given to it, if any."""
    limit: Mapping[str, float] | None = None
    """The trial's time limit and the remaining time, if it has one."""


def render_page(site: Site, sequence: PageSequence, state: PageState, **more: Any) -> Response:
    """Render one page.

    What is the same for everybody is rendered once; what is the participant's own is filled in.

    Args:
        site: The study.
        sequence: All pages.
        state: The page.
        more: Further values for the template; the page is then rendered for this once.
    """
    asked = state.page
    back = sequence.url(asked.number - 1) if site.study.file.participants.may_go_back and asked.number > 1 else ""
    own = {"base": sequence.base, "back": back, "data": _script_data(site, state), **_own_words(site, sequence, asked)}
    kept_email = _has_email(site.study, state)

    def values(own: Mapping[str, str]) -> dict[str, Any]:
        return {**own, **_template_values(site, sequence, asked, own), "kept_email": kept_email}

    template = f"{asked.kind}.html"
    if more or asked.kind == "sitting":
        return site.renderer.page(template, **values(own), **more)
    identity = (template, asked.block, _shown_trial(sequence, asked), bool(back), kept_email)
    return site.renderer.filled_page(template, identity, own, values)


def _shown_trial(sequence: PageSequence, asked: Page) -> tuple[Hashable, ...]:
    """What the page of a trial depends on: not on its place, nor on who sees it."""
    trial = asked.trial
    if trial is None:
        return ()
    randomised = json.dumps(trial.randomised, sort_keys=True) if trial.randomised else ""
    return trial.kind, trial.item, trial.systems, randomised, session.follows_practice(sequence.pages, asked)


def time_limit(site: Site, asked: Page) -> float | None:
    """The time limit of a page's trial in seconds, if it has one."""
    block = site.study.block(asked.block) if asked.trial else None
    return block.task.limit_seconds() if block else None


async def _limit(site: Site, visit: Visit, asked: Page) -> Mapping[str, float] | None:
    """Record when the page was first opened; returns the trial's time limit and the remaining time, if it has one."""
    limit, now = time_limit(site, asked), site.clock()
    if limit is None:
        # Only recorded, so the participant need not wait for the disk.
        if visit.session.opened != asked.key:
            visit.session.opened = asked.key
            site.openings.note(visit.participant, asked.key, now)
        return None
    opened = await site.store.asynchronously(site.store.opened, visit.participant.id, asked.key, now)
    return {"seconds": limit, "remaining": remaining_seconds(limit, now - opened)}


def _script_data(site: Site, state: PageState) -> str:
    """The data for the page's script, as JSON."""
    asked, stored = state.page, state.stored
    answer = dict(stored.payload) if stored else None
    if answer and asked.kind == "questionnaire":
        answer = {name: value for name, value in answer.items() if not isinstance(value, dict)}
    task = site.study.block(asked.block).task.name if asked.trial else None
    return json.dumps(
        {
            "key": state.key,
            "view": site.assets.task_script(task) if task else None,
            "answer": answer,
            "answer_id": stored.answer_id if stored else None,
            "limit": state.limit,
        },
        ensure_ascii=False,
    )


def _has_email(study: Study, state: PageState) -> bool:
    """Whether the questionnaire was answered with an address, of which only a hash is known."""
    if state.page.kind != "questionnaire" or state.stored is None:
        return False
    given = state.stored.payload
    return any(field.name in given for field in study.file.questionnaire if isinstance(field, EmailField))


def _own_words(site: Site, sequence: PageSequence, asked: Page) -> dict[str, str]:
    """What the page says of the participant's progress."""
    if asked.kind not in ("trial", "break", "sitting"):
        return {}
    passed = session.passed_trials(sequence.pages, asked)
    words = {"n": str(passed.n), "total": str(passed.total)}
    place = session.progress(sequence.pages, asked)
    if place is not None:
        said = "trial.practice" if asked.practice else "progress.place"
        words["heading"] = site.messages(said, n=place.n, total=place.total)
    return words


def _template_values(site: Site, sequence: PageSequence, asked: Page, own: Mapping[str, str]) -> dict[str, Any]:
    """The values for the page's template; `own` are the participant's, or what stands for them."""
    study, t = site.study, site.messages
    match asked.kind:
        case "consent":
            return {"heading": t("consent.title"), "html": markdown(study.pages["consent"])}
        case "questionnaire":
            return {"heading": t("questionnaire.title"), "fields": study.file.questionnaire}
        case "instructions":
            html = markdown(study.block(asked.block).instructions or "")
            return {"heading": t("instructions.title"), "html": html}
        case "break":
            return {"heading": t("break.title"), "progress": {"n": own["n"], "total": own["total"]}}
        case "sitting":
            part = session.sitting(sequence.pages, asked)
            heading = t("sitting.title", n=part.n, total=part.total)
            return {"heading": heading, "part": part, "progress": session.passed_trials(sequence.pages, asked)}
        case "trial":
            return _trial(site, sequence, asked, own)


def _trial(site: Site, sequence: PageSequence, asked: Page, own: Mapping[str, str]) -> dict[str, Any]:
    trial = asked.trial
    if trial is None:
        raise HTTPException(404)
    block = site.study.block(asked.block)
    return {
        "progress": {"n": own["n"], "total": own["total"]},
        "practice": asked.practice,
        "follows_practice": session.follows_practice(sequence.pages, asked),
        "t": site.block_messages[block.name],
        "task": block.task.name,
        "beside": block.name in site.beside,
        "view_template": task_template(block.task.name),
        "view": block.task.view(trial),
        "media": lambda name: f"{own['base']}/media/{site.media.opaque(name)}",
    }


async def ask_withdrawal(request: Request, site: Site) -> Response:
    """Ask the participant to confirm the withdrawal."""
    visit = await find_visit(request, site)
    if visit.participant.status not in ("active", "completed"):
        return RedirectResponse(visit.base, 303)
    if visit.participant.status == "completed":
        words = "retract"
    else:
        words = "decline" if lacks_consent(site.study, visit) else "withdraw"
    return withdrawal_page(site, visit.base, words)


def withdrawal_page(site: Site, base: str, words: str, **more: Any) -> Response:
    """The page that asks for confirmation; `words` is the prefix of its messages."""
    title, text = f"{words}.title", f"{words}.text"
    return site.renderer.page("withdraw.html", words=words, title=title, text=text, base=base, **more)


async def withdraw(request: Request, site: Site) -> Response:
    """Withdraw the participant; the answers stay in the store, marked as withdrawn."""
    visit = await find_visit(request, site)
    if visit.participant.status in ("active", "completed"):
        try:
            await site.store.asynchronously(site.store.finish, visit.participant.id, "withdrawn", site.clock())
        except StoreError:
            now = await site.participant(visit.token)
            if now is not None and now.status in ("active", "completed"):
                raise
            # else it was ended by another request or process in between
    return RedirectResponse(visit.base, 303)


def outcome_of(participant: Participant, *, lacks_consent: bool) -> Outcome | None:
    """How the participation ended; None while it is in progress.

    A participant who has answered all pages has completed the study, even if excluded by screening or withdrawn later.

    Args:
        participant: The participant.
        lacks_consent: Whether the study asks for consent and the participant has not given it.
    """
    if participant.status == "active":
        return None
    if participant.status == "completed" or participant.completed_at is not None:
        return "completed"
    if participant.status == "excluded":
        return "screened_out"
    return "no_consent" if lacks_consent else "withdrawn"


def lacks_consent(study: Study, visit: Visit) -> bool:
    """Whether the study asks for consent and the participant has not given it."""
    asked = next((page for page in visit.pages if page.kind == "consent"), None) if "consent" in study.pages else None
    return asked is not None and not visit.session.answered.includes(asked)


def way_back(study: Study, platform: Platform, outcome: Outcome, participant: Participant | None) -> ReturnLink:
    """The link back to the recruiting platform, with the completion code for this outcome."""
    return platform.way_back(outcome, study.file.finish.code(outcome), participant)
