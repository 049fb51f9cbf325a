"""Keys keep tenants, users and items apart whatever their names are."""

from __future__ import annotations

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from storage import keys
from storage.keys import InvalidIdentity, TenantId

TENANTS = st.from_regex(r"[A-Za-z0-9][A-Za-z0-9_-]{0,12}", fullmatch=True).map(keys.parse_tenant)
USERS = st.text(min_size=1, max_size=60).filter(lambda name: name.isprintable() and name.strip() != "")


@pytest.mark.parametrize("claim", ["acme", "A", "0", "acme-eu", "a_b", "x" * 128])
def test_a_tenant_is_up_to_128_letters_digits_dashes_and_underscores(claim: str) -> None:
    assert keys.parse_tenant(claim) == claim


@pytest.mark.parametrize(
    "claim",
    ["", "-a", "_a", "a#b", "a b", "a\n", "é", "a.b", "a/b", "x" * 129, None, 1, ["acme"], b"acme", "T#a#"],
    ids=repr,
)
def test_any_other_tenant_is_refused(claim: object) -> None:
    with pytest.raises(InvalidIdentity):
        keys.parse_tenant(claim)


@pytest.mark.parametrize("claim", ["maya", "auth0|123", "maya@example.com", "日本 太郎", "a#b%2F", "x" * 255])
def test_a_user_keeps_the_name_its_identity_provider_gave(claim: str) -> None:
    assert keys.parse_user(claim) == claim


@pytest.mark.parametrize("claim", ["", "  ", "a\nb", "a\x00", "\ud800", "é" * 128, None, 7], ids=repr)
def test_a_user_without_a_usable_name_is_refused(claim: object) -> None:
    with pytest.raises(InvalidIdentity):
        keys.parse_user(claim)


@given(USERS)
def test_a_user_is_found_again_in_a_key_and_never_brings_a_delimiter(user: str) -> None:
    encoded = keys.encode_user(user)
    assert keys.decode_user(encoded) == user
    assert "#" not in encoded
    assert encoded.isascii()


@given(TENANTS, TENANTS, USERS)
def test_no_partition_of_a_tenant_begins_with_the_prefix_of_another(
    one: TenantId, other: TenantId, user: str
) -> None:
    partitions = [
        keys.conversation(one, "c"),
        keys.by_user(one, user),
        keys.by_tenant(one),
        keys.workspace(one),
        keys.agent(one, "a").partition,
        keys.runs(one, user),
        keys.examples(one),
    ]
    assert all(partition.startswith(keys.tenant_prefix(one)) for partition in partitions)
    assert one == other or not any(
        partition.startswith(keys.tenant_prefix(other)) for partition in partitions
    )


def test_messages_sort_by_their_sequence() -> None:
    sorts = [keys.message(TenantId("a"), "c", sequence).sort for sequence in (1, 9, 10, 999_999, 10**11)]
    assert sorts == sorted(sorts)
    assert [keys.message_sequence(sort) for sort in sorts] == [1, 9, 10, 999_999, 10**11]


def test_conversations_due_on_a_day_spread_over_its_shards() -> None:
    partitions = {keys.due(date(2026, 1, 2), f"{number:032x}") for number in range(500)}
    assert partitions == {f"DUE#2026-01-02#{shard}" for shard in range(keys.DUE_SHARDS)}
