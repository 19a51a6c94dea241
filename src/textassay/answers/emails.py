"""E-mail addresses: whether they are plausible, and the only form in which they are stored.

An address serves to detect repeated participation. For that a keyed hash is enough: the same address gives the same
hash within a study, and without the study's key it does not identify anyone. No address is stored and none is looked
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
_RESERVED = {"example", "invalid", "local", "localhost", "test"}
"""Reserved top-level domains (RFC 2606, RFC 6762)."""
_DISPOSABLE = {
    "10minutemail.com", "discard.email", "dispostable.com", "emailondeck.com", "fakeinbox.com", "getairmail.com",
    "getnada.com", "grr.la", "guerrillamail.com", "mailcatch.com", "maildrop.cc", "mailinator.com", "mailnesia.com",
    "moakt.com", "mohmal.com", "mytemp.email", "sharklasers.com", "spamgourmet.com", "temp-mail.org", "tempmail.com",
    "throwawaymail.com", "trashmail.com", "trashmail.de", "wegwerfemail.de", "yopmail.com",
}  # fmt: skip
_MADE_UP = {
    "asd", "asdf", "asdfg", "blabla", "domain", "example", "fake", "fakemail", "foobar", "localhost", "noemail",
    "nomail", "qwe", "qwer", "qwert", "qwerty", "qwertz", "test", "testmail", "xxx", "yourdomain",
}  # fmt: skip
"""Domain names that people type when they do not want to give their address."""


def normalise_email(email: str) -> str:
    """The address in a canonical form, the same for all ways to write it.

    >>> normalise_email(" Ada.Lovelace+study@BÜCHER.example ")
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


def hash_email(email: str, key: str) -> str:
    """The keyed hash of an address (HMAC-SHA256, hexadecimal), the same for all ways to write it.

    >>> hash_email("ada@uni.example", "k") == hash_email("Ada+x@UNI.example", "k") != hash_email("ada@uni.example", "l")
    True
    """
    return hmac.new(key.encode(), normalise_email(email).encode("utf-8", "replace"), "sha256").hexdigest()


def is_plausible_email(email: str) -> bool:
    """Whether the address is plausible: well-formed, and at a domain where people have addresses.

    >>> [is_plausible_email(email) for email in ("ada@uni-köln.de", "ada@uni", "test@test.com", "me@example.org")]
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
    return labels[-1] not in _RESERVED and not _made_up(local, labels)


def email_domain(email: str) -> str:
    """The domain, in lower case and ASCII."""
    return normalise_email(email).rpartition("@")[2]


def stored_email(
    email: str, key: str, *, barred: Collection[str] = (), elsewhere: Sequence[str] = ()
) -> dict[str, Any]:
    """What is stored instead of an address.

    Args:
        email: The address.
        key: The study's secret `email`.
        barred: Domains that the questionnaire excludes; the domain is stored only if it is one of them.
        elsewhere: Other studies in which this address took part.
    """
    domain = email_domain(email)
    form: dict[str, Any] = {
        "hash": hash_email(email, key),
        "plausible": is_plausible_email(email),
        "elsewhere": list(elsewhere),
    }
    if any(domain == other or domain.endswith(f".{other}") for other in map(_lowered, barred)):
        form["domain"] = domain
    return form


def _lowered(domain: str) -> str:
    text = unicodedata.normalize("NFKC", domain).strip().casefold().removeprefix("@")
    return _ascii(text) or text


def _ascii(domain: str) -> str | None:
    """The domain in its ASCII form (IDNA), or None if it is not a valid domain name."""
    try:
        name = domain.encode("idna").decode()
    except UnicodeError:
        return None
    labels = name.split(".")
    valid_labels = all(len(label) <= _LONGEST_LABEL and _LABEL.fullmatch(label) for label in labels)
    is_name = len(labels) > 1 and len(labels[-1]) > 1 and not labels[-1].isdigit()
    return name if valid_labels and is_name and len(name) <= _LONGEST_DOMAIN else None


def _made_up(local: str, labels: Sequence[str]) -> bool:
    name = labels[-2]
    ends = {".".join(labels[place:]) for place in range(len(labels))}
    one_letter = len(name) > 1 and len({*name, *local}) == 1
    return bool(ends & _DISPOSABLE) or name in _MADE_UP or local == name or one_letter
