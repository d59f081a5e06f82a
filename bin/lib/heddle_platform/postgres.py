"""A private PostgreSQL: its data folder, its start and its readiness."""

import os
import pwd
import shutil
import signal
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from time import monotonic, sleep

from heddle_platform.child import clean_environment, run_as, spawn
from heddle_platform.console import Refusal
from heddle_platform.postgres_binaries import PostgresBinaries
from heddle_platform.service_user import ServiceUser

DATABASE = "heddle"
ROLE = "heddle"
#: Fast shutdown: sessions are ended, everything committed is on disk.
STOP_SIGNAL = signal.SIGINT
START_LIMIT_S = 60

_SETTINGS = {
    "listen_addresses": "",
    "max_connections": "200",
    "shared_buffers": "128MB",
    "jit": "off",
    "wal_compression": "on",
    "max_wal_size": "2GB",
    "checkpoint_timeout": "15min",
    "log_line_prefix": "%m ",
    "timezone": "UTC",
}


@dataclass(frozen=True, kw_only=True)
class Postgres:
    """One data folder and the server on it; people come in by the socket as who they are."""

    home: Path
    socket_folder: Path
    log: Path
    binaries: PostgresBinaries
    user: ServiceUser
    settings: Mapping[str, str] = field(default_factory=dict)

    def url(self, database: str = DATABASE) -> str:
        """Return the address for clients on this machine."""
        return f"postgresql://{ROLE}@/{database}?host={self.socket_folder}"

    def prepare(self) -> None:
        """Make the data folder if there is none, and refuse one that cannot be used."""
        self.user.own(self.socket_folder)
        if self.home.exists() and any(self.home.iterdir()):
            self._check_folder()
        else:
            self._initialise()
        self._write_access_rules()
        self._stop_orphan()

    def start(self) -> subprocess.Popen[bytes]:
        """Start the server; it is ready when `wait` returns."""
        settings = {
            **_SETTINGS,
            "unix_socket_directories": str(self.socket_folder),
            **self.settings,
        }
        options = [part for key, value in settings.items() for part in ("-c", f"{key}={value}")]
        with self.log.open("ab") as log:
            return spawn(
                [self.binaries.path("postgres"), "-D", str(self.home), *options],
                environment=clean_environment(),
                output=log,
                user=self.user,
                last_words=STOP_SIGNAL,
                folder=Path("/"),
            )

    def wait(self, process: subprocess.Popen[bytes]) -> None:
        """Return when the server takes connections.

        Raises:
            Refusal: It ended, or did not get ready; the line names the cause.
        """
        deadline = monotonic() + START_LIMIT_S
        while not self._is_ready(process.pid):
            if process.poll() is not None:
                raise Refusal(self._why_not())
            if monotonic() > deadline:
                raise Refusal(f"PostgreSQL was not ready after {START_LIMIT_S} s: see {self.log}.")
            sleep(0.02)

    def create_database(self, name: str) -> None:
        """Make another database on the running server."""
        answer = subprocess.run(
            [self.binaries.path("createdb"), "-h", str(self.socket_folder), "-U", ROLE, name],
            capture_output=True,
            text=True,
            check=False,
            env=clean_environment(),
        )
        if answer.returncode:
            raise Refusal(f"The database {name} could not be made: {answer.stderr.strip()}")

    def _check_folder(self) -> None:
        version_file = self.home / "PG_VERSION"
        complete = version_file.is_file() and (self.home / "global" / "pg_control").is_file()
        if not complete:
            raise Refusal(self._damaged("files are missing"))
        found = version_file.read_text().strip()
        if found != self.binaries.major:
            raise Refusal(
                f"The database in {self.home} was made by PostgreSQL {found}, and this Heddle has"
                f" PostgreSQL {self.binaries.major}: start the Heddle that made it, export with its"
                " pg_dump, move the folder away and import; or choose another folder with --data."
            )

    def _initialise(self) -> None:
        """Make the folder beside its place and rename it: it exists whole or not at all."""
        unfinished = self.home.with_name(self.home.name + ".new")
        shutil.rmtree(unfinished, ignore_errors=True)
        self.user.own(unfinished)
        made = run_as(
            self.user,
            [
                self.binaries.path("initdb"),
                *("-D", str(unfinished), "-U", ROLE, "--auth=peer", "--encoding=UTF8"),
                *("--locale-provider=builtin", "--builtin-locale=C.UTF-8", "--locale=C"),
                "--no-instructions",
                *(["--no-sync"] if self.settings.get("fsync") == "off" else []),
            ],
        )
        if made.returncode:
            raise Refusal(f"The database folder could not be made: {_last_line(made.stderr)}")
        created = run_as(
            self.user,
            [self.binaries.path("postgres"), "--single", "-D", str(unfinished), "postgres"],
            stdin=f"CREATE DATABASE {DATABASE}\n",
        )
        if created.returncode:
            raise Refusal(f"The database could not be made: {_last_line(created.stderr)}")
        if self.home.exists():
            self.home.rmdir()
        unfinished.rename(self.home)

    def _write_access_rules(self) -> None:
        """Let in, by the socket alone, the service user and whoever runs this command."""
        names = sorted({_name_of(self.user.uid), _name_of(os.geteuid())})
        self._write("pg_ident.conf", [f'heddle "{name}" {ROLE}' for name in names])
        self._write("pg_hba.conf", ["local all all peer map=heddle"])

    def _write(self, name: str, lines: list[str]) -> None:
        path = self.home / name
        path.write_text("\n".join(lines) + "\n")
        self.user.give(path)

    def _stop_orphan(self) -> None:
        """Stop a server that an earlier command left on this folder."""
        if (self.home / "postmaster.pid").exists():
            command = [self.binaries.path("pg_ctl"), "stop", "-D", str(self.home), "-m", "fast"]
            run_as(self.user, [*command, "-w", "-t", "30"])

    def _is_ready(self, pid: int) -> bool:
        try:
            lines = (self.home / "postmaster.pid").read_text().splitlines()
        except OSError:
            return False
        return len(lines) >= 8 and lines[0].strip() == str(pid) and lines[7].strip() == "ready"

    def _why_not(self) -> str:
        complaint = _last_complaint(self.log)
        if "No space left" in complaint:
            return (
                f"PostgreSQL found no space on the disk of {self.home}: free some and start again."
            )
        return self._damaged(complaint)

    def _damaged(self, why: str) -> str:
        return (
            f"The database folder {self.home} is damaged ({why}): put a backup in its place, or"
            f" move it away to begin anew. PostgreSQL's own words are in {self.log}."
        )


def _name_of(uid: int) -> str:
    try:
        return pwd.getpwuid(uid).pw_name
    except KeyError as error:
        raise Refusal(
            f"The user with id {uid} has no name in /etc/passwd; PostgreSQL needs one: add an"
            " entry, or set DATABASE_URL to a PostgreSQL of your own."
        ) from error


def _last_line(text: str) -> str:
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    return lines[-1] if lines else "no message"


def _last_complaint(log: Path) -> str:
    try:
        lines = log.read_text(errors="replace").splitlines()[-40:]
    except OSError:
        return "no message"
    grave = [line for line in lines if "FATAL:" in line or "PANIC:" in line]
    if not grave:
        return _last_line("\n".join(lines))
    return grave[0].split(":  ", 1)[-1].strip()
