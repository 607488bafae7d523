"""Files that come in as multipart/form-data and go out again: limits, types, keys, permissions.

The type is what the first bytes say, never the name nor what the client claims. No image is ever decoded here, so a
header that promises a billion pixels costs nothing.
"""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import BinaryIO
from uuid import UUID, uuid4, uuid5

from starlette.datastructures import Headers, UploadFile
from starlette.formparsers import MultiPartException, MultiPartParser

from app.base.refusal import Refusal, validation
from app.http.answer import Answer
from app.http.request import Request, too_large

LIMIT = 5 * 1024 * 1024
ENVELOPE = 64 * 1024  # boundaries, part headers, small fields
EXTENSIONS = {"image/jpeg": "jpg", "image/png": "png", "image/webp": "webp", "application/pdf": "pdf"}
_REPEATED = UUID("5b0d3a1e-7c1c-4d53-9f0e-3a5f6f0f9f11")  # names of files that came under an Idempotency-Key


@dataclass(slots=True)
class Form:
    """A file, and the other fields that came with it."""

    file: BinaryIO
    media_type: str
    fields: dict[str, str]

    async def digest(self) -> str:
        def read() -> str:
            self.file.seek(0)
            return hashlib.file_digest(self.file, "sha256").hexdigest()  # type: ignore[arg-type]

        return await asyncio.to_thread(read)


@asynccontextmanager
async def received(request: Request, *names: str) -> AsyncIterator[Form]:
    """The form of a request: one `file` of a known type, and exactly these other fields. It is gone afterwards."""
    if not (request.header(b"content-type") or "").lower().startswith("multipart/form-data"):
        raise Refusal(415, "TYPE_DE_CONTENU", "Envoyez un formulaire : Content-Type: multipart/form-data.")
    headers = Headers(raw=request.scope["headers"])
    parser = MultiPartParser(headers, request.chunks(LIMIT + ENVELOPE), max_files=1, max_fields=10, max_part_size=1024)
    try:
        form = await parser.parse()
    except MultiPartException:
        raise Refusal(400, "FORMULAIRE_INVALIDE", "Le formulaire multipart n'est pas lisible.") from None
    try:
        problems = {name: ["Ce champ n'est pas attendu ici."] for name in form.keys() - {"file", *names}}
        problems |= {name: ["Ce champ est obligatoire."] for name in ("file", *names) if not form.get(name)}
        file = form.get("file")
        if not problems and not isinstance(file, UploadFile):
            problems["file"] = ["Envoyez un fichier : cette partie doit porter un nom de fichier."]
        if problems or not isinstance(file, UploadFile):
            raise validation(problems)
        if (file.size or 0) > LIMIT:
            raise too_large(LIMIT)
        file.file.seek(0)
        yield Form(file.file, media_type(file.file.read(12)), {name: str(form[name]) for name in names})
    finally:
        await form.close()


def media_type(start: bytes) -> str:
    """The type that the first twelve bytes show."""
    if start.startswith(b"\xff\xd8\xff"):
        return "image/jpeg"
    if start.startswith(b"\x89PNG\r\n\x1a\n"):
        return "image/png"
    if start.startswith(b"RIFF") and start[8:12] == b"WEBP":
        return "image/webp"
    if start.startswith(b"%PDF-"):
        return "application/pdf"
    raise Refusal(415, "TYPE_DE_FICHIER", "Seuls JPEG, PNG, WebP et PDF sont acceptés.")


async def permit(request: Request, operation: str, given: Mapping[str, str]) -> None:
    """Have the database decide whether the caller may store a file of this category, or read the file of this key."""
    asked = request.services.operation(operation)
    await asked.run(request, asked.arguments.check(given, None))


async def keep(request: Request, form: Form, category: str) -> str:
    """Store the file and answer its key. Sent again under the same Idempotency-Key, it is the same object."""
    user, repeated = request.signed_in.sub, request.repeat_key()
    name = uuid5(_REPEATED, f"{user} {category} {repeated} {await form.digest()}") if repeated else uuid4()
    key = f"{category}/{user}-{name}.{EXTENSIONS[form.media_type]}"
    await request.services.storage.put(key, form.file, form.media_type)
    return key


async def send(request: Request, key: str) -> Answer:
    """The bytes of an object, or 304 to whom has them already. The caller's right to it was checked before."""
    stored = await request.services.storage.get(key)
    headers = {"ETag": stored.etag, "Cache-Control": "private"}
    known = [tag.strip().removeprefix("W/") for tag in (request.header(b"if-none-match") or "").split(",")]
    if stored.etag in known or "*" in known:
        await stored.aclose()
        return Answer(304, headers=headers)
    headers["Content-Disposition"] = f'inline; filename="{key}"'
    kind = stored.media_type if stored.media_type in EXTENSIONS else "application/octet-stream"
    return Answer(200, headers=headers, media_type=kind, stream=stored)
