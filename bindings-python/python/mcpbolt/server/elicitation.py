"""Questions to the user with a validated answer."""

from __future__ import annotations

import types
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Generic, Literal, TypeVar, Union, get_args, get_origin

from pydantic import BaseModel

from .._engine import face

if TYPE_CHECKING:
    from ..types import RequestId
    from .session import ServerSession

ElicitSchemaModelT = TypeVar("ElicitSchemaModelT", bound=BaseModel)


class AcceptedElicitation(BaseModel, Generic[ElicitSchemaModelT]):
    """The user answered the question."""

    action: Literal["accept"] = "accept"
    """Always `accept`."""
    data: ElicitSchemaModelT
    """The answer, validated."""


class DeclinedElicitation(BaseModel):
    """The user declined to answer."""

    action: Literal["decline"] = "decline"
    """Always `decline`."""


class CancelledElicitation(BaseModel):
    """The user dismissed the question without a decision."""

    action: Literal["cancel"] = "cancel"
    """Always `cancel`."""


class AcceptedUrlElicitation(BaseModel):
    """The user agreed to visit the URL."""

    action: Literal["accept"] = "accept"
    """Always `accept`."""


ElicitationResult = Union[AcceptedElicitation[ElicitSchemaModelT], DeclinedElicitation, CancelledElicitation]
UrlElicitationResult = Union[AcceptedUrlElicitation, DeclinedElicitation, CancelledElicitation]

_PRIMITIVES = (str, int, float, bool)


def _is_allowed(annotation: Any) -> bool:
    if annotation is None or annotation is types.NoneType or annotation in _PRIMITIVES:
        return True
    if get_origin(annotation) in (Union, types.UnionType):
        return all(map(_is_allowed, get_args(annotation)))
    return _is_texts(annotation)


def _is_texts(annotation: Any) -> bool:
    origin = get_origin(annotation)
    return isinstance(origin, type) and issubclass(origin, Sequence) and get_args(annotation) == (str,)


def _check_schema(schema: type[BaseModel]) -> None:
    for name, field in schema.model_fields.items():
        if not _is_allowed(field.annotation):
            raise TypeError(
                f"Elicitation schema field '{name}' must be a primitive type "
                f"{_PRIMITIVES}, a sequence of strings (list[str], etc.), "
                f"or Optional of these types. Nested models and complex types are not allowed."
            )


def _form_of(schema: type[BaseModel]) -> dict[str, Any]:
    if face.current.api == 2:
        from ._forms import rendered

        return rendered(schema)
    _check_schema(schema)
    return schema.model_json_schema()


def render_elicitation_schema(schema: type[BaseModel]) -> dict[str, Any]:
    """The JSON Schema that a form of this model is asked with (2.x).

    Args:
        schema: The pydantic model of the form.

    Raises:
        TypeError: The model has fields that a form cannot have.
    """
    from ._forms import rendered

    return rendered(schema)


async def elicit_with_validation(
    session: ServerSession,
    message: str,
    schema: type[ElicitSchemaModelT],
    related_request_id: RequestId | None = None,
) -> ElicitationResult[ElicitSchemaModelT]:
    """Ask the user to fill in a form, and validate the answer with the form's model.

    Args:
        session: The session with the client.
        message: The question to show.
        schema: The pydantic model of the form.
        related_request_id: The id of the client's request on whose stream to ask. Default: none.

    Raises:
        TypeError: The model has fields that a form cannot have.
        ValidationError: The answer does not fit the model (an error of pydantic).
    """
    # By position, as 2.x has another name for the second.
    result = await session.elicit_form(message, _form_of(schema), related_request_id)
    if result.action == "accept" and result.content is not None:
        return AcceptedElicitation(data=schema.model_validate(result.content))
    return _refusal(result.action)


async def elicit_url(
    session: ServerSession,
    message: str,
    url: str,
    elicitation_id: str,
    related_request_id: RequestId | None = None,
) -> UrlElicitationResult:
    """Ask the user to visit a URL.

    Args:
        session: The session with the client.
        message: Why the user should visit the URL, as shown to the user.
        url: The URL.
        elicitation_id: An id for this question, unique among the questions of the server;
            `send_elicit_complete` repeats it.
        related_request_id: The id of the client's request on whose stream to ask. Default: none.
    """
    result = await session.elicit_url(
        message=message, url=url, elicitation_id=elicitation_id, related_request_id=related_request_id
    )
    return AcceptedUrlElicitation() if result.action == "accept" else _refusal(result.action)


def _refusal(action: str) -> DeclinedElicitation | CancelledElicitation:
    if action == "decline":
        return DeclinedElicitation()
    if action == "cancel":
        return CancelledElicitation()
    raise ValueError(f"Unexpected elicitation action: {action}")
