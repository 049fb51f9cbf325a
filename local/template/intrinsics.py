"""CloudFormation's intrinsic functions, as far as our templates use them in the parts that the twin reads.

A reference to a resource has the value that the twin gives it. An attribute of a resource becomes the text
``<logical id>.<attribute>``, which is enough to identify it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

Tree: TypeAlias = Any
"""A YAML or JSON value of any shape."""

NO_VALUE = object()
"""``AWS::NoValue``: an entry that resolves to it is left out."""

ACCOUNT = "000000000000"
"""The twin's AWS account."""

_PSEUDO_PARAMETERS: Mapping[str, Tree] = {
    "AWS::AccountId": ACCOUNT,
    "AWS::NoValue": NO_VALUE,
    "AWS::Partition": "aws",
    "AWS::Region": "local",
    "AWS::StackId": f"arn:aws:cloudformation:local:{ACCOUNT}:stack/omniforge/00000000-0000-0000",
    "AWS::StackName": "omniforge",
    "AWS::URLSuffix": "localhost",
}
_VARIABLE = re.compile(r"\$\{([^!}][^}]*)\}")


class Unresolvable(Exception):
    """The template uses something that the twin can't compute; the message names it."""


class Resolver:
    """Resolves values of one template. ``references`` override the parameters' defaults."""

    def __init__(self, template: Mapping[str, Tree], references: Mapping[str, str]) -> None:
        self._conditions: Mapping[str, Tree] = template.get("Conditions", {})
        self._values = {**_PSEUDO_PARAMETERS, **dict.fromkeys(template.get("Parameters", {}), "")}
        for name, parameter in template.get("Parameters", {}).items():
            self._values[name] = parameter.get("Default", "")
        self._values.update(references)

    def resolve(self, tree: Tree) -> Tree:
        """Return the tree with its intrinsic functions computed and without entries that are `NO_VALUE`.

        Raises:
            Unresolvable: an intrinsic function or a condition is unknown.
        """
        if isinstance(tree, list):
            return [item for item in map(self.resolve, tree) if item is not NO_VALUE]
        if not isinstance(tree, dict):
            return tree
        if len(tree) == 1:
            name, argument = next(iter(tree.items()))
            if name in ("Ref", "Condition") and isinstance(argument, str):
                return self._reference(argument) if name == "Ref" else self._holds(argument)
            if name.startswith("Fn::"):
                return self._call(name, argument)
        resolved = {key: self.resolve(value) for key, value in tree.items()}
        return {key: value for key, value in resolved.items() if value is not NO_VALUE}

    def _reference(self, name: str) -> Tree:
        return self._values.get(name, name)

    def _holds(self, name: str) -> bool:
        if name not in self._conditions:
            raise Unresolvable(f"there is no condition {name!r}")
        return bool(self.resolve(self._conditions[name]))

    def _call(self, name: str, argument: Tree) -> Tree:
        functions: dict[str, Callable[[Tree], Tree]] = {
            "Fn::And": lambda parts: all(map(self.resolve, parts)),
            "Fn::Equals": lambda parts: self.resolve(parts[0]) == self.resolve(parts[1]),
            "Fn::GetAtt": lambda path: path if isinstance(path, str) else ".".join(path),
            "Fn::If": lambda parts: self.resolve(parts[1] if self._holds(parts[0]) else parts[2]),
            "Fn::Join": lambda parts: parts[0].join(map(str, self.resolve(parts[1]))),
            "Fn::Not": lambda parts: not self.resolve(parts[0]),
            "Fn::Or": lambda parts: any(map(self.resolve, parts)),
            "Fn::Select": lambda parts: self.resolve(parts[1])[int(self.resolve(parts[0]))],
            "Fn::Split": lambda parts: self.resolve(parts[1]).split(parts[0]),
            "Fn::Sub": self._substitute,
        }
        if name not in functions:
            raise Unresolvable(f"the twin does not know {name!r}")
        return functions[name](argument)

    def _substitute(self, argument: Tree) -> str:
        text, variables = argument if isinstance(argument, list) else (argument, {})
        own = {name: str(self.resolve(value)) for name, value in variables.items()}
        substituted = _VARIABLE.sub(
            lambda found: own[found[1]] if found[1] in own else str(self._reference(found[1])), text
        )
        return substituted.replace("${!", "${")
