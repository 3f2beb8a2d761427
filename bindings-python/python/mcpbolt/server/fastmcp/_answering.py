"""What a server of the 1.x kind answers.

Owns: the results of tools, resources and prompts, and what exceptions become on the way. Must not
know: how the server is made and served.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, cast

from ..._common.functions.placing import reading_for
from ..._common.logging import get_logger
from ..._common.server import HighLevelServer, LifespanResultT
from ..._engine.questions import is_question
from .._error_responses import UnknownPromptError, keeps_its_code
from .._exceptions import ResourceError
from ..lowlevel.helper_types import ReadResourceContents

if TYPE_CHECKING:
    from logging import Logger

    from pydantic import AnyUrl

    from ...types import ContentBlock, GetPromptResult

logger: Logger = get_logger("mcp.server.fastmcp.server")


class Answering(HighLevelServer[LifespanResultT]):
    """The part of `FastMCP` that answers."""

    def get_context(self) -> Any:
        """The context of the request being answered."""
        raise NotImplementedError

    async def call_tool(self, name: str, arguments: dict[str, Any]) -> Sequence[ContentBlock] | dict[str, Any]:
        """Call a tool. Returns content blocks, alone or together with structured content.

        Args:
            name: The tool's name.
            arguments: The arguments by name.
        """
        context = self.get_context()
        result: Sequence[ContentBlock] | dict[str, Any] = await self._tool_manager.call_tool(
            name, arguments, context=context, convert_result=True
        )
        return result

    async def read_resource(self, uri: AnyUrl | str) -> Iterable[ReadResourceContents]:
        """Read the contents of a resource.

        Args:
            uri: The URI of the resource.

        Raises:
            ValueError: No resource has this URI.
            ResourceError: The resource cannot be read.
        """
        with reading_for(self):
            resource = await self._resource_manager.get_resource(uri, context=self.get_context())
        if not resource:
            raise ResourceError(f"Unknown resource: {uri}")
        try:
            with reading_for(self):
                content = await resource.read()
        except Exception as error:
            if keeps_its_code(error):
                raise
            logger.exception("Error reading resource %s", uri)
            raise ResourceError(str(error)) from error
        return [ReadResourceContents(content=content, mime_type=resource.mime_type, meta=resource.meta)]

    async def get_prompt(self, name: str, arguments: dict[str, Any] | None = None) -> GetPromptResult:
        """Get the messages of a prompt.

        Args:
            name: The prompt's name.
            arguments: The arguments by name, as texts. Default: none.

        Raises:
            ValueError: There is no prompt of this name, or it cannot be rendered.
        """
        from ...types import GetPromptResult

        try:
            prompt = self._prompt_manager.get_prompt(name)
            if not prompt:
                raise UnknownPromptError(f"Unknown prompt: {name}")
            messages: Any = await prompt.render(arguments, context=self.get_context())
            if is_question(messages):
                return cast("GetPromptResult", messages)
            rows = [message.model_dump(mode="json", by_alias=True) for message in messages]
            return GetPromptResult.model_validate({"description": prompt.description, "messages": rows})
        except Exception as error:
            if keeps_its_code(error):
                raise
            logger.exception("Error getting prompt %s", name)
            raise ValueError(str(error)) from error
