"""Archives of the journal: a closed month moves to the store, is read back there, and can be put back.

A file is the rows of the month as CSV with a header, packed by gzip and encrypted by age, so it can be read without
Comptoir. Its proof are the seals, which stay in the database and keep the fingerprint of every entry.

The row of audit.archive and the removal of the part are one transaction, which comes after the file was read back from
the store. A run that dies before it leaves a file that no row names; a run that dies after it has nothing left to do.
"""

import argparse
import csv
import gzip
import os
import random
import tempfile
import time
import uuid
import zlib
from collections.abc import Generator, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import psycopg
import psycopg.errors as pg
from psycopg import sql
from psycopg.rows import dict_row

from app.base.failure import Failure, first_line
from app.base.progress import Say, during
from app.base.refusal import Refusal
from app.base.settings import Settings
from app.commands.backups import end_on_sigterm
from app.commands.command import command
from app.commands.place import migrated_database
from app.database import months, schema
from app.vault import backup, objects
from app.vault.backup import BackupError
from app.vault.cipher import CipherError, Keys

BUSY = "Une sauvegarde, une restauration ou un archivage est en cours : attendez sa fin."
BLOCK = 1024 * 1024
ATTEMPTS = 10
PASSING = (pg.LockNotAvailable, pg.DeadlockDetected)

_LIST = """
select replace(substr(nom, 9), '_', '-') as mois, nom as partie, p.nom is not null as presente,
       coalesce(p.fermee, false) as fermee, p.du, p.au, a.du as archive_du, a.au as archive_au, a.date, a.entrees,
       a.ids::text as ids, a.du_rang, a.au_rang, a.chemin, a.taille_octets, a.sha256
  from audit.partie_vue p
  full join (select distinct on (partie) a.*, partie as nom from audit.archive a order by partie, id_archive desc) a
    using (nom)
 where nom <> 'journal_suite'
 order by coalesce(a.au, p.au)
"""
# Identifiers that follow each other become one range before they are put together.
_CONTENT = """
with suite as (select id_trace, id_trace - row_number() over (order by id_trace) as numero from {}),
ids as (select coalesce(range_agg(int8range(s.debut, s.fin, '[]')), '{{}}') as ids, coalesce(sum(s.n), 0) as entrees
          from (select min(id_trace) as debut, max(id_trace) as fin, count(*) as n from suite group by numero) s)
select i.ids::text as ids, i.entrees::bigint as entrees, min(s.rang) as du_rang, max(s.rang) as au_rang,
       coalesce(max(s.au_id) >= upper(i.ids) - 1, false) as scelle
  from ids i
  left join audit.sceau s on s.registre = 'journal' and s.au_id >= lower(i.ids) and s.du_id < upper(i.ids)
 group by i.ids, i.entrees
"""
# An erased entry (audit.effacement) differs from its seal: the file has it as it was, or as its erasure left it.
_COMPARE = """
with scelle as (
  select e.id, e.empreinte, e.sel
    from audit.sceau s
    left join audit.feuillage f on f.rang = s.rang and f.feuilles is null
   cross join lateral unnest(s.ids, s.empreintes, f.sels) e (id, empreinte, sel)
   where s.registre = 'journal' and s.rang between %(du_rang)s and %(au_rang)s and e.id <@ %(ids)s::int8multirange),
effacee as materialized (select v.id from audit.effacee_vue v where v.id <@ %(ids)s::int8multirange),
lue as (select l.id_trace as id, audit._trace_empreinte(row(l.*)::audit.journal) as empreinte from {} l),
ecart as (
  select coalesce(s.id, l.id) as id,
         (case when l.id is null then 'MANQUANTE' when s.id is null then 'AJOUTEE' else 'CHANGEE' end
         )::audit.nature_constat as nature
    from scelle s full join lue l on l.id = s.id
   where s.empreinte is distinct from
         case when s.sel is null then l.empreinte else audit._engager(s.sel, l.empreinte, null) end
     and not (s.id is not null and l.id is not null and s.id in (select id from effacee)))
select audit._constat_phrase(%(lieu)s, e.nature, array_agg(e.id order by e.id)) from ecart e group by e.nature
 order by e.nature
"""
_INSERT = """
insert into audit.archive (partie, du, au, entrees, ids, du_rang, au_rang, chemin, taille_octets, sha256)
values (%(partie)s, %(du)s, %(au)s, %(entrees)s, %(ids)s::int8multirange, %(du_rang)s, %(au_rang)s, %(chemin)s,
        %(taille)s, %(sha256)s)
"""


