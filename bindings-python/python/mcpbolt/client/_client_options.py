"""The options that a host gives to its clients.

Owns: their names and types. Must not know: what a client does with them.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, TypedDict

if TYPE_CHECKING:
    from .._engine.validating import ValidateResult
    from ..types import Implementation, LoggingLevel, SamplingCapability
    from .caching import CacheConfig
    from .extension import ClientExtension
    from .session import ElicitationFnT, ListRootsFnT, LoggingFnT, MessageHandlerFnT, SamplingFnT


class ClientOptions(TypedDict, total=False):
    """Options for the clients of a host. Each has the meaning and the default of the attribute
    of `Client` with the same name.
    """

    read_timeout_seconds: float | None
    """Longest wait for an answer, in seconds. Default: 60, which progress can extend to 600."""

    sampling_callback: SamplingFnT | None
    """Called when a server asks for a message of a language model."""

    sampling_capabilities: SamplingCapability | None
    """What the sampling callback supports beyond plain text. Default: plain text only."""

    list_roots_callback: ListRootsFnT | None
    """Called when a server asks for the roots, the folders and files it may work on."""

    logging_callback: LoggingFnT | None
    """Called with each log message of a server."""

    message_handler: MessageHandlerFnT | None
    """Called with each notification, with each request that no callback answers, and with each
    transport error, as an exception.
    """

    client_info: Implementation | None
    """Name and version that this program sends to servers."""

    mode: str
    """How connections begin: `auto`, the default, tries the modern era first; `legacy` sends
    `initialize`; the name of a revision accepts only that one.
    """

    elicitation_callback: ElicitationFnT | None
    """Called when a server asks the user a question."""

    input_required_max_rounds: int
    """How often one call may come back with questions on the modern era. Default: 8."""

    cache: bool | CacheConfig | None
    """Whether results are cached for as long as servers allow. Default: yes."""

    extensions: Sequence[ClientExtension] | None
    """Extensions that the clients support and announce."""

    log_level: LoggingLevel | None
    """The lowest level of log messages that requests ask for, on the modern era. Default:
    requests ask for no log messages.
    """

    validate_result: ValidateResult | None
    """Called with the method, the name and the result before the caller gets a result. Returns
    `None` to accept the result, or the reason for refusing it.
    """

    options: dict[str, Any] | None
    """Further options of the engine by name, such as `max_result_bytes`."""
