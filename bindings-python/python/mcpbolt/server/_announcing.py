"""What a server tells its client of itself, as part of `ServerSession`: log messages, changes, ends.

Owns: one method each. Must not know: how notifications travel.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .._engine.json import dumps
from ._kept import Kept

if TYPE_CHECKING:
    from pydantic import AnyUrl

    from .. import types

_LEVELS = frozenset({"debug", "info", "notice", "warning", "error", "critical", "alert", "emergency"})


class Announcing(Kept):
    """The part of `ServerSession` that tells the client."""

    if TYPE_CHECKING:

        async def _tell(self, method: str, params: Any = None, related: types.RequestId | None = None) -> None: ...

        async def send_notification(
            self, notification: Any, related_request_id: types.RequestId | None = None
        ) -> None:
            """Send a notification.

            Args:
                notification: The notification.
                related_request_id: The id of the client's request on whose stream to send the
                    message. Default: none.
            """

    async def send_log_message(
        self,
        level: types.LoggingLevel,
        data: Any,
        logger: str | None = None,
        related_request_id: types.RequestId | None = None,
    ) -> None:
        """Send a log message. It is dropped if its level is below the one that the client asked
        for.

        Args:
            level: The severity.
            data: The message: text, or any other JSON value.
            logger: The name of the logger, such as the part of the server that the message is from.
                Default: none.
            related_request_id: The id of the client's request on whose stream to send the message.
                Default: none.

        .. deprecated:: 2026-07-28
           logging, SEP-2577; earliest removal 2027-07-28. Write to stderr on stdio; use
           OpenTelemetry elsewhere.
        """
        if self._host is not None and level in _LEVELS:
            params: dict[str, Any] = {"level": level, "data": data}
            if logger is not None:
                params["logger"] = logger
            try:
                text = dumps(params)
            except (TypeError, ValueError):
                pass
            else:
                await self._send(self._call_of(related_request_id), "notifications/message", text)
                return
        from .. import types

        content = types.LoggingMessageNotificationParams(level=level, data=data, logger=logger)
        notification = types.LoggingMessageNotification(params=content)
        await self.send_notification(types.ServerNotification(notification), related_request_id)

    async def send_resource_updated(self, uri: AnyUrl | str) -> None:
        """Notify the client that a resource changed.

        Args:
            uri: The URI of the resource.
        """
        await self._tell("notifications/resources/updated", {"uri": str(uri)})

    async def send_resource_list_changed(self) -> None:
        """Notify the client that the list of resources changed."""
        await self._tell("notifications/resources/list_changed")

    async def send_tool_list_changed(self) -> None:
        """Notify the client that the list of tools changed."""
        await self._tell("notifications/tools/list_changed")

    async def send_prompt_list_changed(self) -> None:
        """Notify the client that the list of prompts changed."""
        await self._tell("notifications/prompts/list_changed")

    async def send_elicit_complete(
        self, elicitation_id: str, related_request_id: types.RequestId | None = None
    ) -> None:
        """Notify the client that the user has finished at the URL of a question.

        Args:
            elicitation_id: The id that the question was asked with.
            related_request_id: The id of the client's request on whose stream to send the message.
                Default: none.
        """
        params = {"elicitationId": elicitation_id}
        await self._tell("notifications/elicitation/complete", params, related_request_id)
