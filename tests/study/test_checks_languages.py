from __future__ import annotations

from textassay.serve.messages import languages
from textassay.study.checks import interface_languages


def test_the_pages_speak_what_the_server_has_words_for() -> None:
    assert interface_languages() == languages()
    assert {"de", "en"} <= set(interface_languages())
