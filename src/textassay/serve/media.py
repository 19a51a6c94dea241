"""Images of the study under names that tell nothing: what a file is called may give its system or condition away."""

from __future__ import annotations

import hmac
from pathlib import Path
from typing import TYPE_CHECKING

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from textassay.study.study import Study

if TYPE_CHECKING:
    from textassay.serve.site import Site

_TYPES = {
    ".gif": "image/gif",
    ".jpeg": "image/jpeg",
    ".jpg": "image/jpeg",
    ".png": "image/png",
    ".svg": "image/svg+xml",
    ".webp": "image/webp",
}
_FOR_AN_HOUR = {"Cache-Control": "private, max-age=3600"}


class Media:
    """The files that the study's pages show; no other file of the study can be asked for."""

    def __init__(self, study: Study, secret: str) -> None:
        self._key = secret.encode()
        named = {name for block in study.blocks for name in block.task.media()}
        self._paths = {self.opaque(name): study.directory / name for name in named}

    def opaque(self, name: str) -> str:
        """The name that browsers see: without the study's secret nobody can tell what it stands for."""
        return hmac.new(self._key, name.encode(), "sha256").hexdigest()[:32]

    def path(self, opaque: str) -> Path | None:
        """The file behind a name."""
        return self._paths.get(opaque)


async def media(request: Request, site: Site) -> Response:
    """An image of the study, for those who take part in it."""
    if await site.participant(request.path_params["token"]) is None:
        raise HTTPException(404)
    return await image(site, request.path_params["name"])


async def image(site: Site, name: str) -> Response:
    """The image behind a name.

    Raises:
        HTTPException: 404 where there is none.
    """
    path = site.media.path(name)
    if path is None:
        raise HTTPException(404)
    content = await site.store.asynchronously(path.read_bytes)
    return Response(content, media_type=_TYPES[path.suffix.lower()], headers=_FOR_AN_HOUR)
