"""Views of attachments."""

from __future__ import annotations

from collections.abc import Mapping

from pydantic import Field

from conversation.attachments.bucket import SignedRequest
from conversation.attachments.store import Attachment, AttachmentState
from edge.views.base import Moment, View
from edge.views.conversations import AttachedFileView


class UploadView(View):
    """The request that uploads the content, within a quarter of an hour. It takes no token."""

    method: str
    url: str
    headers: Mapping[str, str] = Field(description="To be sent as they are.")

    @classmethod
    def of(cls, request: SignedRequest) -> UploadView:
        """The request as its sender sees it."""
        return cls(method=request.method, url=request.url, headers=request.headers)


class AttachmentView(AttachedFileView):
    """An attachment of the caller."""

    state: AttachmentState = Field(description="`pending` until its content is checked, then `ready`.")
    sent: bool = Field(description="A message was sent with it.")
    created_at: Moment
    expires_at: Moment | None = Field(
        description="When it is removed unless a message is sent with it; null: one was."
    )
    upload: UploadView | None = Field(default=None, description="How to upload it, once it is announced.")
    download_url: str | None = Field(
        default=None, description="Where its content is, for a quarter of an hour; takes no token."
    )

    @classmethod
    def with_addresses(
        cls, attachment: Attachment, *, upload: SignedRequest | None = None, download_url: str | None = None
    ) -> AttachmentView:
        """The attachment as its user sees it."""
        return cls(
            **dict(AttachedFileView.of(attachment.file)),
            state=attachment.state,
            sent=bool(attachment.conversations),
            created_at=attachment.created_at,
            expires_at=attachment.expires_at,
            upload=UploadView.of(upload) if upload else None,
            download_url=download_url,
        )
