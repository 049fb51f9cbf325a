"""Tenant tables whose requests are signed with a session of the tenant, so that AWS enforces the isolation.

`storage.tenant_table` checks every request first, in our own code. Independently of it, the policy of a
session allows its tenant's partitions only, and the function's own role allows none at all. The cost is one
request to STS per tenant and execution environment every 13 minutes.
"""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from botocore.config import Config
from botocore.credentials import CredentialProvider, Credentials, ReadOnlyCredentials
from botocore.exceptions import BotoCoreError, ClientError

from resilience.cache import Cache
from storage import keys
from storage.dynamodb.client_session import open_session
from storage.dynamodb.table import DynamoTable, client_config
from storage.dynamodb.timeouts import RequestTimeouts
from storage.errors import StorageError, StorageMisconfigured, StorageUnavailable, StorageUnreachable
from storage.keys import TenantId
from storage.table import Action, Delete, Item, Key, Page, Put, Query, Table, Update
from storage.tenant_table import Tables, TenantTable

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient


ITEM_ACTIONS = (
    "dynamodb:BatchWriteItem",
    "dynamodb:ConditionCheckItem",
    "dynamodb:DeleteItem",
    "dynamodb:GetItem",
    "dynamodb:PutItem",
    "dynamodb:Query",
    "dynamodb:UpdateItem",
)
"""No Scan: it names no key and reads all tenants' items."""
KEY_USES = ("kms:Decrypt", "kms:DescribeKey", "kms:Encrypt", "kms:GenerateDataKey", "kms:ReEncrypt*")


def session_policy(tenant: TenantId, *, table_arn: str) -> str:
    """The IAM policy of the tenant's sessions, as JSON.

    It allows the tenant's own partitions of the table, and of the indexes that list by user and by tenant.
    """
    own = _partitions(tenant)
    statements = [
        {"Effect": "Allow", "Action": list(ITEM_ACTIONS), "Resource": table_arn, "Condition": own},
        {
            "Effect": "Allow",
            "Action": "dynamodb:Query",
            "Resource": [f"{table_arn}/index/{index.name}" for index in (keys.BY_USER, keys.BY_TENANT)],
            "Condition": own,
        },
        {
            "Effect": "Allow",
            "Action": list(KEY_USES),
            "Resource": "*",
            "Condition": {"StringLike": {"kms:ViaService": "dynamodb.*"}},
        },
    ]
    return json.dumps({"Version": "2012-10-17", "Statement": statements}, separators=(",", ":"))


def _partitions(tenant: TenantId) -> dict[str, Any]:
    """The policy condition that a request names partitions and all of them are the tenant's."""
    # ForAllValues also holds for an empty list: "Null" refuses a request that names no partition.
    return {
        "ForAllValues:StringLike": {"dynamodb:LeadingKeys": f"{keys.tenant_prefix(tenant)}*"},
        "Null": {"dynamodb:LeadingKeys": "false"},
    }


LIFETIME_S = 900
"""The shortest that STS allows."""
RENEW_BEFORE_S = 120
MAX_TENANTS = 1_000
_LONGEST_NAME = 64

_acting: ContextVar[TenantId] = ContextVar("acting")


class StsClient(Protocol):
    """The part of boto3's STS client that is used."""

    @property
    def meta(self) -> Any:
        """Metadata of the client, including its region."""

    def assume_role(self, **arguments: Any) -> Mapping[str, Any]:
        """A session of a role."""


class TenantSession(NamedTuple):
    """Credentials of one tenant, and when they expire (Unix time in seconds)."""

    credentials: ReadOnlyCredentials
    expires_at: float


class TenantSessions:
    """A cache of tenant sessions, which are created on demand and renewed before they expire.

    Holds at most ``most`` tenants and evicts the least recently used one. Threads wait for each other only
    when they ask for the same tenant.
    """

    def __init__(
        self,
        begin: Callable[[TenantId], TenantSession],
        *,
        now: Callable[[], float] = time.time,
        most: int = MAX_TENANTS,
    ) -> None:
        self._begin = begin
        self._now = now
        self._places = Cache[TenantId, _Place](most)

    def credentials_for(self, tenant: TenantId) -> ReadOnlyCredentials:
        """The tenant's credentials, valid for two more minutes at least.

        When renewal fails, the current credentials are used until they expire.

        Raises:
            StorageUnavailable: there are no valid credentials and none could be obtained.
        """
        place = self._places.get_or_put(tenant, _Place)
        if self._is_good(place, RENEW_BEFORE_S):
            return place.session.credentials
        with place.lock:
            if not self._is_good(place, RENEW_BEFORE_S):
                self._renew(place, tenant)
            return place.session.credentials

    def _renew(self, place: _Place, tenant: TenantId) -> None:
        try:
            place.session = self._begin(tenant)
        except StorageUnavailable:
            if not self._is_good(place, 0):
                raise

    def _is_good(self, place: _Place, left_s: float) -> bool:
        return self._now() < place.session.expires_at - left_s


class _Place:
    """The cache entry of one tenant's session."""

    def __init__(self) -> None:
        self.session = TenantSession(ReadOnlyCredentials("", "", None), 0)
        self.lock = threading.Lock()


