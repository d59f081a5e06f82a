"""The product's processes and the command line of each."""

import os
from pathlib import Path

from heddle_platform.places import PYTHON, ROOT
from heddle_platform.ports import LOOPBACK

#: Leaves logging to the product: without it uvicorn would install handlers of its own.
_LOG_CONFIGURATION = Path(__file__).with_name("uvicorn-logging.json")


def default_io_workers() -> int:
    """Return how many io workers suit this machine: one holds hundreds of waiting steps."""
    return max(1, min(4, (os.cpu_count() or 2) // 2))


def web_command(*, port: int, host: str = LOOPBACK) -> list[str]:
    """Return the web server's command line."""
    return [
        *(str(PYTHON), "-m", "uvicorn", "backend.config.asgi:application"),
        *("--host", host, "--port", str(port), "--lifespan", "on", "--no-access-log"),
        *("--log-config", str(_LOG_CONFIGURATION), "--timeout-graceful-shutdown", "3"),
    ]


def io_worker_command(*, number: int = 1) -> list[str]:
    """Return the command line of one worker of the lane io."""
    return [
        *(str(PYTHON), "-m", "celery", "-q", "-A", "workers.app", "worker"),
        *("-P", "threads", "-c", "4", "-Q", "io", "-n", f"io-{number}@%h"),
        *("--without-gossip", "--without-mingle", "--loglevel", "INFO"),
    ]


def beat_command() -> list[str]:
    """Return the clock's command line."""
    return [
        *(str(PYTHON), "-m", "celery", "-q", "-A", "workers.clock", "beat", "--pidfile="),
        *("-S", "django_celery_beat.schedulers:DatabaseScheduler", "--loglevel", "WARNING"),
    ]


def manage_command(*arguments: str) -> list[str]:
    """Return the command line of one of Django's commands."""
    return [str(PYTHON), str(ROOT / "manage.py"), *arguments]
