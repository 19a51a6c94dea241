"""Whose address a request comes from: nobody can choose it, and a proxy is believed only where it is declared."""

from __future__ import annotations

from ipaddress import ip_address
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from textassay.serve.client_address import client_address, network_of, networks, undeclared_proxy

PROXIES = networks(["127.0.0.1", "10.0.0.0/8", "2001:db8:ffff::/48"])
VISITOR = "203.0.113.7"


def request(peer: str | None, **headers: str | list[str]) -> dict[str, Any]:
    named = [(name.replace("_", "-").encode(), value) for name, value in headers.items()]
    every = [(name, each.encode()) for name, value in named for each in ([value] if isinstance(value, str) else value)]
    return {"type": "http", "client": None if peer is None else (peer, 4711), "headers": every}


def found(peer: str | None, **headers: str | list[str]) -> str:
    return str(client_address(request(peer, **headers), PROXIES))


def test_without_a_declared_proxy_the_connection_counts() -> None:
    assert found(VISITOR) == VISITOR
    assert found(VISITOR, x_forwarded_for="198.51.100.1") == VISITOR  # as everybody can write
    assert found(VISITOR, forwarded="for=198.51.100.1") == VISITOR
    assert str(client_address(request("127.0.0.1", x_forwarded_for=VISITOR), ())) == "127.0.0.1"
    assert client_address(request(None, x_forwarded_for=VISITOR), PROXIES) is None
    assert client_address({"type": "http"}, PROXIES) is None


@pytest.mark.parametrize(
    "headers",
    [
        {"x_forwarded_for": VISITOR},
        {"x_forwarded_for": f" {VISITOR}:50123 "},
        {"x_forwarded_for": f"::ffff:{VISITOR}"},
        {"x_forwarded_for": f"198.51.100.1, {VISITOR}"},  # the first was written by the visitor
        {"x_forwarded_for": f"garbage, {VISITOR}, 10.1.1.1"},  # two proxies
        {"x_forwarded_for": ["198.51.100.1", VISITOR]},  # as two headers
        {"forwarded": f"for={VISITOR};proto=https"},
        {"forwarded": f'for="198.51.100.1", by=10.0.0.1;For="{VISITOR}:80"'},
        {"x_forwarded_for": VISITOR, "forwarded": f"for={VISITOR}"},
    ],
)
def test_address_that_the_nearest_proxy_has_seen_counts(headers: dict[str, Any]) -> None:
    assert found("127.0.0.1", **headers) == VISITOR


@pytest.mark.parametrize(
    ("headers", "expected"),
    [
        ({}, "127.0.0.1"),
        ({"x_forwarded_for": ""}, "127.0.0.1"),
        ({"x_forwarded_for": "unknown"}, "127.0.0.1"),
        ({"x_forwarded_for": f"{VISITOR}, nonsense"}, "127.0.0.1"),
        ({"x_forwarded_for": f"{VISITOR}, nonsense, 10.2.2.2"}, "10.2.2.2"),
        ({"x_forwarded_for": "10.3.3.3, 10.2.2.2"}, "10.3.3.3"),  # a visitor within one's own network
        ({"forwarded": "for=_hidden;proto=http"}, "127.0.0.1"),
        ({"forwarded": "proto=http"}, "127.0.0.1"),
        # a proxy writes one of the headers; the other may be the visitor's invention
        ({"x_forwarded_for": VISITOR, "forwarded": "for=198.51.100.1"}, "127.0.0.1"),
        ({"forwarded": 'for="[2001:db8::1]:80"'}, "2001:db8::1"),
        ({"x_forwarded_for": "[2001:db8::1]:80"}, "2001:db8::1"),
        ({"x_forwarded_for": "2001:db8::1, 2001:db8:ffff::9"}, "2001:db8::1"),
        ({"x_forwarded_for": "fe80::1%eth0"}, "fe80::1"),
    ],
)
def test_what_cannot_be_known_is_not_guessed(headers: dict[str, Any], expected: str) -> None:
    assert found("127.0.0.1", **headers) == expected


@given(written=st.lists(st.text(max_size=20), max_size=5), name=st.sampled_from(["x_forwarded_for", "forwarded"]))
def test_nothing_that_a_visitor_writes_changes_the_address(written: list[str], name: str) -> None:
    own = VISITOR if name == "x_forwarded_for" else f"for={VISITOR}"
    assert found("127.0.0.1", **{name: ", ".join([*written, own])}) == VISITOR


def test_household_of_an_address() -> None:
    assert network_of(ip_address("2001:db8::1")) == network_of(ip_address("2001:db8::ffff:1")) == "2001:db8::/64"
    assert network_of(ip_address(VISITOR)) == VISITOR
    assert network_of(None) == ""


def test_proxy_that_nobody_declared_is_recognised() -> None:
    assert undeclared_proxy(request(VISITOR, x_forwarded_for="x"), PROXIES) == ip_address(VISITOR)
    assert undeclared_proxy(request(VISITOR, forwarded="for=x"), PROXIES) == ip_address(VISITOR)
    assert undeclared_proxy(request(VISITOR, host="x"), PROXIES) is None
    assert undeclared_proxy(request("127.0.0.1", x_forwarded_for="x"), PROXIES) is None
    assert undeclared_proxy(request(None, x_forwarded_for="x"), PROXIES) is None
