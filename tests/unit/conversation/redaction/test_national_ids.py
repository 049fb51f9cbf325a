"""Numbers by which a state knows a person are found, and numbers that only look like them are not."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from conversation.messages.items import message_from_item, message_id, message_to_item
from conversation.messages.models import Message, Role
from conversation.redaction.kinds import SecretKind
from conversation.redaction.masking import find_secrets, mask
from storage.keys import TenantId

NUMBERS = {
    "United States": "my social security number is §536-22-1234",
    "United States, spaced": "ssn: §536 22 1234",
    "United States, plain": "SSN §536221234, thanks",
    "United States, taxpayer": "his ITIN §912-70-1234",
    "Canada": "my SIN is §046 454 286",
    "United Kingdom": "NI number §AB 12 34 56 C",
    "United Kingdom, lower case": "nino §ab123456c",
    "Ireland": "PPS number §1234567T",
    "Germany, tax": "meine Steuer-ID lautet §86 095 742 719",
    "Germany, pension": "Rentenversicherungsnummer §15070649C103",
    "Austria": "SVNR §1237 010180",
    "Switzerland": "AHV §756.9217.0769.85",
    "France": "numéro de sécu §2 55 08 14 168 025 38",
    "Belgium": "mijn nummer is §85.07.30-033.28",
    "Netherlands": "BSN §111222333",
    "Spain": "DNI §12345678Z",
    "Spain, foreigners": "NIE §X1234567L",
    "Portugal": "NIF §123456789",
    "Italy": "codice fiscale §RSSMRA85T10A562S",
    "Poland": "PESEL §44051401359",
    "Sweden": "born as §811218-9876",
    "Norway": "fødselsnummer §01010750160",
    "Denmark": "CPR §070761-4285",
    "Finland": "hetu §131052-308T",
    "Brazil": "CPF §111.444.777-35",
    "Mexico": "CURP §HEGG560427MVZRRL04",
    "India": "Aadhaar §2341 2341 2346",
    "India, tax": "PAN §ABCPE1234F",
    "China": "id §11010519491231002X",
    "Korea": "resident number §900101-1234567",
    "Japan": "my number §1234 5678 9018",
    "Singapore": "NRIC §S1234567D",
    "Australia": "TFN §123 456 782",
    "Türkiye": "TC kimlik §10000000146",
    "South Africa": "ID number §8001015009087",
}
OTHERS = {
    "a phone number": "call 555-123-4567",
    "an order": "order 536-22-1234 has shipped",
    "a group that is never given": "my ssn is 536-00-1234",
    "an area that is never given": "my ssn is 666-22-1234",
    "a date": "from 2026-03-04 to 2026-04-05",
    "a wrong letter": "DNI 12345678A",
    "a wrong check digit": "PESEL 44051401358",
    "another wrong check digit": "my SIN is 046 454 287",
    "a plain number": "there are 111222333 rows and 86095742719 bytes",
    "a version": "upgrade to 756.9217.0769.86",
    "an amount": "1.234.567,89 euros",
    "within a word": "build x536-22-12345",
    "the letter that grows": "stra\u00dfe stra\u00dfe 12345678 Zebra",
}


@pytest.mark.parametrize("country", NUMBERS)
def test_a_persons_number_is_found(country: str) -> None:
    before, _, number = NUMBERS[country].partition("§")
    text = before + number
    (found,) = find_secrets(text)

    assert found.kind is SecretKind.NATIONAL_ID
    assert text[found.start : found.end] == number.removesuffix(", thanks")


@pytest.mark.parametrize("country", NUMBERS)
@pytest.mark.parametrize(
    ("before", "behind"),
    [
        ("task 0b6ad5ba-7d34-4ed0-9a47-5a4f7b0dd7c1: ", ""),
        ("", " in 0b6ad5ba7d344ed09a475a4f7b0dd7c1"),
        ("", ".see-the-file-of-last-week-for-more"),
    ],
)
def test_a_long_id_does_not_hide_a_persons_number(country: str, before: str, behind: str) -> None:
    text = before + NUMBERS[country].replace("§", "").removesuffix(", thanks") + behind
    assert "[national_id]" in mask(text)


@pytest.mark.parametrize("what", OTHERS)
def test_what_only_looks_like_one_stays(what: str) -> None:
    assert mask(OTHERS[what]) == OTHERS[what]


@pytest.mark.parametrize(
    "text",
    [
        "AKIAIOSFODNN7EXAMPLE and wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY.",
        "AKIAIOSFODNN7EXAMPLE,wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY",
        "use wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY=\nwith AKIAIOSFODNN7EXAMPLE",
        "aws configure: AKIAIOSFODNN7EXAMPLE\nthen -wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY-",
    ],
)
def test_the_secret_beside_an_access_key_id_is_found(text: str) -> None:
    masked = mask(text)

    assert "wJalr" not in masked
    assert "EXAMPLE" not in masked


def test_a_hash_beside_an_access_key_id_is_none() -> None:
    commit = "3f786850e387550fdab836ed7e6dc881de23001b"

    assert commit in mask(f"AKIAIOSFODNN7EXAMPLE leaked in {commit}")


def test_a_kind_that_the_version_before_does_not_know_is_stored_apart() -> None:
    stored = Message(
        id=message_id("0" * 32 + ".01ARZ3NDEKTSV4RRFFQ69G5FAV", Role.USER, 1),
        conversation_id="0" * 32,
        sequence=1,
        role=Role.USER,
        content="ssn 536-22-1234, card 4111 1111 1111 1111",
        created_at=datetime(2026, 3, 4, tzinfo=UTC),
        turn_id="0" * 32 + ".01ARZ3NDEKTSV4RRFFQ69G5FAV",
        tokens=9,
    )
    item = message_to_item(TenantId("acme"), stored)

    assert item["has"] == ["card"]
    assert set(message_from_item(item).contains) == {"card", "national_id"}
