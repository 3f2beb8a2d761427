"""The messages of a client that are not answered with anything, as part of `ClientSession`.

Owns: one method each. Must not know: connections.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ._listing import Listing

if TYPE_CHECKING:
    from pydantic import AnyUrl

    from ..types import EmptyResult, LoggingLevel


class Signals(Listing):
    """The part of `ClientSession` that pings, reports and subscribes."""

    if TYPE_CHECKING:

        async def send_notification(self, notification: Any, related_request_id: Any = None) -> None:
            """Implemented by the session.

            Args:
                notification: The notification.
                related_request_id: The id of the client's request on whose stream to send the
                    message. Default: none.
            """
            ...

        async def _watch(self, uri: str, on: bool) -> bool: ...

    async def send_ping(self) -> EmptyResult:
        """Check that the server responds. Only up to 2025-11-25, since 2026-07-28 has no `ping`."""
        m = self._models

        done: EmptyResult = await self.send_request(m.ClientRequest(m.PingRequest()), m.EmptyResult)
        return done

    async def send_progress_notification(
        self, progress_token: str | int, progress: float, total: float | None = None, message: str | None = None
    ) -> None:
        """Report progress on a request that the server sent.

        Args:
            progress_token: The token from the `_meta` of that request.
            progress: How much is done, in any unit; must increase with each report.
            total: The value of `progress` when the work is complete. Default: not known.
            message: A text that describes the current step, for the user. Default: none.
        """
        m = self._models

        params = m.ProgressNotificationParams(
            progressToken=progress_token, progress=progress, total=total, message=message
        )
        await self.send_notification(m.ClientNotification(m.ProgressNotification(params=params)))

    async def set_logging_level(self, level: LoggingLevel) -> EmptyResult:
        """Set the lowest level of log messages that the server should send.

        Args:
            level: The lowest level of messages to send, such as `warning`.

        .. deprecated:: 2026-07-28
           logging, SEP-2577; earliest removal 2027-07-28. Write to stderr on stdio; use
           OpenTelemetry elsewhere.
        """
        m = self._models

        request = m.SetLevelRequest(params=m.SetLevelRequestParams(level=level))
        done: EmptyResult = await self.send_request(m.ClientRequest(request), m.EmptyResult)
        return done

    async def subscribe_resource(self, uri: AnyUrl | str) -> EmptyResult:
        """Ask the server to send a notification whenever a resource changes. The `message_handler` gets
        them.

        Args:
            uri: The URI of the resource.
        """
        m = self._models

        if await self._watch(str(uri), True):
            nothing: EmptyResult = m.EmptyResult()
            return nothing
        request = m.SubscribeRequest(params=m.SubscribeRequestParams.model_validate({"uri": uri}))
        done: EmptyResult = await self.send_request(m.ClientRequest(request), m.EmptyResult)
        return done

    async def unsubscribe_resource(self, uri: AnyUrl | str) -> EmptyResult:
        """End a subscription made with `subscribe_resource`.

        Args:
            uri: The URI of the resource.
        """
        m = self._models

        if await self._watch(str(uri), False):
            nothing: EmptyResult = m.EmptyResult()
            return nothing
        request = m.UnsubscribeRequest(params=m.UnsubscribeRequestParams.model_validate({"uri": uri}))
        done: EmptyResult = await self.send_request(m.ClientRequest(request), m.EmptyResult)
        return done

    async def send_roots_list_changed(self) -> None:
        """Notify the server that the list of roots changed.

        .. deprecated:: 2026-07-28
           roots, SEP-2577; earliest removal 2027-07-28. Pass folders and files as tool parameters,
           resource URIs or settings of the server.
        """
        m = self._models

        await self.send_notification(m.ClientNotification(m.RootsListChangedNotification()))