@dataclass(frozen=True, slots=True)
class Archives:
    """The archived months of one database, whose owner's address is `url`."""

    settings: Settings
    url: str
    say: Say = print

    def months(self) -> list[dict[str, Any]]:
        """Every month, in the database or in the store. Of several archives of a month the last one counts."""
        with schema.connect(self.url, 5.0) as connection:
            return _months(connection)

    def archive(self, month: str, minimum_age: int) -> None:
        """Move a month to the store: write the file, read it back, compare it with the seals, and drop the part.

        `minimum_age` is the number of whole months since its end.
        """
        with self._session() as connection:
            part = _closed(connection, month, minimum_age)
            table = sql.Identifier("audit", part["partie"])
            with during("Comparaison aux sceaux", self.say):
                content = _content(connection, table)
                _refuse_unfit(connection, month, content)
            keys = Keys.of(self.settings)
            key = f"archives/{part['partie']}-{uuid.uuid4()}.csv.gz.age"
            try:
                encrypted = closing(_encrypted_rows(connection, table, keys))
                with during("Copie du mois dans le stockage", self.say), encrypted as parts:
                    size, digest = objects.upload(self.settings, key, parts)
                written = part | content | {"chemin": key, "taille": size, "sha256": digest}
                if problems := self._read_aside(connection, written):
                    raise BackupError("\n".join([f"L'archive de {month} n'est pas juste :", *problems]))
            except BaseException:
                with suppress(Refusal):  # the store has failed; the file stays, and no row names it
                    objects.delete(self.settings, key)
                raise
            # From here the file stays whatever happens: a commit may have succeeded although its answer was lost.
            _drop(connection, table, written)
        self.say(f"{month} archivé et relu : {content['entrees']} entrées, {size} octets, {key}.")

    def verify(self, month: str | None) -> list[str]:
        """Read archives back and compare them with the seals. Return each problem as one French sentence."""
        with self._session(exclusive=False) as connection:
            query = "select message from audit._verifier_chaine(null)"
            problems = [message for (message,) in connection.execute(query).fetchall()]
            for archived in [_archived(connection, month)] if month else _months(connection):
                if archived["chemin"] is None:
                    continue
                differences = self._read_aside(connection, archived)
                if not differences:
                    self.say(f"{archived['mois']} : {archived['entrees']} entrées relues, conformes aux sceaux.")
                problems += differences
        return problems

    def restore(self, month: str) -> None:
        """Put an archived month back as a part of the journal, if its file agrees with the seals."""
        with self._session() as connection:
            archived = _archived(connection, month)
            if archived["presente"]:
                raise BackupError(f"{month} est déjà dans la base.")
            part = sql.Identifier("audit", archived["partie"])
            with connection.transaction():
                connection.execute("select pg_advisory_xact_lock(%s)", [months.LOCK])
                months.create_part(connection, archived["partie"], "journal_suite")
                if problems := self._read_back(connection, part, archived):
                    raise BackupError("\n".join([f"L'archive de {month} n'est pas remise :", *problems]))
                start = sql.SQL("minvalue") if archived["archive_du"] is None else sql.Literal(archived["archive_du"])
                attach = "alter table audit.journal attach partition {} for values from ({}) to ({})"
                connection.execute(sql.SQL(attach).format(part, start, sql.Literal(archived["archive_au"])))
                comment = "comment on table {} is 'Journal du mois, en UTC, remis de son archive.'"
                connection.execute(sql.SQL(comment).format(part))
                # The clients erased since, before anything else can read the month.
                erased = connection.execute("select audit._mois_effacer(%s)", [archived["partie"]]).fetchone()
        months.keep_months(self.url)  # creates its indexes for reading
        self.say(f"{month} remis : {archived['entrees']} entrées, conformes aux sceaux.")
        if erased and erased[0]:
            self.say(f"{erased[0]} entrées parlaient de clients effacés depuis : leurs données en sont retirées.")

    @contextmanager
    def _session(self, exclusive: bool = True) -> Iterator[schema.Session]:
        """A session that writes and reads every value in one way. `exclusive` keeps backups and other runs out."""
        with schema.connect(self.url, 5.0) as connection, backup.explained_errors():
            connection.execute("set timezone = 'UTC'; set datestyle = 'ISO, YMD'; set client_encoding = 'UTF8'")
            if exclusive and not connection.execute("select jobs._coffre_prendre()").fetchone()[0]:  # type: ignore[index]
                raise BackupError(BUSY)
            try:
                yield connection
            finally:
                with suppress(psycopg.Error):  # the connection is lost, and its locks with it
                    # The server ends a session after its client has left: the next run would find the lock taken.
                    connection.execute("select pg_advisory_unlock_all()")

    def _read_aside(self, connection: schema.Session, archived: dict[str, Any]) -> list[str]:
        """Read the file back into a table that does not stay."""
        with connection.transaction(force_rollback=True):
            connection.execute("create temp table archive_lue (like audit.journal, primary key (id_trace))")
            return self._read_back(connection, sql.Identifier("pg_temp", "archive_lue"), archived)

    def _read_back(self, connection: schema.Session, table: sql.Identifier, archived: dict[str, Any]) -> list[str]:
        """Load the file from the store into a table. Return how it differs from its row and from the seals."""
        place = f"Archive {archived['chemin']}"
        with tempfile.TemporaryDirectory(prefix="comptoir-archive-") as folder:
            file = Path(folder) / "archive"
            with during("Lecture du stockage", self.say):
                try:
                    digest = objects.download(self.settings, archived["chemin"], file)
                except Refusal as error:
                    return [f"{place} : {error.message}"]
            problems = [] if digest == archived["sha256"] else [f"{place} : la somme SHA-256 n'est pas celle notée."]
            with during("Comparaison aux sceaux", self.say):
                try:
                    with connection.transaction():
                        _load(connection, table, file, Keys.of(self.settings))
                except (Failure, pg.DataError, pg.IntegrityError, pg.UndefinedColumn) as error:
                    return [*problems, f"{place} : {first_line(error)}"]
                rows = connection.execute(sql.SQL(_COMPARE).format(table), archived | {"lieu": place}).fetchall()
        return problems + [message for (message,) in rows]


