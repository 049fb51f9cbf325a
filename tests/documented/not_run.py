"""The documents' commands that no test can run as they are: why, and what holds them instead.

`tests/e2e/test_documented_commands.py` runs all others, and fails for an entry that no command has any more.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

_THESE = "tests/e2e/test_documented_commands.py"
_REHEARSAL = "make rehearse"


@dataclass(frozen=True)
class Held:
    """Commands that begin with ``start``. ``by`` holds them; ``instead`` is typed in their place."""

    start: str
    why: str
    by: str
    instead: str = ""


_SERVES = "serves until it is stopped, and all pages share what it serves"
_LONG = "takes minutes, and is a part of CI itself"
_AWS = "needs an AWS account"
_DOCKER = "needs Docker"
_TOKEN = ".venv/bin/python -m local token --tenant"

NOT_RUN: Mapping[str, Sequence[Held]] = {
    "README.md": [
        Held("make run", _SERVES, _THESE),
        Held("make test", _LONG, ".ci/run"),
    ],
    "CONTRIBUTING.md": [
        Held("make run", _SERVES, _THESE),
        Held("make quick", _LONG, ".ci/run"),
        Held(".venv/bin/python -m local serve", _SERVES, _THESE),
    ],
    "docs/acting.md": [
        Held('api /v1/agents -d \'{"name": "shop-watch"', "asks the internet", "tests/e2e/test_watchers.py"),
        Held(
            "api /v1/runs/$RUN        # its held",
            "needs a model that obeys a text",
            "tests/e2e/test_approvals.py",
        ),
        Held("api /v1/runs/$RUN/approvals", "needs a model that obeys a text", "tests/e2e/test_approvals.py"),
        Held(
            "api /v1/skills/$SKILL/accept",
            "needs a server whose tools change",
            "tests/integration/tools/test_pinned_tools.py",
        ),
        Held("api /v1/connections/sign-ins", "asks the internet", "tests/e2e/test_connections.py"),
        Held("api /v1/connections/$SKILL", "ends such a sign-in", "tests/e2e/test_connections.py"),
    ],
    "docs/costs.md": [
        Held("make costs", "takes a minute", "tests/integration/turns/test_turn_units.py"),
        Held(
            ".venv/bin/python -m tests.benchmarks.costs",
            "writes into the checkout",
            "tests/integration/turns/test_turn_units.py",
        ),
    ],
    "docs/deploy.md": [
        Held("aws ", _AWS, _REHEARSAL),
        Held("SECRET=$(aws", _AWS, _REHEARSAL),
        Held("TOPIC=$(aws", _AWS, _REHEARSAL),
        Held("POOL=$(output", _AWS, _REHEARSAL),
        Held("make build", _LONG, "tests/built/build.py"),
        Held(".venv-sam/bin/sam deploy", _AWS, _REHEARSAL),
        Held(".venv-sam/bin/sam local", _DOCKER, "tests/built/test_sam_local.py"),
        Held("output()", _AWS, _REHEARSAL),
        Held("API=$(output ApiUrl)", _AWS, _REHEARSAL, "API=http://127.0.0.1:8787"),
        Held(
            "OPERATOR=$(.venv/bin/python -m local sign-in",
            _AWS,
            "tests/integration/twin/test_stack_sign_in.py",
            f"OPERATOR=$({_TOKEN} operations --user olga --role operator)",
        ),
        Held(
            "ADMIN=$(.venv/bin/python -m local sign-in",
            _AWS,
            "tests/integration/twin/test_stack_sign_in.py",
            f"ADMIN=$({_TOKEN} acme --user ada --role admin)",
        ),
        Held("make publish-page", _AWS, "tests/integration/twin/test_page_publishing.py"),
        Held(".venv/bin/python -m local doctor", _AWS, "tests/integration/twin/test_doctor.py"),
        Held(".venv/bin/python -m local restore", _AWS, "tests/integration/operations/test_restore.py"),
        Held(".venv/bin/python -m local redrive", _AWS, "tests/integration/operations/test_redrive.py"),
        Held(".venv/bin/python -m local teardown", _AWS, _REHEARSAL),
        Held("docker run", _DOCKER, "tests/built/test_sam_local.py"),
        Held("make local-table", _DOCKER, "tests/integration/twin/test_local_table.py"),
        Held("make rehearse", "takes ten minutes", _REHEARSAL),
    ],
    "docs/embedding.md": [
        Held("OMNIFORGE_EMBED_ORIGINS=http://127.0.0.1:9000 make run", _SERVES, _THESE),
        Held(
            "python3 -m http.server 9000",
            "serves until it is stopped",
            "tests/browser/test_embedding.py",
            "python3 -m http.server 9000 --bind 127.0.0.1 --directory /tmp/site & "
            "curl -s --retry 60 --retry-delay 1 --retry-connrefused http://127.0.0.1:9000/",
        ),
    ],
    "docs/export.md": [
        Held("OMNIFORGE_TABLE=omniforge-prod", _AWS, "tests/e2e/test_importing.py"),
        Held(
            ".venv/bin/python -m local import-agent-squad",
            _AWS,
            "tests/integration/export/test_agent_squad.py",
        ),
    ],
    "docs/identity.md": [
        Held(".venv-sam/bin/sam deploy", _AWS, _REHEARSAL),
        Held("POOL=$(aws", _AWS, "tests/built/test_template.py"),
        Held("aws ", _AWS, "tests/built/test_template.py"),
    ],
    "docs/mcp.md": [
        Held("aws ", _AWS, "tests/built/test_template_policy.py"),
    ],
    "docs/memory.md": [
        Held(".venv-sam/bin/sam local invoke", _DOCKER, "tests/built/test_sam_local.py"),
        Held(
            "admin /v1/tenant/corrections",
            "needs a message that was misunderstood and corrected",
            "tests/integration/lessons/test_corrections.py",
        ),
    ],
    "docs/page.md": [
        Held("make build", _AWS, _REHEARSAL),
        Held("make publish-page", _AWS, "tests/integration/twin/test_page_publishing.py"),
    ],
    "docs/promises.md": [
        Held("TRIES=20 .venv/bin/pytest", _LONG, "tests/e2e/test_described_api.py"),
    ],
}
