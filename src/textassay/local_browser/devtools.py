"""A browser without a window that opens pages, takes pictures of them and prints them.

It is driven by the DevTools protocol of Chromium and its relatives (chromedevtools.github.io/devtools-protocol), has a
profile of its own that is thrown away, and reaches no other machine. All that is done with one start shares a time
limit: a browser that hangs is ended.
"""

from __future__ import annotations

import base64
import contextlib
import io
import json
import os
import re
import shutil
import signal
import subprocess
import tempfile
import threading
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self

from textassay.errors import BrowserError
from textassay.local_browser.finding import find_browser
from textassay.local_browser.websocket import WebSocket

_ARGUMENTS = (
    "--headless=new", "--remote-debugging-port=0", "--no-first-run", "--no-default-browser-check", "--disable-gpu",
    "--disable-extensions", "--disable-sync", "--disable-background-networking", "--disable-component-update",
    "--disable-default-apps", "--mute-audio", "--hide-scrollbars", "--force-color-profile=srgb",
    # No other machine: a page of a study may link to images and fonts elsewhere.
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
)  # fmt: skip
_LISTENING = re.compile(r"DevTools listening on (ws://\S+)")
_SECONDS_TO_END = 2.0
_WORST_QUALITY = 30
_A4 = (8.27, 11.69)
"""In inches."""


@dataclass(frozen=True)
class Picture:
    """A picture of a page, as WebP."""

    content: bytes
    width: int
    height: int
    """In CSS pixels."""


class LocalBrowser:
    """A browser of this machine with one page; a context manager.

    Raises:
        BrowserError: there is none, it does not start, or it takes longer than allowed.
    """

    def __init__(self, *, seconds: float, program: str | None = None) -> None:
        """Args: the longest time for everything together; the program, by default the one that is found."""
        self.program = program or find_browser()
        self._seconds = seconds
        self._deadline = time.monotonic() + seconds
        self._stack = contextlib.ExitStack()
        self._number = 0
        self._events: list[Mapping[str, Any]] = []

    def __enter__(self) -> Self:
        with contextlib.ExitStack() as stack, self._patient():
            profile = tempfile.mkdtemp(prefix="textassay-browser-")
            stack.callback(shutil.rmtree, profile, ignore_errors=True)
            process = stack.enter_context(_running(self.program, profile))
            self._socket = WebSocket(_address(process, self._left()), self._left())
            stack.callback(self._socket.close)
            self._session = ""
            page = self._ask("Target.createTarget", url="about:blank")["targetId"]
            self._session = self._ask("Target.attachToTarget", targetId=page, flatten=True)["sessionId"]
            self._ask("Page.enable")
            stack.callback(self._say_goodbye)
            self._stack = stack.pop_all()
        return self

    def __exit__(self, *error: object) -> None:
        self._stack.close()

    def open(self, address: str, *, width: int = 960, height: int = 600, scale: float = 1.0) -> None:
        """Open a page and wait until it is loaded, in a window of that many CSS pixels."""
        with self._patient():
            metrics = {"width": width, "height": height, "deviceScaleFactor": scale, "mobile": False}
            self._ask("Emulation.setDeviceMetricsOverride", **metrics)
            self._events.clear()
            reply = self._ask("Page.navigate", url=address)
            if reply.get("errorText"):
                raise BrowserError(f"the browser cannot open the page ({reply['errorText']})")
            while not any(event["method"] == "Page.loadEventFired" for event in self._events):
                self._hear()

    def evaluate(self, expression: str) -> Any:
        """The value of a JavaScript expression in the page; a promise is waited for."""
        with self._patient():
            reply = self._ask("Runtime.evaluate", expression=expression, awaitPromise=True, returnByValue=True)
            if "exceptionDetails" in reply:
                raise BrowserError(f"the page failed in the browser ({reply['exceptionDetails'].get('text', '')})")
            return reply["result"].get("value")

    def picture(self, *, most_height: int, most_bytes: int) -> Picture:
        """The whole page from its top, cut at that height, in a quality that keeps it below that many bytes."""
        with self._patient():
            size = self._ask("Page.getLayoutMetrics")["cssContentSize"]
            width, height = round(size["width"]), min(round(size["height"]), most_height)
            clip = {"x": 0, "y": 0, "width": width, "height": height, "scale": 1}
            quality = 85
            while True:
                reply = self._ask(
                    "Page.captureScreenshot", format="webp", quality=quality, clip=clip, captureBeyondViewport=True
                )
                content = base64.b64decode(reply["data"])
                if len(content) <= most_bytes or quality <= _WORST_QUALITY:
                    return Picture(content, width, height)
                quality -= 15

    def pdf(self) -> bytes:
        """The page on A4, with the margins that its style asks for, tagged, with an outline."""
        with self._patient():
            reply = self._ask(
                "Page.printToPDF", paperWidth=_A4[0], paperHeight=_A4[1], preferCSSPageSize=True, printBackground=True,
                displayHeaderFooter=False, generateTaggedPDF=True, generateDocumentOutline=True,
            )  # fmt: skip
            return base64.b64decode(reply["data"])

    # --- the protocol -------------------------------------------------------------------------------------------

    def _ask(self, method: str, **parameters: Any) -> dict[str, Any]:
        """Send a command and wait for its reply; events that come before it are kept."""
        self._number += 1
        command = {"id": self._number, "method": method, "params": parameters}
        if self._session:
            command["sessionId"] = self._session
        self._socket.send(json.dumps(command), self._left())
        while True:
            said = self._hear()
            if said.get("id") == self._number:
                if "error" in said:
                    raise BrowserError(f"the browser refused {method} ({said['error'].get('message', '')})")
                result: dict[str, Any] = said["result"]
                return result

    def _hear(self) -> dict[str, Any]:
        said: dict[str, Any] = json.loads(self._socket.receive(self._left()))
        if "method" in said:
            self._events.append(said)
        return said

    def _say_goodbye(self) -> None:
        """Ask it to end by itself, which it does at once; whether it does is seen to elsewhere."""
        with contextlib.suppress(OSError):
            self._session = ""
            self._socket.send(json.dumps({"id": 0, "method": "Browser.close"}), _SECONDS_TO_END)

    def _left(self) -> float:
        left = self._deadline - time.monotonic()
        if left <= 0:
            raise TimeoutError
        return left

    @contextlib.contextmanager
    def _patient(self) -> Iterator[None]:
        """What goes wrong with the process or the connection, as an error in words."""
        try:
            yield
        except TimeoutError:
            raise BrowserError(f"{self.program} did not finish within {self._seconds:g} seconds") from None
        except (OSError, ValueError) as error:
            raise BrowserError(f"{self.program} cannot be used ({error})") from None