def _months(connection: schema.Session) -> list[dict[str, Any]]:
    return connection.cursor(row_factory=dict_row).execute(_LIST).fetchall()


def _find(connection: schema.Session, month: str) -> dict[str, Any]:
    for known in _months(connection):
        if known["mois"] == month:
            return known
    raise BackupError(f"Il n'y a pas de mois {month} : « comptoir archive » les nomme.")


def _archived(connection: schema.Session, month: str) -> dict[str, Any]:
    archived = _find(connection, month)
    if archived["chemin"] is None:
        raise BackupError(f"{month} n'a pas été archivé : il est dans la base.")
    return archived


def _closed(connection: schema.Session, month: str, minimum_age: int) -> dict[str, Any]:
    part = _find(connection, month)
    if not part["presente"]:
        raise BackupError(
            f"{month} est déjà archivé : « comptoir archive {month} --verifier » le relit, « --restaurer » le remet."
        )
    if not part["fermee"]:
        raise BackupError(
            f"{month} est ouvert : la tâche « mois-du-journal » du travailleur clôt un mois une heure après sa fin."
        )
    query = "select %s + make_interval(months => %s) <= now()"
    if connection.execute(query, [part["au"], minimum_age]).fetchone() != (True,):
        raise BackupError(
            f"{month} est fini depuis moins de {minimum_age} mois : --age dit combien de mois un mois fini reste ici."
        )
    return part


def _content(connection: schema.Session, table: sql.Identifier) -> dict[str, Any]:
    """The identifiers of a month, the seals that cover them, and whether all are sealed."""
    [content] = connection.cursor(row_factory=dict_row).execute(sql.SQL(_CONTENT).format(table)).fetchall()
    return content


def _refuse_unfit(connection: schema.Session, month: str, content: dict[str, Any]) -> None:
    """Refuse a month that is empty, not sealed to its end, or no longer as it was sealed."""
    if content["entrees"] == 0:
        raise BackupError(f"{month} n'a aucune entrée : il n'y a rien à archiver.")
    if not content["scelle"]:
        raise BackupError(
            f"Des entrées de {month} ne sont pas encore scellées : attendez la tâche « sceller » (dix minutes), ou "
            "lancez audit.sceller(), puis recommencez."
        )
    query = "select message from audit.verifier(null, %s, %s)"
    ranks = [content["du_rang"], content["au_rang"]]
    problems = [message for (message,) in connection.execute(query, ranks).fetchall()]
    if problems:
        raise BackupError("\n".join(["Le journal n'est pas intact, rien n'est archivé :", *problems]))


