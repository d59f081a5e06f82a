"""Logs: one line an event, for eyes or for machines, from Django, Celery and our own code alike."""

import logging.config
from typing import Any

import structlog

#: Libraries that would write a line for each request or reconnection.
QUIET = (
    "httpx",
    "httpx2",
    "httpcore",
    "asyncio",
    "kombu",
    "uvicorn.access",
    "django.request",
    # A wake-up or a sweep every two seconds is no news.
    "celery.worker.strategy",
    "celery.app.trace",
    "celery.beat",
)


def configure(*, style: str, level: str) -> None:
    """Send every logger through structlog's renderer to standard output."""
    shared: list[Any] = [
        structlog.contextvars.merge_contextvars,
        structlog.stdlib.add_log_level,
        structlog.stdlib.add_logger_name,
        structlog.stdlib.ExtraAdder(),
        _without_coloured_copy,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
    ]
    structlog.configure(
        processors=[*shared, structlog.stdlib.ProcessorFormatter.wrap_for_formatter],
        logger_factory=structlog.stdlib.LoggerFactory(),
        wrapper_class=structlog.stdlib.BoundLogger,
        cache_logger_on_first_use=True,
    )
    logging.config.dictConfig(_standard_library(shared=shared, style=style, level=level))


def _without_coloured_copy(_logger: Any, _method: str, event: Any) -> Any:
    """Leave out uvicorn's second, coloured version of its own message."""
    event.pop("color_message", None)
    return event


def _standard_library(*, shared: list[Any], style: str, level: str) -> dict[str, Any]:
    renderer: Any = structlog.dev.ConsoleRenderer(
        colors=False,
        # The richer form shows local variables, and with them secrets.
        exception_formatter=structlog.dev.plain_traceback,
    )
    failures: list[Any] = []
    if style == "json":
        renderer = structlog.processors.JSONRenderer()
        failures = [structlog.processors.format_exc_info]
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "formatters": {
            "structured": {
                "()": structlog.stdlib.ProcessorFormatter,
                "foreign_pre_chain": shared,
                "processors": [
                    structlog.stdlib.ProcessorFormatter.remove_processors_meta,
                    *failures,
                    renderer,
                ],
            }
        },
        "handlers": {"standard": {"class": "logging.StreamHandler", "formatter": "structured"}},
        "root": {"handlers": ["standard"], "level": level},
        "loggers": {
            **{name: {"level": "WARNING"} for name in QUIET},
            # A request that was refused is no matter for the log; one that failed is.
            "django.request": {"level": "ERROR"},
        },
    }
