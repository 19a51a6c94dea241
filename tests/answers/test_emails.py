from __future__ import annotations

import hashlib
import hmac

import pytest
from hypothesis import given
from hypothesis import strategies as st

from textassay.answers.emails import email_domain, hash_email, is_plausible_email, normalise_email, stored_email


@pytest.mark.parametrize(
    "email",
    [
        "ada@uni-koeln.de",
        "Ada.Lovelace@cs.ox.ac.uk",
        "a.b+tag@gmail.com",
        "o'brien@tcd.ie",
        "müller@bücher.ch",  # RFC 6531 and IDN
        "ada@xn--bcher-kva.ch",
        "用户@例子.中国",
        "user_1@mail.example.museum.com",
        "x@x.org.uk",  # one letter, but at the domain of an organisation's country
        "  ada@uni-koeln.de\n",
        "ａｄａ@uni-koeln.de",  # full-width letters of an East Asian keyboard
        "test@uni-koeln.de",
        "ada@contest.de",
        "me@example.mydomain.de",
    ],
)
def test_can_be_real(email: str) -> None:
    assert is_plausible_email(email)


@pytest.mark.parametrize(
    "email",
    [
        "",
        "@",
        "ada",
        "ada@",
        "@uni-koeln.de",
        "ada@uni",
        "ada@localhost",
        "ada@127.0.0.1",
        "ada@@uni-koeln.de",
        "ada lovelace@uni-koeln.de",
        "ada@uni koeln.de",
        ".ada@uni-koeln.de",
        "ada.@uni-koeln.de",
        "a..da@uni-koeln.de",
        "ada@-koeln.de",
        "ada@koeln-.de",
        "ada@uni..de",
        "ada@uni.d",
        "ada@uni.de.",
        "a" * 65 + "@uni-koeln.de",
        "ada@" + "a" * 64 + ".de",
        "ada@" + "abc." * 70 + "de",
        "ada@uni-koeln.de, bob@uni-koeln.de",
        "\ud800@uni-koeln.de",
        "ada@\ud800.de",
    ],
)
def test_not_an_address(email: str) -> None:
    assert not is_plausible_email(email)


@pytest.mark.parametrize(
    "email",
    [
        "test@test.com",
        "TEST@TEST.DE",
        "me@example.org",
        "me@mail.example.com",
        "me@uni.test",
        "me@printer.local",
        "me@nowhere.invalid",
        "asdf@asdf.de",
        "bob@bob.com",
        "me@qwertz.de",
        "aaa@aaaa.de",
        "ada@mailinator.com",
        "ada@eu.mailinator.com",
        "ada@yopmail.com",
    ],
)
def test_well_formed_but_nobodys(email: str) -> None:
    assert not is_plausible_email(email)


@given(st.text(st.characters(exclude_categories=())))
def test_any_text_can_be_asked_about(text: str) -> None:
    assert is_plausible_email(text) in (True, False)
    assert len(hash_email(text, "key")) == 64


@pytest.mark.parametrize(
    "other",
    ["ADA@uni-koeln.de", " ada@Uni-Koeln.DE ", "ada+study@uni-koeln.de", "ada+@uni-koeln.de", "ａｄａ@uni-koeln.de"],
)
def test_one_person_has_one_hash(other: str) -> None:
    assert hash_email(other, "key") == hash_email("ada@uni-koeln.de", "key")


@pytest.mark.parametrize("other", ["a.da@uni-koeln.de", "ada@uni-koeln.com", "ada@uni-köln.de", "adaa@uni-koeln.de"])
def test_other_people_have_others(other: str) -> None:
    assert hash_email(other, "key") != hash_email("ada@uni-koeln.de", "key")


def test_hash_is_keyed_and_standard() -> None:
    # RFC 2104 over the normalised address, by the standard library
    expected = hmac.new(b"key", b"ada@uni-koeln.de", hashlib.sha256).hexdigest()
    assert hash_email("Ada@uni-koeln.de", "key") == expected
    assert hash_email("Ada@uni-koeln.de", "another") != expected


def test_normalised() -> None:
    assert normalise_email("A.D.A+x@GoogleMail.com") == "ada@gmail.com"
    assert normalise_email("+only@uni.de") == "+only@uni.de"
    assert normalise_email("No Address") == "no address"
    assert normalise_email("ada@BÜCHER.ch") == "ada@xn--bcher-kva.ch"
    assert email_domain("ada@BÜCHER.ch") == "xn--bcher-kva.ch"


def test_kept_form_holds_no_address() -> None:
    form = stored_email("ada@uni-koeln.de", "key", elsewhere=["../pilot"])
    assert form == {"hash": hash_email("ada@uni-koeln.de", "key"), "plausible": True, "elsewhere": ["../pilot"]}
    assert "ada" not in repr(form).replace(form["hash"], "")


@pytest.mark.parametrize(
    ("barred", "domain"),
    [
        (["uni-koeln.de"], "uni-koeln.de"),
        (["@Uni-Koeln.DE"], "uni-koeln.de"),
        (["koeln.de"], None),
        (["de"], "uni-koeln.de"),
    ],
)
def test_domain_is_kept_only_if_it_excludes(barred: list[str], domain: str | None) -> None:
    assert stored_email("ada@uni-koeln.de", "key", barred=barred).get("domain") == domain


def test_domain_that_only_ends_alike_is_not_barred() -> None:
    assert "domain" not in stored_email("ada@nouni-koeln.de", "key", barred=["uni-koeln.de"])
    assert stored_email("ada@uni-koeln.de", "key", barred=["@Uni-Koeln.de"])["domain"] == "uni-koeln.de"


def test_subdomain_of_a_barred_domain_is_barred() -> None:
    assert stored_email("ada@cs.bücher.ch", "key", barred=["BÜCHER.ch"])["domain"] == "cs.xn--bcher-kva.ch"
