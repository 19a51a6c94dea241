"""Which passages are long."""

from __future__ import annotations

import pytest

from textassay.serve.rendering import is_beside, is_long


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ("<p>" + "word " * 200 + "</p>", False),  # 1,000 characters: 17 lines
        ("<p>" + "word " * 300 + "</p>", True),  # 25 lines
        ("<p>" + "字" * 600 + "</p>", False),  # 20 lines of 30 characters
        ("<p>" + "字" * 900 + "</p>", True),
        ("<p>one<br>two</p>" * 10, False),
        ("<p>one<br>two<br>three</p>" * 10, True),
        ('<p lang="' + "x" * 2000 + '">one</p>', False),  # tags are not seen
        ("<pre>" + "line\n" * 30 + "</pre>", True),
        ("<table>" + "<tr>\n<td>1</td>\n<td>2</td>\n</tr>\n" * 9 + "</table>", False),  # a row is one line
    ],
)
def test_length_is_measured_in_lines(html: str, expected: bool) -> None:
    assert is_long(html) is expected


def test_images_and_long_contexts_have_a_column_of_their_own() -> None:
    assert is_beside({"image": "a.png", "context": ""})
    assert is_beside({"image": "", "context": "<p>" + "word " * 300 + "</p>"})
    assert not is_beside({"image": "", "context": "<p>short</p>"})
    assert not is_beside({"units": []})  # a kind of trial without context
