"""Rows become records by the order of their columns."""

from __future__ import annotations

from dataclasses import fields

from textassay.answers import statements as sql
from textassay.answers.records import Participant, StoredAnswer


def test_columns_are_the_fields_in_their_order() -> None:
    assert [column.name for column in sql.PARTICIPANTS.selected_columns] == [each.name for each in fields(Participant)]
    own = ["participant_id", *(each.name for each in fields(StoredAnswer))]
    assert [column.name for column in sql.ANSWERS.selected_columns] == own
