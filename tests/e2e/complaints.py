"""What a browser complains of while a test drives it: its console, scripts, policy."""

import re
from dataclasses import dataclass, field

from playwright.sync_api import BrowserContext, ConsoleMessage, WebError


@dataclass
class Complaints:
    """Every error of every page, but for those that the test says are to come."""

    heard: list[str] = field(default_factory=list)
    _expected: list[re.Pattern[str]] = field(default_factory=list)

    def listen(self, context: BrowserContext) -> None:
        """Hear all pages of a browser profile."""
        context.on("console", self._console)
        context.on("weberror", self._error)

    def expect(self, pattern: str) -> None:
        """Let errors pass that hold this pattern: a refusal that the test provokes."""
        self._expected.append(re.compile(pattern))

    def unexpected(self) -> list[str]:
        """Return the errors that nobody said were to come."""
        return [
            said for said in self.heard if not any(each.search(said) for each in self._expected)
        ]

    def _console(self, message: ConsoleMessage) -> None:
        if message.type == "error":
            self.heard.append(f"{message.text} at {message.location.get('url', '')}")

    def _error(self, error: WebError) -> None:
        self.heard.append(str(error.error))
