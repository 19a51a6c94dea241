"""What the command says beside its result: texts that have changed since people began."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from textassay.answers.store import Store

Command = Callable[..., Any]


def test_export_tells_which_text_has_changed(textassay: Command, answered: Path) -> None:
    # a verdict that no longer holds is corrected first, for it decides who counts
    with Store.open(f"sqlite:///{(answered / 'answers.db').as_posix()}") as store:
        before = [(person.code, person.valid) for person in store.participants()]
        store.set_valid(1, not before[0][1])
        ran = textassay("export", answered)
        assert [(person.code, person.valid) for person in store.participants()] == before
    assert (ran.code, ran.err) == (0, "")
    texts = answered / "texts.csv"
    texts.write_text(texts.read_text(encoding="utf-8").replace("i2,human,", "i2,human,Indeed: "), encoding="utf-8")
    again = textassay("export", answered)
    assert (again.code, again.out) == (0, ran.out)
    assert again.err.startswith(
        "Note: changed since the first participant: text of item 'i2' by system 'human' (differs"
    )
