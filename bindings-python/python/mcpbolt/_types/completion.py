"""Completion of arguments.

Written by `cargo xtask generate`; do not edit.
"""

from typing import ClassVar, Literal

from typing_extensions import deprecated

from ._model import OpenModel
from .base import Request, RequestParams, Result


class ResourceTemplateReference(OpenModel):
    """A resource or a resource template."""

    type: Literal["ref/resource"]
    """"""
    uri: str
    """The URI or the RFC 6570 template."""


@deprecated("`ResourceReference` is deprecated, you should use `ResourceTemplateReference`.")
class ResourceReference(ResourceTemplateReference):
    """The old name of `ResourceTemplateReference`."""


class PromptReference(OpenModel):
    """A prompt."""

    type: Literal["ref/prompt"]
    """"""
    name: str
    """Its name for programs."""

    __later__: ClassVar[tuple[str, ...]] = ("title",)

    @property
    def title(self) -> str | None:
        """Its name for people. Since 2025-06-18."""
        value: str | None = self.__later_value__("title")
        return value


class CompletionArgument(OpenModel):
    """The argument being typed."""

    name: str
    """The name of the argument."""
    value: str
    """The text typed so far."""


class CompletionContext(OpenModel):
    """What is already known. Since 2025-06-18."""

    arguments: dict[str, str] | None = None
    """Arguments already given."""


class CompleteRequestParams(RequestParams, extra="allow"):
    """Params of `completion/complete`."""

    ref: ResourceTemplateReference | PromptReference
    """The prompt or resource template that has the argument."""
    argument: CompletionArgument
    """The argument."""
    context: CompletionContext | None = None
    """What is already known. Since 2025-06-18."""


class CompleteRequest(Request[CompleteRequestParams, Literal["completion/complete"]]):
    """Request `completion/complete` from the client."""

    method: Literal["completion/complete"] = "completion/complete"
    """The method."""
    params: CompleteRequestParams
    """What it is about."""


class Completion(OpenModel):
    """Suggestions."""

    values: list[str]
    """At most 100 values, best first."""
    total: int | None = None
    """How many there are in all, if known."""
    hasMore: bool | None = None
    """Whether there are more than these."""

    @property
    def has_more(self) -> bool | None:
        """`hasMore`."""
        return self.hasMore


class CompleteResult(Result):
    """Result of `completion/complete`."""

    completion: Completion
    """The suggestions."""
