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
    """Longest wait for an answer, in seconds. Default: 60, and each progress notification starts the
    wait anew, up to 600 seconds.
    """

    sampling_callback: SamplingFnT | None
    """Async function that is called when a server asks for a message from a language model. Default:
    none, and such requests are refused.
    """

    sampling_capabilities: SamplingCapability | None
    """The capabilities of the sampling callback, such as tools. Default: none."""

    list_roots_callback: ListRootsFnT | None
    """Async function that is called when a server asks for the roots, the folders and files that it
    may work on. Default: none, and such requests are refused.
    """

    logging_callback: LoggingFnT | None
    """Async function that is called with each log message of a server. Default: they are ignored."""

    message_handler: MessageHandlerFnT | None
    """Async function that is called with each notification, with each request that no callback
    answers, and with each transport error, as an exception. Default: they are ignored.
    """

    client_info: Implementation | None
    """The name and version of this program, sent to servers. Default: `mcp`, version `0.1.0`."""

    mode: str
    """How connections begin. `"auto"`, the default: with 2026-07-28 if the server has it, else with
    the handshake of older revisions. `"legacy"`: with that handshake. The name of a revision: with
    that one or not at all.
    """

    elicitation_callback: ElicitationFnT | None
    """Async function that is called when a server asks the user a question. Default: none, and such
    requests are refused.
    """

    input_required_max_rounds: int
    """How often a server may answer one call with questions (2026-07-28) before the call fails.
    Default: 8.
    """

    cache: bool | CacheConfig | None
    """Whether results are cached for as long as servers allow. Default: yes."""

    extensions: Sequence[ClientExtension] | None
    """Extensions of the protocol that the clients support and declare. Default: none."""

    log_level: LoggingLevel | None
    """The lowest level of log messages that requests ask for in 2026-07-28. Default: requests ask
    for none.
    """

    validate_result: ValidateResult | None
    """Called with the method, the name of the tool or other object, and the result, before the
    caller gets the result. It returns `None` to accept it, or the reason for refusing it. Default:
    every result is accepted.
    """

    options: dict[str, Any] | None
    """Further options of the engine by name, such as `max_result_bytes`. Default: none."""
