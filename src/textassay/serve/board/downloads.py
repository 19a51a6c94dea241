"""Downloads of the data, streamed: one archive or single tables, without personal columns."""

from __future__ import annotations

import zipfile
from collections.abc import Iterable, Iterator, Mapping

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response, StreamingResponse

from textassay.answers import columns
from textassay.answers.export import Lines, export_files
from textassay.answers.exported_columns import REVISIONS, is_expected
from textassay.errors import TableError
from textassay.serve.site import Site
from textassay.study.study import Study

_PIECE = 64 * 1024
_LEVEL = 3
"""Of compression: half the time of the usual level, and an archive larger by a seventh."""
_TYPES = {".csv": "text/csv; charset=utf-8", ".jsonl": "application/x-ndjson", ".md": "text/markdown; charset=utf-8"}


def table_names(study: Study) -> list[str]:
    """The files offered one by one, without those that only imported tables need."""
    tables = [f"{name}.csv" for name in columns.schemas(study) if is_expected(study, name)]
    return [*tables, f"{REVISIONS.name}.jsonl", "codebook.csv", "codebook.md"]


async def export(_request: Request, site: Site) -> Response:
    """All tables and their codebook."""
    files = await _files(site)
    if isinstance(files, Response):
        return files
    return _sent(zipped(files.items()), "export.zip", "application/zip")


async def table(request: Request, site: Site) -> Response:
    """One table."""
    name = request.path_params["name"]
    files = await _files(site, all_files=False)
    if isinstance(files, Response):
        return files
    if name not in files:
        raise HTTPException(404)
    return _sent(_pieces(files[name]), name, _TYPES[name[name.rindex(".") :]])


async def _files(site: Site, *, all_files: bool = True) -> Mapping[str, Lines] | Response:
    """All files, or the reply that says what is wrong in an imported table."""
    try:
        source = (site.plan, site.store)
        return await site.store.asynchronously(export_files, site.study, source, all_files=all_files)
    except TableError as error:
        return PlainTextResponse(str(error), 409)


def _sent(pieces: Iterator[bytes], name: str, media_type: str) -> Response:
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    return StreamingResponse(pieces, media_type=media_type, headers=headers)


def _pieces(lines: Lines) -> Iterator[bytes]:
    """Join lines into pieces of a useful size."""
    waiting: list[bytes] = []
    size = 0
    for line in lines():
        waiting.append(line.encode("utf-8"))
        size += len(waiting[-1])
        if size >= _PIECE:
            yield b"".join(waiting)
            waiting, size = [], 0
    yield b"".join(waiting)


class _Outgoing:
    """A write-only file that hands over what was written; enough for `zipfile`."""

    def __init__(self) -> None:
        self._written: list[bytes] = []

    def write(self, data: bytes, /) -> int:
        """Keep the data until `taken` is called."""
        self._written.append(bytes(data))
        return len(data)

    def flush(self) -> None:
        """Nothing is buffered."""

    def close(self) -> None:
        """Nothing to close."""

    def taken(self) -> bytes:
        """What was written since the last call."""
        written = b"".join(self._written)
        self._written.clear()
        return written


def zipped(files: Iterable[tuple[str, Lines]]) -> Iterator[bytes]:
    """An archive of the files, piece by piece."""
    out = _Outgoing()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED, compresslevel=_LEVEL) as archive:
        for name, lines in files:
            with archive.open(name, "w") as member:
                yield out.taken()  # at once, so that the download starts while the first table is being made
                for piece in _pieces(lines):
                    member.write(piece)
                    yield out.taken()
    yield out.taken()
