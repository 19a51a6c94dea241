"""Scripts, styles and the tasks' scripts, read once when the server starts; browsers keep them until they change."""

from __future__ import annotations

import hashlib
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
    """The files that pages are made with. Their addresses hold a digest of them all, so a change is never missed."""

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
    """How long browsers may keep a file: for good, if its address names the version that it has."""
    return _FOR_A_YEAR if version == site.assets.version else NO_STORE
