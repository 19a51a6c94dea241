"""Make the table of character classes: `python3.13 tests/support/make_unicode_table.py python3.11`.

The Python that runs it has the version of Unicode that is frozen; the other one is the oldest that is supported, and
what it does not know yet is marked. `tests/metrics/tokenisers/test_frozen_unicode.py` compares the table with others.
"""

from __future__ import annotations

import subprocess
import sys
import textwrap
import unicodedata
from itertools import groupby
from pathlib import Path

TABLE = Path(__file__).parents[2] / "src/textassay/metrics/tokenisers/unicode_table.py"
_UNKNOWN = """
import sys, unicodedata
print(unicodedata.unidata_version)
print(*(code for code in range(sys.maxunicode + 1) if unicodedata.category(chr(code)) == "Cn"))
"""


def frozen_class(category: str) -> str:
    """The letter of a general category: decimal digits have their own, controls and separators one in common."""
    if category == "Nd":
        return "D"
    return category[0] if category[0] in "LMNPS" else "O"


def main(oldest: str) -> None:
    """Write the table."""
    answer = subprocess.run([oldest, "-c", _UNKNOWN], check=True, capture_output=True, encoding="utf-8").stdout
    version, _, codes = answer.partition("\n")
    later = set(map(int, codes.split()))
    letters = []
    for code in range(sys.maxunicode + 1):
        letter = frozen_class(unicodedata.category(chr(code)))
        letters.append(letter.lower() if code in later else letter)
    runs = [(letter, sum(1 for _ in run)) for letter, run in groupby(letters)]
    table = "".join(letter if many == 1 else f"{letter}{many}" for letter, many in runs)
    lines = "\n".join(f'    "{line}"' for line in textwrap.wrap(table, 110))
    TABLE.write_text(
        '"""Classes of characters; made by tests/support/make_unicode_table.py, not by hand."""\n\n'
        f'VERSION = "{unicodedata.unidata_version.removesuffix(".0")}"\n'
        f'OLDEST = "{version.removesuffix(".0")}"\n'
        f"RUNS = (\n{lines}\n)\n",
        encoding="utf-8",
    )


if __name__ == "__main__":
    main(sys.argv[1])
