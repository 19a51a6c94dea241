"""Names of files made from names of criteria."""

import pytest

from textassay.analysis.wording import slug


@pytest.mark.parametrize(
    ("name", "file"), [("Clarity", "clarity"), ("Größe / Länge", "größe-länge"), ("?!", "criterion")]
)
def test_slug(name, file):
    assert slug(name) == file
