"""Whatever is requested, in whatever order and by whichever server: the store stays in order, and replies fit it."""

from __future__ import annotations

import uuid
from collections.abc import Callable, Iterator
from contextlib import ExitStack, suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import httpx
import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from several_servers import Facts, Servers, address, body, page_data, several_servers
from small_study import write_small_study

from textassay.answers.records import StoredAnswer
from textassay.errors import StoreError
from textassay.serve.session import Page
from textassay.study.load import load_study
from textassay.study.planning import stored_plan

MAY_FOLLOW = {
    "active": {"active", "completed", "excluded", "withdrawn"},
    "completed": {"completed", "excluded", "withdrawn"},
    "excluded": {"excluded"},
    "withdrawn": {"withdrawn"},
}


# --- the studies ----------------------------------------------------------------------------------------------------


def short(data: dict[str, Any]) -> None:
    data["participants"] = {"wanted": 6, "when_full": "continue"}
    data["blocks"][0]["design"] = {"items_per_participant": 3}
    data["blocks"][0].pop("attention_checks")
    data["screening"].pop("attention-checks")


def trials_only(data: dict[str, Any]) -> None:
    short(data)
    data.pop("consent")
    data["questionnaire"], data["screening"] = [], {}
    for key in ("instructions", "practice"):
        data["blocks"][0].pop(key)


def with_breaks(data: dict[str, Any]) -> None:
    short(data)
    data["blocks"][0]["design"]["break_every"] = 1


def in_sittings(data: dict[str, Any]) -> None:
    trials_only(data)
    data["blocks"][0]["design"] = {"everyone": "all", "sittings": 5}
    data["participants"]["hours_between_sittings"] = 20


STUDIES = {"trials only": trials_only, "with breaks": with_breaks, "in sittings": in_sittings}
Variant = tuple[str, bool]


@pytest.fixture(scope="module")
def on_sqlite(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[[Variant], Servers]]:
    with ExitStack() as stack:
        yield started(stack, tmp_path_factory, lambda folder: address(folder / "answers.db"))


@pytest.fixture
def on_postgresql(
    tmp_path_factory: pytest.TempPathFactory, postgres_database: str
) -> Iterator[Callable[[Variant], Servers]]:
    with ExitStack() as stack:
        yield started(stack, tmp_path_factory, lambda _: postgres_database)


def started(
    stack: ExitStack, folders: pytest.TempPathFactory, url: Callable[[Path], str]
) -> Callable[[Variant], Servers]:
    """Starts the servers of a study where they are first asked for; later examples use them again."""
    known: dict[Variant, Servers] = {}

    def make(variant: Variant) -> Servers:
        if variant not in known:
            name, may_go_back = variant

            def change(data: dict[str, Any]) -> None:
                STUDIES[name](data)
                data["participants"]["may_go_back"] = may_go_back

            study = load_study(write_small_study(folders.mktemp("study"), change))
            known[variant] = stack.enter_context(several_servers(study, stored_plan(study), url(study.directory), 3))
            known[variant].remember_only(1, server=2)
        return known[variant]

    return make


# --- what is requested ----------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Request:
    """One request, or one change of the store by another process; some need only a part of the fields."""

    what: str
    who: int = 0
    server: int = 0
    tab: int = 0
    ahead: int = 0
    """How far the page is from the one that is due."""
    value: int = 1
    """What is answered."""
    known_id: int = 0
    """0: a new id; 1: the one that this person used last; 2: the one that the other person used last."""
    age_ms: int = 0
    old_key: bool = False
    """Whether the page is named as the store names it, as tabs of an earlier release do."""


WHO, SERVER = st.sampled_from([0, 0, 0, 1]), st.sampled_from([0, 1, 0, 1, 2])
ANSWERS = st.builds(
    Request,
    st.just("answer"),
    WHO,
    SERVER,
    tab=st.integers(0, 1),
    ahead=st.sampled_from([0, 0, 0, -1, -2, 1, 3]),
    value=st.sampled_from([1, 1, 2, 3, 7]),
    known_id=st.sampled_from([0, 0, 0, 1, 2]),
    age_ms=st.sampled_from([0, 0, 5_000, 10_000_000]),
    old_key=st.sampled_from([False, False, True]),
)
PASSES = st.builds(Request, st.just("pass"), WHO, SERVER, value=st.sampled_from([1, 2, 3, 12]))
OPENS = st.builds(Request, st.just("open"), WHO, SERVER, tab=st.integers(0, 1), ahead=st.integers(-3, 2))
OTHERS = st.builds(Request, st.sampled_from(["enter", "ask to withdraw", "withdraw"]), WHO, SERVER)
ELSEWHERE = st.builds(Request, st.sampled_from(["valid", "invalid", "withdrawn", "removed"]), WHO)
AT_ONCE = st.lists(st.one_of(ANSWERS, ANSWERS, OPENS, OTHERS, ELSEWHERE), min_size=2, max_size=4)
WAITS = st.builds(Request, st.just("wait"), value=st.sampled_from([0, 1, 21]))
STEPS = st.lists(st.one_of(ANSWERS, ANSWERS, PASSES, OPENS, WAITS, AT_ONCE, ELSEWHERE, OTHERS), min_size=8, max_size=16)
VARIANTS = st.tuples(st.sampled_from(sorted(STUDIES)), st.booleans())


