"""Nothing that a participant's browser receives tells system, kind of trial, right answer, or other people."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from small_study import SYSTEMS, write_csv

PIXEL = bytes.fromhex(
    "89504e470d0a1a0a0000000d49484452000000010000000108060000001f15c4890000000d49444154789c6260606060000000050001"
    "a5f645400000000049454e44ae426082"
)
NAMES = {system: f"zq{number}secretsystem{system[::-1]}" for number, system in enumerate(SYSTEMS)}


def distinctive(data: dict[str, Any]) -> None:
    """Every name that must not be seen is one that occurs nowhere else; each item has an image named by its systems."""
    data["tables"]["texts"] = "secret-texts.csv"
    data["tables"]["items"] = "secret-items.csv"
    data["participants"] = {"cohorts": [{"name": "lay", "wanted": 6}]}
    block = data["blocks"][0]
    block["attention_checks"] = [{"text": "Bitte 2 und 77 angeben.", "expected": {"clarity": 2, "fluency": 77}}]
    block.update(image="image", image_description="described", practice="pictured.csv")


@pytest.fixture
def everything(serve: Callable[..., Any], tmp_path: Path) -> tuple[Any, list[Any]]:
    """A whole run of one participant, after another one, and every reply in it with its headers."""
    items = [f"zqitem{number}" for number in range(6)]
    texts = [
        (item, NAMES[system], f"Text {place} about {item[::-1]}.")
        for item in items
        for place, system in enumerate(SYSTEMS)
    ]
    write_csv(tmp_path / "secret-texts.csv", ("item", "system", "text"), texts)
    rows = [(item, f"Data {item[::-1]}", f"{NAMES['human']}-{item}.png", "A picture") for item in items]
    write_csv(tmp_path / "secret-items.csv", ("item", "context", "image", "described"), rows)
    practice = [("p1", "Try.", "Data.", "", ""), ("p2", "Again.", "Data.", "", "")]
    write_csv(tmp_path / "pictured.csv", ("item", "text", "context", "image", "described"), practice)
    for _, _, name, _ in rows:
        (tmp_path / name).write_bytes(PIXEL)

    def change(data: dict[str, Any]) -> None:
        distinctive(data)
        data["tables"]["references"] = "zqreferences.csv"

    write_csv(tmp_path / "zqreferences.csv", ("item", "text"), [(item, "zqreference") for item in items])
    served = serve(change, directory=tmp_path)
    other = served.join(cohort="lay")
    other.pass_pages()
    replies: list[Any] = []
    client = served.client(event_hooks={"response": [lambda reply: (reply.read(), replies.append(reply))]})
    client.get(served.server.links.join["lay"])
    person = served.join(client, cohort="lay")
    for page in person.pages:
        shown = person.open()
        for address in set(re.findall(r'(?:src|href)="(/[^"]+)"', shown.text)):
            client.get(address)
        empty = person.send(page.key, {})
        assert empty.status_code == 200 or person.send(page.key, person.fitting(page)).status_code == 200
    person.open()
    for path in ("/withdraw", "/1", "/nothing", "/media/nothing"):
        person.open(path)
    return other, replies


def test_no_secret_in_any_byte(everything: tuple[Any, list[Any]]) -> None:
    other, replies = everything
    assert sum(reply.headers.get("content-type") == "image/png" for reply in replies) >= 5
    assert sum("The practice is over" in reply.text for reply in replies) == 1
    secrets = [
        *NAMES.values(),
        *(f"zqitem{number}" for number in range(6)),
        "zqreference",
        "secretsystem",
        other.token,
        other.participant.code,
        *(other.served.server.store.secret(name) for name in ("board", "email", "invited", "media", "platform")),
        other.answers["questionnaire"].payload["email"]["hash"],
    ]
    found = [
        (str(reply.url.path).replace(other.token, "…"), secret)
        for reply in replies
        for secret in secrets
        if secret.encode() in reply.content or any(secret in value for value in reply.headers.values())
    ]
    assert found == []


def test_no_word_tells_the_kind_of_trial_or_the_right_answer(everything: tuple[Any, list[Any]]) -> None:
    _, replies = everything
    pages = [
        reply
        for reply in replies
        if reply.headers.get("content-type", "").startswith(("text/html", "application/json"))
    ]
    assert len(pages) > 30
    telling = re.compile(r"\b(check|repeat|main|expected|system|condition|slot|cohort|item|kind|drawn)\b")
    found = [
        (match[0], reply.text[max(0, match.start() - 40) : match.end() + 40])
        for reply in pages
        # the page's own frame has an element called main; the join link names its cohort; the e-mail field has a hint
        for match in telling.finditer(re.sub(r"</?main>|\?cohort=lay|Please check it\.", "", reply.text))
    ]
    assert found == []


def test_pages_of_checks_and_repeats_differ_in_nothing_but_their_text(everything: tuple[Any, list[Any]]) -> None:
    _, replies = everything
    trials = [reply.text for reply in replies if 'class="stimulus"' in reply.text and "Practice " not in reply.text]
    own = re.compile(
        r'<section class="(?:context|stimulus)".*?</section>|<p class="badge".*?</p>| with-context', re.DOTALL
    )
    key = re.compile("key&#34;: &#34;[0-9a-f]{24}&#34;")
    assert all(key.search(page) for page in trials)
    frames = {re.sub(r"\d+", "0", key.sub("", " ".join(own.sub("", page).split()))) for page in trials}
    assert len(trials) >= 8
    assert len(frames) == 1