class SessionTables(Tables):
    """Any tenant's table; its requests are signed with that tenant's session.

    ``shared`` signs each request for the tenant that `acting_as` sets. ``own`` makes the table with the
    function's own role, which only the sweep's function uses.
    """

    def __init__(self, shared: Table, *, own: Callable[[], Table]) -> None:
        self._shared = shared
        self._make_own = own
        self._own: Table | None = None

    def for_tenant(self, tenant: TenantId) -> TenantTable:
        return TenantTable(_SessionTable(self._shared, tenant), tenant)

    @property
    def across_tenants(self) -> Table:
        """The unrestricted table; only for the retention sweep."""
        if self._own is None:
            self._own = self._make_own()
        return self._own


class _SessionTable:
    """A `storage.table.Table` whose requests are signed with the tenant's session."""

    def __init__(self, shared: Table, tenant: TenantId) -> None:
        self._shared = shared
        self._tenant = tenant

    def get(self, key: Key, *, consistent: bool = True) -> Item | None:
        with acting_as(self._tenant):
            return self._shared.get(key, consistent=consistent)

    def query(self, query: Query) -> Page:
        with acting_as(self._tenant):
            return self._shared.query(query)

    def put(self, put: Put) -> None:
        with acting_as(self._tenant):
            self._shared.put(put)

    def update(self, update: Update) -> Item:
        with acting_as(self._tenant):
            return self._shared.update(update)

    def delete(self, delete: Delete) -> None:
        with acting_as(self._tenant):
            self._shared.delete(delete)

    def transact(self, actions: Sequence[Action]) -> None:
        with acting_as(self._tenant):
            self._shared.transact(actions)

    def batch_delete(self, keys: Sequence[Key]) -> None:
        with acting_as(self._tenant):
            self._shared.batch_delete(keys)


@contextmanager
def acting_as(tenant: TenantId) -> Iterator[None]:
    """A context manager: requests inside the block are signed for this tenant (per thread)."""
    token = _acting.set(tenant)
    try:
        yield
    finally:
        _acting.reset(token)


def open_sessions(name: str, role_arn: str, timeouts: RequestTimeouts) -> DynamoTable:
    """The DynamoDB table of that name, shared by all tenants' sessions.

    The tenants share one client and its connections; only the signatures differ.
    """
    sessions = TenantSessions(partial(assume_tenant_role, make_sts_client(timeouts), role_arn, name))
    return DynamoTable(make_session_client(sessions, timeouts), name, retry_for_s=timeouts.retry_for_s)


def assume_tenant_role(client: StsClient, role_arn: str, table: str, tenant: TenantId) -> TenantSession:
    """A new session of the tenant.

    Raises:
        StorageUnreachable: STS does not answer, or answers with server errors.
        StorageUnavailable: STS throttles.
        StorageMisconfigured: this function may not assume the role.
    """
    _, partition, _, _, account, _ = role_arn.split(":", 5)
    table_arn = f"arn:{partition}:dynamodb:{client.meta.region_name}:{account}:table/{table}"
    try:
        answer = client.assume_role(
            RoleArn=role_arn,
            RoleSessionName=f"t-{tenant}"[:_LONGEST_NAME],
            DurationSeconds=LIFETIME_S,
            Policy=session_policy(tenant, table_arn=table_arn),
        )
    except ClientError as error:
        raise _error_of(error.response) from error
    except BotoCoreError as error:
        raise StorageUnreachable("STS is out of reach") from error
    given = answer["Credentials"]
    credentials = ReadOnlyCredentials(given["AccessKeyId"], given["SecretAccessKey"], given["SessionToken"])
    return TenantSession(credentials, given["Expiration"].timestamp())


def _error_of(answer: Mapping[str, Any]) -> StorageError:
    if answer.get("ResponseMetadata", {}).get("HTTPStatusCode", 0) >= 500:
        return StorageUnreachable("STS fails")
    if "Throttl" in str(answer.get("Error", {}).get("Code")):
        return StorageUnavailable("STS begins no more sessions now")
    return StorageMisconfigured("STS refuses to begin a session")


def make_sts_client(timeouts: RequestTimeouts) -> StsClient:
    """An STS client with the function's own credentials and the same timeouts and retries as the table."""
    session = open_session()
    client: StsClient = session.create_client(
        "sts",
        config=Config(
            retries={"mode": "standard", "total_max_attempts": timeouts.attempts},
            connect_timeout=timeouts.connect_timeout_s,
            read_timeout=timeouts.timeout_s,
        ),
    )
    return client


def make_session_client(sessions: TenantSessions, timeouts: RequestTimeouts) -> DynamoDBClient:
    """A client that signs each request with the session of the tenant that `acting_as` sets.

    Outside of an `acting_as` block it sends nothing.
    """
    session = open_session()
    session.get_component("credential_provider").insert_before("env", _ActingProvider(sessions))
    client: DynamoDBClient = session.create_client("dynamodb", config=client_config(timeouts))
    return client


class _ActingProvider(CredentialProvider):
    METHOD = CANONICAL_NAME = "acting"

    def __init__(self, sessions: TenantSessions) -> None:
        super().__init__()
        self._sessions = sessions

    def load(self) -> Credentials:
        return _ActingCredentials(self._sessions)


class _ActingCredentials(Credentials):
    """Credentials that botocore reads each time it signs a request, in the thread that sends it."""

    def __init__(self, sessions: TenantSessions) -> None:
        super().__init__("", "", method=_ActingProvider.METHOD)
        self._sessions = sessions

    def get_frozen_credentials(self) -> ReadOnlyCredentials:
        return self._sessions.credentials_for(_acting.get())