@dataclass
class Course:
    """Two participants, a person and a simulated one, who send requests to two servers."""

    servers: Servers
    tokens: list[str] = field(default_factory=list)
    used: dict[int, str] = field(default_factory=dict)
    shown: dict[tuple[int, int, str], str | None] = field(default_factory=dict)
    """The answer that a tab has shown on a page."""

    def __post_init__(self) -> None:
        self.tokens = [self.servers.join(), self.servers.join()]
        self.simulate(1)
        for server in (0, 1):  # so that both remember the two
            for token in self.tokens:
                self.servers.run(self.servers.ask(server, "GET", f"/p/{token}/1"))
        take_one(self, Request("answer", 1, value=2), self.facts(1))

    def simulate(self, who: int) -> None:
        person = self.facts(who).person
        assert person is not None
        self.servers.outside.set_simulated(person.id)

    def facts(self, who: int) -> Facts:
        return self.servers.facts(self.tokens[who])

    def pages(self, facts: Facts) -> tuple[Page, ...]:
        return () if facts.person is None else self.servers.sites[0].pages(facts.person.slot)

    def meant(self, request: Request, facts: Facts) -> Page | None:
        """The page that a request is about; none if there is none with such a number."""
        pages, due = self.pages(facts), facts.due(self.pages(facts))
        number = (due.number if due is not None else len(pages)) + request.ahead
        return pages[number - 1] if 1 <= number <= len(pages) else None

    async def send(self, request: Request, facts: Facts) -> tuple[Request, Page | None, Any, httpx.Response | None]:
        """Send a request; also the page that it was about and what it said."""
        path, page, said = f"/p/{self.tokens[request.who]}", self.meant(request, facts), None
        method, more = "GET", ""
        match request.what:
            case "valid" | "invalid" | "withdrawn" | "removed":
                await self.interfere(request, facts)
                return request, None, None, None
            case "answer" if page is not None:
                method, more, said = "POST", "/answers", self.said(request, page, facts)
            case "answer" | "open":
                more = f"/{page.number if page is not None else 99}"
            case "ask to withdraw":
                more = "/withdraw"
            case "withdraw":
                method, more = "POST", "/withdraw"
        reply = await self.servers.ask(request.server, method, path + more, **({"json": said} if said else {}))
        if request.what == "open" and page is not None:
            self.shown[request.who, request.tab, page.key] = (page_data(reply.text) or {}).get("answer_id")
        return request, page, said, reply

    async def interfere(self, request: Request, facts: Facts) -> None:
        store, person = self.servers.outside, facts.person
        if request.what == "removed":
            await self.servers.elsewhere(store.remove_simulated)
        elif person is not None:
            with suppress(StoreError):  # the participation has ended otherwise, or the participant is gone
                if request.what == "withdrawn":
                    await self.servers.elsewhere(store.finish, person.id, "withdrawn", self.servers.now)
                else:
                    await self.servers.elsewhere(store.set_valid, person.id, request.what == "valid")

    def said(self, request: Request, page: Page, facts: Facts) -> dict[str, Any]:
        identifier = self.used.get(request.who if request.known_id == 1 else 1 - request.who) or str(uuid.uuid4())
        identifier = identifier if request.known_id else str(uuid.uuid4())
        self.used[request.who] = identifier
        assert facts.person is not None
        key = page.key if request.old_key else self.servers.sites[0].page_key(facts.person, page)
        return body(
            key,
            payload(page, request.value),
            identifier,
            replaces=self.shown.get((request.who, request.tab, page.key)),
            age_ms=request.age_ms,
            client={"simulated": True} if request.who == 1 else {},
        )


