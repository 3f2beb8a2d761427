"""What a result asks of the client, and what comes back with the next call.

Written by `cargo xtask generate`; do not edit.
"""

from typing import Literal, TypeAlias

from .base import AskingResult, RequestParams
from .elicitation import ElicitRequest, ElicitResult
from .roots import ListRootsRequest, ListRootsResult
from .sampling import CreateMessageRequest, CreateMessageResult, CreateMessageResultWithTools

InputRequest: TypeAlias = CreateMessageRequest | ListRootsRequest | ElicitRequest
"""One question: a request of the client's without an envelope."""

InputRequests: TypeAlias = dict[str, InputRequest]
"""The questions by name, in order."""

InputResponse: TypeAlias = (
    CreateMessageResult
    | CreateMessageResultWithTools
    | ListRootsResult
    | ElicitResult
)
"""One answer: a model's, a person's, or a list of roots."""

InputResponses: TypeAlias = dict[str, InputResponse]
"""The answers by the names of their questions."""


class InputResponseRequestParams(RequestParams):
    """Params of requests that may be sent again with answers. Since 2026-07-28."""

    input_responses: InputResponses | None = None
    """Answers to an earlier `input_required`."""
    request_state: str | None = None
    """What the earlier `input_required` asked to be sent back."""


class InputRequiredResult(AskingResult):
    """A result that asks the client to call again with answers."""

    result_type: Literal["input_required"] = "input_required"
    """What kind of result this is. Since 2026-07-28."""
    input_requests: InputRequests | None = None
    """The questions."""
    request_state: str | None = None
    """A text that the client sends back unchanged."""
