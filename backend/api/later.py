"""An answer that is made when something has happened; no thread waits for it."""

from collections.abc import Awaitable, Callable
from typing import Any

from asgiref.sync import async_to_sync
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

#: Where a server that waits on its event loop says so on a request.
WAITS_ON_LOOP = "heddle_waits_on_loop"


class AnswerLater(Response):
    """What a view gives when its answer has to wait: what for, and how to make it then.

    The server takes the chain's answer, waits on its event loop, and has the answer made on a
    thread. Where the server cannot, as the client of tests, rendering waits.
    """

    def __init__(
        self,
        view: APIView,
        *,
        happened: Callable[[], Awaitable[object]],
        answer: Callable[[], Any],
        status: int,
    ) -> None:
        super().__init__(status=status)
        self.happened = happened
        self._answer = answer
        self._view = view
        #: Whether the content is still to come: middleware leaves such an answer alone.
        self.streaming = True

    def render(self) -> "AnswerLater":
        """Leave the content to the server, if it waits on its loop; else wait here."""
        request: Request = self._view.request
        if self.streaming and not getattr(request._request, WAITS_ON_LOOP, False):  # noqa: SLF001 - the request that the server made
            async_to_sync(self.happened)()
            self.complete()
        return self

    def complete(self) -> None:
        """Make the content, or what the view answers when that is refused."""
        self.streaming = False
        try:
            self.data = self._answer()
        except Exception as error:  # noqa: BLE001 - the view's own rules say what is answered
            # Gives what it does not know back to whoever called.
            self._refuse(self._view.handle_exception(error))
        super().render()
        self["Content-Length"] = str(len(self.content))

    def _refuse(self, refusal: Response) -> None:
        self.data, self.status_code = refusal.data, refusal.status_code
        for name, value in refusal.items():
            self[name] = value