def payload(page: Page, value: int) -> dict[str, Any]:
    """An answer as it is stored; one of the questionnaire in seven excludes."""
    match page.kind:
        case "consent":
            return {"agreed": True}
        case "questionnaire":
            native = "no" if value == 7 else "yes"
            return {"native": native, "age": 20 + value, "email": f"ada{value}@letters.uni-koeln.de"}
        case "trial":
            return {"ratings": {"clarity": value, "fluency": 10 * value + 1}, "comment": ""}
    return {}


# --- what must hold -------------------------------------------------------------------------------------------------


def in_order(facts: Facts, pages: tuple[Page, ...], *, may_go_back: bool) -> None:
    """What holds of the answers of a participant at any time."""
    answered = {row.page for row in facts.rows}
    first = [page.key for page in pages[: len(answered)]]
    assert answered == set(first), "a page is answered before an earlier one"
    for page in first:
        revisions = sorted(row.revision for row in facts.rows if row.page == page)
        assert revisions == list(range(revisions[0], revisions[-1] + 1)), "revisions have gaps, or occur twice"
        assert revisions[0] <= 0 <= revisions[-1]
        assert may_go_back or revisions == [0]
    for row in facts.rows:
        assert facts.person is not None
        assert row.opened_at is None or row.opened_at >= facts.person.started_at


def follows(before: Facts, after: Facts) -> None:
    """What holds of any two moments: nothing that was stored changes or goes, except with the participant."""
    if after.person is None:
        assert before.person is None or before.person.simulated
        return
    assert before.person is not None
    assert [kept(row) for row in after.rows[: len(before.rows)]] == [kept(row) for row in before.rows]
    assert after.person.status in MAY_FOLLOW[before.person.status]


def kept(row: StoredAnswer) -> StoredAnswer:
    """What of an answer never changes; that its page was opened may be learned later, from another server."""
    return replace(row, opened_at=None)


def told_truly(said: dict[str, Any], page: Page, reply: httpx.Response, facts: Facts) -> None:
    """What holds of every reply to an answer, whatever else has happened."""
    assert reply.status_code in (200, 404, 409), reply.text
    if reply.status_code == 200 and facts.person is not None:
        stored = facts.row(said["answer_id"])
        same = [row for row in facts.rows if row.page == page.key and without_email(row.payload) == plain(said)]
        assert (stored is not None and stored.page == page.key) or same


def without_email(stored: Any) -> dict[str, Any]:
    return {name: value for name, value in stored.items() if name != "email"}


def plain(said: dict[str, Any]) -> dict[str, Any]:
    return without_email(said["payload"])


def answer_fits(course: Course, request: Request, page: Page, said: Any, reply: Any, before: Facts) -> None:
    """What holds of an answer that nothing else crosses: the reply is what the store demanded, and is true of it."""
    after = course.facts(request.who)
    if before.person is None:
        assert reply.status_code == 404
        return
    told_truly(said, page, reply, after)
    counts = after.counting(page.key)
    added = after.rows[len(before.rows) :]
    assert len(added) <= 1
    is_late = reply.json().get("late") is True
    if reply.status_code == 200 and counts is not None:
        assert is_late != (counts.answer_id == said["answer_id"] or without_email(counts.payload) == plain(said))
    else:
        assert reply.status_code == 409
        assert added == ()
        assert counts is None or counts.answer_id != said["answer_id"]
    due = before.due(course.pages(before))
    is_new = request.known_id == 0
    wanted = before.person.status == "active" and due is not None
    if is_new and wanted and page == due and page.kind != "sitting":
        assert [(row.answer_id, row.revision) for row in added] == [(said["answer_id"], 0)]
    elif is_new and wanted and due is not None and page.number < due.number:
        assert (reply.status_code == 200) == course.servers.study.file.participants.may_go_back
    elif is_new:
        assert (reply.status_code, added) == (409, ()) or page.kind == "sitting"
    elif taken(course, said["answer_id"], before):
        assert added == ()
    assert after.person is not None
    if after.due(course.pages(after)) is None:
        assert after.person.status != "active"


def taken(course: Course, answer_id: str, before: Facts) -> bool:
    """Whether an answer with this id was stored before."""
    own = before.person.code if before.person is not None else ""
    others = [facts for facts in map(course.facts, (0, 1)) if facts.person is not None and facts.person.code != own]
    return any(facts.row(answer_id) is not None for facts in [before, *others])


