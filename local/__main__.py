"""`python -m local serve`: the twin. `… token`: a token of its issuer. `… examples`: what users taught."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from edge.clocks import open_clock
from local import settings
from local.examples import ExamplesUnreadable, lines
from local.issuer import Issuer, IssuerUnusable
from local.serving import CannotStart, Options, serve

TEMPLATE = Path(__file__).resolve().parent.parent / "template.yaml"
WRONG_USE = 2


def main(arguments: list[str] | None = None) -> int:
    """Run one command; returns the exit code."""
    options = _parser().parse_args(arguments)
    data = settings.data_folder(options.data)
    clock = settings.clock_file(options.clock)
    try:
        if options.command == "serve":
            serve(Options(port=options.port, data=data, clock=clock, template=options.template))
        elif options.command == "examples":
            for line in lines(data, options.tenant, now=open_clock(clock).now()):
                print(line)
        else:
            now = open_clock(clock).now()
            token = Issuer(data).token(tenant=options.tenant, user=options.user, roles=options.role, now=now)
            print(token)
    except (CannotStart, IssuerUnusable, ExamplesUnreadable) as error:
        print(error, file=sys.stderr)
        return WRONG_USE
    return 0


def _parser() -> argparse.ArgumentParser:
    common = argparse.ArgumentParser(add_help=False)
    common.add_argument("--data", metavar="DIR", help="folder of the data (OMNIFORGE_DATA, else .data)")
    common.add_argument("--clock", metavar="FILE", help="file with the present, an ISO 8601 instant")
    parser = argparse.ArgumentParser(prog="python -m local", description="The local twin of the deployment")
    commands = parser.add_subparsers(dest="command", required=True)
    serving = commands.add_parser("serve", parents=[common], help="serve on this machine")
    serving.add_argument("--port", type=int, default=8787, help="0 takes a free one (default: 8787)")
    serving.add_argument("--template", type=Path, default=TEMPLATE, metavar="FILE", help="the SAM template")
    token = commands.add_parser("token", parents=[common], help="print a token of the local issuer")
    token.add_argument("--tenant", required=True)
    token.add_argument("--user", required=True)
    token.add_argument("--role", action="append", default=[], help="may be repeated")
    examples = commands.add_parser(
        "examples", parents=[common], help="print what a tenant's users taught, as JSON lines for training"
    )
    examples.add_argument("--tenant", required=True)
    return parser


if __name__ == "__main__":
    sys.exit(main())
