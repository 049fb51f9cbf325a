from __future__ import annotations

import os

import botocore.session
import pytest
from botocore.exceptions import UnknownServiceError

from storage.dynamodb.client_session import SERVICES, open_session


@pytest.mark.parametrize("service", SERVICES)
def test_a_session_makes_the_client_that_botocore_makes(service: str) -> None:
    ours, theirs = (
        session.create_client(service, region_name="eu-west-1")
        for session in (open_session(), botocore.session.get_session())
    )
    assert ours.meta.endpoint_url == theirs.meta.endpoint_url
    assert ours.meta.method_to_api_mapping == theirs.meta.method_to_api_mapping


def test_a_session_knows_no_other_service() -> None:
    with pytest.raises(UnknownServiceError):
        open_session().create_client("s3", region_name="eu-west-1")


def test_a_session_looks_into_the_folders_of_its_services_only(monkeypatch: pytest.MonkeyPatch) -> None:
    looked: list[str] = []
    look = os.listdir

    def listdir(folder: str) -> list[str]:
        looked.append(folder)
        return look(folder)

    monkeypatch.setattr("botocore.loaders.os.listdir", listdir)
    open_session().create_client("dynamodb", region_name="eu-west-1")
    assert {folder.rpartition("/")[2] for folder in looked} == {"dynamodb"}
