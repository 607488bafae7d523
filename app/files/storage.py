"""Files in an S3 store: the store at S3_ENDPOINT, or in development an embedded one. Both use the same code."""

import asyncio
import logging
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from typing import Any, BinaryIO, Self

from aiohttp import ClientError as HttpError
from botocore.config import Config
from botocore.exceptions import BotoCoreError, ClientError

from app.base.leaf import EmbeddedError, Store, servers
from app.base.refusal import not_found, unavailable
from app.base.settings import Settings

CODE = "STOCKAGE_INDISPONIBLE"
CHUNK = 64 * 1024
CONNECTIONS = 32
CONFIG = Config(
    connect_timeout=2,
    read_timeout=4,
    retries={"mode": "standard", "total_max_attempts": 2},
    max_pool_connections=CONNECTIONS,
    s3={"addressing_style": "path"},  # a bucket needs no name in the DNS
    request_checksum_calculation="when_required",  # older stores support only MD5 checksums
    response_checksum_validation="when_required",
)
# The embedded store answers 500 to concurrent writes while it creates its first volume.
PATIENT = CONFIG.merge(Config(retries={"mode": "standard", "total_max_attempts": 8}))
# The store joins hundreds of parts of a backup before it answers.
LONG = Config(read_timeout=60)
BUCKET_EXISTS = ("BucketAlreadyOwnedByYou", "BucketAlreadyExists")
FAILURES = (BotoCoreError, ClientError, HttpError, EmbeddedError, OSError, TimeoutError)

log = logging.getLogger("comptoir.stockage")


@dataclass(slots=True)
class Stored:
    """An object whose body is not read yet. The caller reads it, or drops it with `aclose`."""

    media_type: str
    size: int
    etag: str
    body: Any

    async def __aiter__(self) -> AsyncIterator[bytes]:
        async for chunk in self.body.iter_chunks(CHUNK):
            yield chunk

    async def aclose(self) -> None:
        self.body.close()


