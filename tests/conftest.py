"""What holds for every test: the shell's own settings and keys decide nothing, and AWS is never asked."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import settings

from tests.fakes.http.described_answers import take_undescribed
from tests.fakes.run.bad_inputs import COLLECTED

# To the build of the functions bytecode beside their sources is a change; it is made while other tests run.
sys.pycache_prefix = str(Path(__file__).resolve().parents[1] / ".pytest_cache" / "bytecode")
# Where the shell forbids bytecode, each of hundreds of processes would compile all it imports.
sys.dont_write_bytecode = False
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)

for name in list(os.environ):
    if name.startswith(("OMNIFORGE_", "OPENAI_", "ANTHROPIC_", "AWS_", "POWERTOOLS_")):
        del os.environ[name]

os.environ |= {
    "PYTHONPYCACHEPREFIX": sys.pycache_prefix,
    "AWS_DEFAULT_REGION": "us-east-1",
    "AWS_ACCESS_KEY_ID": "test",
    "AWS_SECRET_ACCESS_KEY": "test",
    "AWS_EC2_METADATA_DISABLED": "true",
    "AWS_CONFIG_FILE": os.devnull,
    "AWS_SHARED_CREDENTIALS_FILE": os.devnull,
    "LITELLM_LOCAL_MODEL_COST_MAP": "True",
}

# No clock decides over an example, and every run tries the same ones; `tests.fakes.run.property_budget`
# tries more.
settings.register_profile("steady", deadline=None, derandomize=True, database=None)
settings.load_profile("steady")


TESTS = Path(__file__).parent
SLOW_KINDS = frozenset({"browser", "built", "clients", "e2e", "history", "isolation", "policies"})
"""The folders whose tests start processes, browsers or builds, or simulate for minutes."""
SLOW_FIXTURES = frozenset({"library", "endpoint"})
"""They import litellm and start a stand-in for DynamoDB."""
LONGEST = frozenset(
    {
        "test_authorization_matrix.py",
        "test_built_functions.py",
        "test_built_sizes.py",
        "test_deadly_functions.py",
        "test_deadly_messages.py",
        "test_dialogues.py",
        "test_documented_commands.py",
        "test_documented_policies.py",
        "test_expressions.py",
        "test_histories.py",
        "test_poisoned_texts.py",
        "test_repetitive_messages.py",
        "test_retention.py",
        "test_training_gate.py",
    }
)
"""The files whose tests take longest together."""
STAND_INS = ("moto", "ministack")
"""What the contract tests run on besides SQLite."""


@pytest.fixture(autouse=True)
def every_answer_is_described() -> Iterator[None]:
    """Fail a test in which the API answered other than ``openapi.json`` says."""
    yield
    assert take_undescribed() == []


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Keep what was found, for the tests that tests of something exist, and mark the slow kinds.

    The files that take minutes come first, so that no process is left alone with one of them at the end.
    """
    config.stash[COLLECTED] = list(items)
    items.sort(key=lambda item: item.path.name not in LONGEST)
    for item in items:
        if is_slow(item):
            item.add_marker(pytest.mark.slow)


def is_slow(item: pytest.Item) -> bool:
    """Return whether a test is slow by its kind; single slow tests have the marker in their own file."""
    parameters = (
        item.callspec.params if isinstance(item, pytest.Function) and hasattr(item, "callspec") else {}
    )
    return (
        item.path.relative_to(TESTS).parts[0] in SLOW_KINDS
        or not SLOW_FIXTURES.isdisjoint(getattr(item, "fixturenames", ()))
        or any(parameters.get(name) in STAND_INS for name in ("table", "shared_table"))
    )
