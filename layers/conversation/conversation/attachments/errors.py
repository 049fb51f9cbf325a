"""The errors of attachments."""

from __future__ import annotations

from conversation.errors import Conflict, Forbidden, Invalid, NotFound


class AttachmentNotFound(NotFound):
    """There is no such attachment of this caller, or its time is over."""

    code = "attachment_not_found"

    def __init__(self) -> None:
        super().__init__("There is no such attachment.")


class AttachmentNotReady(Conflict):
    """Its upload is not finished."""

    code = "attachment_not_ready"

    def __init__(self) -> None:
        super().__init__("The attachment is not uploaded yet. Upload it, complete it, then send it.")


class AttachmentUsed(Conflict):
    """It was sent with another message before."""

    code = "attachment_used"

    def __init__(self) -> None:
        super().__init__("The attachment belongs to another message. Upload the file again.")


class AttachmentInvalid(Invalid):
    """Its content is not of the type that its sender says, or has another size."""

    code = "attachment_invalid"

    def __init__(self, media_type: str) -> None:
        super().__init__(f"The content is not a whole {media_type} file of the size that was stated.")


class AttachmentTypeNotAllowed(Invalid):
    """Files of the type are not taken."""

    code = "attachment_type_not_allowed"

    def __init__(self, allowed: tuple[str, ...]) -> None:
        listed = ", ".join(allowed) or "none"
        super().__init__(f"Files of this type are not taken here. These are: {listed}.")


class AttachmentTooLarge(Invalid):
    """The file is larger than files may be."""

    code = "attachment_too_large"

    def __init__(self, most: int) -> None:
        super().__init__(f"A file of this type may have {most:,} bytes.")


class TooManyAttachments(Invalid):
    """The message has more attachments than a message may have."""

    code = "too_many_attachments"

    def __init__(self, most: int) -> None:
        super().__init__(f"A message may have {most} attachments, each of them once.")


class AttachmentsUnavailable(Conflict):
    """Files can't be stored or read now."""

    code = "attachments_unavailable"
    retry_after_s = 5

    def __init__(self) -> None:
        super().__init__("Files can't be reached at the moment; the same request may succeed later.")


class AttachmentsOff(Forbidden):
    """This deployment takes no files, or keeps no history here."""

    code = "attachments_off"

    def __init__(self) -> None:
        super().__init__("No files are taken here.")
