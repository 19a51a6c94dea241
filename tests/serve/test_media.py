"""Images come under names that tell nothing, and nothing else comes at all."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

from small_study import ITEMS, write_csv

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
