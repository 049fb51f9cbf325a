"""What the twin adds to the environment so that the functions find a deployment on this machine.

A value of the user's shell goes before all of it: `OMNIFORGE_TABLE` can name another table.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

from local.issuer import AUDIENCE, ISSUER

DEFAULT_DATA = ".data"
_OWN_TOKENS = "OMNIFORGE_JWT_ISSUERS"


def data_folder(given: str | None, environ: Mapping[str, str] = os.environ) -> Path:
    """The folder for the twin's data: as given, else ``OMNIFORGE_DATA``, else ``.data``."""
    return Path(given or environ.get("OMNIFORGE_DATA") or DEFAULT_DATA)


def clock_file(given: str | None, environ: Mapping[str, str] = os.environ) -> Path | None:
    """The file that sets the clock: as given, else ``OMNIFORGE_CLOCK_FILE``, else none."""
    named = given or environ.get("OMNIFORGE_CLOCK_FILE")
    return Path(named) if named else None


def environment(
    data: Path, *, port: int, clock: Path | None, environ: Mapping[str, str] = os.environ
) -> dict[str, str]:
    """The variables every function gets, beside and before those of the template."""
    own = {
        "OMNIFORGE_STAGE": "local",
        "OMNIFORGE_TABLE": f"sqlite:///{data.resolve()}/omniforge.db",
        "OMNIFORGE_FINISH_QUEUE": f"sqlite:///{data.resolve()}/queue.db",
        "OMNIFORGE_TENANTS": "open",
    }
    if _OWN_TOKENS not in environ:
        own[_OWN_TOKENS] = ISSUER
        own["OMNIFORGE_JWT_AUDIENCE"] = AUDIENCE
        own["OMNIFORGE_JWT_JWKS_URLS"] = f"http://127.0.0.1:{port}/.well-known/jwks.json"
    if clock is not None:
        own["OMNIFORGE_CLOCK_FILE"] = str(clock.resolve())
    return {**own, **environ}
