"""A small study as it may be found: people who finished, gave up, withdrew, came twice, and an imported table.

In every place that may hold something personal or secret there is a marker.
"""

from __future__ import annotations

import sqlite3
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from small_study import write_csv, write_small_study
from svg_only import svg_only

from textassay import pipeline
from textassay.answers.emails import stored_email
from textassay.answers.imports import import_table
from textassay.answers.records import NewAnswer, Referral
from textassay.answers.store import Store
from textassay.report.summary import Findings
from textassay.sharing.bundle import write_bundle
from textassay.study.study import Study

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)
MARKERS = ("marker-job", "marker-comment", "marker-id", "marker-study", "marker-session", "marker-return")
MARKERS += ("marker-browser", "marker-nickname", "marker-invited", "marker-changed", "SMALL-42", "uni-koeln")
GONE = "marker-gone"
"""What somebody wrote who withdrew."""


def shortened(data: dict[str, Any]) -> None:
    """One criterion and few people, so that the study is analysed quickly."""
    block = data["blocks"][0]
    block["criteria"] = block["criteria"][:1]
    data["participants"]["wanted"] = 2


@dataclass(frozen=True)
class Bundled:
    """A bundle, what it was made from, and what came out."""

    study: Study
    found: Findings
    path: Path
    secrets: tuple[str, ...]
    """Whatever must not be in it."""


class _People:
    """Lets people take the study."""

    def __init__(self, study: Study, store: Store) -> None:
        self.plan, self.store, self.sent = pipeline.plan(study), store, 0
        self.tokens: list[str] = []

    def take(self, number: int, email: str, trials: int | None, job: str = "marker-job") -> int:
        """Somebody answers some of the trials, or all; returns the number of the participant."""
        now = NOON + timedelta(minutes=number)
        referral = Referral(study="marker-study", session="marker-session", submit_to="https://marker-return.example")
        person, token = self.store.join(
            self.plan.slots,
            cohort="",
            now=now,
            release_after=timedelta(minutes=30),
            again=True,
            external_id=f"marker-id-{number}",
            referral=referral,
        )
        self.tokens.append(token)
        form = stored_email(email, self.store.secret("email"))
        self.send(person.id, "questionnaire", {"native": "yes", "age": 34, "job": job, "email": form})
        for place, trial in enumerate(self.plan.slot(person.slot).trials[:trials]):
            value = 2 if trial.kind == "check" else 1 + (3 * place + number) % 7
            self.rate(person.id, trial.key, value, f"marker-comment {number}")
        if trials is None:
            self.store.finish(person.id, "completed", now)
        return person.id

    def rate(self, person: int, page: str, value: int, comment: str) -> None:
        self.send(person, page, {"ratings": {"clarity": value}, "comment": comment})

    def send(self, person: int, page: str, payload: dict[str, Any]) -> None:
        self.sent += 1
        shown = NOON + timedelta(seconds=self.sent)
        answer = NewAnswer(f"answer-{self.sent}", page, payload, shown, shown, 2500.5, {"agent": "marker-browser"})
        self.store.save(person, answer, now=shown)


def _import_people(study: Study, folder: Path) -> None:
    """Two people of another site; what their table calls them is nobody's business."""
    about = [("x1", "yes", 40, "marker-nickname"), ("x2", "yes", 50, "marker-nickname")]
    write_csv(folder / "participants.csv", ("participant", "native", "age", "nickname"), about)
    rows = [
        (code, item, system, "clarity", 3 + (place + len(system)) % 4, "marker-comment")
        for place, code in enumerate(("x1", "x2"))
        for item in study.items_in_order
        for system in study.systems
    ]
    write_csv(folder / "judgements.csv", ("participant", "item", "system", "criterion", "value", "comment"), rows)
    for name in ("participants", "judgements"):
        import_table(study, folder / f"{name}.csv")


def _everything_secret(database: Path) -> list[str]:
    with sqlite3.connect(database) as connection:
        found = [value for (value,) in connection.execute("select value from secrets")]
        found += [value for (value,) in connection.execute("select token_hash from participants")]
        found += [value for (value,) in connection.execute("select token_hash from invitations")]
    connection.close()
    return found


def bundle_study(folder: Path) -> Bundled:
    """Write the study, let people take it, and bundle it."""
    study = pipeline.load(write_small_study(folder / "study", shortened))
    pipeline.simulate(study)
    with Store.open(study.store_url) as store:
        people = _People(study, store)
        people.take(1, "ada@uni-koeln.de", None)
        people.take(2, "Ada+2@Uni-Koeln.de", None)  # the same person again
        people.take(3, "test@test.com", 5)  # gave up, and the address is made up
        people.take(4, "eve@uni-koeln.de", None, job="linguist")
        gone = people.take(5, "bob@uni-koeln.de", 4)
        people.send(gone, "break-1", {"note": GONE})
        store.finish(gone, "withdrawn", NOON)
        first = people.plan.slot(store.participants()[-2].slot).trials[3].key
        people.rate(store.participants()[-2].id, first, 5, "marker-changed")
        store.recruiting.invite(["marker-invited"], cohort="", now=NOON)
        hashes = [stored_email(each, store.secret("email"))["hash"] for each in ("ada@uni-koeln.de", "test@test.com")]
        for name in ("join", "board", "media", "invited", "platform"):
            store.secret(name)
    _import_people(study, folder)
    secrets = (*MARKERS, GONE, *hashes, *people.tokens, *_everything_secret(study.directory / "answers.db"))
    found = pipeline.findings(study)
    with svg_only():
        path = write_bundle(study, lambda _: found, folder / "bundle.zip")
    return Bundled(study, found, path, secrets)
