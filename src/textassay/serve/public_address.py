"""The address at which participants reach the server, and what requests tell of another one than was declared.

Behind a proxy that ends TLS, the server itself sees plain HTTP and perhaps another host name. What is declared decides
about links and cookies. What requests say can be forged, so it decides nothing: the board and the log tell it.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Mapping
from urllib.parse import urlsplit

LOG = logging.getLogger("textassay.serve")
HSTS = {"Strict-Transport-Security": "max-age=2592000"}
"""For 30 days browsers use https only; longer than most studies, and short enough to change one's mind."""
_FORWARDED = ("x-forwarded-proto", "x-forwarded-host", "x-forwarded-for", "forwarded")
_HOST = re.compile(r"[A-Za-z0-9.-]{1,253}(:[0-9]{1,5})?|\[[0-9A-Fa-f:]{2,45}\](:[0-9]{1,5})?")
_OWN = ("localhost", "127.", "[::1]", "0.0.0.0")  # noqa: S104 -- how requests from this machine name it
_TOLD = {
    "undeclared": "requests come through a proxy, but public_address is not declared; add to the study file: "
    "public_address: {seen}",
    "proxy": "requests come through a proxy that is not declared, so all visitors count as one where joins are "
    "limited; add to the study file: proxy: [{seen}]",
    "other": "participants use {seen}, but public_address is {declared}; correct the study file or the proxy",
    "insecure": "participants reach the proxy without https, but public_address is {declared}; redirect http to https",
    "refused": "a form was refused because it came from {seen}; if that is this study, add to the study file: "
    "public_address: {seen}",
}


class PublicAddress:
    """What was declared, and what was noticed since the server started."""

    def __init__(self, declared: str | None = None) -> None:
        self.declared = declared
        """Scheme and host, as `checked_origin` gives them; None if participants reach the server directly."""
        self.is_secure = declared is not None and declared.startswith("https:")
        """Whether all participants use https."""
        self.noticed: dict[str, str] = {}
        """Kind of mistake → the address that was seen last."""

    def notice(self, headers: Mapping[str, str]) -> None:
        """Look at a request whether it came by the way that was declared."""
        host = headers.get("x-forwarded-host", headers.get("host", "")).partition(",")[0].strip()
        scheme = headers.get("x-forwarded-proto", "").partition(",")[0].strip().lower()
        if not _HOST.fullmatch(host):
            return
        if self.declared is None:
            if any(name in headers for name in _FORWARDED):
                self._tell("undeclared", f"{'http' if scheme == 'http' else 'https'}://{host}")
            return
        if host.lower() != urlsplit(self.declared).netloc and not host.startswith(_OWN):
            self._tell("other", f"{scheme if scheme == 'http' else 'https'}://{host}")
        if self.is_secure and scheme == "http":
            self._tell("insecure", f"http://{host}")

    def came_through(self, proxy: str) -> None:
        """A request has come through a proxy whose word about the addresses of visitors is not believed."""
        self._tell("proxy", proxy)

    def refused(self, origin: str) -> None:
        """A form was refused as one from another site."""
        parts = urlsplit(origin)
        if parts.scheme in ("http", "https") and _HOST.fullmatch(parts.netloc):
            self._tell("refused", f"{parts.scheme}://{parts.netloc}")

    def _tell(self, kind: str, seen: str) -> None:
        if kind not in self.noticed:  # once in the log; the board shows the last one
            LOG.warning("Note: %s.", _TOLD[kind].format(seen=seen, declared=self.declared))
        self.noticed[kind] = seen
