"""The table through sessions of its tenants: AWS itself refuses what is not the tenant's.

Beside `storage.tenant`, whose check every request passes first, this one is not made by our code: the session
a request is signed with may touch its tenant's partitions only (`storage.dynamodb.sessions`), and the
function's own role none at all. A session costs a request to STS per tenant, in each execution
environment, every 13 minutes.
"""

from __future__ import annotations

import json
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

import boto3
import botocore.session
from botocore.config import Config
from botocore.credentials import CredentialProvider, Credentials, ReadOnlyCredentials
from botocore.exceptions import BotoCoreError, ClientError

from storage import keys
from storage.dynamodb.table import DynamoTable, client_config
from storage.dynamodb.timeouts import Patience
from storage.errors import StorageError, StorageMisconfigured, StorageUnavailable, StorageUnreachable
from storage.keys import TenantId
from storage.table import Action, Delete, Item, Key, Page, Put, Query, Table, Update
from storage.tenant import Tables, TenantTable

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
"""No Scan: it names no key, and reads everybody's."""
KEY_USES = ("kms:Decrypt", "kms:DescribeKey", "kms:Encrypt", "kms:GenerateDataKey", "kms:ReEncrypt*")


def session_policy(tenant: TenantId, *, table_arn: str) -> str:
    """The policy of the tenant's sessions, as JSON: its own partitions, of the table and of the indexes that
    list by user and tenant.
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
    """Holds where a request names partitions, and all of them are the tenant's."""
    # "For all values" holds for none as well: a request that names no partition has to be refused by itself.
    return {
        "ForAllValues:StringLike": {"dynamodb:LeadingKeys": f"{keys.tenant_prefix(tenant)}*"},
        "Null": {"dynamodb:LeadingKeys": "false"},
    }


LIFETIME_S = 900
"""The shortest there is."""
RENEWED_BEFORE_S = 120
MOST_TENANTS = 1_000
_LONGEST_NAME = 64

_acting: ContextVar[TenantId] = ContextVar("acting")


class StsClient(Protocol):
    """What is used of boto3's client for STS."""

    @property
    def meta(self) -> Any:
        """Tells its region."""

    def assume_role(self, **arguments: Any) -> Mapping[str, Any]:
        """A session of a role."""


class Session(NamedTuple):
    """Credentials of one tenant, and the second (of the Unix clock) they end at."""

    credentials: ReadOnlyCredentials
    ends_at: float


class Sessions:
    """Every tenant's session, begun when it is needed, renewed before it ends.

    Of the tenants beyond ``most`` the one that asked longest ago is forgotten. Threads wait for each other
    only where they ask for the same tenant.
    """

    def __init__(
        self,
        begin: Callable[[TenantId], Session],
        *,
        now: Callable[[], float] = time.time,
        most: int = MOST_TENANTS,
    ) -> None:
        self._begin = begin
        self._now = now
        self._most = most
        self._places: OrderedDict[TenantId, _Place] = OrderedDict()
        self._lock = threading.Lock()

    def of(self, tenant: TenantId) -> ReadOnlyCredentials:
        """The tenant's credentials, good for two minutes at least.

        Raises:
            StorageUnavailable: none could be had; those of an earlier session go on until their end.
        """
        place = self._place(tenant)
        if self._is_good(place, RENEWED_BEFORE_S):
            return place.session.credentials
        with place.lock:
            if not self._is_good(place, RENEWED_BEFORE_S):
                self._renew(place, tenant)
            return place.session.credentials

    def _renew(self, place: _Place, tenant: TenantId) -> None:
        try:
            place.session = self._begin(tenant)
        except StorageUnavailable:
            if not self._is_good(place, 0):
                raise

    def _is_good(self, place: _Place, left_s: float) -> bool:
        return self._now() < place.session.ends_at - left_s

    def _place(self, tenant: TenantId) -> _Place:
        with self._lock:
            place = self._places.setdefault(tenant, _Place())
            self._places.move_to_end(tenant)
            if len(self._places) > self._most:
                self._places.popitem(last=False)
            return place


class _Place:
    """Where one tenant's session is kept."""

    def __init__(self) -> None:
        self.session = Session(ReadOnlyCredentials("", "", None), 0)
        self.lock = threading.Lock()


