"""Whatever is sent to the routes that `/openapi.json` describes, by whomever: no reply is a fault of the server."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx
import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from served_study import Person, Served, serving


@dataclass
class Described:
    """A served study, its description, and what somebody needs who is allowed in."""

    served: Served
    operations: list[Any]
    client: httpx.Client
    people: list[Person]
    keys: list[str]
    """Keys of all pages."""
    seen: set[int] = field(default_factory=set)
    """The statuses of all replies."""

    def real(self, name: str) -> list[str]:
        """Values of a parameter in the path that lead somewhere."""
        store = self.served.server.store
        return {
            "token": [person.token for person in self.people] + [store.secret("board")],
            "number": ["1", "2", "5", "14"],
            "key": [store.secret("join")],
            "slot": ["1", "6"],
            "place": ["1", "3", "5", "start", "end"],
            "name": ["judgements.csv", "participants.csv", "page.js", "style.css"],
            "version": ["1"],
            "task": ["rating"],
        }.get(name, ["1"])


@pytest.fixture(scope="module")
def described(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Described]:
    def change(data: dict[str, Any]) -> None:
        data["participants"].update(wanted=6, when_full="continue", may_go_back=True)

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of libraries that it brings, about each other's versions
        import schemathesis  # not above: it takes a second, in each process that only collects tests

    folder: Path = tmp_path_factory.mktemp("study")
    with serving(folder, change) as served:
        researcher = served.researcher()
        people = [served.join() for _ in range(3)]
        people[1].pass_pages("quality-1")
        people[2].pass_pages()
        schema = schemathesis.openapi.from_dict(researcher.get("/openapi.json").json())
        operations = [found.ok() for found in schema.get_all_operations()]
        assert len(operations) > 30
        keys = sorted({page.key for person in people for page in person.pages})
        yield Described(served, operations, researcher, people, keys)


def case_of(described: Described, data: st.DataObject, operation: Any) -> Any:
    """A request that fits the description or just does not, with values that lead somewhere in most places."""
    from schemathesis import GenerationMode as Mode

    mode = data.draw(st.sampled_from([Mode.POSITIVE, Mode.POSITIVE, Mode.NEGATIVE]))
    case = data.draw(operation.as_strategy(generation_mode=mode))
    for name in dict(case.path_parameters or {}):
        if data.draw(st.integers(0, 3)):
            case.path_parameters[name] = data.draw(st.sampled_from(described.real(name)))
    if isinstance(case.body, dict) and "page" in case.body and data.draw(st.integers(0, 3)):
        case.body["page"] = data.draw(st.sampled_from(described.keys))
    case.query = data.draw(st.dictionaries(st.sampled_from(QUERY), st.text(max_size=20), max_size=2))
    return case


QUERY = ("cohort", "slot", "standing", "part", "v", "PROLIFIC_PID", "SESSION_ID")


def send(described: Described, data: st.DataObject, operation: Any) -> None:
    case = case_of(described, data, operation)
    made = case.as_transport_kwargs(base_url=described.served.server.links.base)
    given = {name: made[name] for name in ("method", "url", "params", "json", "data", "files") if made.get(name)}
    if isinstance(given.get("data"), (bytes, str)):
        given["content"] = given.pop("data")
    headers = {name: value for name, value in (made.get("headers") or {}).items() if sendable(name, value)}
    reply = described.client.request(**given, headers=headers)
    described.seen.add(reply.status_code)
    assert reply.status_code < 500, (operation.label, given, reply.text)


def sendable(name: str, value: Any) -> bool:
    """Whether a client can send the header at all."""
    return all(ord(character) < 128 and character.isprintable() for character in f"{name}{value}")


BOUNDED = settings(
    deadline=None,
    derandomize=True,
    database=None,
    phases=[Phase.generate],
    suppress_health_check=list(HealthCheck),
)


def fuzz(described: Described, operation: Any, examples: int) -> None:
    @given(st.data())
    @settings(BOUNDED, max_examples=examples)
    def sent(data: st.DataObject) -> None:
        send(described, data, operation)

    sent()


def test_no_described_request_is_a_fault_of_the_server(described: Described) -> None:
    for operation in described.operations:
        fuzz(described, operation, 40 if operation.label.endswith("/answers") else 6)
    assert {200, 303, 404, 409, 422} <= described.seen  # so they came in


@pytest.mark.long
def test_no_described_request_is_a_fault_of_the_server_however_many_are_sent(described: Described) -> None:
    for operation in described.operations:
        fuzz(described, operation, 100)
