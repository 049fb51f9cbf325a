"""What cfn-lint, with its rules for serverless stacks, and checkov find in the template: only what is known.

`make` installs both in an environment of their own. Checkov looks at the stack that every parameter makes.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from tests.built.build import ROOT, missing
from tests.built.deployed_stack import deployed
from tests.built.test_edge import ACL, DOMAIN
from tests.built.test_template_policy import FULL, TEMPLATE

pytestmark = pytest.mark.slow

BIN = ROOT / ".venv-lint" / "bin"
CONCURRENCY = {name: "10" for name in TEMPLATE["Parameters"] if name.endswith("Concurrency")}
EVERYTHING: Mapping[str, str] = {**FULL, **DOMAIN, **CONCURRENCY, "WebAclArn": ACL, "Tracing": "Active"}


class Known(NamedTuple):
    """A finding that stays: a rule, the resources it names, and why it is not heeded."""

    rule: str
    resources: str
    reason: str


KNOWN = (
    Known("ES1001", r"\w+", "Queues have dead letters themselves; it is for streams."),
    Known("ES6000", r"\w+DeadLetters", "They are the dead letters."),
    Known("WS1000", r"\w+Function", "Tracing is the deployer's choice: it costs by the trace."),
    Known("WS1004", r"\w+Function", "LoggingConfig names the group; the rule knows default names."),
    Known("CKV_AWS_116", r"\w+Function", "Only a rule invokes one asynchronously, with a destination."),
    Known("CKV_AWS_117", r"\w+Function", "They need no network of yours; a way out of it costs by the hour."),
    Known("CKV_AWS_120", "ApiStage", "Answers belong to one user, and a cache costs by the hour."),
    Known("CKV_AWS_173", r"\w+Function", "No variable holds a secret: test_template_policy."),
    Known("CKV_AWS_174", "PageDistribution", "CloudFront's certificate leaves no choice of the version."),
    Known("CKV_AWS_18", "PageBucket", "Anybody may read the page's files, through CloudFront."),
    Known("CKV_AWS_86", "PageDistribution", "Anybody may read the page; the API has its own log."),
    Known("CKV_AWS_21", "PageBucket", "Its files are built from the sources, and can be published again."),
    Known("CKV_AWS_18", "AttachmentsBucket", "Logs of addresses would be another copy to erase."),
    Known("CKV_AWS_21", "AttachmentsBucket", "An earlier version would outlive its user's erasure."),
    Known("CKV_AWS_68", "PageDistribution", "WebAclArn filters the API behind it; the rest are files."),
)  # fmt: skip


def unknown(findings: set[tuple[str, str]]) -> set[tuple[str, str]]:
    """The findings that no entry of `KNOWN` covers."""
    return {
        (rule, resource)
        for rule, resource in findings
        if not any(known.rule == rule and re.fullmatch(known.resources, resource) for known in KNOWN)
    }


def run_json(linter: str, *options: str | Path) -> Any:
    """What a linter says as JSON; it ends with a status of its own where it finds something."""
    command = (BIN / linter if (BIN / linter).exists() else missing(BIN / "checkov"), *options)
    environment = {**os.environ, "BC_SKIP_MAPPING": "TRUE"}
    ended = subprocess.run(
        command, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=300, check=False
    )
    return json.loads(ended.stdout)


def cfn_lint(template: Path) -> set[tuple[str, str]]:
    """Rules and the resources they name."""
    found = run_json("cfn-lint", "-a", "cfn_lint_serverless.rules", "-f", "json", "--", template)
    return {(each["Rule"]["Id"], str((*each["Location"]["Path"], "", "")[1])) for each in found}


def checkov(resources: Mapping[str, Any], folder: Path) -> set[tuple[str, str]]:
    """Rules and the resources they name, of a stack's resources."""
    path = folder / "stack.json"
    path.write_text(json.dumps({"AWSTemplateFormatVersion": "2010-09-09", "Resources": resources}))
    options = ["--framework", "cloudformation", "--compact", "--quiet", "--skip-download", "-o", "json"]
    report = run_json("checkov", "-f", path, *options)
    assert report["summary"]["parsing_errors"] == 0
    assert report["summary"]["resource_count"] > 100
    failed = report["results"]["failed_checks"]
    return {(each["check_id"], each["resource"].rpartition(".")[2]) for each in failed}


def test_cfn_lint_finds_only_what_is_known_and_a_planted_fault(tmp_path: Path) -> None:
    queue = "  RunQueue:\n    Type: AWS::SQS::Queue\n    Properties:\n"
    text = (ROOT / "template.yaml").read_text("utf-8")
    assert queue in text
    planted = tmp_path / "template.yaml"
    planted.write_text(text.replace(queue, f"{queue}      Fifo: maybe\n"))

    assert unknown(cfn_lint(planted)) == {("E3002", "RunQueue")}


def test_checkov_finds_only_what_is_known_and_a_planted_fault(tmp_path: Path) -> None:
    resources = deployed(TEMPLATE, EVERYTHING).resources
    bucket = resources["PageBucket"]
    shut = bucket["Properties"]["PublicAccessBlockConfiguration"]
    ajar = {**bucket["Properties"], "PublicAccessBlockConfiguration": {**shut, "BlockPublicAcls": False}}
    planted = {**resources, "PageBucket": {**bucket, "Properties": ajar}}

    assert unknown(checkov(planted, tmp_path)) == {("CKV_AWS_53", "PageBucket")}