class SessionTables(Tables):
    """Any tenant's table, each asked for in that tenant's session.

    ``shared`` signs its requests as `acting` says; ``own`` makes the table as the function's own role sees
    it: of all functions only the sweep's has any use of that.
    """

    def __init__(self, shared: Table, *, own: Callable[[], Table]) -> None:
        self._shared = shared
        self._make_own = own
        self._own: Table | None = None

    def for_tenant(self, tenant: TenantId) -> TenantTable:
        return TenantTable(_SessionTable(self._shared, tenant), tenant)

    @property
    def across_tenants(self) -> Table:
        """The table of all, for the sweep and nobody else."""
        if self._own is None:
            self._own = self._make_own()
        return self._own


class _SessionTable:
    """A `storage.table.Table` whose requests are signed as the tenant's."""

    def __init__(self, shared: Table, tenant: TenantId) -> None:
        self._shared = shared
        self._tenant = tenant

    def get(self, key: Key, *, consistent: bool = True) -> Item | None:
        with acting(self._tenant):
            return self._shared.get(key, consistent=consistent)

    def query(self, query: Query) -> Page:
        with acting(self._tenant):
            return self._shared.query(query)

    def put(self, put: Put) -> None:
        with acting(self._tenant):
            self._shared.put(put)

    def update(self, update: Update) -> Item:
        with acting(self._tenant):
            return self._shared.update(update)

    def delete(self, delete: Delete) -> None:
        with acting(self._tenant):
            self._shared.delete(delete)

    def transact(self, actions: Sequence[Action]) -> None:
        with acting(self._tenant):
            self._shared.transact(actions)

    def batch_delete(self, keys: Sequence[Key]) -> None:
        with acting(self._tenant):
            self._shared.batch_delete(keys)


@contextmanager
def acting(tenant: TenantId) -> Iterator[None]:
    """Within the block this thread's requests are the tenant's."""
    token = _acting.set(tenant)
    try:
        yield
    finally:
        _acting.reset(token)


def open_sessions(name: str, role_arn: str, patience: Patience) -> DynamoTable:
    """The table of that name, for all tenants' sessions: they share a client and its connections, what
    differs is the signature.
    """
    sessions = Sessions(partial(assume, make_sts_client(patience), role_arn, name))
    return DynamoTable(make_acting_client(sessions, patience), name, retry_for_s=patience.retry_for_s)


def assume(client: StsClient, role_arn: str, table: str, tenant: TenantId) -> Session:
    """A new session of the tenant.

    Raises:
        StorageUnreachable: nobody answers, or with errors of their own.
        StorageUnavailable: STS has too much to do.
        StorageMisconfigured: this function may not have such a session.
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
    return Session(credentials, given["Expiration"].timestamp())


def _error_of(answer: Mapping[str, Any]) -> StorageError:
    if answer.get("ResponseMetadata", {}).get("HTTPStatusCode", 0) >= 500:
        return StorageUnreachable("STS fails")
    if "Throttl" in str(answer.get("Error", {}).get("Code")):
        return StorageUnavailable("STS begins no more sessions now")
    return StorageMisconfigured("STS refuses to begin a session")


def make_sts_client(patience: Patience) -> StsClient:
    """STS as the function itself asks it: as patiently as the table."""
    client: StsClient = boto3.client(
        "sts",
        config=Config(
            retries={"mode": "standard", "total_max_attempts": patience.attempts},
            connect_timeout=patience.connect_timeout_s,
            read_timeout=patience.timeout_s,
        ),
    )
    return client


def make_acting_client(sessions: Sessions, patience: Patience) -> DynamoDBClient:
    """A client that signs each request in the session of the tenant `acting` names; without one it sends
    nothing.
    """
    session = botocore.session.get_session()
    session.get_component("credential_provider").insert_before("env", _ActingProvider(sessions))
    return boto3.Session(botocore_session=session).client("dynamodb", config=client_config(patience))


class _ActingProvider(CredentialProvider):
    METHOD = CANONICAL_NAME = "acting"

    def __init__(self, sessions: Sessions) -> None:
        super().__init__()
        self._sessions = sessions

    def load(self) -> Credentials:
        return _ActingCredentials(self._sessions)


class _ActingCredentials(Credentials):
    """botocore asks for them each time it signs a request, in the thread that sends it."""

    def __init__(self, sessions: Sessions) -> None:
        super().__init__("", "", method=_ActingProvider.METHOD)
        self._sessions = sessions

    def get_frozen_credentials(self) -> ReadOnlyCredentials:
        return self._sessions.of(_acting.get())
