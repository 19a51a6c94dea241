"""The tests that are left out of the usual run, because a quicker one sees most of what they would.

    python3 run.py bench long_tests

They are marked `long`: levels and effects of simulated studies, peers over hundreds of texts, very long texts, reports
of more ready studies, more languages. The same as `python3 run.py test -- -m long`.
"""

import subprocess
import sys
from pathlib import Path

if __name__ == "__main__":
    run = Path(__file__).resolve().parent.parent / "run.py"
    sys.exit(subprocess.run([sys.executable, run, "test", "--", "-m", "long", *sys.argv[1:]], check=False).returncode)
