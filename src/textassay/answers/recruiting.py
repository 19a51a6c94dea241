"""Recruiting: whether it is paused, and the links of people who are invited by name."""

from __future__ import annotations

import hashlib
import hmac
import unicodedata
from base64 import urlsafe_b64encode
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager
from datetime import datetime
from functools import partial
from typing import Literal

from sqlalchemy import Connection, bindparam, delete, insert, select

from textassay.answers.payloads import clean_text
from textassay.answers.records import Invitation
from textassay.answers.schema import invitations, participants, settings
from textassay.answers.writer import Writer
from textassay.errors import StoreError, UsageError

LONGEST_NAME = 200
"""Of a person, or of an id that a platform passes."""
_TOKEN_BYTES = 24
_PAUSED = "recruiting-paused"
_invited = invitations.columns

_SETTING = select(settings.columns.value).where(settings.columns.name == bindparam("name"))
_NEW_SETTING = insert(settings)
_NO_SETTING = delete(settings).where(settings.columns.name == bindparam("old_name"))
_INVITED = select(_invited.name, _invited.cohort, participants.columns.status).select_from(
    invitations.outerjoin(participants, participants.columns.token_hash == _invited.token_hash)
)
_ALL_INVITED = _INVITED.order_by(_invited.created_at, _invited.name)
_INVITED_BY_TOKEN = _INVITED.where(_invited.token_hash == bindparam("token_hash"))
_COHORT_OF = select(_invited.cohort).where(_invited.name == bindparam("name"))
_NEW_INVITATION = insert(invitations)
_NO_INVITATION = delete(invitations).where(_invited.name == bindparam("old_name"))


class RecruitingPaused(StoreError):  # noqa: N818 -- not a mistake of anybody
    """The researcher has paused recruiting: nobody new can begin."""

    def __init__(self) -> None:
        super().__init__("recruiting is paused; resume it on the researcher's board")


class RefusedNameError(UsageError):
    """A name that cannot be invited, or whose invitation cannot be taken back."""

    def __init__(self, why: Literal["too_long", "other_cohort", "begun", "unknown"], text: str, **values: str) -> None:
        """Args: the kind of reason; the reason in English; what it is about, for its words in other languages."""
        super().__init__(text)
        self.why, self.values = why, values


def derived_token(secret: str, who: str) -> str:
    """The token of a person's link: the same whenever it is asked for, and nobody can make it without the secret.

    >>> derived_token("k", "Ada") == derived_token("k", "Ada") != derived_token("k", "Grace")
    True
    """
    digest = hmac.new(secret.encode(), who.encode("utf-8", "replace"), "sha256").digest()
    return urlsafe_b64encode(digest[:_TOKEN_BYTES]).decode()


def token_hash(token: str) -> str:
    """What is kept of a link: enough to know it again, not enough to make it."""
    return hashlib.sha256(token.encode("utf-8", "replace")).hexdigest()


def clean_names(lines: Iterable[str]) -> list[str]:
    """Names from lines of text, each once, in the one form in which they are kept; empty lines are no names.

    >>> clean_names(["  Ada   Lovelace ", "", "Ada Lovelace", "P-02"])
    ['Ada Lovelace', 'P-02']

    Raises:
        RefusedNameError: a name is too long.
    """
    cleaned = (" ".join(unicodedata.normalize("NFC", clean_text(line)).split()) for line in lines)
    names = list(dict.fromkeys(name for name in cleaned if name))
    too_long = next((name for name in names if len(name) > LONGEST_NAME), None)
    if too_long is not None:
        start = too_long[:40]
        text = f"the name {start!r}… has {len(too_long)} characters; use at most {LONGEST_NAME}, one a line"
        raise RefusedNameError("too_long", text, name=start, most=str(LONGEST_NAME))
    return names


def is_paused(connection: Connection) -> bool:
    """Whether nobody new can begin."""
    return connection.execute(_SETTING, {"name": _PAUSED}).scalar() is not None


class Recruiting:
    """What a store knows of recruiting."""

    def __init__(
        self, writer: Writer, reading: Callable[[], AbstractContextManager[Connection]], secret: Callable[[str], str]
    ) -> None:
        self._writer, self._reading, self._secret = writer, reading, secret

    def paused(self) -> bool:
        """Whether nobody new can begin; those who have begun go on."""
        with self._reading() as connection:
            return is_paused(connection)

    def pause(self) -> None:
        """Let nobody new begin, until it is resumed."""
        self._writer.submit(_pause).result()

    def resume(self) -> None:
        """Let people begin again."""
        self._writer.submit(_resume).result()

    def token_of_invited(self, name: str) -> str:
        """The token of the person who is invited by that name."""
        return derived_token(self._secret("invited"), name)

    def token_of_sent(self, external_id: str) -> str:
        """The token of the person whom the recruiting platform calls so."""
        return derived_token(self._secret("platform"), external_id)

    def invite(self, names: Sequence[str], *, cohort: str, now: datetime) -> list[Invitation]:
        """Give people links of their own; who has one keeps it.

        Args:
            names: As `clean_names` gives them.
            cohort: The group that they belong to.
            now: The time.

        Raises:
            RefusedNameError: somebody is invited into another cohort already; then nobody is invited.
        """
        hashes = {name: token_hash(self.token_of_invited(name)) for name in names}
        self._writer.submit(partial(_invite, hashes=hashes, cohort=cohort, now=now)).result()
        wanted = set(names)
        return [invitation for invitation in self.invitations() if invitation.name in wanted]

    def take_back(self, name: str) -> None:
        """Make the link of somebody who has not begun lead nowhere; inviting the name again revives the same link.

        Raises:
            RefusedNameError: nobody was invited by that name, or the person has begun.
        """
        self._writer.submit(partial(_take_back, name=name)).result()

    def invitations(self) -> list[Invitation]:
        """Everybody who was invited in person, in the order in which they were."""
        with self._reading() as connection:
            return [Invitation(*row) for row in connection.execute(_ALL_INVITED)]

    def invitation(self, token: str) -> Invitation | None:
        """The person whose link has this token."""
        with self._reading() as connection:
            row = connection.execute(_INVITED_BY_TOKEN, {"token_hash": token_hash(token)}).first()
        return None if row is None else Invitation(*row)


def _pause(connection: Connection) -> None:
    if not is_paused(connection):
        connection.execute(_NEW_SETTING, {"name": _PAUSED, "value": "true"})


def _resume(connection: Connection) -> None:
    connection.execute(_NO_SETTING, {"old_name": _PAUSED})


def _invite(connection: Connection, hashes: Mapping[str, str], cohort: str, now: datetime) -> None:
    for name, hashed in hashes.items():
        known = connection.execute(_COHORT_OF, {"name": name}).scalar()
        if known is None:
            values = {"name": name, "cohort": cohort, "token_hash": hashed, "created_at": now}
            connection.execute(_NEW_INVITATION, values)
        elif known != cohort:
            remedy = "give the person another name here, or leave it out"
            text = f"{name!r} is invited into cohort {known!r} already; {remedy}"
            raise RefusedNameError("other_cohort", text, name=name, cohort=known)


def _take_back(connection: Connection, name: str) -> None:
    found = connection.execute(_INVITED.where(_invited.name == name)).first()
    if found is None:
        raise RefusedNameError(
            "unknown", f"nobody was invited as {name!r}; look at the list of personal links", name=name
        )
    if found.status is not None:
        text = f"{name!r} has begun already, so the invitation cannot be taken back; what was answered stays"
        raise RefusedNameError("begun", text, name=name)
    connection.execute(_NO_INVITATION, {"old_name": name})
