"""The base of all parts of a study file: names, texts and paths, and what is wrong in a part."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

Name = Annotated[str, Field(pattern=r"^[A-Za-z][A-Za-z0-9_-]*$", max_length=40)]
Text = Annotated[str, Field(min_length=1, pattern=r"\S")]
FilePath = Annotated[str, Field(min_length=1, pattern=r"\S")]

Problems = Iterator[tuple[tuple[str | int, ...], str]]
"""What is wrong: path below the part that is checked, and message with remedy."""


class Faults(ValueError):  # noqa: N818 -- pydantic wraps it in its own error
    """What a validator found wrong in one part of a study file: path below that part, and message."""

    def __init__(self, *found: tuple[tuple[str | int, ...], str]) -> None:
        self.found = found
        super().__init__("; ".join(message for _, message in found))


class Model(BaseModel):
    """Base of all parts of a study file."""

    model_config = ConfigDict(
        extra="forbid", strict=True, frozen=True, use_attribute_docstrings=True, allow_inf_nan=False
    )