def _drop(connection: schema.Session, table: sql.Identifier, written: dict[str, Any]) -> None:
    """Record the archive and drop the part, in one transaction with short waits for locks."""
    for attempt in range(1, ATTEMPTS + 1):
        try:
            with connection.transaction():
                connection.execute(sql.SQL("set local lock_timeout = {}").format(months.STRONG_TIMEOUT))
                connection.execute("select pg_advisory_xact_lock(%s)", [months.LOCK])
                # Writers of this month, which a wrong clock can make, wait. Readers and other writers go on.
                connection.execute(sql.SQL("lock table {} in share mode").format(table))
                if _content(connection, table)["ids"] != written["ids"]:
                    raise BackupError("Des entrées se sont ajoutées au mois pendant l'archivage : recommencez.")
                connection.execute(_INSERT, written)
                connection.execute(sql.SQL("drop table {}").format(table))
            return
        except PASSING:
            if attempt == ATTEMPTS:
                raise BackupError(
                    "Le journal est occupé (sauvegarde, rapport long) : rien n'est retiré de la base, recommencez."
                ) from None
            time.sleep(random.uniform(0.1, 0.5) * attempt)  # noqa: S311 - jitter


# ---- the file


def _encrypted_rows(connection: schema.Session, table: sql.Identifier, keys: Keys) -> Generator[bytes, None, None]:
    """The encrypted rows of a table, in parts."""
    reading, writing = os.pipe()
    with ThreadPoolExecutor(1) as pool, os.fdopen(reading, "rb") as packed, keys.encrypted(packed) as encrypted:
        copying = pool.submit(_pack_rows, connection, table, writing)
        while part := encrypted.read(backup.PART):
            yield part
        copying.result()


def _pack_rows(connection: schema.Session, table: sql.Identifier, writing: int) -> None:
    query = sql.SQL("copy (select * from {} order by id_trace) to stdout (format csv, header)").format(table)
    # On a broken pipe the reader has failed and raises its own error.
    with (
        suppress(BrokenPipeError),
        os.fdopen(writing, "wb") as pipe,
        gzip.open(pipe, "wb") as packed,
        connection.cursor().copy(query) as copy,
    ):
        packed.writelines(copy)


def _load(connection: schema.Session, table: sql.Identifier, file: Path, keys: Keys) -> None:
    """Load a file into a table. Its header names the columns: the journal may have got others since."""
    reading, writing = os.pipe()
    with ThreadPoolExecutor(1) as pool, os.fdopen(reading, "rb") as pipe:
        decrypting = pool.submit(backup.decrypt, file, keys, os.fdopen(writing, "wb"))
        try:
            with gzip.open(pipe) as packed:
                if not (header := packed.readline().decode()):
                    raise EOFError("il est vide")
                (columns,) = csv.reader([header])
                names = sql.SQL(", ").join(map(sql.Identifier, columns))
                statement = sql.SQL("copy {} ({}) from stdin (format csv)").format(table, names)
                with connection.cursor().copy(statement) as copy:
                    while block := packed.read(BLOCK):
                        copy.write(block)
        except (OSError, EOFError, ValueError, zlib.error) as error:
            pipe.close()  # a decryption that fills the pipe would wait forever
            decrypting.result()  # raises the reason if the file cannot be decrypted
            raise CipherError(f"Le fichier ne se lit pas ({error}) : il est abîmé.") from None
        decrypting.result()


# ---- the command


def _archive_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("mois", nargs="?", metavar="MOIS", help="mois du journal, AAAA-MM ; sans lui, leur liste")
    action = parser.add_mutually_exclusive_group()
    action.add_argument("--verifier", action="store_true", help="relire ce mois, ou tous, et le comparer aux sceaux")
    action.add_argument("--restaurer", action="store_true", help="remettre ce mois dans la base")
    action.add_argument(
        "--age", type=int, default=12, metavar="N", help="n'archiver qu'un mois fini depuis N mois au moins (12)"
    )


@command("comptoir archive 2025-01", _archive_options)
def archive(settings: Settings, arguments: argparse.Namespace) -> int:
    """Archive, verify or restore a month, or list the months."""
    end_on_sigterm()
    with migrated_database(settings, objects=True) as url:
        archives = Archives(settings, url)
        if arguments.verifier:
            problems = archives.verify(arguments.mois)
            for problem in problems:
                print(problem)
            return 1 if problems else 0
        if arguments.mois is None:
            _list(archives)
        elif arguments.restaurer:
            archives.restore(arguments.mois)
        else:
            archives.archive(arguments.mois, arguments.age)
    return 0


def _list(archives: Archives) -> None:
    for month in archives.months():
        state = "dans la base, clos" if month["fermee"] else "dans la base, ouvert"
        if month["chemin"] is not None:
            where = "archivé et remis" if month["presente"] else "archivé"
            state = f"{where} le {month['date']:%Y-%m-%d}, {month['entrees']} entrées, {month['chemin']}"
        print(f"{month['mois']} : {state}")
