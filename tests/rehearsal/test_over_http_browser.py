"""The small browser against a real server that sometimes fails."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from textassay.errors import TextassayError
from textassay.rehearsal import over_http as module
from textassay.rehearsal.over_http import Browser

FILES = {
    "/page": (
        '<link rel="stylesheet" href="/a.css"><script src="/js/a.js"></script><img src="pic.png"><img src="pic.png">'
        '<form action="/p/answers" data-page="{&quot;key&quot;: &quot;t-1&quot;, '
        '&quot;view&quot;: &quot;/v.js?v=1&quot;}">'
    ),
    "/again": '<link rel="stylesheet" href="/a.css"><p>nothing to answer</p>',
    "/a.css": "",
    "/pic.png": "",
    "/js/a.js": 'import { b } from "./b.js";\nimport "./c.js";\nconst x = "import ./no.js";',
    "/js/b.js": 'import { c } from "./c.js";',
    "/js/c.js": "",
    "/v.js?v=1": "",
    "/broken": '<script src="/gone.js"></script>',
}


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    seen: Counter[str]

    def do_GET(self) -> None:
        self.answer()

    def do_POST(self) -> None:
        self.rfile.read(int(self.headers["Content-Length"]))
        self.answer()

    def answer(self) -> None:
        self.seen[self.path] += 1
        times = self.seen[self.path]
        if self.path == "/hangs-up" and times < 3:
            self.close_connection = True
            return
        if self.path == "/busy" and times < 3:
            self.reply(503, "busy")
        elif self.path in ("/busy", "/hangs-up"):
            self.reply(200, '{"next": "/"}')
        elif self.path == "/moved":
            self.reply(303, "", location="/again")
        elif self.path == "/round":
            self.reply(303, "", location="/round")
        else:
            self.reply(200 if self.path in FILES else 404, FILES.get(self.path, "no"))

    def reply(self, status: int, text: str, location: str = "") -> None:
        body = text.encode()
        self.send_response(status)
        self.send_header("Content-Length", str(len(body)))
        if location:
            self.send_header("Location", location)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *args: object) -> None:
        pass


@pytest.fixture
def seen() -> Counter[str]:
    return Counter()


@pytest.fixture
def browser(seen: Counter[str], monkeypatch: pytest.MonkeyPatch) -> Iterator[Browser]:
    monkeypatch.setattr(module, "_WAITS", (0.01, 0.01, 0.01))
    server = ThreadingHTTPServer(("127.0.0.1", 0), type("Here", (Handler,), {"seen": seen}))
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    opened = Browser(f"http://127.0.0.1:{server.server_port}/join")
    yield opened
    opened.close()
    server.shutdown()
    thread.join()
    server.server_close()


def test_page_comes_with_all_that_it_needs_and_each_only_once(browser: Browser, seen: Counter[str]) -> None:
    page = browser.open("/page")
    assert page.data == {"key": "t-1", "view": "/v.js?v=1"}
    assert page.action == "/p/answers"
    assert browser.open("/again").data is None
    assert seen == dict.fromkeys(set(FILES) - {"/broken"}, 1)


def test_redirects_are_followed_but_not_for_ever(browser: Browser, seen: Counter[str]) -> None:
    assert browser.open("/moved").address == "/again"
    with pytest.raises(TextassayError, match="status 303"):
        browser.open("/round")


@pytest.mark.parametrize("address", ["/busy", "/hangs-up"])
def test_answer_is_sent_again_until_it_is_acknowledged(browser: Browser, seen: Counter[str], address: str) -> None:
    reply = browser.send(address, {"answer_id": "x"})
    assert (reply.status, reply.body) == (200, b'{"next": "/"}')
    assert seen[address] == 3


def test_form_is_sent_again_until_it_is_acknowledged(browser: Browser, seen: Counter[str]) -> None:
    assert browser.submit("/busy", {"start": "x y"}).status == 200
    assert seen["/busy"] == 3


def test_missing_page_or_script_is_an_error(browser: Browser) -> None:
    with pytest.raises(TextassayError, match="a page of the study returned status 404"):
        browser.open("/nothing")
    with pytest.raises(TextassayError, match=r"/gone\.js returned status 404"):
        browser.open("/broken")


def test_server_that_is_not_there_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_WAITS", (0.01,))
    nobody = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    nobody.server_close()
    with pytest.raises(TextassayError, match="the server cannot be reached"):
        Browser(f"http://127.0.0.1:{nobody.server_port}").open("/")
