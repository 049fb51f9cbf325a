"""What holds for every test: the shell's own settings and keys decide nothing, and AWS is never asked."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest
from hypothesis import settings

from tests.fakes.run.bad_inputs import COLLECTED

# To the build of the functions bytecode beside their sources is a change; it is made while other tests run.
sys.pycache_prefix = str(Path(__file__).resolve().parents[1] / ".pytest_cache" / "bytecode")

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


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Keep what was found, for the tests that tests of something exist."""
    config.stash[COLLECTED] = list(items)
