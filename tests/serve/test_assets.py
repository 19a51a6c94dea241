"""Scripts and styles: only ours, kept by browsers until they change."""

from __future__ import annotations

import re
from typing import Any

import pytest

from textassay.serve.assets import FOLDER


def test_addresses_name_the_version_and_are_kept(small: Any) -> None:
    page = small.client().get(small.server.links.join[""]).text
    addresses = re.findall(r'(?:src|href)="(/static/[^"]+)"', page)
    assert len(addresses) == 4
    for address in addresses:
        reply = small.client().get(address)
        assert reply.status_code == 200
        assert reply.headers["cache-control"] == "public, max-age=31536000, immutable"
        assert reply.content == (FOLDER / address.rpartition("/")[2]).read_bytes()
        old = small.client().get(re.sub("/static/[^/]+", "/static/old", address))
        assert old.headers["cache-control"] == "no-store"


def test_script_of_a_task_comes_from_its_folder(small: Any, person: Any) -> None:
    person.pass_pages("quality-p1")
    found = re.search(r"/tasks/rating/view\.js\?v=\w+", person.open().text)
    assert found is not None
    reply = person.client.get(found[0])
    folder = small.study.blocks[0].task.folder()
    assert reply.content == (folder / "view.js").read_bytes()
    assert reply.headers["content-type"].startswith("text/javascript")


@pytest.mark.parametrize(
    "path", ["/static/x/none.js", "/static/x/..%2fapp.py", "/static/x/%2e%2e/app.py", "/tasks/preference/view.js"]
)
def test_nothing_else_is_there(small: Any, path: str) -> None:
    assert small.client().get(path).status_code == 404


def test_no_inline_script_or_style(small: Any) -> None:
    for path in [*(FOLDER.parent / "templates").glob("*.html"), small.study.blocks[0].task.folder() / "view.html"]:
        text = path.read_text(encoding="utf-8")
        assert not re.search(r"<script(?![^>]*\bsrc=)|<style|\sstyle=|\son\w+=", text), path.name
