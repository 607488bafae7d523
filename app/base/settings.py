"""Every environment variable, in one typed place.

A refused configuration raises SettingsError with one French sentence that names the variable and the remedy.
"""

import ipaddress
import math
import os
import re
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields
from itertools import pairwise
from pathlib import Path
from typing import Any

from app.base.failure import Failure

IpNetwork = ipaddress.IPv4Network | ipaddress.IPv6Network

ROOT = Path(__file__).resolve().parent.parent.parent
POSTGRESQL = ("postgresql://", "postgres://")
DEVELOPMENT_SECRET = "secret-de-developpement-a-ne-jamais-employer-en-production"  # noqa: S105
# Words that show that a person wrote a secret instead of drawing it at random.
WRITTEN = re.compile("secret|passe|password|passw0rd|chang|exemple|example|comptoir|azerty|qwerty|produ|123456")
PASSWORD_PAGE = "/mot-de-passe"  # noqa: S105 - a path: the page that app/http/static.py serves
DEVELOPMENT_PASSWORD = "motdepasse"  # noqa: S105


class SettingsError(Failure):
    """The service refuses to run with this configuration."""


def _text(name: str, default: str | None = None) -> Any:
    return field(metadata={"read": lambda env: env.text(name) or default})


def _number(name: str, default: int, low: int, high: int) -> Any:
    return field(metadata={"read": lambda env: env.number(name, default, low, high)})


