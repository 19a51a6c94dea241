"""The same scores in every Python: each one that is installed here scores 1,000 texts with every metric and setting.

    python3 run.py bench pythons                      # every python3.11 and later that is found
    python3 run.py bench pythons python3.13 /a/path   # these

Makes a virtual environment for each, installs the project there, and compares all numbers, bit by bit, with those of
the Python that runs this. Exits with 1 where one differs, and says which. The texts have characters from all of
Unicode, of which every Python has tables of its own (`_pythons_scores.py`).
"""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from importlib.metadata import version
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
NEWEST = 16
"""Minor number of the last Python that is looked for."""


def main(pythons: Sequence[str]) -> int:
    own = scores_by(Path(sys.executable))
    print(f"{told(own)}: {len(own['checksums'])} metrics and settings", flush=True)
    differ = 0
    for python in pythons or found():
        with tempfile.TemporaryDirectory() as folder:
            other = scores_by(installed(python, Path(folder)))
        wrong = [what for what, sum_ in own["checksums"].items() if other["checksums"].get(what) != sum_]
        differ += len(wrong)
        print(f"{told(other)}: {'all numbers are the same' if not wrong else 'other numbers: ' + ', '.join(wrong)}")
    not_computed = [f"{what} ({why})" for what, why in own["checksums"].items() if why.startswith("not computed")]
    if not_computed:
        print("Not compared: " + "; ".join(not_computed))
    return int(differ > 0)


def found() -> Iterator[str]:
    """Other Pythons of this machine; some programs put in place of each one that says where to get it."""
    for minor in range(11, NEWEST + 1):
        python = shutil.which(f"python3.{minor}")
        if python and minor != sys.version_info.minor and _starts(python):
            yield python


def _starts(python: str) -> bool:
    return subprocess.run([python, "-V"], check=False, capture_output=True).returncode == 0


def installed(python: str, folder: Path) -> Path:
    """The Python of a new virtual environment that has the project, with the same numpy if that can be had there."""
    subprocess.run([python, "-m", "venv", folder], check=True)
    own = folder / "bin" / "python"
    pip = [str(own), "-m", "pip", "install", "-q", "--disable-pip-version-check"]
    subprocess.run([*pip, str(ROOT), f"numpy=={version('numpy')}"], check=True)
    return own


def scores_by(python: Path) -> dict[str, Any]:
    """What `_pythons_scores.py` prints."""
    script = Path(__file__).with_name("_pythons_scores.py")
    found: dict[str, Any] = json.loads(subprocess.run([python, script], check=True, capture_output=True).stdout)
    return found


def told(found: dict[str, Any]) -> str:
    about = found["about"]
    return f"Python {about['python']} (Unicode {about['unicode']})"


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
