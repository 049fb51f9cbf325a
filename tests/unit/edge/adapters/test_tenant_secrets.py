"""Tenants' secrets: each tenant's own, cached for a while, and never another's."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import boto3
import pytest
from botocore.stub import Stubber

from edge.adapters.tenant_secrets import MAX_AGE_S, SecretsManagerSecrets, open_tenant_secrets
from edge.environment import SettingsInvalid
from local.settings import SECRETS_FILE, SecretInvalid, store_secret
from storage.keys import TenantId
from tests.fakes.run.clocks import ManualClock

ACME, GLOBEX = TenantId("acme"), TenantId("globex")


@pytest.fixture
def manager() -> Iterator[tuple[Any, Stubber]]:
    client = boto3.client(
        "secretsmanager", region_name="eu-west-1", aws_access_key_id="x", aws_secret_access_key="x"
    )
    with Stubber(client) as stub:
        yield client, stub
        stub.assert_no_pending_responses()


def secret_value(value: str) -> dict[str, Any]:
    return {"SecretString": value, "Name": "n", "ARN": "arn:aws:secretsmanager:eu-west-1:0:secret:n"}


def test_a_secret_is_read_by_tenant_and_name_and_again_after_five_minutes(
    manager: tuple[Any, Stubber],
) -> None:
    client, stub = manager
    clock = ManualClock()
    secrets = SecretsManagerSecrets(lambda: client, "omniforge/prod", clock=clock)
    for value in ("old", "new"):
        stub.add_response("get_secret_value", secret_value(value), {"SecretId": "omniforge/prod/acme/notion"})

    assert [secrets.get(ACME, "notion"), secrets.get(ACME, "notion")] == ["old", "old"]
    clock.advance(MAX_AGE_S)
    assert secrets.get(ACME, "notion") == "new"


@pytest.mark.parametrize("code", ["ResourceNotFoundException", "AccessDeniedException"])
def test_what_can_not_be_read_is_not_there(manager: tuple[Any, Stubber], code: str) -> None:
    client, stub = manager
    stub.add_client_error("get_secret_value", code)

    assert (
        SecretsManagerSecrets(lambda: client, "omniforge/prod", clock=ManualClock()).get(ACME, "notion")
        is None
    )


def test_a_name_never_reaches_into_another_tenants_secrets(manager: tuple[Any, Stubber]) -> None:
    client, _ = manager
    secrets = SecretsManagerSecrets(lambda: client, "omniforge/prod", clock=ManualClock())

    assert secrets.get(ACME, "../globex/notion") is None


def test_the_twin_keeps_secrets_in_a_file_only_its_owner_reads(tmp_path: Path) -> None:
    store_secret(tmp_path, tenant="acme", name="notion", value="one")
    store_secret(tmp_path, tenant="acme", name="crm", value="two")
    store_secret(tmp_path, tenant="acme", name="notion", value="three")
    secrets = open_tenant_secrets(f"file://{tmp_path / SECRETS_FILE}", clock=ManualClock())

    assert (tmp_path / SECRETS_FILE).stat().st_mode & 0o777 == 0o600
    assert [secrets.get(ACME, "notion"), secrets.get(ACME, "crm")] == ["three", "two"]
    assert secrets.get(GLOBEX, "notion") is None


def test_an_empty_value_removes_a_secret_of_the_twin(tmp_path: Path) -> None:
    store_secret(tmp_path, tenant="acme", name="notion", value="one")
    store_secret(tmp_path, tenant="acme", name="notion", value="")
    secrets = open_tenant_secrets(f"file://{tmp_path / SECRETS_FILE}", clock=ManualClock())

    assert secrets.get(ACME, "notion") is None


@pytest.mark.parametrize(("tenant", "name"), [("a/b", "notion"), ("acme", "../x"), ("acme", "")])
def test_a_secret_no_tenant_could_ask_for_is_refused(tmp_path: Path, tenant: str, name: str) -> None:
    with pytest.raises(SecretInvalid):
        store_secret(tmp_path, tenant=tenant, name=name, value="x")


def test_a_broken_file_and_no_place_at_all_hold_no_secrets(tmp_path: Path) -> None:
    (tmp_path / SECRETS_FILE).write_text("[1")

    assert (
        open_tenant_secrets(f"file://{tmp_path / SECRETS_FILE}", clock=ManualClock()).get(ACME, "x") is None
    )
    assert open_tenant_secrets(None, clock=ManualClock()).get(ACME, "x") is None


def test_a_setting_that_names_no_place_is_refused() -> None:
    with pytest.raises(SettingsInvalid):
        open_tenant_secrets("omniforge//x y", clock=ManualClock())


def test_our_own_secret_is_made_once_in_secrets_manager(manager: tuple[Any, Stubber]) -> None:
    client, stub = manager
    place = "omniforge/prod/acme/+key"
    secrets = SecretsManagerSecrets(lambda: client, "omniforge/prod", clock=ManualClock())
    stub.add_client_error("get_secret_value", "ResourceNotFoundException")
    made = {"Name": place, "SecretString": "first"}
    stub.add_response("create_secret", {"Name": place}, made)
    stub.add_response("get_secret_value", secret_value("first"), {"SecretId": place})

    assert secrets.get_own(ACME, "key", lambda: "first") == "first"
    assert secrets.get_own(ACME, "key", lambda: "second") == "first"


def test_of_two_that_make_our_own_secret_both_get_the_stored_one(manager: tuple[Any, Stubber]) -> None:
    client, stub = manager
    secrets = SecretsManagerSecrets(lambda: client, "omniforge/prod", clock=ManualClock())
    stub.add_client_error("get_secret_value", "ResourceNotFoundException")
    stub.add_client_error("create_secret", "ResourceExistsException")
    stub.add_response("get_secret_value", secret_value("theirs"), {"SecretId": "omniforge/prod/acme/+key"})

    assert secrets.get_own(ACME, "key", lambda: "mine") == "theirs"


def test_our_own_secret_that_may_not_be_made_is_none(manager: tuple[Any, Stubber]) -> None:
    client, stub = manager
    secrets = SecretsManagerSecrets(lambda: client, "omniforge/prod", clock=ManualClock())
    stub.add_client_error("get_secret_value", "ResourceNotFoundException")
    stub.add_client_error("create_secret", "AccessDeniedException")

    assert secrets.get_own(ACME, "key", lambda: "mine") is None


def test_our_own_secret_in_the_file_is_no_skills(tmp_path: Path) -> None:
    secrets = open_tenant_secrets(f"file://{tmp_path}/{SECRETS_FILE}", clock=ManualClock())
    store_secret(tmp_path, tenant="acme", name="key", value="a skill's")

    assert secrets.get_own(ACME, "key", lambda: "ours") == "ours"
    assert secrets.get_own(ACME, "key", lambda: "another") == "ours"
    assert secrets.get_own(GLOBEX, "key", lambda: "theirs") == "theirs"
    assert secrets.get(ACME, "key") == "a skill's"
    assert secrets.get(ACME, "+key") is None
    store_secret(tmp_path, tenant="acme", name="other", value="x")
    assert secrets.get_own(ACME, "key", lambda: "another") == "ours"
