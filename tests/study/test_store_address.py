"""Addresses of databases as people write them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from small_study import write_small_study

from textassay.errors import StudyError
from textassay.study.load import load_study
from textassay.study.store_address import address_problem, public_address

SOUND = (
    "sqlite:///answers.db",
    "sqlite:////srv/study/answers.db",
    "postgresql://ada@db.example.org/study",
    "postgresql://ada@db.example.org:5433/study?sslmode=require",
    "postgresql+psycopg:///study",
    "postgresql:///?service=study",
)


@pytest.mark.parametrize("address", SOUND)
def test_sound_address(address: str) -> None:
    assert address_problem(address) is None
    assert public_address(address) == address


@pytest.mark.parametrize(
    "address",
    [
        "postgresql://ada:geheim@db.example.org/study",
        "postgresql://ada:ge@heim/geheim@db.example.org/study",
        "postgresql://ada@uni:geheim@db.example.org/study",
        "postgresql://:geheim@db.example.org/study",
        "postgresql+psycopg:///study?user=ada&password=geheim",
        "postgresql:///study?sslpassword=geheim&service=x",
    ],
)
def test_password_is_found_and_taken_out(address: str) -> None:
    assert "holds a password" in str(address_problem(address))
    assert address_problem(address, may_hold_password=True) is None
    assert "geheim" not in public_address(address)
    assert address_problem(public_address(address)) is None


@pytest.mark.parametrize("address", ["", "x", "sqlite://", "sqlite:///:memory:", "mysql://h/d", " sqlite:///a.db"])
def test_what_is_no_address(address: str) -> None:
    assert address_problem(address)


def changed(address: str) -> Callable[[dict[str, Any]], None]:
    return lambda data: data.update(store=address)


def test_path_in_the_study_file_is_relative_to_the_study(tmp_path: Path) -> None:
    study = load_study(write_small_study(tmp_path, changed("sqlite:///data/a.db")))
    assert study.store_url == f"sqlite:///{tmp_path.as_posix()}/data/a.db"
    assert load_study(tmp_path, "sqlite:///b.db").store_url == "sqlite:///b.db"


def test_wrong_address_in_the_study_file_is_told_with_its_place(tmp_path: Path) -> None:
    with pytest.raises(StudyError, match=r"study\.yaml:\d+:\d+: store: 'mysql' is not a supported database; write"):
        load_study(write_small_study(tmp_path, changed("mysql://host/study")))


def test_address_in_messages_does_not_say_who_is_connected() -> None:
    told = public_address("postgresql://ada@db/study?application_name=textassay+serve&sslmode=require")
    assert told == "postgresql://ada@db/study?sslmode=require"
