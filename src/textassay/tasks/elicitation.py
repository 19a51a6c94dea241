"""How a question elicits its answers, in the terms that datasheets of human evaluations use."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Form = Literal["direct", "relative", "editing", "handling", "performance"]
"""A judgement of one text; of several against each other; a change made to the text; how the text is read; how well
something is done with it."""
Instrument = Literal["choices", "boxes", "slider", "none"]
"""One of several options, several of them, a slider, or nothing of the kind."""


@dataclass(frozen=True)
class Elicitation:
    """How answers to one question come about and what becomes of them."""

    form: Form
    instrument: Instrument
    size: str = ""
    """How many different answers there are; nothing where there is no instrument."""
    values: str = ""
    """The answers, or their range; nothing where there is no instrument."""
    begins: float | None = None
    """The least value that an answer can be, as the task's judgements have it."""
    activity: str = ""
    """What participants do where there is no instrument."""
    scores: str = ""
    """How the answers of a system become its score."""
    relative: bool = False
    """Whether texts are judged against each other and not each by itself."""
    objective: bool = False
    """Whether the answer is measured or is right or wrong, rather than a matter of opinion."""
    extrinsic: bool | None = None
    """Whether the text is judged by what people do with it; nothing where that depends on the study."""
    agreement: tuple[str, ...] = ()
    """Statistics of the task's analysis that tell how far participants agree with each other."""
