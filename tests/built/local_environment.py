"""Prints the environment that `sam local` gives each function, as JSON. Runs in SAM's own environment.

Arguments: the template, the file of variables, and parameter overrides as JSON.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

from samcli.commands.local.lib.local_lambda import LocalLambdaRunner
from samcli.lib.providers.sam_function_provider import SamFunctionProvider
from samcli.lib.providers.sam_stack_provider import SamLocalStackProvider


def main(template: str, variables: str, overrides: str) -> None:
    """Print the functions' environments by name."""
    stacks, _ = SamLocalStackProvider.get_stacks(template, parameter_overrides=json.loads(overrides))
    functions = SamFunctionProvider(stacks)
    given = json.loads(Path(variables).read_text())
    runner = LocalLambdaRunner(None, functions, "/", "/", env_vars_values=given)
    made = {one.name: runner._make_env_vars(one).resolve() for one in functions.get_all()}
    json.dump(made, sys.stdout)


if __name__ == "__main__":
    main(*sys.argv[1:])
