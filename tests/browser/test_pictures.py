"""The pictures of the documentation are made by a script, and can be made again."""

from __future__ import annotations

import importlib.util
import os
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest
from PIL import Image

ROOT = Path(__file__).resolve().parents[2]
IMAGES = ROOT / "docs" / "images"
BY_BENCHMARKS = {"growth.svg", "growth-meta.svg", "capacity.svg"}
BY_RELEVANCE = {"weights-h.svg", "weights-c.svg", "events-h.png", "events-c.png"}
MOST_BYTES = 150_000


@pytest.fixture(scope="module")
def make_pictures() -> ModuleType:
    specification = importlib.util.spec_from_file_location("make_pictures", ROOT / "docs" / "make_pictures.py")
    assert specification is not None
    module = importlib.util.module_from_spec(specification)
    specification.loader.exec_module(module)
    return module


def test_every_picture_has_its_maker_and_is_small(make_pictures: ModuleType) -> None:
    made = {name.replace("gallery-", "gallery/") + ".png" for name in make_pictures.makers()} - {"relevance.png"}
    kept = {path.relative_to(IMAGES).as_posix() for path in IMAGES.rglob("*.*")}
    assert kept == made | BY_BENCHMARKS | BY_RELEVANCE
    assert [name for name in kept if (IMAGES / name).stat().st_size > MOST_BYTES] == []


@pytest.mark.long
def test_trial_can_be_pictured_again(tmp_path: Path) -> None:
    # In a process of its own: the browser of other tests may be open in this one.
    program = (
        "import sys, pathlib, make_pictures\n"
        "make_pictures.IMAGES = pathlib.Path(sys.argv[1])\n"
        "make_pictures.makers()['reading'](make_pictures.IMAGES)\n"
    )
    environ = {**os.environ, "PYTHONPATH": os.pathsep.join([str(ROOT / "docs"), os.environ.get("PYTHONPATH", "")])}
    subprocess.run([sys.executable, "-c", program, tmp_path], env=environ, check=True)
    with Image.open(tmp_path / "reading.png") as new, Image.open(IMAGES / "reading.png") as kept:
        assert new.size[0] == kept.size[0] == 1280
        assert len(new.convert("RGB").getcolors(1 << 20) or ()) > 10  # a page, not an empty one
