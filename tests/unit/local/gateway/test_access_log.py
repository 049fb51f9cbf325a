from __future__ import annotations

import json

from local.gateway.access_log import render
from local.template.sam_translation import read_template
from tests.built.build import ROOT
from tests.built.deployed_stack import deployed

(STAGE,) = deployed(read_template(ROOT / "template.yaml"), {}).of_type("AWS::ApiGateway::Stage").values()
FORMAT = STAGE["AccessLogSetting"]["Format"]


def test_a_line_is_json_whatever_a_request_has_no_value_for() -> None:
    line = json.loads(render(FORMAT, {"requestId": "r-1", "authorizer.tenant": "acme", "status": "200"}))
    assert (line["request_id"], line["tenant_id"], line["status"]) == ("r-1", "acme", "200")
    assert line["waf_error"] == "-"
    assert "\n" not in FORMAT


def test_a_line_holds_neither_a_token_nor_what_was_said() -> None:
    for variable in ("identity", "path", "authorizer.user", "requestOverride", "input", "body"):
        assert f"$context.{variable}" not in FORMAT
