"""The command line of the twin, `python -m local COMMAND`.

`serve` runs the twin. `token` prints a token of its issuer. `examples` prints the labelled examples of a
tenant. `secret` stores a tenant's secret, read from the standard input. `retention` removes what has expired.
`import` imports an export, and `import-agent-squad` the table of that library. `local-table` and `local-env`
prepare `sam local`. `doctor` says what a deployed stack lacks, `sign-in` prints a token for it, `redrive`,
`restore` and `teardown` work on it.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterable
from pathlib import Path

from conversation.clock import Clock, open_clock
from local import settings
from local.data.commands import (
    ExamplesUnreadable,
    ImportFailed,
    TableMissing,
    add_export_options,
    add_squad_options,
    example_lines,
    import_export,
    import_squad,
    sweep,
)
from local.data.local_table import TableNotCreated, add_table_options, create_local_table
from local.data.sam_local import local_environment
from local.gateway.chat_page import BUILT_PAGE
from local.operations.commands import OPERATIONS, add_operations, run_operation
from local.operations.stack import OperationFailed
from local.settings import SecretInvalid, store_secret
from local.sign_in.issuer import Issuer, IssuerUnusable

TEMPLATE = Path(__file__).resolve().parent.parent / "template.yaml"
ENVIRONMENT_FILE = TEMPLATE.parent / "events" / "env.json"
WRONG_USE = 2
EXIT_FAILURE = (
    IssuerUnusable,
    ExamplesUnreadable,
    SecretInvalid,
    TableMissing,
    ImportFailed,
    OperationFailed,
    TableNotCreated,
)
LINE_COMMANDS: dict[str, Callable[[argparse.Namespace, Path, Clock], Iterable[str]]] = {
    "import": import_export,
    "import-agent-squad": import_squad,
    "retention": lambda options, data, clock: sweep(data, clock, dry_run=options.dry_run),
    "examples": lambda options, data, clock: example_lines(data, options.tenant, now=clock.now()),
    "local-table": lambda options, _data, _clock: create_local_table(options, TEMPLATE),
    "local-env": lambda _options, data, _clock: [local_environment(data, ENVIRONMENT_FILE)],
    **dict.fromkeys(OPERATIONS, lambda options, data, _clock: run_operation(options, data)),
}


def main(arguments: list[str] | None = None) -> int:
    """Run one command and return the exit code."""
    options = parser().parse_args(arguments)
    data = settings.data_folder(options.data)
    clock = settings.clock_file(options.clock)
    try:
        if options.command in PROGRAMS:
            return PROGRAMS[options.command](options, data, clock)
        if options.command == "secret":
            value = sys.stdin.read().strip()
            store_secret(data, tenant=options.tenant, name=options.name, value=value)
        elif options.command in LINE_COMMANDS:
            for line in LINE_COMMANDS[options.command](options, data, open_clock(clock)):
                print(line, flush=True)
        else:
            now = open_clock(clock).now()
            token = Issuer(data).access_token(
                tenant=options.tenant, user=options.user, roles=options.role, now=now
            )
            print(token)
    except EXIT_FAILURE as error:
        print(error, file=sys.stderr)
        return WRONG_USE
    return 0


def _doctor(options: argparse.Namespace, _data: Path, _clock: Path | None) -> int:
    # Imported here, as the server is: boto3 takes a while.
    from local.doctor.checks import Needs, examine
    from local.doctor.stack import StackMissing, read_stack

    try:
        stack = read_stack(options.stack)
    except StackMissing as error:
        print(error, file=sys.stderr)
        return WRONG_USE
    findings = list(examine(stack, Needs(concurrency=options.concurrency)))
    print("\n".join(findings) or f"{stack.name} lacks nothing that was looked for.")
    return 1 if findings else 0


def _serve(options: argparse.Namespace, data: Path, clock: Path | None) -> int:
    # Imported here: importing the server takes longer than the other commands run.
    from local import supervision
    from local.server import CannotStart, Options, listen, serve
    from local.workers.pool import default_workers

    def serve_once(ready: Callable[[], None]) -> int:
        try:
            serve(chosen, listener, ready=ready)
        except CannotStart as error:
            print(error, file=sys.stderr)
            return WRONG_USE

    chosen = Options(
        data,
        clock,
        template=options.template,
        page=options.page,
        workers=default_workers() if options.workers is None else options.workers,
    )
    try:
        # Held here, so that requests wait while one server takes another one's place.
        listener = listen(options.port)
    except CannotStart as error:
        print(error, file=sys.stderr)
        return WRONG_USE
    return supervision.supervise(serve_once)


def _sign_in(options: argparse.Namespace, _data: Path, _clock: Path | None) -> int:
    # Imported here for the same reason.
    from local.doctor.stack import StackMissing, read_stack
    from local.stack_sign_in import SignInFailed, sign_in

    try:
        print(sign_in(read_stack(options.stack).outputs, port=options.port))
    except (StackMissing, SignInFailed) as error:
        print(error, file=sys.stderr)
        return WRONG_USE
    return 0


PROGRAMS = {"serve": _serve, "doctor": _doctor, "sign-in": _sign_in}
"""The commands with exit codes of their own."""


def _positive(text: str) -> int:
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError("must be at least 1")
    return number


def parser() -> argparse.ArgumentParser:
    common = argparse.ArgumentParser(add_help=False)
    common.add_argument("--data", metavar="DIR", help="folder of the data (OMNIFORGE_DATA, else .data)")
    common.add_argument("--clock", metavar="FILE", help="file with the present, an ISO 8601 instant")
    parser = argparse.ArgumentParser(prog="python -m local", description="The local twin of the deployment")
    commands = parser.add_subparsers(dest="command", required=True)
    serving = commands.add_parser("serve", parents=[common], help="serve on this machine")
    serving.add_argument("--port", type=int, default=8787, help="0 takes a free one (default: 8787)")
    serving.add_argument("--template", type=Path, default=TEMPLATE, metavar="FILE", help="the SAM template")
    serving.add_argument(
        "--page", type=Path, default=BUILT_PAGE, metavar="DIR", help="folder of the built page"
    )
    serving.add_argument(
        "--workers",
        type=_positive,
        metavar="N",
        help="processes that run the functions (default: one per processor)",
    )
    token = commands.add_parser("token", parents=[common], help="print a token of the local issuer")
    token.add_argument("--tenant", required=True)
    token.add_argument("--user", required=True)
    token.add_argument("--role", action="append", default=[], help="may be repeated")
    examples = commands.add_parser(
        "examples", parents=[common], help="print what a tenant's users taught, as JSON lines for training"
    )
    examples.add_argument("--tenant", required=True)
    retention = commands.add_parser(
        "retention", parents=[common], help="remove what is past its time, as the deployment does by the hour"
    )
    retention.add_argument("--dry-run", action="store_true", help="only say what would happen")
    secret = commands.add_parser(
        "secret", parents=[common], help="keep a secret of a tenant, read from the standard input"
    )
    secret.add_argument("--tenant", required=True)
    secret.add_argument("--name", required=True)
    add_operations(commands, common)
    add_export_options(
        commands.add_parser("import", parents=[common], help="import a user's exported conversations")
    )
    add_squad_options(
        commands.add_parser(
            "import-agent-squad", parents=[common], help="import what agent-squad keeps in a DynamoDB table"
        )
    )
    add_table_options(
        commands.add_parser("local-table", parents=[common], help="create the table for `sam local`")
    )
    commands.add_parser(
        "local-env", parents=[common], help="print variables for `sam local` that accept the twin's tokens"
    )
    doctor = commands.add_parser(
        "doctor", parents=[common], help="say what a deployed stack lacks; reads with the shell's credentials"
    )
    doctor.add_argument("stack", help="the deployed stack's name")
    signing_in = commands.add_parser(
        "sign-in", parents=[common], help="sign in to a deployed stack in the browser and print the token"
    )
    signing_in.add_argument("stack", help="the deployed stack's name")
    signing_in.add_argument(
        "--port", type=int, default=8788, help="port of this machine to return to (default: 8788)"
    )
    doctor.add_argument(
        "--concurrency",
        type=int,
        default=100,
        metavar="N",
        help="invocations that Lambda has to run at once (default: 100)",
    )
    return parser


if __name__ == "__main__":
    sys.exit(main())
