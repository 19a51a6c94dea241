"""Scripts and styles, read once when the server starts, and the images of the study."""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from textassay.serve.protection import NO_STORE
from textassay.study.study import Study

if TYPE_CHECKING:
    from textassay.serve.site import Site


FOLDER = Path(__file__).parent / "static"
_TYPES = {".css": "text/css", ".js": "text/javascript", ".svg": "image/svg+xml"}
_FOR_A_YEAR = {"Cache-Control": "public, max-age=31536000, immutable"}


class Assets:
    """Scripts and styles of the pages. Addresses contain a digest of all files, so browsers never use old ones."""

    def __init__(self, study: Study) -> None:
        self._files = {path.name: path for path in sorted(FOLDER.iterdir()) if path.suffix in _TYPES}
        scripts = {block.task.name: block.task.folder() / "view.js" for block in study.blocks}
        self._contents: Mapping[str, bytes] = {name: path.read_bytes() for name, path in self._files.items()}
        self._scripts: Mapping[str, bytes] = {name: path.read_bytes() for name, path in scripts.items()}
        digest = hashlib.sha256(b"\0".join([*self._contents.values(), *self._scripts.values()]))
        self.version = digest.hexdigest()[:12]

    def static(self, name: str) -> str:
        """The address of a script or style."""
        if name not in self._contents:
            raise KeyError(name)
        return f"/static/{self.version}/{name}"

    def task_script(self, task: str) -> str:
        """The address of a task's script."""
        return f"/tasks/{task}/view.js?v={self.version}"

    def content(self, name: str) -> tuple[bytes, str] | None:
        """A script or style with its type."""
        content = self._contents.get(name)
        return None if content is None else (content, _TYPES[self._files[name].suffix])

    def script(self, task: str) -> bytes | None:
        """The script of a task that the study has."""
        return self._scripts.get(task)


async def static(request: Request, site: Site) -> Response:
    """A script or style."""
    found = site.assets.content(request.path_params["name"])
    if found is None:
        raise HTTPException(404)
    return Response(found[0], media_type=found[1], headers=_kept(request.path_params["version"], site))


async def task_script(request: Request, site: Site) -> Response:
    """The script of a task."""
    script = site.assets.script(request.path_params["task"])
    if script is None:
        raise HTTPException(404)
    return Response(script, media_type=_TYPES[".js"], headers=_kept(request.query_params.get("v", ""), site))


def _kept(version: str, site: Site) -> dict[str, str]:
    """Cache headers: a year if the address names the current version, otherwise none."""
    return _FOR_A_YEAR if version == site.assets.version else NO_STORE


_IMAGE_TYPES = {
    ".gif": "image/gif",
    ".jpeg": "image/jpeg",
    ".jpg": "image/jpeg",
    ".png": "image/png",
    ".svg": "image/svg+xml",
    ".webp": "image/webp",
}
_FOR_AN_HOUR = {"Cache-Control": "private, max-age=3600"}


class Media:
    """Images of the study under opaque names, as a file name may reveal a system or condition; no other files."""

    def __init__(self, study: Study, secret: str) -> None:
        self._key = secret.encode()
        named = {name for block in study.blocks for name in block.task.media()}
        self._paths = {self.opaque(name): study.directory / name for name in named}

    def opaque(self, name: str) -> str:
        """The name that browsers see; it cannot be decoded without the study's secret."""
        return hmac.new(self._key, name.encode(), "sha256").hexdigest()[:32]

    def path(self, opaque: str) -> Path | None:
        """The file of an opaque name."""
        return self._paths.get(opaque)


async def media(request: Request, site: Site) -> Response:
    """An image of the study, for participants."""
    if await site.sessions.current(request.path_params["token"]) is None:
        raise HTTPException(404)
    return await image(site, request.path_params["name"])


async def image(site: Site, name: str) -> Response:
    """The image of an opaque name.

    Raises:
        HTTPException: 404 if there is none.
    """
    path = site.media.path(name)
    if path is None:
        raise HTTPException(404)
    content = await site.store.asynchronously(path.read_bytes)
    return Response(content, media_type=_IMAGE_TYPES[path.suffix.lower()], headers=_FOR_AN_HOUR)
