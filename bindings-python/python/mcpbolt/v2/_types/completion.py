"""Completion of arguments.

Written by `cargo xtask generate`; do not edit.
"""

from typing import Literal

from ._model import Model
from .base import Request, RequestParams, Result, ResultType


class ResourceTemplateReference(Model):
    """A resource or a resource template."""

    type: Literal["ref/resource"] = "ref/resource"
    """"""
    uri: str
    """The URI or the RFC 6570 template."""


class PromptReference(Model):
    """A prompt."""

    type: Literal["ref/prompt"] = "ref/prompt"
    """"""
    name: str
    """Its name for programs."""
    title: str | None = None
    """Its name for people. Since 2025-06-18."""


class CompletionArgument(Model):
    """The argument being typed."""

    name: str
    """The name of the argument."""
    value: str
    """The text typed so far."""


class CompletionContext(Model):
    """What is already known. Since 2025-06-18."""

    arguments: dict[str, str] | None = None
    """Arguments already given."""


class CompleteRequestParams(RequestParams):
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


class Completion(Model):
    """Suggestions."""

    values: list[str]
    """At most 100 values, best first."""
    total: int | None = None
    """How many there are in all, if known."""
    has_more: bool | None = None
    """Whether there are more than these."""


class CompleteResult(Result):
    """Result of `completion/complete`."""

    completion: Completion
    """The suggestions."""
    result_type: ResultType = "complete"
    """What kind of result this is. Since 2026-07-28."""
