"""The variables that `sam local` gives functions in containers, so that they accept the twin's tokens."""

from __future__ import annotations

import base64
import json
from pathlib import Path

from edge.auth.settings import INLINE_KEYS
from local.sign_in.issuer import AUDIENCE, ISSUER, Issuer


def local_environment(data: Path, environment_file: Path) -> str:
    """Return the file of variables as JSON text, with the data folder's issuer and its public keys.

    The keys stand in the variable itself: a container need not reach the twin, which listens on this
    machine's loopback only.
    """
    content = json.loads(environment_file.read_text(encoding="utf-8"))
    keys = base64.b64encode(json.dumps(Issuer(data).jwks()).encode()).decode()
    content["Parameters"] |= {
        "OMNIFORGE_JWT_ISSUERS": ISSUER,
        "OMNIFORGE_JWT_AUDIENCE": AUDIENCE,
        "OMNIFORGE_JWT_JWKS_URLS": INLINE_KEYS + keys,
    }
    return json.dumps(content, indent=2)
