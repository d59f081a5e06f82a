"""What can go wrong with a call to the outside."""


class CallFailed(Exception):
    """A call to the outside that failed; the message names whom was called and what came back."""

    def __init__(
        self,
        code: str,
        message: str,
        *,
        retryable: bool = False,
        retry_after_s: float | None = None,
    ) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.retryable = retryable
        self.retry_after_s = retry_after_s
