"""E-mail addresses: whether they can be real, and the only form in which they are kept.

An address serves to find out who took part twice. For that a keyed hash is enough: the same address gives the same
hash within a study, and without the study's key nobody can tell whose it is. No address is stored and none is looked
up in the network.
"""

from __future__ import annotations

import hmac
import re
import unicodedata
from collections.abc import Collection, Sequence
from typing import Any

_LOCAL = re.compile(r"[\w!#$%&'*+/=?^`{|}~-]+(\.[\w!#$%&'*+/=?^`{|}~-]+)*")  # RFC 5322 dot-atom; \w: also RFC 6531
_LABEL = re.compile(r"[a-z0-9]([a-z0-9-]*[a-z0-9])?")
_LONGEST_LOCAL, _LONGEST_LABEL, _LONGEST_DOMAIN = 64, 63, 253
_NOBODYS = {"example", "invalid", "local", "localhost", "test"}
"""Top-level domains that belong to nobody (RFC 2606, RFC 6762)."""
_THROW_AWAY = {
    "10minutemail.com", "discard.email", "dispostable.com", "emailondeck.com", "fakeinbox.com", "getairmail.com",
    "getnada.com", "grr.la", "guerrillamail.com", "mailcatch.com", "maildrop.cc", "mailinator.com", "mailnesia.com",
    "moakt.com", "mohmal.com", "mytemp.email", "sharklasers.com", "spamgourmet.com", "temp-mail.org", "tempmail.com",
    "throwawaymail.com", "trashmail.com", "trashmail.de", "wegwerfemail.de", "yopmail.com",
}  # fmt: skip
_MADE_UP = {
    "asd", "asdf", "asdfg", "blabla", "domain", "example", "fake", "fakemail", "foobar", "localhost", "noemail",
    "nomail", "qwe", "qwer", "qwert", "qwerty", "qwertz", "test", "testmail", "xxx", "yourdomain",
}  # fmt: skip
"""Names of domains that people type when they do not want to give their address."""


def normalised(email: str) -> str:
    """The address in the one form that all ways to write it share.

    >>> normalised(" Ada.Lovelace+study@BÜCHER.example ")
    'ada.lovelace@xn--bcher-kva.example'
    """
    text = unicodedata.normalize("NFKC", email).strip().casefold()
    local, at, domain = text.rpartition("@")
    if not at:
        return text
    untagged = local.partition("+")[0] or local
    if domain in ("gmail.com", "googlemail.com"):  # there, dots make no difference either
        untagged, domain = untagged.replace(".", "") or untagged, "gmail.com"
    return f"{untagged}@{_ascii(domain) or domain}"


def hashed(email: str, key: str) -> str:
    """The keyed hash of an address (HMAC-SHA256, hexadecimal), the same for all ways to write it.

    >>> hashed("ada@uni.example", "k") == hashed("Ada+x@UNI.example", "k") != hashed("ada@uni.example", "other key")
    True
    """
    return hmac.new(key.encode(), normalised(email).encode("utf-8", "replace"), "sha256").hexdigest()


def plausible(email: str) -> bool:
    """Whether the address can be a real one: well-formed, and at a domain that people have addresses at.

    >>> [plausible(email) for email in ("ada@uni-köln.de", "ada@uni", "test@test.com", "me@example.org")]
    [True, False, False, False]
    """
    text = unicodedata.normalize("NFKC", email).strip().casefold()
    local, _, domain = text.rpartition("@")
    if len(local.encode("utf-8", "replace")) > _LONGEST_LOCAL or not _LOCAL.fullmatch(local):
        return False
    name = _ascii(domain)
    if name is None:
        return False
    labels = name.split(".")
    return labels[-1] not in _NOBODYS and not _made_up(local, labels)


def domain_of(email: str) -> str:
    """The domain, in small letters and without non-ASCII characters."""
    return normalised(email).rpartition("@")[2]


def kept(email: str, key: str, *, barred: Collection[str] = (), elsewhere: Sequence[str] = ()) -> dict[str, Any]:
    """What is stored in place of an address.

    Args:
        email: The address.
        key: The study's secret `email`.
        barred: Domains whose holders the questionnaire excludes; the domain is kept only if it is one of them.
        elsewhere: Other studies in which this address took part.
    """
    domain = domain_of(email)
    form: dict[str, Any] = {"hash": hashed(email, key), "plausible": plausible(email), "elsewhere": list(elsewhere)}
    if any(domain == other or domain.endswith(f".{other}") for other in map(_lowered, barred)):
        form["domain"] = domain
    return form


def _lowered(domain: str) -> str:
    text = unicodedata.normalize("NFKC", domain).strip().casefold().removeprefix("@")
    return _ascii(text) or text


def _ascii(domain: str) -> str | None:
    """The domain as name servers know it, or nothing where it cannot be one."""
    try:
        name = domain.encode("idna").decode()
    except UnicodeError:
        return None
    labels = name.split(".")
    sound = all(len(label) <= _LONGEST_LABEL and _LABEL.fullmatch(label) for label in labels)
    is_name = len(labels) > 1 and len(labels[-1]) > 1 and not labels[-1].isdigit()
    return name if sound and is_name and len(name) <= _LONGEST_DOMAIN else None


def _made_up(local: str, labels: Sequence[str]) -> bool:
    name = labels[-2]
    ends = {".".join(labels[place:]) for place in range(len(labels))}
    one_letter = len(name) > 1 and len({*name, *local}) == 1
    return bool(ends & _THROW_AWAY) or name in _MADE_UP or local == name or one_letter
