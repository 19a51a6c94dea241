"""What the board remembers is never out of date."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from textassay.serve.board.state import Board


def reasons(board: Board, served: Any, code: str) -> list[str]:
    from datetime import UTC, datetime

    with board.moment(datetime.now(UTC)) as seen:
        person = next(each for each in seen.people if each.code == code)
        verdict = board.verdicts(seen, [person]).get(person.id)
        return [] if verdict is None else [reason.rule for reason in verdict.reasons]


def test_verdict_is_asked_for_once_and_again_when_something_changes(
    serve: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    served = serve()
    first, second = served.join(), served.join()
    second.pass_pages()
    board = Board(served.study, served.plan, served.server.store)
    code = second.participant.code
    assert reasons(board, served, code) == []
    asked: list[int] = []
    answers = served.server.store.answers
    monkeypatch.setattr(
        served.server.store, "answers", lambda who, **more: (asked.append(who), answers(who, **more))[1]
    )
    assert reasons(board, served, code) == []
    assert asked == []
    # somebody who began before gives the same address later
    first.send("consent", {"agreed": True})
    first.send("questionnaire", second.questionnaire)
    asked.clear()
    assert reasons(board, served, code) == ["took-part-twice"]
    assert asked == [second.participant.id]
    second.client.post(f"{second.base}/withdraw")
    assert set(reasons(board, served, code)) == {"withdrawn", "took-part-twice", "incomplete"}


def test_nothing_is_said_of_people_at_work(serve: Callable[..., Any]) -> None:
    served = serve()
    person = served.join()
    person.pass_pages("quality-5")
    assert reasons(Board(served.study, served.plan, served.server.store), served, person.participant.code) == []
