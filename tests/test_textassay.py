from __future__ import annotations

import subprocess
import sys

import pytest

import textassay as ta


@pytest.mark.parametrize("name", [name for name in ta.__all__ if name != "__version__"])
def test_a_package_is_loaded_when_it_is_first_used(name: str) -> None:
    program = f"import sys, textassay as ta; before = 'textassay.{name}' in sys.modules; ta.{name}; print(before)"
    answer = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout
    assert answer.strip() == "False"


def test_what_is_offered_is_there() -> None:
    assert dir(ta) == sorted(ta.__all__)
    assert ta.stats.tukey([1, 2, 3, 5], ["a", "a", "b", "b"]).groups == ("a", "b")


def test_an_unknown_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="has no attribute 'statistics'"):
        ta.statistics  # type: ignore[attr-defined]  # noqa: B018
