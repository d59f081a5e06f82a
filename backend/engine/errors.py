"""The base of every refusal that a person or a program is told about."""

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar


class DomainError(Exception):
    """A request that was understood and is refused; `code` is stable and documented."""

    code: ClassVar[str] = "refused"
    status: ClassVar[int] = 400

    def __init__(
        self,
        detail: str,
        *,
        issues: Sequence[Any] | None = None,
        extra: Mapping[str, Any] | None = None,
        retry_after_s: int | None = None,
    ) -> None:
        super().__init__(detail)
        self.detail = detail
        self.issues = issues
        self.extra = dict(extra or {})
        #: In how many seconds the same request may well be granted.
        self.retry_after_s = retry_after_s
