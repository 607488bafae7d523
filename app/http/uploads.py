"""Files received as multipart/form-data, and stored files as answers: limits, types, keys, permissions.

The media type comes from the first bytes, never from the name or the client. No image is decoded here, so an image
header with a billion pixels costs nothing.
"""

import asyncio
import hashlib
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import BinaryIO
from uuid import UUID, uuid4, uuid5

from starlette.datastructures import Headers, UploadFile
from starlette.formparsers import MultiPartException, MultiPartParser

from app.base.refusal import Refusal, validation
from app.http.answer import Answer
from app.http.request import Request, too_large
from app.http.versions import is_known

LIMIT = 5 * 1024 * 1024
ENVELOPE = 64 * 1024  # boundaries, part headers, small fields
EXTENSIONS = {"image/jpeg": "jpg", "image/png": "png", "image/webp": "webp", "application/pdf": "pdf"}
_REPEATED = UUID("5b0d3a1e-7c1c-4d53-9f0e-3a5f6f0f9f11")  # namespace for names of files sent with an Idempotency-Key


@dataclass(slots=True)
class Form:
    """A file and the other fields of its form."""

    file: BinaryIO
    media_type: str
    fields: dict[str, str]
    name: str = ""

    async def digest(self) -> str:
        self.file.seek(0)
        return (await asyncio.to_thread(hashlib.file_digest, self.file, "sha256")).hexdigest()  # type: ignore[arg-type]


def media_type(start: bytes) -> str:
    """The media type of a file, from its first twelve bytes. Raises 415 for any other type."""
    if start.startswith(b"\xff\xd8\xff"):
        return "image/jpeg"
    if start.startswith(b"\x89PNG\r\n\x1a\n"):
        return "image/png"
    if start.startswith(b"RIFF") and start[8:12] == b"WEBP":
        return "image/webp"
    if start.startswith(b"%PDF-"):
        return "application/pdf"
    raise Refusal(415, "TYPE_DE_FICHIER", "Seuls JPEG, PNG, WebP et PDF sont acceptés.")


@asynccontextmanager
async def received(
    request: Request,
    *names: str,
    optional: tuple[str, ...] = (),
    limit: int = LIMIT,
    part: int = 1024,
    kind: Callable[[bytes], str] = media_type,
) -> AsyncIterator[Form]:
    """Parse the form of a request: one `file` of a known type, and these fields. It is deleted at the end.

    `part` is the size of a field in bytes. `kind` returns the media type of the file from its first bytes.
    """
    if not (request.header(b"content-type") or "").lower().startswith("multipart/form-data"):
        raise Refusal(415, "TYPE_DE_CONTENU", "Envoyez un formulaire : Content-Type: multipart/form-data.")
    headers = Headers(raw=request.scope["headers"])
    parser = MultiPartParser(headers, request.chunks(limit + ENVELOPE), max_files=1, max_fields=10, max_part_size=part)
    try:
        form = await parser.parse()
    except MultiPartException:
        raise Refusal(400, "FORMULAIRE_INVALIDE", "Le formulaire multipart n'est pas lisible.") from None
    try:
        problems = {name: ["Ce champ n'est pas attendu ici."] for name in form.keys() - {"file", *names, *optional}}
        problems |= {name: ["Ce champ est obligatoire."] for name in ("file", *names) if not form.get(name)}
        file = form.get("file")
        if not problems and not isinstance(file, UploadFile):
            problems["file"] = ["Envoyez un fichier : cette partie doit porter un nom de fichier."]
        if problems or not isinstance(file, UploadFile):
            raise validation(problems)
        if (file.size or 0) > limit:
            raise too_large(limit)
        file.file.seek(0)
        given = [name for name in (*names, *optional) if form.get(name)]
        fields = {name: str(form[name]) for name in given}
        yield Form(file.file, kind(file.file.read(12)), fields, file.filename or "")
    finally:
        await form.close()


async def store_file(request: Request, form: Form, category: str) -> str:
    """Store the file and return its key. A repeated request with the same Idempotency-Key gives the same key."""
    user, repeated = request.signed_in.sub, request.repeat_key()
    name = uuid5(_REPEATED, f"{user} {category} {repeated} {await form.digest()}") if repeated else uuid4()
    key = f"{category}/{user}-{name}.{EXTENSIONS[form.media_type]}"
    await request.services.storage.put(key, form.file, form.media_type)
    return key


async def send(request: Request, key: str) -> Answer:
    """Answer a stored object, or 304 if the client has it. The caller has checked the permission."""
    stored = await request.services.storage.get(key)
    headers = {"ETag": stored.etag, "Cache-Control": "private, no-cache"}
    try:
        known = is_known(request.headers, stored.etag)
    except Refusal:
        await stored.aclose()
        raise
    if known:
        await stored.aclose()
        return Answer(304, headers=headers)
    headers["Content-Disposition"] = f'inline; filename="{key}"'
    content_type = stored.media_type if stored.media_type in EXTENSIONS else "application/octet-stream"
    return Answer(200, headers=headers, media_type=content_type, stream=stored)
