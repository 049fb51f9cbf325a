from __future__ import annotations

from pathlib import Path

import pytest

from local.template import sam_translation
from local.template.resources import Function, Route, Stack, Throttle
from tests.fakes.deployment.gateways import stack_of


def route(stack: Stack, method: str, path: str) -> Route:
    [found] = [each for each in stack.routes if (each.method, each.path) == (method, path)]
    return found


def echo(stack: Stack) -> Function:
    return stack.functions["Echo"]


def test_a_route_knows_its_function_and_authorizer(tmp_path: Path) -> None:
    stack = stack_of(tmp_path)
    assert route(stack, "GET", "/things/{id}").function == "Echo"
    assert route(stack, "GET", "/things/{id}").authorizer == "Token"


def test_a_route_without_authorizer_has_none(tmp_path: Path) -> None:
    assert route(stack_of(tmp_path), "ANY", "/open/{rest+}").authorizer is None


def test_the_authorizer_has_its_header_pattern_and_ttl(tmp_path: Path) -> None:
    authorizer = stack_of(tmp_path).authorizers["Token"]
    assert authorizer.function == "Authorizer"
    assert authorizer.by_token
    assert authorizer.identity_sources == ("method.request.header.Authorization",)
    assert (authorizer.validation, authorizer.ttl_s) == ("Bearer .+", 60)


def test_an_authorizer_of_requests_has_its_sources(tmp_path: Path) -> None:
    edit = ("ReauthorizeEvery: 60", "ReauthorizeEvery: 0")
    to_request = (
        'Identity: {Header: Authorization, ReauthorizeEvery: 0, ValidationExpression: "Bearer .+"}',
        (
            "FunctionPayloadType: REQUEST\n"
            "            Identity: {Headers: [Authorization, X-Team], ReauthorizeEvery: 0}"
        ),
    )
    authorizer = stack_of(tmp_path, edit, to_request).authorizers["Token"]
    assert not authorizer.by_token
    assert authorizer.identity_sources == (
        "method.request.header.Authorization",
        "method.request.header.X-Team",
    )
    assert authorizer.ttl_s == 0


def test_a_preflight_is_answered_by_the_gateway_itself(tmp_path: Path) -> None:
    mock = route(stack_of(tmp_path), "OPTIONS", "/things").mock
    assert mock
    assert mock.headers["Access-Control-Allow-Methods"] == "GET,POST"


def test_throttles_belong_to_a_method(tmp_path: Path) -> None:
    assert stack_of(tmp_path).throttles == {("GET", "/things"): Throttle(1.0, 3)}


def test_a_function_has_its_folder_limits_and_globals(tmp_path: Path) -> None:
    function = echo(stack_of(tmp_path))
    assert (function.folder, function.handler) == ("tests/fakes/deployment/backends", "app.echo")
    assert (function.timeout_s, function.memory_mb) == (29.0, 512)


def test_a_variable_without_a_value_is_not_set(tmp_path: Path) -> None:
    assert "OMNIFORGE_INTENT_MODEL" not in echo(stack_of(tmp_path)).environment


def test_a_condition_decides_by_the_parameters(tmp_path: Path) -> None:
    stack = stack_of(tmp_path, ("Default: auto", "Default: gpt-4o"))
    assert echo(stack).environment["OMNIFORGE_INTENT_MODEL"] == "gpt-4o"


def test_a_setting_counts_wherever_the_template_uses_its_parameter(tmp_path: Path) -> None:
    stack = stack_of(tmp_path, environment={"OMNIFORGE_ALLOWED_ORIGINS": "https://app.example"})
    mock = route(stack, "OPTIONS", "/things").mock
    assert mock
    assert mock.headers["Access-Control-Allow-Origin"] == "https://app.example"
    assert echo(stack).environment["OMNIFORGE_ALLOWED_ORIGINS"] == "https://app.example"


def test_the_stage_is_the_one_the_twin_gives(tmp_path: Path) -> None:
    assert stack_of(tmp_path).stage == "dev"
    assert stack_of(tmp_path, environment={"OMNIFORGE_STAGE": "local"}).stage == "local"


def test_a_queue_feeds_its_function(tmp_path: Path) -> None:
    [consumer] = stack_of(tmp_path).consumers
    assert (consumer.queue, consumer.function) == ("Queue", "Finish")
    assert (consumer.batch_size, consumer.max_receives) == (4, 2)
    assert (consumer.delay_s, consumer.visibility_s) == (5.0, 360.0)


@pytest.mark.parametrize(
    ("edit", "named"),
    [
        (("Type: AWS::Serverless::Api", "Type: AWS::Serverless::Ape"), "exactly one REST API"),
        (("Resources:", "Resources: ["), "not YAML"),
        (("Resources:", "Sources:"), "no Resources"),
        (("Handler: app.crash", "Handler: [app.crash"), "not YAML"),
        (("Path: /crash", "Pfad: /crash"), "Crash"),
        (("!If [ByCredentials,", "!If [Unknown,"), "'Unknown'"),
        (("!Ref AWS::NoValue", "!FindInMap [A, b, c]"), "Fn::FindInMap"),
    ],
)
def test_what_is_wrong_with_a_template_is_said_in_one_line(
    tmp_path: Path, edit: tuple[str, str], named: str
) -> None:
    with pytest.raises(sam_translation.TemplateInvalid, match=named) as refused:
        stack_of(tmp_path, edit)
    assert "\n" not in str(refused.value)


def test_a_template_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(sam_translation.TemplateInvalid, match="nowhere"):
        sam_translation.read_template(tmp_path / "nowhere.yaml")


def test_a_translation_is_kept_until_the_template_changes(tmp_path: Path) -> None:
    first = stack_of(tmp_path)
    [kept] = (tmp_path / ".aws-sam" / "translated").iterdir()
    kept.write_text(kept.read_text().replace("tests/fakes/deployment/backends", "somewhere/else"))
    assert echo(stack_of(tmp_path)).folder == "somewhere/else"
    changed = stack_of(tmp_path, ("Path: /crash", "Path: /crush"))
    assert "/crush" in {each.path for each in changed.routes}
    kept.write_text("{")
    assert stack_of(tmp_path) == first
