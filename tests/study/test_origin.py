from __future__ import annotations

import pytest

from textassay.study.origin import checked_origin, is_exposed


@pytest.mark.parametrize(
    ("given", "origin"),
    [
        ("https://study.example.org", "https://study.example.org"),
        (" HTTPS://Study.Example.ORG:443/ ", "https://study.example.org"),
        ("http://study.example.org:80", "http://study.example.org"),
        ("https://study.example.org:8443", "https://study.example.org:8443"),
        ("https://[2001:DB8::7]:8443", "https://[2001:db8::7]:8443"),
        ("https://bücher.example", "https://xn--bcher-kva.example"),
    ],
)
def test_addresses_are_written_as_browsers_send_them(given: str, origin: str) -> None:
    assert checked_origin(given) == origin


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ("", "is not an address that begins with https://"),
        ("study.example.org", "is not an address that begins with https://"),
        ("//study.example.org", "is not an address that begins with https://"),
        ("ftp://study.example.org", "is not an address that begins with https://"),
        ("https://", "is not an address that begins with https://"),
        ("https://my study.example", "is not an address that begins with https://"),
        ("https://a.example:port", "is not an address; write one such as https://study.example.org"),
        ("https://[::1", "is not an address; write one such as"),
        ("https://a.example/study", "has more than scheme and host; a study has a host name of its own"),
        ("https://a.example/?x=1", "has more than scheme and host"),
        ("https://me:secret@a.example", "has a name or password; leave it out"),
    ],
)
def test_what_is_no_address_has_a_remedy(given: str, message: str) -> None:
    with pytest.raises(ValueError, match=r".") as error:
        checked_origin(given)
    assert message in str(error.value)


@pytest.mark.parametrize(
    ("origin", "exposed"),
    [
        ("http://study.example.org", True),
        ("http://8.8.8.8", True),
        ("http://localhost:8000", False),
        ("http://192.168.0.7:8000", False),
        ("http://[::1]:8000", False),
        ("http://lab.local", False),
        ("https://8.8.8.8", False),
    ],
)
def test_plain_http_on_a_public_host_is_exposed(origin: str, exposed: bool) -> None:
    assert is_exposed(origin) is exposed
