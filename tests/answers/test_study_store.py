from __future__ import annotations

from pathlib import Path

from textassay.answers.store import Store
from textassay.answers.study_store import existing_store, has_store
from textassay.study.study import Study


def test_looking_makes_no_store(study: Study) -> None:
    assert not has_store(study)
    with existing_store(study) as store:
        assert store is None
    assert not has_store(study)


def test_store_in_the_study_directory(study: Study) -> None:
    with Store.open(study.store_url) as store:
        secret = store.secret("join")
    assert has_store(study)
    with existing_store(study) as found:
        assert found is not None
        assert found.secret("join") == secret


def test_store_elsewhere(study: Study, tmp_path: Path) -> None:
    url = f"sqlite:///{(tmp_path / 'elsewhere.db').as_posix()}"
    with existing_store(study, url) as found:
        assert found is not None
    assert not has_store(study)
