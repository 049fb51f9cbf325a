"""Lambda functions loaded as Lambda would do it: each load is a fresh copy with the test's environment."""

from __future__ import annotations

import importlib.util
import itertools
import os
import sys
from collections.abc import Mapping
from pathlib import Path
from types import ModuleType
from unittest import mock

from tests.fakes.aws.proxy_events import Answer, Context, answer
from tests.fakes.http.described_answers import check_function

LONG_STORAGE_DEADLINE = {"OMNIFORGE_STORAGE_DEADLINE_MS": "60000"}
"""For a table in another process: a busy machine must not make it look unavailable."""

FOLDER = Path(__file__).parents[3] / "functions"
_numbers = itertools.count()


def load(name: str, environ: Mapping[str, str]) -> ModuleType:
    """Import the function's app anew with exactly these settings; its answers have to be as described."""
    path = FOLDER / name / "app.py"
    spec = importlib.util.spec_from_file_location(f"app_{name}_{next(_numbers)}", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    kept = {key: value for key, value in os.environ.items() if not key.startswith("OMNIFORGE_")}
    with mock.patch.dict(os.environ, {**kept, **environ}, clear=True):
        spec.loader.exec_module(module)
    return check_function(module)


def settings(folder: Path, **changes: str) -> dict[str, str]:
    """Return the settings of a deployment with its data in a folder and without a model."""
    return {
        "OMNIFORGE_STAGE": "local",
        "OMNIFORGE_TABLE": f"sqlite:///{folder}/omniforge.db",
        "OMNIFORGE_FINISH_QUEUE": f"sqlite:///{folder}/queue.db",
        "OMNIFORGE_TENANTS": "open",
        "OMNIFORGE_INTENT_MODEL": "",
        # Tests deliver to receivers of their own; tests of what is allowed set less.
        "OMNIFORGE_DELIVERY_HOSTS": "*",
        # Tests send as fast as they can; tests of the rate limits set their own.
        "OMNIFORGE_TURNS_PER_MINUTE": "60000",
        "OMNIFORGE_TURNS_BURST": "10000",
        **changes,
    }


def with_attachments(folder: Path, **changes: str) -> dict[str, str]:
    """Return the settings of a deployment that takes files, too, with their bucket in the folder."""
    bucket = {"OMNIFORGE_ATTACHMENTS": f"file://{folder}/files", "OMNIFORGE_PUBLIC_URL": "http://127.0.0.1:1"}
    return settings(folder, **bucket, **changes)


def invoke(module: ModuleType, event: Mapping[str, object]) -> Answer:
    """Invoke the function with an event of the gateway and return its answer."""
    return answer(module.handler(event, Context()))
