"""The twin's stand-in for S3: answers the signed requests of `edge.adapters.folder_bucket`."""

from __future__ import annotations

from pathlib import Path

from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.types import ASGIApp, Receive, Scope, Send

from edge.adapters.attachments import FILE_SCHEME
from edge.adapters.folder_bucket import FolderBucket

_DENIED = PlainTextResponse("The address is not valid, or not any more.", 403)
_HEADERS = {
    "content-security-policy": "default-src 'none'; sandbox",
    "x-content-type-options": "nosniff",
    "cache-control": "private, no-store",
}


def local_bucket(target: str | None) -> ASGIApp | None:
    """The application for the folder that the setting names; None where files are elsewhere."""
    if target is None or not target.startswith(FILE_SCHEME):
        return None
    bucket = FolderBucket(Path(target.removeprefix(FILE_SCHEME)), origin="")

    async def answer(scope: Scope, receive: Receive, send: Send) -> None:
        response = await _answer(bucket, Request(scope, receive))
        await response(scope, receive, send)

    return answer


async def _answer(bucket: FolderBucket, request: Request) -> Response:
    raw_path = request.scope["raw_path"].decode("latin-1")
    permitted = bucket.permitted(request.method, raw_path, request.url.query)
    if permitted is None:
        return _DENIED
    key, signed = permitted
    if request.method == "PUT":
        return await _uploaded(bucket, request, key, int(signed["length"]))
    content = bucket.read_object(key, None)
    if content is None:
        return PlainTextResponse("There is no such object.", 404)
    shown = {"content-disposition": signed["disposition"], **_HEADERS}
    return Response(content, media_type=signed["type"], headers=shown)


async def _uploaded(bucket: FolderBucket, request: Request, key: str, length: int) -> Response:
    """As S3 does, refuse any other length than the signed one."""
    content = bytearray()
    async for chunk in request.stream():
        content += chunk[: length + 1 - len(content)]
    if len(content) != length:
        return _DENIED
    bucket.write_object(key, bytes(content))
    return Response(status_code=200)
