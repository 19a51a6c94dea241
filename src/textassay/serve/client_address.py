"""The network address of a visitor, behind proxies too; used to limit joins, and kept nowhere."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network

from starlette.types import Scope

Address = IPv4Address | IPv6Address
Network = IPv4Network | IPv6Network

_MOST_HOPS = 20
_VISITORS_NETWORK = 64
"""Bits of an IPv6 address that belong to one household or machine, which can choose the rest at will."""


def networks(declared: Iterable[str]) -> tuple[Network, ...]:
    """Addresses and networks as the study file writes them.

    >>> networks(["127.0.0.1", "10.1.2.3/8"])
    (IPv4Network('127.0.0.1/32'), IPv4Network('10.0.0.0/8'))
    """
    return tuple(ip_network(each, strict=False) for each in declared)


def client_address(scope: Scope, trusted: Sequence[Network]) -> Address | None:
    """The address of a request's sender.

    A proxy appends the address of its own visitor to `X-Forwarded-For` or `Forwarded`; what stands before that, the
    visitor may have written. So the addresses are read from the end, and the first that is not a trusted proxy counts.
    If the two headers disagree, one of them comes from the visitor, and neither is believed.

    Args:
        scope: The request.
        trusted: Declared proxies.

    Returns:
        The address; None if the connection has none, such as a local socket.
    """
    peer = _address((scope.get("client") or ("", 0))[0])
    if peer is None or not _is_among(peer, trusted):
        return peer
    found = {_sender(peer, hops, trusted) for hops in (_x_forwarded_for(scope), _forwarded(scope)) if hops}
    return found.pop() if len(found) == 1 else peer


def network_of(address: Address | None) -> str:
    """What stands for one visitor: the address, in IPv6 its /64 network.

    >>> network_of(ip_address("2001:db8:1:2:3::4")), network_of(ip_address("192.0.2.1"))
    ('2001:db8:1:2::/64', '192.0.2.1')
    """
    if isinstance(address, IPv6Address):
        return str(ip_network((address, _VISITORS_NETWORK), strict=False))
    return str(address or "")


def undeclared_proxy(scope: Scope, trusted: Sequence[Network]) -> Address | None:
    """The address of a proxy that has passed the request on and is not declared, or of who pretends to be one."""
    peer = _address((scope.get("client") or ("", 0))[0])
    if peer is None or _is_among(peer, trusted):
        return None
    return peer if _x_forwarded_for(scope) or _forwarded(scope) else None


def _sender(peer: Address, hops: Sequence[str], trusted: Sequence[Network]) -> Address:
    """The first address from the end that is not a trusted proxy; where one is unreadable, the proxy that wrote it."""
    nearest = peer
    for hop in list(reversed(hops))[:_MOST_HOPS]:
        address = _address(hop)
        if address is None:
            return nearest
        nearest = address
        if not _is_among(address, trusted):
            return nearest
    return nearest


def _is_among(address: Address, trusted: Sequence[Network]) -> bool:
    return any(address in network for network in trusted)


def _address(text: str) -> Address | None:
    """An address as proxies write it, perhaps with a port: `192.0.2.1:80`, `[2001:db8::1]:80`; None if it is none."""
    text = text.strip()
    if text.startswith("["):
        text = text[1:].partition("]")[0]
    elif text.count(":") == 1:
        text = text.partition(":")[0]
    try:
        address = ip_address(text.partition("%")[0])
    except ValueError:
        return None
    return (address.ipv4_mapped or address) if isinstance(address, IPv6Address) else address


def _x_forwarded_for(scope: Scope) -> list[str]:
    return _listed(scope, b"x-forwarded-for")


def _forwarded(scope: Scope) -> list[str]:
    """The `for` of each element of the header of RFC 7239: `for="[2001:db8::1]:80";proto=https, for=192.0.2.1`."""
    return [_node(element) for element in _listed(scope, b"forwarded")]


def _node(element: str) -> str:
    pairs = (pair.partition("=") for pair in element.split(";"))
    return next((value.strip().strip('"') for name, _, value in pairs if name.strip().lower() == "for"), "")


def _listed(scope: Scope, name: bytes) -> list[str]:
    values = [value.decode("latin-1") for key, value in scope.get("headers", ()) if key.lower() == name]
    return ",".join(values).split(",") if values else []