def printed(page: Path, *, seconds: float = 300.0) -> bytes:
    """A page of this machine as PDF; a large report has hundreds of sheets, which takes a while."""
    with LocalBrowser(seconds=seconds) as browser:
        browser.open(page.resolve().as_uri())
        return browser.pdf()


@contextlib.contextmanager
def _running(program: str, profile: str) -> Iterator[subprocess.Popen[bytes]]:
    """The browser's process, which is ended with all its helpers."""
    # Chromium's sandbox refuses to run for root, as in containers. Only then is it off: the pages are our own.
    unsafe = ["--no-sandbox"] if hasattr(os, "geteuid") and os.geteuid() == 0 else []
    command = [program, *_ARGUMENTS, *unsafe, f"--user-data-dir={profile}", "about:blank"]
    process = subprocess.Popen(  # noqa: S603 -- the browser that the user installed or named
        command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, start_new_session=True
    )
    try:
        yield process
    finally:
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(_SECONDS_TO_END if process.poll() is None else 0)
        _end(process)


def _end(process: subprocess.Popen[bytes]) -> None:
    """End the process, and the group that it leads, if it still runs."""
    if process.poll() is None:
        if hasattr(os, "killpg"):
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
        process.kill()
        process.wait()


def _address(process: subprocess.Popen[bytes], seconds: float) -> str:
    """The address at which the browser takes commands; it writes it when it has started."""
    found: list[str] = []
    said: list[str] = []
    told = threading.Event()

    def listen() -> None:
        """Read to the end, so that the browser never waits for somebody to read its messages."""
        with process.stderr or io.BytesIO() as lines:
            for line in lines:
                said.append(line.decode("utf-8", "replace").strip())
                found.extend(_LISTENING.findall(said[-1]))
                if found:
                    told.set()
        told.set()

    threading.Thread(target=listen, name="textassay-browser", daemon=True).start()
    if not told.wait(seconds):
        raise TimeoutError
    if not found:
        complaint = next((line for line in reversed(said) if line), "it ended without a message")
        raise OSError(complaint[:200])
    return found[0]
