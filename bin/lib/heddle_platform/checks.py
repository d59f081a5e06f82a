"""bin/check: everything that can be said about the code without running it."""

import argparse
import base64
import secrets
import subprocess
from collections.abc import Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from pathlib import Path
from time import monotonic
from urllib.parse import quote

from heddle_platform.child import clean_environment
from heddle_platform.console import Refusal, say
from heddle_platform.environment import ensure_environment
from heddle_platform.frontend import ensure_packages
from heddle_platform.places import FRONTEND, PYTHON, ROOT, VENV
from heddle_platform.throwaway import throwaway_postgres

_COMMANDS_IN_BIN = "up test check bench chaos lock manage lib/start ../.ci/run"


@dataclass(frozen=True, kw_only=True)
class Check:
    """One checker: a name, a command line, and where it runs."""

    name: str
    command: Sequence[str]
    folder: Path = ROOT
    #: The command that repairs what the check finds, where there is one.
    repair: Sequence[str] = ()
    asks_database: bool = False


def check(arguments: Sequence[str]) -> int:
    """Run all checks, or the named ones, and say which failed."""
    options = _parse(arguments)
    ensure_environment("dev")
    environment = check_environment()
    failed = []
    for found in _chosen(options.names):
        command = found.repair if options.fix else found.command
        if command and not _passes(found, command, environment):
            failed.append(found.name)
    if failed:
        say(f"\n✗ bin/check: {', '.join(failed)}")
        return 1
    say("\n✓ bin/check: " + ("repaired what can be repaired" if options.fix else "all passed"))
    return 0


def check_environment() -> dict[str, str]:
    """Return variables that let Django load its settings; no service answers at the addresses."""
    key = base64.b64encode(secrets.token_bytes(32)).decode()
    return {
        **clean_environment(),
        "DATABASE_URL": f"postgresql://heddle@/heddle?host={quote(str(ROOT / 'no-socket-here'))}",
        "REDIS_URL": "redis://127.0.0.1:1/0",
        "HEDDLE_SECRET_KEY": secrets.token_hex(32),
        "HEDDLE_CREDENTIAL_KEYS": f"check:{key}",
    }


def _parse(arguments: Sequence[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="bin/check", description="Check the code.")
    parser.add_argument("names", nargs="*", help="only these checks (default: all)")
    parser.add_argument("--fix", action="store_true", help="format and repair instead")
    return parser.parse_args(arguments)


def _passes(found: Check, command: Sequence[str], environment: dict[str, str]) -> bool:
    started = monotonic()
    with throwaway_postgres() if found.asks_database else nullcontext() as postgres:
        own = {"DATABASE_URL": postgres.url()} if postgres else {}
        answer = _run(found, command, {**environment, **own, **_node_path(found)})
    mark = "✗" if answer.returncode else "✓"
    say(f"{mark} {found.name} ({monotonic() - started:.1f} s)")
    if answer.returncode:
        say(answer.stdout.rstrip())
    return not answer.returncode


def _run(
    found: Check, command: Sequence[str], environment: dict[str, str]
) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        list(command),
        cwd=found.folder,
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )


def _node_path(found: Check) -> dict[str, str]:
    return ensure_packages().environment() if found.folder == FRONTEND else {}


def _chosen(names: Sequence[str]) -> list[Check]:
    everything = _python_checks() + _repository_checks() + _frontend_checks()
    unknown = sorted(set(names) - {found.name for found in everything})
    if unknown:
        known = ", ".join(found.name for found in everything)
        raise Refusal(f"There is no check named {unknown[0]}: choose among {known}.")
    return [found for found in everything if not names or found.name in names]


def _python_checks() -> list[Check]:
    lint_imports = "from importlinter.cli import lint_imports_command as c; c()"
    return [
        Check(
            name="ruff-format",
            command=_module("ruff", "format", "--check", "."),
            repair=_module("ruff", "format", "."),
        ),
        Check(
            name="ruff",
            command=_module("ruff", "check", "."),
            repair=_module("ruff", "check", "--fix", "."),
        ),
        Check(name="mypy", command=_module("mypy")),
        Check(name="imports", command=[str(PYTHON), "-c", lint_imports]),
        Check(
            name="migrations",
            command=_manage("makemigrations", "--check", "--dry-run"),
            asks_database=True,
        ),
    ]


def _repository_checks() -> list[Check]:
    compose = ["--builtin-schema", "vendor.compose-spec", "docker-compose.yml"]
    scripts = [str((ROOT / "bin" / name).resolve()) for name in _COMMANDS_IN_BIN.split()]
    return [
        Check(name="compose", command=_module("check_jsonschema", *compose)),
        Check(name="shell", command=[str(VENV / "bin" / "shellcheck"), *scripts]),
        Check(
            name="kinds-reference",
            command=_module("backend.nodes.reference", "--check"),
            repair=_module("backend.nodes.reference"),
        ),
    ]


def _frontend_checks() -> list[Check]:
    def npm(name: str, script: str, *, repair: str = "", asks_database: bool = False) -> Check:
        return Check(
            name=name,
            command=[*_npm(), "run", "--silent", script],
            folder=FRONTEND,
            repair=[*_npm(), "run", "--silent", repair] if repair else (),
            asks_database=asks_database,
        )

    return [
        npm("api-types", "api:check", repair="api:types", asks_database=True),
        npm("prettier", "format:check", repair="format"),
        npm("tsc", "types"),
        npm("eslint", "lint"),
    ]


def _npm() -> tuple[str, ...]:
    return ensure_packages().npm


def _module(name: str, *arguments: str) -> list[str]:
    return [str(PYTHON), "-m", name, *arguments]


def _manage(*arguments: str) -> list[str]:
    return [str(PYTHON), "-W", "ignore", "manage.py", *arguments]
