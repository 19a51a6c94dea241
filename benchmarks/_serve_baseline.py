"""The least that a server of answers can do: check an answer, insert it, commit in groups, reply. Frozen: do not tune.

    python3 _serve_baseline.py FILE.db PORT

It knows nothing of participants, plans or pages that are due, so no real server is quite as fast. `bench serve`
measures the distance. uvicorn with uvloop and httptools, Starlette, SQLite in WAL mode with synchronous FULL; one
thread writes, and all answers that arrive during one commit share the next. Pages come from one Jinja template with the
text and the scale of the study that the benchmark serves.
"""

from __future__ import annotations

import asyncio
import json
import queue
import sqlite3
import sys
import threading
import time
from pathlib import Path
from uuid import UUID

import uvicorn
from jinja2 import Environment, FileSystemLoader
from pydantic import BaseModel, ConfigDict
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response
from starlette.routing import Route

TRIALS = 24
TEXT = (
    "The wind will be light from the south in the morning and grow in the afternoon, with waves of about a metre near "
    "the coast. Fog is possible before ten o'clock, mostly in the bays; later the sun comes out and it stays dry until "
    "the evening, when the first clouds arrive from the west."
)
QUESTION = "How clear is the text?"
ENDS = ("not clear at all", "perfectly clear")
_INSERT = "INSERT INTO answers (token, answer_id, page, payload, received_at) VALUES (?, ?, ?, ?, ?)"


class Answer(BaseModel):
    """An answer to a page, as the browser sends it."""

    model_config = ConfigDict(extra="forbid", strict=True)

    answer_id: UUID
    page: str
    payload: dict[str, dict[str, int]]
    started_at: str
    answered_at: str
    rt_ms: float
    client: dict[str, float]


class Writer:
    """Writes on one thread; answers that wait together are committed together, and the loop is woken once."""

    def __init__(self, path: Path, loop: asyncio.AbstractEventLoop) -> None:
        self._loop = loop
        self._waiting: queue.SimpleQueue[tuple[tuple[object, ...], asyncio.Future[None]]] = queue.SimpleQueue()
        self._path = path
        threading.Thread(target=self._run, daemon=True).start()

    async def write(self, row: tuple[object, ...]) -> None:
        done: asyncio.Future[None] = self._loop.create_future()
        self._waiting.put((row, done))
        await done

    def _run(self) -> None:
        connection = sqlite3.connect(self._path, isolation_level=None)
        connection.execute("PRAGMA journal_mode=WAL")
        connection.execute("PRAGMA synchronous=FULL")
        connection.execute("CREATE TABLE answers (token, answer_id UNIQUE, page, payload, received_at)")
        while True:
            group = [self._waiting.get()]
            while not self._waiting.empty():
                group.append(self._waiting.get())
            connection.execute("BEGIN IMMEDIATE")
            connection.executemany(_INSERT, [row for row, _ in group])
            connection.execute("COMMIT")
            self._loop.call_soon_threadsafe(_all_done, [done for _, done in group])


def _all_done(futures: list[asyncio.Future[None]]) -> None:
    for future in futures:
        if not future.done():
            future.set_result(None)


def create(path: Path) -> Starlette:
    """The application."""
    folder = FileSystemLoader(Path(__file__).parent)
    template = Environment(loader=folder, autoescape=True, auto_reload=False).get_template("_serve_baseline.html")
    criteria = [{"name": "clarity", "question": QUESTION, "low": ENDS[0], "high": ENDS[1]}]
    writers: list[Writer] = []

    async def answer(request: Request) -> Response:
        if not writers:
            writers.append(Writer(path, asyncio.get_running_loop()))
        token = request.path_params["token"]
        given = Answer.model_validate_json(await request.body())
        await writers[0].write((token, str(given.answer_id), given.page, json.dumps(given.payload), time.time()))
        return JSONResponse({"next": f"/p/{token}/{given.page}"})

    async def page(request: Request) -> Response:
        token, n = request.path_params["token"], int(request.path_params["number"])
        data = json.dumps(
            {"key": f"clarity-{n}", "view": "/tasks/rating/view.js", "answer": None, "answer_id": None, "limit": None}
        )
        html = template.render(
            language="en", direction="ltr", title="A study to be served", base=f"/p/{token}", n=n, total=TRIALS,
            heading=f"{n} of {TRIALS}", text=f"<p>{TEXT}</p>", criteria=criteria, data=data,
        )  # fmt: skip
        return HTMLResponse(html, headers={"Cache-Control": "no-store"})

    return Starlette(routes=[Route("/p/{token}/answers", answer, methods=["POST"]), Route("/p/{token}/{number}", page)])


if __name__ == "__main__":
    uvicorn.run(
        create(Path(sys.argv[1])), port=int(sys.argv[2]), access_log=False, log_level="error", loop="uvloop",
        http="httptools", lifespan="off",
    )  # fmt: skip
