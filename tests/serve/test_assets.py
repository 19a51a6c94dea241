"""Scripts and styles: only ours, kept by browsers until they change."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from small_study import ITEMS, write_csv

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
    assert reply.headers["cache-control"] == "public, max-age=31536000, immutable"
    for other in ("/tasks/rating/view.js?v=old", "/tasks/rating/view.js", "/static/old/none.js"):
        assert person.client.get(other).headers["cache-control"] == "no-store"


@pytest.mark.parametrize(
    "path", ["/static/x/none.js", "/static/x/..%2fapp.py", "/static/x/%2e%2e/app.py", "/tasks/preference/view.js"]
)
def test_nothing_else_is_there(small: Any, path: str) -> None:
    assert small.client().get(path).status_code == 404


def test_no_inline_script_or_style(small: Any) -> None:
    for path in [*(FOLDER.parent / "templates").glob("*.html"), small.study.blocks[0].task.folder() / "view.html"]:
        text = path.read_text(encoding="utf-8")
        assert not re.search(r"<script(?![^>]*\bsrc=)|<style|\sstyle=|\son\w+=", text), path.name


SVG = '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'


def test_images(serve: Callable[..., Any], tmp_path: Path) -> None:
    def with_images(data: dict[str, Any]) -> None:
        data["tables"]["items"] = "pictures.csv"
        data["blocks"][0].update(image="image", image_description="words", practice="pictured.csv")

    rows = [(item, "Data.", "secret-name.svg", f"A picture of {item}") for item in ITEMS]
    write_csv(tmp_path / "pictures.csv", ("item", "context", "image", "words"), rows)
    practice = [("p1", "Try.", "Data.", "secret-name.svg", "A picture")]
    write_csv(tmp_path / "pictured.csv", ("item", "text", "context", "image", "words"), practice)
    (tmp_path / "secret-name.svg").write_text(SVG)
    served = serve(with_images, directory=tmp_path)
    person = served.join()
    person.pass_pages("quality-1")
    page = person.open().text
    found = re.search(r'<img src="([^"]+)" alt="A picture of i\d">', page)
    assert found is not None
    assert "secret-name" not in page
    image = person.client.get(found[1])
    assert (image.status_code, image.headers["content-type"], image.text) == (200, "image/svg+xml", SVG)
    # opened as a page of its own, the image may still run nothing
    assert "script-src 'self'" in image.headers["content-security-policy"]
    assert "secret-name" not in str(image.headers)
    opaque = found[1].rpartition("/")[2]
    assert served.client().get(f"/p/{'x' * 32}/media/{opaque}").status_code == 404
    for name in ("secret-name.svg", "study.yaml", "..%2fstudy.yaml", "answers.db", opaque.upper()):
        assert person.client.get(f"{person.base}/media/{name}").status_code == 404, name
    assert served.server.store.secret("media") not in page
