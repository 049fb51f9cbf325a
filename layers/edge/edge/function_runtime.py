"""What every function is composed from: its settings, clock, tables and log."""

from __future__ import annotations

from typing import NamedTuple

from conversation.clock import Clock, open_clock
from edge.observability import RequestLog, open_request_log
from edge.settings import Settings
from storage.factory import open_tables
from storage.tenant_table import Tables


class FunctionRuntime(NamedTuple):
    """The values that a function's composition begins with; an app unpacks them into its module."""

    settings: Settings
    clock: Clock
    tables: Tables
    request_log: RequestLog

    @classmethod
    def for_requests(cls, name: str) -> FunctionRuntime:
        """The runtime of a function whose clients wait: a request to the table has a deadline.

        Raises:
            SettingsInvalid: for the first setting that can't be used.
        """
        settings = Settings.load()
        return cls._open(name, settings, deadline_s=settings.storage_deadline_s)

    @classmethod
    def for_events(cls, name: str) -> FunctionRuntime:
        """The runtime of a function that works on events, for which nobody waits; raises the same."""
        return cls._open(name, Settings.load(), deadline_s=None)

    @classmethod
    def _open(cls, name: str, settings: Settings, *, deadline_s: float | None) -> FunctionRuntime:
        return cls(
            settings,
            open_clock(settings.clock_file),
            open_tables(settings.table, deadline_s=deadline_s, tenant_role_arn=settings.tenant_role_arn),
            open_request_log(name, settings),
        )
