"""The template's settings for the page's delivery: CloudFront's headers and the paths that go to the API.

No function's variable refers to the page's own parameters, so their values can't be derived as in
`local.template.interpreter`; `PARAMETERS` maps them to variables.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from local.template.intrinsics import Resolver, Tree
from local.template.resources import PageDelivery

DISTRIBUTION = "AWS::CloudFront::Distribution"
HEADERS_POLICY = "AWS::CloudFront::ResponseHeadersPolicy"
PARAMETERS = {
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
    for policy in _of_type(template, HEADERS_POLICY):
        config = resolver.resolve(policy["ResponseHeadersPolicyConfig"])
        security = config.get("SecurityHeadersConfig", {})
        for kind, (name, value) in _NAMES.items():
            if kind in security:
                yield name, " ".join(security[kind][value].split()) if value else "nosniff"
        # Strict-Transport-Security is left out: it must not be sent without TLS (RFC 6797, 7.2).
        for header in config.get("CustomHeadersConfig", {}).get("Items", ()):
            yield header["Header"].lower(), str(header["Value"])


def _api_patterns(template: Mapping[str, Tree], resolver: Resolver) -> Iterator[str]:
    for distribution in _of_type(template, DISTRIBUTION):
        config = resolver.resolve(distribution["DistributionConfig"])
        yield from (behavior["PathPattern"] for behavior in config.get("CacheBehaviors", ()))


def _of_type(template: Mapping[str, Tree], kind: str) -> Iterator[Tree]:
    return (each["Properties"] for each in template["Resources"].values() if each["Type"] == kind)
