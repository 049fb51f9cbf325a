"""The interpreter of a translated template, which builds a `local.template.resources.Stack` from it.

It computes intrinsic functions as CloudFormation would, and reads the configuration of API Gateway, Lambda,
SQS, DynamoDB streams and EventBridge rules.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping

from local.template.event_filters import UnsupportedFilter, check_pattern
from local.template.intrinsics import Resolver, Tree, Unresolvable
from local.template.resources import (
    INTEGRATION_TIMEOUT_S,
    Authorizer,
    Function,
    GatewayResponse,
    MockResponse,
    PageDelivery,
    QueueConsumer,
    Route,
    Rule,
    Stack,
    StreamConsumer,
    Throttle,
)
from local.template.sam_translation import TemplateInvalid

DISTRIBUTION = "AWS::CloudFront::Distribution"
HEADERS_POLICY = "AWS::CloudFront::ResponseHeadersPolicy"
PARAMETERS = {
    "Stage": "OMNIFORGE_STAGE",
    "PageAuthority": "OMNIFORGE_PAGE_AUTHORITY",
    "PageSignInOrigins": "OMNIFORGE_PAGE_SIGN_IN_ORIGINS",
    "EmbedOrigins": "OMNIFORGE_EMBED_ORIGINS",
}
_NAMES = {
    "ContentSecurityPolicy": ("content-security-policy", "ContentSecurityPolicy"),
    "ContentTypeOptions": ("x-content-type-options", None),
    "FrameOptions": ("x-frame-options", "FrameOption"),
    "ReferrerPolicy": ("referrer-policy", "ReferrerPolicy"),
}


def page_delivery(template: Mapping[str, Tree], environment: Mapping[str, str]) -> PageDelivery:
    """Return how the translated template with this environment delivers the page.

    Headers and paths are empty when the template has no page.
    """
    given = {name: environment[variable] for name, variable in PARAMETERS.items() if variable in environment}
    resolver = Resolver(template, given)
    return PageDelivery(
        headers=dict(_headers(template, resolver)), api_patterns=tuple(_api_patterns(template, resolver))
    )


def _headers(template: Mapping[str, Tree], resolver: Resolver) -> Iterator[tuple[str, str]]:
    for _, policy in _of_type(template, HEADERS_POLICY):
        config = resolver.resolve(policy["ResponseHeadersPolicyConfig"])
        security = config.get("SecurityHeadersConfig", {})
        for kind, (name, value) in _NAMES.items():
            if kind in security:
                yield name, " ".join(security[kind][value].split()) if value else "nosniff"
        # Strict-Transport-Security is left out: it must not be sent without TLS (RFC 6797, 7.2).
        for header in config.get("CustomHeadersConfig", {}).get("Items", ()):
            yield header["Header"].lower(), str(header["Value"])


def _api_patterns(template: Mapping[str, Tree], resolver: Resolver) -> Iterator[str]:
    for _, distribution in _of_type(template, DISTRIBUTION):
        config = resolver.resolve(distribution["DistributionConfig"])
        yield from (behavior["PathPattern"] for behavior in config.get("CacheBehaviors", ()))


_FUNCTION_ID = re.compile(r"/functions/([A-Za-z0-9]+)\.Arn/(?:response-streaming-)?invocations$")
_RATE = re.compile(r"rate\((\d+) (minute|hour|day)s?\)")
_SECONDS = {"minute": 60, "hour": 3_600, "day": 86_400}
_METHODS = ("get", "put", "post", "delete", "options", "head", "patch")
_ANY = "x-amazon-apigateway-any-method"


def _reference_values(template: Mapping[str, Tree], environment: Mapping[str, str]) -> dict[str, str]:
    """Return values of parameters and resources, derived from variables that are a plain reference to one.

    Where the template says ``OMNIFORGE_TABLE: !Ref Table`` and the environment sets ``OMNIFORGE_TABLE``, each
    reference to the table gets that value. So a setting applies everywhere in the template.
    """
    found: dict[str, str] = {}
    defaults = Resolver(template, {})
    for _, function in _of_type(template, "AWS::Lambda::Function"):
        for name, value in function.get("Environment", {}).get("Variables", {}).items():
            if name not in environment:
                continue
            referred = _deciding_parameter(value, template, environment[name])
            referred = referred or _referred(value, template, defaults)
            if referred is not None:
                found[referred] = environment[name]
    return found


def _deciding_parameter(value: Tree, template: Mapping[str, Tree], given: str) -> str | None:
    """The parameter that a choice takes as soon as it has a value: ``!If [HasName, !Ref Name, …]``."""
    if not isinstance(value, dict) or set(value) != {"Fn::If"}:
        return None
    condition, yes, _ = value["Fn::If"]
    name = str(yes["Ref"]) if isinstance(yes, dict) and set(yes) == {"Ref"} else ""
    if name not in template.get("Parameters", {}):
        return None
    return name if Resolver(template, {name: given}).resolve({"Condition": condition}) else None


def _referred(value: Tree, template: Mapping[str, Tree], defaults: Resolver) -> str | None:
    """What a variable plainly refers to; of a choice, the resource that is chosen by default."""
    if not isinstance(value, dict):
        return None
    if set(value) == {"Ref"}:
        return str(value["Ref"])
    if set(value) == {"Fn::If"}:
        condition, yes, no = value["Fn::If"]
        chosen = _referred(yes if defaults.resolve({"Condition": condition}) else no, template, defaults)
        return chosen if chosen in template["Resources"] else None
    return None


def alias_references(template: Mapping[str, Tree]) -> dict[str, str]:
    """Return what a reference to each alias stands for: its function, of which the twin has one version."""
    aliases = _of_type(template, "AWS::Lambda::Alias")
    return {name: f"{alias['FunctionName']['Ref']}.Arn" for name, alias in aliases}


def interpret(template: Mapping[str, Tree], environment: Mapping[str, str]) -> Stack:
    """Return the stack that a deployment of the translated template with this environment would create.

    Raises:
        TemplateInvalid: something can't be computed, or there is not exactly one REST API with one stage.
    """
    try:
        references = {**alias_references(template), **_reference_values(template, environment)}
        resolver = Resolver(template, references)
        return _stack(template, resolver, environment)
    except (Unresolvable, UnsupportedFilter) as error:
        raise TemplateInvalid(str(error)) from None


def _stack(template: Mapping[str, Tree], resolver: Resolver, environment: Mapping[str, str]) -> Stack:
    apis = [resolver.resolve(properties) for _, properties in _of_type(template, "AWS::ApiGateway::RestApi")]
    stages = [resolver.resolve(properties) for _, properties in _of_type(template, "AWS::ApiGateway::Stage")]
    if len(apis) != 1 or len(stages) != 1:
        raise TemplateInvalid("the template needs exactly one REST API with one stage")
    body = apis[0]["Body"]
    return Stack(
        stage=stages[0]["StageName"],
        routes=tuple(_routes(body)),
        authorizers=dict(_authorizers(body)),
        gateway_responses=dict(_gateway_responses(body)),
        throttles=dict(_throttles(stages[0])),
        binary_types=tuple(body.get("x-amazon-apigateway-binary-media-types", ())),
        functions=dict(_functions(template, resolver)),
        consumers=tuple(_consumers(template, resolver)),
        streams=tuple(_streams(template, resolver)),
        rules=tuple(_rules(template, resolver)),
        page=page_delivery(template, environment),
        access_log_format=stages[0].get("AccessLogSetting", {}).get("Format", ""),
    )


def _of_type(template: Mapping[str, Tree], kind: str) -> Iterator[tuple[str, Tree]]:
    for name, resource in template["Resources"].items():
        if resource["Type"] == kind:
            yield name, resource.get("Properties", {})


def _functions(template: Mapping[str, Tree], resolver: Resolver) -> Iterator[tuple[str, Function]]:
    for name, raw in _of_type(template, "AWS::Lambda::Function"):
        condition = template["Resources"][name].get("Condition")
        if condition and not resolver.resolve({"Condition": condition}):
            continue
        properties = resolver.resolve(raw)
        variables = properties.get("Environment", {}).get("Variables", {})
        yield (
            name,
            Function(
                name=name,
                folder=properties["Code"]["S3Key"],
                handler=properties["Handler"],
                timeout_s=float(properties.get("Timeout", 3)),
                memory_mb=int(properties.get("MemorySize", 128)),
                environment={key: str(value) for key, value in variables.items()},
            ),
        )


def _routes(body: Tree) -> Iterator[Route]:
    for path, methods in body.get("paths", {}).items():
        for method, operation in methods.items():
            if method in _METHODS or method == _ANY:
                yield _route("ANY" if method == _ANY else method.upper(), path, operation)


def _route(method: str, path: str, operation: Tree) -> Route:
    integration = operation["x-amazon-apigateway-integration"]
    if integration["type"].lower() == "mock":
        return Route(method, path, mock=_mock(integration))
    names = [name for requirement in operation.get("security", ()) for name in requirement if name != "NONE"]
    return Route(
        method,
        path,
        function=_invoked(integration["uri"]),
        authorizer=names[0] if names else None,
        timeout_s=integration.get("timeoutInMillis", INTEGRATION_TIMEOUT_S * 1000) / 1000,
        is_streamed=integration.get("responseTransferMode") == "STREAM",
    )


def _invoked(uri: str) -> str:
    found = _FUNCTION_ID.search(uri)
    if not found:
        raise TemplateInvalid(f"no function of the template is invoked by {uri!r}")
    return found[1]


def _mock(integration: Tree) -> MockResponse:
    answer = integration.get("responses", {}).get("default", {})
    headers = {
        name.removeprefix("method.response.header."): str(value).strip("'")
        for name, value in answer.get("responseParameters", {}).items()
    }
    body = answer.get("responseTemplates", {}).get("application/json", "")
    return MockResponse(int(answer.get("statusCode", 200)), headers, body)


def _authorizers(body: Tree) -> Iterator[tuple[str, Authorizer]]:
    schemes = body.get("securityDefinitions") or body.get("components", {}).get("securitySchemes", {})
    for name, scheme in schemes.items():
        authorizer = scheme.get("x-amazon-apigateway-authorizer")
        if authorizer:
            yield name, _authorizer(name, scheme, authorizer)


def _authorizer(name: str, scheme: Tree, authorizer: Tree) -> Authorizer:
    by_token = authorizer["type"] == "token"
    sources = f"method.request.header.{scheme['name']}" if by_token else authorizer.get("identitySource", "")
    return Authorizer(
        name=name,
        function=_invoked(authorizer["authorizerUri"]),
        by_token=by_token,
        identity_sources=tuple(source.strip() for source in sources.split(",") if source.strip()),
        validation=authorizer.get("identityValidationExpression"),
        ttl_s=int(authorizer.get("authorizerResultTtlInSeconds", 300)),
    )


def _gateway_responses(body: Tree) -> Iterator[tuple[str, GatewayResponse]]:
    for kind, response in body.get("x-amazon-apigateway-gateway-responses", {}).items():
        headers = {
            name.removeprefix("gatewayresponse.header."): str(value)
            for name, value in response.get("responseParameters", {}).items()
        }
        status = response.get("statusCode")
        templates = response.get("responseTemplates", {})
        yield kind, GatewayResponse(int(status) if status else None, headers, templates)


def _throttles(stage: Tree) -> Iterator[tuple[tuple[str, str], Throttle]]:
    for setting in stage.get("MethodSettings", ()):
        if "ThrottlingRateLimit" in setting or "ThrottlingBurstLimit" in setting:
            path = "/" + setting["ResourcePath"].replace("~1", "/").lstrip("/")
            rate = float(setting.get("ThrottlingRateLimit", 10_000))
            burst = int(setting.get("ThrottlingBurstLimit", 5_000))
            yield (setting["HttpMethod"], path), Throttle(rate, burst)


def _consumers(template: Mapping[str, Tree], resolver: Resolver) -> Iterator[QueueConsumer]:
    queues = dict(_of_type(template, "AWS::SQS::Queue"))
    for mapping in _event_source_mappings(template, resolver):
        name = str(mapping["EventSourceArn"]).removesuffix(".Arn")
        if name in queues:
            queue = resolver.resolve(queues[name])
            yield QueueConsumer(
                queue=name,
                function=mapping["FunctionName"],
                batch_size=int(mapping.get("BatchSize", 10)),
                delay_s=float(queue.get("DelaySeconds", 0)),
                visibility_s=float(queue.get("VisibilityTimeout", 30)),
                max_receives=queue.get("RedrivePolicy", {}).get("maxReceiveCount"),
                target=str(resolver.resolve({"Ref": name})),
                is_fifo=queue.get("FifoQueue") is True,
            )


def _streams(template: Mapping[str, Tree], resolver: Resolver) -> Iterator[StreamConsumer]:
    tables = dict(_of_type(template, "AWS::DynamoDB::Table"))
    for mapping in _event_source_mappings(template, resolver):
        name = str(mapping["EventSourceArn"]).removesuffix(".StreamArn")
        if name in tables:
            filters = mapping.get("FilterCriteria", {}).get("Filters", ())
            yield StreamConsumer(
                table=name,
                target=str(resolver.resolve({"Ref": name})),
                function=mapping["FunctionName"],
                batch_size=int(mapping.get("BatchSize", 100)),
                filters=tuple(check_pattern(json.loads(each["Pattern"])) for each in filters),
                max_age_s=float(mapping.get("MaximumRecordAgeInSeconds", 86_400)),
                max_retries=_limited(mapping.get("MaximumRetryAttempts", -1)),
                bisects=mapping.get("BisectBatchOnFunctionError") is True,
                lanes=int(mapping.get("ParallelizationFactor", 1)),
            )


def _limited(retries: int) -> int | None:
    # Lambda's -1 is unlimited.
    return None if retries == -1 else retries


def _rules(template: Mapping[str, Tree], resolver: Resolver) -> Iterator[Rule]:
    for name, raw in _of_type(template, "AWS::Events::Rule"):
        rule = resolver.resolve(raw)
        rate = _RATE.fullmatch(str(rule.get("ScheduleExpression")))
        if rate is None:
            raise TemplateInvalid(f"{name}: the twin knows only rates such as rate(1 hour)")
        for target in rule["Targets"]:
            function = str(target["Arn"]).removesuffix(".Arn")
            yield Rule(name, function, every_s=float(rate[1]) * _SECONDS[rate[2]])


def _event_source_mappings(template: Mapping[str, Tree], resolver: Resolver) -> Iterator[Tree]:
    for _, raw in _of_type(template, "AWS::Lambda::EventSourceMapping"):
        mapping = resolver.resolve(raw)
        yield {**mapping, "FunctionName": str(mapping["FunctionName"]).removesuffix(".Arn")}
