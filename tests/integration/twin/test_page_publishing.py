"""The built page put into a deployed stack: a server that speaks S3, CloudFormation and CloudFront."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import boto3
import pytest

from local.publish_page import main
from tests.fakes.aws.dynamodb import REGION, ministack

pytestmark = pytest.mark.slow

CONFIG = '{"authority":"https://id.example"}'
STACK = {
    "Resources": {"PageBucket": {"Type": "AWS::S3::Bucket"}},
    "Outputs": {
        "PageBucketName": {"Value": {"Ref": "PageBucket"}},
        "PageConfig": {"Value": CONFIG},
        "PageUrl": {"Value": "https://d1.cloudfront.example"},
    },
}
ORIGIN = {"Id": "page", "DomainName": "page.example", "S3OriginConfig": {"OriginAccessIdentity": ""}}
DISTRIBUTION = {
    "CallerReference": "one",
    "Comment": "",
    "Enabled": True,
    "Origins": {"Quantity": 1, "Items": [ORIGIN]},
    "DefaultCacheBehavior": {
        "TargetOriginId": "page",
        "ViewerProtocolPolicy": "https-only",
        "CachePolicyId": "658327ea-f89d-4fab-a63d-7e88639e58f6",
    },
}


@pytest.fixture(scope="module")
def endpoint() -> Iterator[str]:
    with ministack("s3,cloudformation,cloudfront") as url:
        yield url


@pytest.fixture(autouse=True)
def _aws(endpoint: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in {
        "AWS_ENDPOINT_URL": endpoint,
        "AWS_ACCESS_KEY_ID": "test",
        "AWS_SECRET_ACCESS_KEY": "test",
        "AWS_DEFAULT_REGION": REGION,
    }.items():
        monkeypatch.setenv(name, value)


@pytest.fixture
def built(tmp_path: Path) -> Path:
    page = tmp_path / "dist"
    for name in ("index.html", "embed.js", "assets/app-1.js", "icon.svg"):
        path = page / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(name)
    return page


def deployed(name: str, template: Any = STACK) -> str:
    """The distribution of a stack of that name."""
    cloudfront: Any = boto3.client("cloudfront")
    made: str = cloudfront.create_distribution(DistributionConfig={**DISTRIBUTION, "CallerReference": name})[
        "Distribution"
    ]["Id"]
    outputs = {**template["Outputs"], "PageDistributionId": {"Value": made}}
    cloudformation: Any = boto3.client("cloudformation")
    cloudformation.create_stack(StackName=name, TemplateBody=json.dumps({**template, "Outputs": outputs}))
    cloudformation.get_waiter("stack_create_complete").wait(StackName=name, WaiterConfig={"Delay": 1})
    return made


def stored(name: str) -> dict[str, tuple[str, str, str]]:
    """Body, type and caching of every object of the stack's bucket."""
    cloudformation: Any = boto3.client("cloudformation")
    [stack] = cloudformation.describe_stacks(StackName=name)["Stacks"]
    bucket = next(each["OutputValue"] for each in stack["Outputs"] if each["OutputKey"] == "PageBucketName")
    s3: Any = boto3.client("s3")
    found = {}
    for each in s3.list_objects_v2(Bucket=bucket).get("Contents", ()):
        item = s3.get_object(Bucket=bucket, Key=each["Key"])
        found[each["Key"]] = (item["Body"].read().decode(), item["ContentType"], item["CacheControl"])
    return found


def test_a_stack_gets_the_page_with_its_settings_and_says_where_it_is(
    built: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    distribution = deployed("one")
    assert main(["one", "--page", str(built)]) == 0
    assert capsys.readouterr().out == "https://d1.cloudfront.example\n"
    held = stored("one")
    assert held["index.html"] == ("index.html", "text/html; charset=utf-8", "no-cache")
    assert held["config.json"] == (CONFIG, "application/json; charset=utf-8", "no-cache")
    assert held["assets/app-1.js"][2] == "public, max-age=31536000, immutable"
    assert held["assets/app-1.js"][1].endswith("javascript; charset=utf-8")
    assert held["icon.svg"][1] == "image/svg+xml; charset=utf-8"
    cloudfront: Any = boto3.client("cloudfront")
    [made] = cloudfront.list_invalidations(DistributionId=distribution)["InvalidationList"]["Items"]
    details = cloudfront.get_invalidation(DistributionId=distribution, Id=made["Id"])["Invalidation"]
    renewed = set(details["InvalidationBatch"]["Paths"]["Items"])
    assert renewed == {"/", "/index.html", "/config.json", "/embed.js", "/icon.svg"}


def test_a_new_build_keeps_what_an_open_page_may_still_ask_for(built: Path) -> None:
    deployed("two")
    main(["two", "--page", str(built)])
    (built / "assets" / "app-1.js").rename(built / "assets" / "app-2.js")
    (built / "embed.js").unlink()
    assert main(["two", "--page", str(built)]) == 0
    assert set(stored("two")) == {
        "assets/app-1.js",
        "assets/app-2.js",
        "config.json",
        "icon.svg",
        "index.html",
    }


def test_a_stack_without_a_page_is_told_how_to_get_one(
    built: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    template: Any = {**STACK, "Outputs": {}}
    deployed("three", template)
    assert main(["three", "--page", str(built)]) == 2
    assert "Page=yes" in capsys.readouterr().err


def test_what_stands_in_the_way_is_said_in_one_line(
    built: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["nowhere", "--page", str(built)]) == 2
    assert main(["one", "--page", str(tmp_path)]) == 2
    first, second = capsys.readouterr().err.splitlines()
    assert first.startswith("nowhere: ")
    assert "holds no built page" in second
