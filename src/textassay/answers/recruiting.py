"""Recruiting: pausing it, and personal links for people who are invited by name."""

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

from textassay.answers.records import Invitation
from textassay.answers.schema import invitations, participants, settings
from textassay.answers.statements import DELETE_SETTING, NEW_SETTING, clean_text
from textassay.answers.writer import Writer
from textassay.errors import StoreError, UsageError

LONGEST_NAME = 200
"""Maximum length of a name, or of an id that a platform passes."""
_TOKEN_BYTES = 24
_PAUSED = "recruiting-paused"
_invited = invitations.columns

_SETTING = select(settings.columns.value).where(settings.columns.name == bindparam("name"))
_INVITED = select(_invited.name, _invited.cohort, participants.columns.status).select_from(
    invitations.outerjoin(participants, participants.columns.token_hash == _invited.token_hash)
)
_ALL_INVITED = _INVITED.order_by(_invited.created_at, _invited.name)
_INVITED_BY_TOKEN = _INVITED.where(_invited.token_hash == bindparam("token_hash"))
_COHORT_OF = select(_invited.cohort).where(_invited.name == bindparam("name"))
_NEW_INVITATION = insert(invitations)
_DELETE_INVITATION = delete(invitations).where(_invited.name == bindparam("old_name"))


class RecruitingPaused(StoreError):  # noqa: N818 -- not a mistake
    """The researcher has paused recruiting: no new participant can start."""

    def __init__(self) -> None:
        super().__init__("recruiting is paused; resume it on the researcher's board")


class RefusedNameError(UsageError):
    """A name that cannot be invited, or whose invitation cannot be cancelled."""

    def __init__(self, why: Literal["too_long", "other_cohort", "begun", "unknown"], text: str, **values: str) -> None:
        """Args: the kind of reason; the reason in English; its values, for translations."""
        super().__init__(text)
        self.why, self.values = why, values


def derived_token(secret: str, who: str) -> str:
    """The token of a personal link: always the same for one name, and impossible to make without the secret.

    >>> derived_token("k", "Ada") == derived_token("k", "Ada") != derived_token("k", "Grace")
    True
    """
    digest = hmac.new(secret.encode(), who.encode("utf-8", "replace"), "sha256").digest()
    return urlsafe_b64encode(digest[:_TOKEN_BYTES]).decode()


def token_hash(token: str) -> str:
    """What is stored of a link: enough to recognise it, not enough to reconstruct it."""
    return hashlib.sha256(token.encode("utf-8", "replace")).hexdigest()


def clean_names(lines: Iterable[str]) -> list[str]:
    """Distinct names from lines of text, in the form in which they are stored; empty lines are skipped.

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
        text = f"the name {start!r}… has {len(too_long)} characters; use at most {LONGEST_NAME}, and one name per line"
        raise RefusedNameError("too_long", text, name=start, most=str(LONGEST_NAME))
    return names


def is_paused(connection: Connection) -> bool:
    """Whether recruiting is paused: no new participant can start."""
    return connection.execute(_SETTING, {"name": _PAUSED}).scalar() is not None


class Recruiting:
    """Recruiting for the study of a store."""

    def __init__(
        self, writer: Writer, reading: Callable[[], AbstractContextManager[Connection]], secret: Callable[[str], str]
    ) -> None:
        self._writer, self._reading, self._secret = writer, reading, secret

    def paused(self) -> bool:
        """Whether no new participant can start; those who have started can continue."""
        with self._reading() as connection:
            return is_paused(connection)

    def pause(self) -> None:
        """Let no new participant start until recruiting is resumed."""
        self._writer.submit(_pause).result()

    def resume(self) -> None:
        """Let new participants start again."""
        self._writer.submit(_resume).result()

    def token_of_invited(self, name: str) -> str:
        """The token of the person who is invited by that name."""
        return derived_token(self._secret("invited"), name)

    def token_of_sent(self, external_id: str) -> str:
        """The token of the person with that id on the recruiting platform."""
        return derived_token(self._secret("platform"), external_id)

    def invite(self, names: Sequence[str], *, cohort: str, now: datetime) -> list[Invitation]:
        """Give people personal links; those who have one keep it.

        Args:
            names: As `clean_names` gives them.
            cohort: The group that they belong to.
            now: The time.

        Raises:
            RefusedNameError: a name is already invited into another cohort; then no name is invited.
        """
        hashes = {name: token_hash(self.token_of_invited(name)) for name in names}
        self._writer.submit(partial(_invite, hashes=hashes, cohort=cohort, now=now)).result()
        wanted = set(names)
        return [invitation for invitation in self.invitations() if invitation.name in wanted]

    def cancel_invitation(self, name: str) -> None:
        """Disable the link of a person who has not started; inviting the name again enables the same link.

        Raises:
            RefusedNameError: the name was not invited, or the person has started.
        """
        self._writer.submit(partial(_cancel, name=name)).result()

    def invitations(self) -> list[Invitation]:
        """All personal invitations in the order in which they were made."""
        with self._reading() as connection:
            return [Invitation(*row) for row in connection.execute(_ALL_INVITED)]

    def invitation(self, token: str) -> Invitation | None:
        """The invitation whose link has this token."""
        with self._reading() as connection:
            row = connection.execute(_INVITED_BY_TOKEN, {"token_hash": token_hash(token)}).first()
        return None if row is None else Invitation(*row)


def _pause(connection: Connection) -> None:
    if not is_paused(connection):
        connection.execute(NEW_SETTING, {"name": _PAUSED, "value": "true"})


def _resume(connection: Connection) -> None:
    connection.execute(DELETE_SETTING, {"old_name": _PAUSED})


def _invite(connection: Connection, hashes: Mapping[str, str], cohort: str, now: datetime) -> None:
    for name, hashed in hashes.items():
        known = connection.execute(_COHORT_OF, {"name": name}).scalar()
        if known is None:
            values = {"name": name, "cohort": cohort, "token_hash": hashed, "created_at": now}
            connection.execute(_NEW_INVITATION, values)
        elif known != cohort:
            remedy = "use another name, or remove it from the list"
            text = f"{name!r} is already invited into cohort {known!r}; {remedy}"
            raise RefusedNameError("other_cohort", text, name=name, cohort=known)


def _cancel(connection: Connection, name: str) -> None:
    found = connection.execute(_INVITED.where(_invited.name == name)).first()
    if found is None:
        raise RefusedNameError("unknown", f"{name!r} was not invited; see the list of personal links", name=name)
    if found.status is not None:
        text = f"{name!r} has already started, so the invitation cannot be cancelled; the answers are kept"
        raise RefusedNameError("begun", text, name=name)
    connection.execute(_DELETE_INVITATION, {"old_name": name})
