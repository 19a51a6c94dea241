"""The address at which participants reach a study, where a proxy stands before its server: scheme and host, no more."""

from __future__ import annotations

import ipaddress
from urllib.parse import urlsplit

_EXAMPLE = "https://study.example.org"
_USUAL_PORTS = {"http": 80, "https": 443}
_LOCAL_ENDINGS = (".localhost", ".local", ".internal", ".lan", ".home.arpa", ".test")


def checked_origin(text: str) -> str:
    """The address in the form in which browsers send it as `Origin`.

    >>> checked_origin("https://Study.Example.org:443/")
    'https://study.example.org'

    Raises:
        ValueError: it is not an address of this kind; the message has the remedy.
    """
    try:
        parts = urlsplit(text.strip())
        host, port = (parts.hostname or "").encode("idna").decode(), parts.port
    except ValueError:
        raise ValueError(f"{text!r} is not an address; write one such as {_EXAMPLE}") from None
    if parts.scheme not in _USUAL_PORTS or not host or any(mark.isspace() or mark == "_" for mark in host):
        raise ValueError(f"{text!r} is not an address that begins with https://; write one such as {_EXAMPLE}")
    if parts.path not in ("", "/") or parts.query or parts.fragment:
        alone = "a study has a host name of its own, not a path on one: let the proxy pass on the whole of it"
        raise ValueError(f"{text!r} has more than scheme and host; {alone}, and write {parts.scheme}://{parts.netloc}")
    if parts.username is not None:
        raise ValueError(f"{text!r} has a name or password; leave it out")
    shown = f"[{host}]" if ":" in host else host
    return f"{parts.scheme}://{shown}{'' if port in (None, _USUAL_PORTS[parts.scheme]) else f':{port}'}"


def is_exposed(origin: str) -> bool:
    """Whether an address is that of a public host without encryption, on which links and answers can be read.

    >>> is_exposed("http://study.example.org"), is_exposed("https://study.example.org"), is_exposed("http://10.0.0.7")
    (True, False, False)
    """
    parts = urlsplit(origin)
    host = parts.hostname or ""
    try:
        return parts.scheme == "http" and ipaddress.ip_address(host).is_global
    except ValueError:
        return parts.scheme == "http" and "." in host and not host.endswith(_LOCAL_ENDINGS)