def _read(read: "Callable[[_Environment], object]") -> Any:
    return field(metadata={"read": read})


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """A field has its variable and its default beside it, or its value comes from several variables."""

    production: bool = _read(lambda env: env.text("NODE_ENV") == "production")
    test: bool = _read(lambda env: env.text("NODE_ENV") == "test")
    host: str = _text("HOST", "127.0.0.1")
    port: int = _number("PORT", 8000, 0, 65535)
    workers: int = _number("WEB_CONCURRENCY", 1, 1, 64)
    state: Path = _read(lambda env: Path(env.text("COMPTOIR_ETAT") or ROOT / ".comptoir"))
    database_url: str | None = _text("DATABASE_URL")
    database_owner_url: str | None = _text("DATABASE_OWNER_URL")
    database_replica_urls: tuple[str, ...] = _read(lambda env: env.addresses("DATABASE_REPLICA_URL", *POSTGRESQL))
    replica_lag: int = _number("DATABASE_REPLICA_RETARD", 5, 3, 3600)
    registry_url: str | None = _text("ANNUAIRE_URL")
    registry_owner_url: str | None = _read(lambda env: env.text("ANNUAIRE_OWNER_URL") or env.text("ANNUAIRE_URL"))
    pgbouncer: str | None = _read(lambda env: env.place("ANNUAIRE_PGBOUNCER"))
    organisation: str | None = None
    organisation_calls: int = _number("ORGANISATION_APPELS", 16, 1, 10_000)
    organisations_pool: int = _number("ORGANISATIONS_CONNEXIONS", 60, 2, 10_000)
    database_patience: int = _number("ATTENTE_BASE", 30, 0, 3600)
    header_patience: int = _number("ATTENTE_ENTETES", 20, 1, 3600)
    body_patience: int = _number("ATTENTE_CORPS", 120, 1, 3600)
    compression: int = _number("COMPRESSION", 5, 0, 9)
    pool_size: int = _number("DATABASE_POOL", 6, 1, 500)
    prepared_statements: int = _number("DATABASE_REQUETES_PREPAREES", 1024, 0, 10_000)
    kvstore_url: str | None = _text("KVSTORE_URL")
    jwt_secret: str = _text("JWT_SECRET", DEVELOPMENT_SECRET)
    jwt_secret_precedent: str | None = _text("JWT_SECRET_PRECEDENT")
    secrets_key: str = _text("SECRETS_CLE", DEVELOPMENT_SECRET)
    secrets_former_key: str | None = _text("SECRETS_CLE_PRECEDENTE")
    accounts_key: str | None = _text("TRESORERIE_CLE")
    accounts_former_key: str | None = _text("TRESORERIE_CLE_PRECEDENTE")
    access_ttl: int = _number("JWT_DUREE", 900, 30, 86_400)
    refresh_ttl: int = _number("REFRESH_DUREE", 7 * 86_400, 60, 365 * 86_400)
    mailer_api_key: str
    mailer_url: str = _text("MAILER_URL", "https://api.brevo.com/v3/smtp/email")
    mailer_from: str = _text("MAILER_FROM", "ne-pas-repondre@comptoir.invalid")
    public_url: str
    password_page: str = _text("PAGE_MOT_DE_PASSE", f"{{adresse}}{PASSWORD_PAGE}#jeton={{jeton}}")
    cors_origines: tuple[str, ...] = _read(lambda env: env.origins("CORS_ORIGINES"))
    trusted_proxies: tuple[IpNetwork, ...] = _read(lambda env: env.networks("TRUSTED_PROXIES"))
    webhook_networks: tuple[IpNetwork, ...] = _read(lambda env: env.networks("WEBHOOK_RESEAUX"))
    second_factor_roles: frozenset[str] = _read(lambda env: frozenset(env.words("A2F_ROLES")))
    offline_till: bool = _read(lambda env: bool(env.number("CAISSE_HORS_LIGNE", 0, 0, 1)))
    metrics_token: str | None = _text("METRICS_TOKEN")
    puppeteer_executable_path: str | None = _text("PUPPETEER_EXECUTABLE_PATH")
    browser_sandbox: bool = _read(lambda env: not env.number("RENDU_SANS_SANDBOX", 0, 0, 1))
    s3_endpoint: str | None = _text("S3_ENDPOINT")
    s3_access_key: str = _text("S3_ACCESS_KEY", "")
    s3_secret_key: str = _text("S3_SECRET_KEY", "")
    s3_bucket: str = _text("S3_BUCKET", "comptoir")
    s3_bucket_backups: str
    s3_backups_access_key: str
    s3_backups_secret_key: str
    s3_region: str = _text("S3_REGION", "us-east-1")
    s3_prefix: str = ""  # of the keys of one organisation among several
    backup_key: str | None = _text("SAUVEGARDE_CLE")
    backup_former_keys: tuple[str, ...] = _read(
        lambda env: tuple((env.text("SAUVEGARDE_CLE_PRECEDENTE") or "").replace(",", " ").split())
    )

    @property
    def owner_url(self) -> str | None:
        """The address of the database for tasks that need its owner: migrations, backups, checks."""
        return self.database_owner_url or self.database_url

    @property
    def listening_url(self) -> str | None:
        """The address for LISTEN. PgBouncer passes no notification on, so the server itself is reached."""
        return self.database_url if self.pgbouncer is None else self.database_owner_url

    @property
    def queueing(self) -> bool:
        """Whether jobs can be queued for a worker."""
        return self.kvstore_url is not None

    def password_link(self, token: str) -> str:
        """The page where the user chooses a password. Values replace the names in braces of the configured address."""
        page = self.password_page.replace("{adresse}", self.public_url).replace("{code}", self.organisation or "")
        if "{jeton}" in page:
            return page.replace("{jeton}", token)
        return f"{page}{'&' if '?' in page else '?'}jeton={token}"

    @classmethod
    def from_environment(cls, environ: Mapping[str, str] | None = None) -> "Settings":
        """Read and check the environment. In production no secret has a default."""
        env = _Environment(os.environ if environ is None else environ)
        node_env = env.text("NODE_ENV") or "development"
        if node_env not in ("development", "test", "production"):
            raise SettingsError(f"NODE_ENV vaut « {node_env} » : donnez-lui development, test ou production.")
        production = node_env == "production"
        if production:
            env.require("KVSTORE_URL", "l'adresse d'un Valkey ou Redis (redis://…)")
            for name in ("JWT_SECRET", "SECRETS_CLE"):
                env.require(name, "un secret de 32 octets au moins (par exemple : openssl rand -base64 48)")
            if env.text("ANNUAIRE_URL") is None:
                env.require("DATABASE_URL", "l'adresse de PostgreSQL (postgresql://…)")
        for present, former in (
            ("JWT_SECRET", "JWT_SECRET_PRECEDENT"),
            ("SECRETS_CLE", "SECRETS_CLE_PRECEDENTE"),
            ("TRESORERIE_CLE", "TRESORERIE_CLE_PRECEDENTE"),
        ):
            env.secret(present, drawn=production)
            env.secret(former, drawn=False)
        mailer = env.text("MAILER")
        if mailer not in (None, "journal"):
            raise SettingsError(f"MAILER vaut « {mailer} » : donnez-lui journal, ou laissez-la vide.")
        if production and mailer is None and env.text("MAILER_API_KEY") is None:
            raise SettingsError(
                "MAILER_API_KEY manque : en production, donnez-lui la clé du service d'e-mail, ou dites MAILER=journal "
                "pour que les e-mails, liens de mot de passe compris, s'écrivent dans le journal."
            )
        for name in ("S3_ENDPOINT", "MAILER_URL", "PUBLIC_URL", "PAGE_MOT_DE_PASSE"):
            env.address(name, "http://", "https://")
        for name in ("DATABASE_URL", "DATABASE_OWNER_URL", "ANNUAIRE_URL", "ANNUAIRE_OWNER_URL"):
            env.address(name, *POSTGRESQL)
        if env.text("ANNUAIRE_URL") is not None and env.text("DATABASE_URL") is not None:
            raise SettingsError(
                "DATABASE_URL et ANNUAIRE_URL sont données toutes les deux : DATABASE_URL sert une organisation, "
                "ANNUAIRE_URL toutes celles de l'annuaire ; donnez l'une ou l'autre."
            )
        values = {each.name: each.metadata["read"](env) for each in fields(cls) if each.metadata}
        if values["database_replica_urls"] and values["workers"] > 1 and values["kvstore_url"] is None:
            raise SettingsError(
                "KVSTORE_URL manque : plusieurs processus (WEB_CONCURRENCY) qui lisent des répliques "
                "(DATABASE_REPLICA_URL) s'y disent qui vient d'écrire."
            )
        if values["s3_endpoint"] is not None:
            for name in ("S3_ACCESS_KEY", "S3_SECRET_KEY"):
                if env.text(name) is None:
                    raise SettingsError(f"{name} manque : S3_ENDPOINT demande S3_ACCESS_KEY et S3_SECRET_KEY.")
        backups_key = _backups_credentials(env, production)
        bucket = values["s3_bucket"]
        backups = env.text("S3_BUCKET_SAUVEGARDES") or f"{bucket}-sauvegardes"
        if backups == bucket:
            raise SettingsError(
                f"S3_BUCKET_SAUVEGARDES vaut S3_BUCKET (« {bucket} ») : un fichier déposé se lit par l'API, une "
                "sauvegarde jamais ; donnez-lui un seau à elle."
            )
        public_url = env.text("PUBLIC_URL") or "http://{host}:{port}".format_map(values)
        return cls(
            mailer_api_key=(env.text("MAILER_API_KEY") or "") if mailer is None else "",
            public_url=public_url.rstrip("/"),
            s3_bucket_backups=backups,
            s3_backups_access_key=backups_key[0],
            s3_backups_secret_key=backups_key[1],
            **values,
        )


