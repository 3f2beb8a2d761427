"""What a server returns about a registered handler."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Generic

from ..._generics import TypeVar

if TYPE_CHECKING:
    from pydantic import BaseModel

    from ..context import ServerRequestContext

LifespanResultT = TypeVar("LifespanResultT", default=Any)


@dataclass(frozen=True)
class HandlerEntry(Generic[LifespanResultT]):
    """A registered handler and the model of its params."""

    params_type: type[BaseModel]
    """The pydantic model of the params."""
    handler: Callable[[ServerRequestContext[LifespanResultT, Any], Any], Awaitable[Any]]
    """The handler: a function of a context and params."""