class Storage:
    """The S3 client of one process. The first request that needs it opens it."""

    unset = "Le stockage des fichiers n'est pas réglé : voyez avec qui exploite le service."

    def __init__(self, settings: Settings, client: "Storage | None" = None) -> None:
        """Share the S3 client of `client`, the storage of the process."""
        self._settings = settings
        self._shared = client
        self._bucket = settings.s3_bucket
        self._prefix = settings.s3_prefix
        self._own = Config()
        self._embedded: Store | None = None
        if settings.s3_endpoint is None and not settings.production and (own := servers()):
            self._embedded = own.store(settings.state, settings.s3_bucket, settings.s3_bucket_backups)
        self._opening = asyncio.Lock()
        self._context: Any = None
        self._client: Any = None

    @property
    def configured(self) -> bool:
        """Whether this process has the address and the keys of its store."""
        return self._embedded is not None or bool(self._settings.s3_endpoint and all(self._credentials()))

    async def put(self, key: str, file: BinaryIO, media_type: str) -> None:
        """Store a file from its beginning. An object with the same key is replaced."""
        file.seek(0)
        async with self._request() as client:
            await client.put_object(Bucket=self._bucket, Key=self._prefix + key, Body=file, ContentType=media_type)

    async def put_parts(self, key: str, parts: Iterable[bytes], media_type: str) -> None:
        """Store an object in parts, each of at least 5 MiB except the last. A failure stores nothing."""
        async with self._request() as client:
            target = {"Bucket": self._bucket, "Key": self._prefix + key}
            upload = await client.create_multipart_upload(**target, ContentType=media_type)
            target["UploadId"] = upload["UploadId"]
            try:
                stored = []
                for number, part in enumerate(parts, 1):
                    answer = await client.upload_part(**target, PartNumber=number, Body=part)
                    stored.append({"PartNumber": number, "ETag": answer["ETag"]})
                await client.complete_multipart_upload(**target, MultipartUpload={"Parts": stored})
            except BaseException:
                with suppress(*FAILURES):  # an unreachable store keeps the parts, but makes no object of them
                    await client.abort_multipart_upload(**target)
                raise

    async def delete(self, *keys: str) -> None:
        """Delete these objects. A missing object is no error."""
        async with self._request() as client:
            for key in keys:
                await client.delete_object(Bucket=self._bucket, Key=self._prefix + key)

    async def clear(self) -> None:
        """Delete every object of one organisation among several, also objects that no row names."""
        if not self._prefix:
            raise AssertionError("without a prefix this would delete the objects of all")
        async with self._request() as client:
            pages = client.get_paginator("list_objects_v2").paginate(Bucket=self._bucket, Prefix=self._prefix)
            async for page in pages:
                for item in page.get("Contents", ()):
                    await client.delete_object(Bucket=self._bucket, Key=item["Key"])

    async def get(self, key: str) -> Stored:
        async with self._request() as client:
            try:
                stored = await client.get_object(Bucket=self._bucket, Key=self._prefix + key)
            except ClientError as error:
                if _code(error) in ("NoSuchKey", "404"):
                    raise not_found("Ce fichier n'existe pas.") from None
                raise
        return Stored(stored.get("ContentType", ""), stored["ContentLength"], stored["ETag"], stored["Body"])

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    async def close(self) -> None:
        context, self._context, self._client = self._context, None, None
        if context is not None:
            await context.__aexit__(None, None, None)

    @asynccontextmanager
    async def _request(self) -> AsyncIterator[Any]:
        """Give the client. A failure of the store becomes a 503 refusal, and its cause is logged."""
        if not self.configured:
            raise unavailable(CODE, self.unset)
        try:
            yield await self._open_client()
        except FAILURES as error:
            log.error("Stockage des fichiers : %s", error)
            if isinstance(error, ClientError) and _code(error) == "NoSuchBucket":
                await (self._shared or self).close()  # the next request creates the bucket again
            message = "Le stockage des fichiers est momentanément indisponible, réessayez."
            raise unavailable(CODE, message) from error

    async def _open_client(self) -> Any:
        if self._shared is not None:
            return await self._shared._open_client()
        async with self._opening:
            if self._embedded is not None and not self._embedded.running():
                await self.close()  # the restarted server has another port
                await asyncio.to_thread(self._embedded.start)
            if self._client is None:
                self._context = await asyncio.to_thread(self._connection)
                client = await self._context.__aenter__()
                try:
                    await self._make_bucket(client)
                except BaseException:
                    await self.close()
                    raise
                self._client = client
            return self._client

    def _connection(self) -> Any:
        settings, embedded = self._settings, self._embedded
        endpoint = settings.s3_endpoint if embedded is None else embedded.url
        access, secret = self._credentials() if embedded is None else embedded.credentials(self._bucket)
        config = (CONFIG if embedded is None else PATIENT).merge(self._own)
        import aioboto3  # it takes half of the start-up time, and only requests with files need it

        session = aioboto3.Session(
            aws_access_key_id=access, aws_secret_access_key=secret, region_name=settings.s3_region
        )
        return session.client("s3", endpoint_url=endpoint, config=config)

    def _credentials(self) -> tuple[str, str]:
        return self._settings.s3_access_key, self._settings.s3_secret_key

    async def _make_bucket(self, client: Any) -> None:
        bucket, region = self._bucket, self._settings.s3_region
        try:
            await client.head_bucket(Bucket=bucket)
        except ClientError as error:
            if _code(error) not in ("404", "NoSuchBucket"):
                raise
            # AWS requires the region, except for its default region.
            place = {} if region == "us-east-1" else {"CreateBucketConfiguration": {"LocationConstraint": region}}
            try:
                await client.create_bucket(Bucket=bucket, **place)
            except ClientError as late:
                if _code(late) not in BUCKET_EXISTS:  # another process has created it
                    raise


class Archive(Storage):
    """The bucket of backups. It has its own keys; the keys of the files cannot read it."""

    unset = (
        "Le stockage des sauvegardes n'est pas réglé : donnez à ce processus S3_ENDPOINT, S3_SAUVEGARDES_ACCESS_KEY et "
        "S3_SAUVEGARDES_SECRET_KEY."
    )

    def __init__(self, settings: Settings) -> None:
        super().__init__(settings)
        self._bucket = settings.s3_bucket_backups
        self._own = LONG

    def _credentials(self) -> tuple[str, str]:
        return self._settings.s3_backups_access_key, self._settings.s3_backups_secret_key


def _code(error: ClientError) -> str:
    return str(error.response.get("Error", {}).get("Code", ""))
