"""What deploying the template with given parameters would make: CloudFormation with nothing left to compute.

Resources are named by their logical ids, attributes read ``<logical id>.<attribute>``.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from local.template.interpreter import alias_references
from local.template.intrinsics import Resolver


@dataclass(frozen=True, slots=True)
class Deployment:
    """The resources of a stack; ``given`` are the values its parameters were deployed with."""

    resources: Mapping[str, Mapping[str, Any]]
    given: frozenset[str]

    def of_type(self, kind: str) -> dict[str, Mapping[str, Any]]:
        """The properties of the resources of a type, by their names."""
        return {
            name: resource.get("Properties", {})
            for name, resource in self.resources.items()
            if resource["Type"] == kind
        }

    def functions(self) -> dict[str, Mapping[str, Any]]:
        return self.of_type("AWS::Lambda::Function")

    def queues(self) -> dict[str, Mapping[str, Any]]:
        return self.of_type("AWS::SQS::Queue")

    def operations(self) -> Iterator[tuple[str, str, Mapping[str, Any]]]:
        """Path, method and description of every route of the API."""
        for api in self.of_type("AWS::ApiGateway::RestApi").values():
            for path, methods in api["Body"]["paths"].items():
                for method, operation in methods.items():
                    yield path, method, operation


def deployed(template: Mapping[str, Any], parameters: Mapping[str, str]) -> Deployment:
    """The stack a translated template would become with these parameters, the others at their defaults."""
    resolver = Resolver(template, {**alias_references(template), **parameters})
    made = {
        name: resolver.resolve(resource)
        for name, resource in template["Resources"].items()
        if "Condition" not in resource or resolver.resolve({"Condition": resource["Condition"]})
    }
    return Deployment(made, frozenset(part for value in parameters.values() for part in value.split(",")))
