"""How a tenant's chat page looks: a colour, a logo and a greeting. Only the page reads it."""

from __future__ import annotations

import base64
import binascii

from pydantic import BaseModel, ConfigDict, Field, field_validator

MAX_LOGO_CHARACTERS = 8_000
"""The policy is read in every turn, so a logo has to be small: about 6 KB."""
MAX_GREETING_CHARACTERS = 200

_KINDS = {"png": b"\x89PNG\r\n\x1a\n", "webp": b"RIFF", "jpeg": b"\xff\xd8\xff"}
"""How the files of each kind begin. A vector image may hold scripts and addresses, so there is none."""


class Brand(BaseModel):
    """How the page looks to the tenant's users; null and empty: as the page is by itself."""

    model_config = ConfigDict(defer_build=True, frozen=True, extra="forbid", strict=True)

    color: str | None = Field(
        default=None,
        pattern=r"^#[0-9a-fA-F]{6}$",
        description="of buttons and links, such as `#0f766e`; the page makes it lighter or darker where text"
        " could not be read",
    )
    logo: str | None = Field(
        default=None,
        max_length=MAX_LOGO_CHARACTERS,
        pattern=r"^data:image/(png|webp|jpeg);base64,[A-Za-z0-9+/]+={0,2}$",
        description="a small image as a `data:` address",
    )
    greeting: str = Field(
        default="", max_length=MAX_GREETING_CHARACTERS, description="what an empty chat says first"
    )

    @field_validator("logo")
    @classmethod
    def _is_image(cls, logo: str | None) -> str | None:
        if logo is None:
            return None
        kind, _, content = logo.removeprefix("data:image/").partition(";base64,")
        try:
            image = base64.b64decode(content, validate=True)
        except binascii.Error as broken:
            raise ValueError("not base64") from broken
        if not image.startswith(_KINDS[kind]):
            raise ValueError(f"not an image of the kind {kind}")
        return logo