def is_weak(secret: str) -> bool:
    """Whether a person wrote the secret: it contains a common word or a pattern, or has too little entropy.

    32 random letters or digits have 80 bits or more, computed from the frequencies of their characters.
    """
    repeated = (secret + secret).find(secret, 1) < len(secret)
    steps = Counter(ord(after) - ord(before) for before, after in pairwise(secret))
    running = max(steps.values(), default=0) > len(secret) / 2
    counts = Counter(secret).values()
    bits = -sum(count * math.log2(count / len(secret)) for count in counts)
    return repeated or running or bits < 80 or WRITTEN.search(secret.lower()) is not None


def _backups_credentials(env: "_Environment", production: bool) -> tuple[str, str]:
    """Keys of the bucket of backups. In production they differ from the keys of the files, which API processes hold."""
    names = ("S3_SAUVEGARDES_ACCESS_KEY", "S3_SAUVEGARDES_SECRET_KEY")
    access, secret = (env.text(name) or "" for name in names)
    if bool(access) != bool(secret):
        raise SettingsError(f"{names[0]} et {names[1]} vont ensemble : donnez les deux, ou aucune.")
    if production and access and access == env.text("S3_ACCESS_KEY"):
        raise SettingsError(
            f"{names[0]} vaut S3_ACCESS_KEY : la clé des fichiers lirait les sauvegardes ; donnez-leur une clé à elles."
        )
    if not access and not production:
        return env.text("S3_ACCESS_KEY") or "", env.text("S3_SECRET_KEY") or ""
    return access, secret