def page_fits(course: Course, request: Request, page: Page | None, reply: httpx.Response, facts: Facts) -> None:
    """What holds of a page that nothing else crosses: it shows what the store says."""
    base, may_go_back = f"/p/{course.tokens[request.who]}", course.servers.study.file.participants.may_go_back
    if facts.person is None:
        assert reply.status_code == 404
        return
    due = facts.due(course.pages(facts))
    is_there = page is not None and due is not None and page.number <= due.number
    if page is None or due is None or facts.person.status != "active" or not is_there:
        assert (reply.status_code, reply.headers.get("location")) == (303, base)
        return
    data = page_data(reply.text)
    assert reply.status_code == 200
    if page.number < due.number and not may_go_back:
        assert data is None
    elif page.kind != "sitting":
        counts = facts.counting(page.key)
        assert data is not None
        assert data["key"] == course.servers.sites[0].page_key(facts.person, page)
        assert data["answer_id"] == (counts.answer_id if counts else None)
        assert without_email(data["answer"] or {}) == without_email(counts.payload if counts else {})


def other_fits(course: Course, request: Request, reply: httpx.Response, before: Facts) -> None:
    base, after = f"/p/{course.tokens[request.who]}", course.facts(request.who)
    if before.person is None:
        assert reply.status_code == 404
    elif request.what == "withdraw":
        assert (reply.status_code, reply.headers["location"]) == (303, base)
        assert after.person is not None
        left = before.person.status in ("active", "completed")
        assert after.person.status == ("withdrawn" if left else before.person.status)
    elif request.what == "enter" and before.person.status == "active":
        due = before.due(course.pages(before))
        assert due is not None
        assert (reply.status_code, reply.headers["location"]) == (303, f"{base}/{due.number}")
    else:
        assert reply.status_code in (200, 303)


def take(course: Course, step: Request | list[Request]) -> None:
    before = [course.facts(who) for who in (0, 1)]
    if isinstance(step, list):
        take_together(course, step, before)
    elif step.what == "wait":
        course.servers.wait(step.value)
    elif step.what == "pass":
        for _ in range(step.value):
            facts = course.facts(step.who)
            due = facts.due(course.pages(facts))
            if facts.person is not None and facts.person.status == "active" and due is not None:
                take_one(course, Request("answer", step.who, step.server, value=1 + due.number % 5), facts)
    else:
        take_one(course, step, before[step.who])
    may_go_back = course.servers.study.file.participants.may_go_back
    for who in (0, 1):
        after = course.facts(who)
        follows(before[who], after)
        in_order(after, course.pages(after), may_go_back=may_go_back)
    if before[1].person is not None and course.facts(1).person is None:
        course.tokens[1] = course.servers.join(1)  # whose number in the store may be that of the one who is gone
        course.simulate(1)


def take_one(course: Course, request: Request, before: Facts) -> None:
    _, page, said, reply = course.servers.run(course.send(request, before))
    if said is not None and page is not None:
        answer_fits(course, request, page, said, reply, before)
    elif request.what in ("answer", "open") and reply is not None:
        page_fits(course, request, page, reply, before)
    elif reply is not None:
        other_fits(course, request, reply, before)


def take_together(course: Course, requests: list[Request], before: list[Facts]) -> None:
    sent = course.servers.together([course.send(request, before[request.who]) for request in requests])
    for request, page, said, reply in sent:
        assert reply is None or reply.status_code < 500, reply.text
        if said is not None and page is not None and reply is not None:
            told_truly(said, page, reply, course.facts(request.who))


def go_through(servers: Servers, steps: list[Request | list[Request]]) -> None:
    course = Course(servers)
    for step in steps:
        take(course, step)


PATIENT = settings(suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture])


@given(VARIANTS, STEPS)
@example(("trials only", False), [Request("withdrawn"), Request("answer"), Request("open")])
@example(("with breaks", True), [Request("removed", 1), Request("answer", 1), Request("pass", 1, 1, value=12)])
@example(("trials only", True), [[Request("answer", server=server, value=server + 1) for server in (0, 1, 2)]])
@PATIENT
def test_any_sequence_of_requests_keeps_the_store_in_order(
    on_sqlite: Callable[[Variant], Servers], variant: Variant, steps: list[Request | list[Request]]
) -> None:
    go_through(on_sqlite(variant), steps)


@pytest.mark.postgres
@given(STEPS)
@settings(PATIENT, max_examples=5)
def test_the_same_on_postgresql(
    on_postgresql: Callable[[Variant], Servers], steps: list[Request | list[Request]]
) -> None:
    go_through(on_postgresql(("with breaks", True)), steps)