class _Environment:
    """Typed reading of environment variables. An empty variable counts as absent."""

    def __init__(self, environ: Mapping[str, str]) -> None:
        self._environ = environ

    def text(self, name: str) -> str | None:
        return self._environ.get(name, "").strip() or None

    def require(self, name: str, what: str) -> None:
        if self.text(name) is None:
            raise SettingsError(f"{name} manque : en production, donnez-lui {what}.")

    def secret(self, name: str, *, drawn: bool) -> None:
        """Refuse a short secret, and one that is not `drawn` at random where it must be."""
        value = self.text(name)
        if value is not None and len(value.encode()) < 32:
            raise SettingsError(f"{name} est trop court : donnez-lui 32 octets au moins.")
        if value is not None and drawn and is_weak(value):
            raise SettingsError(f"{name} se devine : donnez-lui un secret tiré au hasard (openssl rand -base64 48).")

    def address(self, name: str, *schemes: str) -> None:
        """Refuse an address with another scheme. The message does not repeat it: it may hold a password."""
        value = self.text(name)
        if value is not None and not value.startswith(schemes):
            raise SettingsError(f"{name} n'est pas une adresse : donnez-lui {' ou '.join(f'{s}…' for s in schemes)}.")

    def place(self, name: str) -> str | None:
        value = self.text(name)
        if value is not None and not re.fullmatch(r"[^\s/@:]+:\d+", value):
            raise SettingsError(f"{name} vaut « {value} » : donnez-lui un hôte et un port, comme 10.0.0.5:6432.")
        return value

    def addresses(self, name: str, *schemes: str) -> tuple[str, ...]:
        """A list of different addresses, one server each. The message does not repeat them either."""
        values = self.words(name)
        if not all(value.startswith(schemes) for value in values):
            raise SettingsError(
                f"{name} n'est pas une liste d'adresses : donnez-lui {' ou '.join(f'{s}…' for s in schemes)}, une par "
                "serveur, séparées par des virgules."
            )
        if len(set(values)) < len(values):
            raise SettingsError(f"{name} porte deux fois la même adresse : donnez-lui chaque serveur une fois.")
        return tuple(values)

    def number(self, name: str, default: int, low: int, high: int) -> int:
        value = self.text(name)
        if value is None:
            return default
        if not value.isascii() or not value.isdigit() or not low <= int(value) <= high:
            raise SettingsError(f"{name} vaut « {value} » : donnez-lui un nombre de {low} à {high}.")
        return int(value)

    def words(self, name: str) -> list[str]:
        return [word.strip() for word in (self.text(name) or "").split(",") if word.strip()]

    def networks(self, name: str) -> tuple[IpNetwork, ...]:
        networks = []
        for word in self.words(name):
            try:
                networks.append(ipaddress.ip_network(word, strict=False))
            except ValueError:
                raise SettingsError(
                    f"{name} doit être une liste d'adresses ou de plages CIDR, comme 10.0.0.5,172.16.0.0/12 ; "
                    f"« {word} » n'en est pas une."
                ) from None
        return tuple(networks)

    def origins(self, name: str) -> tuple[str, ...]:
        """Browsers compare origins letter by letter: one with a path or without a scheme would never match."""
        origins = self.words(name)
        for word in origins:
            if not re.fullmatch(r"https?://[^/\s*]+", word):
                raise SettingsError(
                    f"{name} porte « {word} » : donnez-lui des origines comme https://comptoir.exemple.ci, sans chemin."
                )
        return tuple(origins)
