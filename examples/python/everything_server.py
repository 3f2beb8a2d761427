"""A server with one of everything: what the conformance suites call.

Shows: content of every kind, logging, progress, errors, questions to the client in both
styles (waiting inside the function, and explicit rounds, see everything_rounds.py),
resources, templates, prompts, completion, change notifications, a schema of its own.

    python examples/python/everything_server.py --http 127.0.0.1:3000
"""

import asyncio
import base64
import json
from typing import Annotated, Any

from common import serve, server_arguments, text_of
from everything_rounds import ask_for_context, rounds
from mcpbolt.server import NotificationOptions
from mcpbolt.server.fastmcp import Audio, Context, FastMCP, Image
from mcpbolt.server.fastmcp.exceptions import ToolError
from mcpbolt.server.fastmcp.prompts.base import UserMessage
from mcpbolt.server.fastmcp.tools import Tool
from mcpbolt.types import (
    Completion,
    CompletionArgument,
    CompletionContext,
    ContentBlock,
    EmbeddedResource,
    InputRequiredResult,
    PromptReference,
    ResourceTemplateReference,
    SamplingMessage,
    TextContent,
    TextResourceContents,
)
from pydantic import AnyUrl, BaseModel, Field

# One red pixel, and one silent sample.
PNG = base64.b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGP4z8AAAAMBAQDJ/pLvAAAAAElFTkSuQmCC"
)
WAV = base64.b64decode("UklGRiYAAABXQVZFZm10IBAAAAABAAEAQB8AAIA+AAACABAAZGF0YQIAAAAAAA==")
# Seconds between two messages.
STEP = 0.05


def json_schema_2020_12_tool(
    name: str | None = None,
    address: dict[str, str] | None = None,
    contactMethod: str | None = None,
    phone: str | None = None,
    email: str | None = None,
) -> str:
    """Has a schema with keywords of JSON Schema 2020-12."""
    given = {"name": name, "address": address, "contactMethod": contactMethod, "phone": phone, "email": email}
    return f"Accepted: {json.dumps({key: value for key, value in given.items() if value is not None})}"


# Where a signature cannot say it, a tool is given its schema.
contact = Tool.from_function(json_schema_2020_12_tool)
contact.parameters = {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "type": "object",
    "$defs": {
        "address": {
            "$anchor": "addressDef",
            "type": "object",
            "properties": {"street": {"type": "string"}, "city": {"type": "string"}},
        }
    },
    "properties": {
        "name": {"type": "string"},
        "address": {"$ref": "#/$defs/address"},
        "contactMethod": {"type": "string", "enum": ["phone", "email"]},
        "phone": {"type": "string"},
        "email": {"type": "string"},
    },
    "allOf": [{"anyOf": [{"required": ["phone"]}, {"required": ["email"]}]}],
    "if": {"properties": {"contactMethod": {"const": "phone"}}, "required": ["contactMethod"]},
    "then": {"required": ["phone"]},
    "else": {"required": ["email"]},
    "additionalProperties": False,
}

mcp = FastMCP(
    "mcpbolt-everything",
    instructions="Call test_simple_text first; every tool says what it shows.",
    tools=[contact],
    notification_options=NotificationOptions(prompts_changed=True, resources_changed=True, tools_changed=True),
    legacy_sse=True,
    # A model may try any name; a client's programmer wants to know.
    options={"unknown_tool": "error"},
)
rounds(mcp)


# Content


@mcp.tool()
def test_simple_text() -> str:
    """Answers with text."""
    return "This is a simple text response for testing."


@mcp.tool()
def test_image_content() -> Image:
    """Answers with a picture."""
    return Image(data=PNG, format="png")


@mcp.tool()
def test_audio_content() -> Audio:
    """Answers with sound."""
    return Audio(data=WAV, format="wav")


def embedded(uri: str, mime_type: str, text: str) -> EmbeddedResource:
    contents = TextResourceContents(uri=AnyUrl(uri), mimeType=mime_type, text=text)
    return EmbeddedResource(type="resource", resource=contents)


@mcp.tool(structured_output=False)
def test_embedded_resource() -> EmbeddedResource:
    """Answers with a resource."""
    return embedded("test://embedded-resource", "text/plain", "This is an embedded resource content.")


@mcp.tool(structured_output=False)
def test_multiple_content_types() -> list[ContentBlock]:
    """Answers with three kinds."""
    return [
        TextContent(type="text", text="Multiple content types test:"),
        Image(data=PNG, format="png").to_image_content(),
        embedded("test://mixed-content-resource", "application/json", '{"test":"data","value":123}'),
    ]


@mcp.tool()
def test_error_handling() -> str:
    """Always fails, in a way the model sees."""
    raise ToolError("This tool intentionally returns an error for testing")


@mcp.tool()
def greet(name: Annotated[str, Field(description="Who is greeted.")]) -> str:
    """Greets."""
    return f"Hello, {name}!"


@mcp.tool()
def test_x_mcp_header(
    value: Annotated[str, Field(description="Any text", json_schema_extra={"x-mcp-header": "Value"})] = "",
) -> str:
    """Takes an argument that HTTP clients repeat in a header (2026-07-28)."""
    return f"value: {value}"


# Saying something while it runs


@mcp.tool()
async def test_tool_with_logging(ctx: Context) -> str:
    """Logs three times."""
    await ctx.info("Tool execution started")
    await asyncio.sleep(STEP)
    await ctx.info("Tool processing data")
    await asyncio.sleep(STEP)
    await ctx.info("Tool execution completed")
    return "Tool with logging executed successfully"


@mcp.tool()
async def test_tool_with_progress(ctx: Context) -> str:
    """Reports progress three times."""
    for done, said in ((0, "started"), (50, "half way"), (100, "done")):
        if done:
            await asyncio.sleep(STEP)
        await ctx.report_progress(done, 100, said)
    return "Tool with progress executed successfully"


@mcp.tool()
async def test_logging_tool(ctx: Context) -> str:
    """Logs once, if the client wants it."""
    await ctx.info("test_logging_tool was called")
    return "Logged."


@mcp.tool()
async def test_reconnection(ctx: Context) -> str:
    """Closes its stream and goes on."""
    # The client comes back for the rest (2025-11-25 over HTTP).
    await ctx.close_sse_stream()
    await asyncio.sleep(2 * STEP)
    return "Reconnection test completed successfully"


@mcp.tool()
async def test_trigger_tool_change(ctx: Context) -> str:
    """Says that the tool list changed."""
    await ctx.notify_tools_changed()
    return "Announced a change of the tools."


@mcp.tool()
async def test_trigger_prompt_change(ctx: Context) -> str:
    """Says that the prompt list changed."""
    await ctx.notify_prompts_changed()
    return "Announced a change of the prompts."


# Asking, and waiting for the answer inside the function. The same code works on every
# revision: on 2026-07-28 the call is parked until the client calls again.


async def sample(ctx: Context, prompt: str) -> str:
    question = SamplingMessage(role="user", content=TextContent(type="text", text=prompt))
    answer = await ctx.session.create_message([question], max_tokens=100)
    return f"LLM response: {text_of([answer.content])}"


@mcp.tool()
async def test_sampling(prompt: Annotated[str, Field(description="What the model is told.")], ctx: Context) -> str:
    """Asks the client's model."""
    return await sample(ctx, prompt)


@mcp.tool()
async def test_missing_capability(ctx: Context) -> str:
    """Needs a client that samples; tells others what is missing."""
    return await sample(ctx, "Are you there?")


async def asking(ctx: Context, message: str, form: type[BaseModel]) -> str:
    answer = await ctx.elicit(message, form)
    given = answer.data.model_dump_json() if answer.action == "accept" else "{}"
    return f"Elicitation completed: action={answer.action}, content={given}"


class Contact(BaseModel):
    username: str = Field(description="Your name")
    email: str = Field(description="Your address", json_schema_extra={"format": "email"})


@mcp.tool()
async def test_elicitation(message: Annotated[str, Field(description="What the person is asked.")], ctx: Context) -> str:
    """Asks the person for name and address."""
    return await asking(ctx, message, Contact)


class Defaults(BaseModel):
    name: str = "John Doe"
    age: int = 30
    score: float = 95.5
    status: str = Field(default="active", json_schema_extra={"enum": ["active", "inactive", "pending"]})
    verified: bool = True


@mcp.tool()
async def test_elicitation_sep1034_defaults(ctx: Context) -> str:
    """Asks with a form whose fields have defaults."""
    return await asking(ctx, "Please review your details", Defaults)


PLAIN: list[Any] = ["option1", "option2", "option3"]
TITLES = {"value1": "First option", "value2": "Second option", "value3": "Third option"}
TITLED: list[Any] = [{"const": value, "title": title} for value, title in TITLES.items()]


class Choices(BaseModel):
    untitledSingle: str = Field(json_schema_extra={"enum": PLAIN})
    titledSingle: str = Field(json_schema_extra={"oneOf": TITLED})
    legacyEnum: str = Field(json_schema_extra={"enum": list(TITLES), "enumNames": list(TITLES.values())})
    untitledMulti: list[str] = Field(json_schema_extra={"items": {"type": "string", "enum": PLAIN}})
    titledMulti: list[str] = Field(json_schema_extra={"items": {"anyOf": TITLED}})


@mcp.tool()
async def test_elicitation_sep1330_enums(ctx: Context) -> str:
    """Asks with a form of choices."""
    return await asking(ctx, "Please choose", Choices)


class Confirmation(BaseModel):
    ok: bool


@mcp.tool()
async def test_streaming_elicitation(ctx: Context) -> str:
    """Logs, then asks the person."""
    await ctx.info("about to ask")
    return await asking(ctx, "Please confirm", Confirmation)


# Resources, prompts, completion


@mcp.resource("test://static-text", name="static-text", mime_type="text/plain")
def static_text() -> str:
    """A text that never changes."""
    return "This is the content of the static text resource."


@mcp.resource("test://static-binary", name="static-binary", mime_type="image/png")
def static_binary() -> bytes:
    """A picture that never changes."""
    return PNG


@mcp.resource("test://watched-resource", name="watched-resource", mime_type="text/plain")
def watched_resource() -> str:
    """A text to subscribe to."""
    return "This is a watched resource."


@mcp.resource("test://template/{id}/data", name="template-data", mime_type="application/json")
def template_data(id: str) -> str:
    """Data by number."""
    return json.dumps({"id": id, "templateTest": True, "data": f"Data for ID: {id}"})


@mcp.subscribe_resource()
async def subscribed(uri: AnyUrl) -> None:
    """Clients may watch resources; who does is the engine's to know."""


@mcp.unsubscribe_resource()
async def unsubscribed(uri: AnyUrl) -> None:
    """And watch them no more."""


@mcp.prompt()
def test_simple_prompt() -> str:
    """A prompt without arguments."""
    return "This is a simple prompt for testing."


@mcp.prompt()
def test_prompt_with_arguments(
    arg1: Annotated[str, Field(description="First argument")],
    arg2: Annotated[str, Field(description="Second argument")],
) -> str:
    """A prompt with two arguments."""
    return f"Prompt with arguments: arg1='{arg1}', arg2='{arg2}'"


@mcp.prompt()
def test_prompt_with_embedded_resource(
    resourceUri: Annotated[str, Field(description="URI of the resource")],
) -> list[UserMessage]:
    """A prompt that holds a resource."""
    return [
        UserMessage(embedded(resourceUri, "text/plain", "Embedded resource content for testing.")),
        UserMessage("Please process the embedded resource above."),
    ]


@mcp.prompt()
def test_prompt_with_image() -> list[UserMessage]:
    """A prompt that holds a picture."""
    picture = Image(data=PNG, format="png").to_image_content()
    return [UserMessage(picture), UserMessage("Please analyze the image above.")]


@mcp.prompt()
def test_input_required_result_prompt(ctx: Context) -> str | InputRequiredResult:
    """A prompt that asks first."""
    return ask_for_context(ctx)


@mcp.completion()
async def complete(
    ref: PromptReference | ResourceTemplateReference, argument: CompletionArgument, context: CompletionContext | None
) -> Completion:
    known: list[str] = []
    if isinstance(ref, PromptReference) and ref.name == "test_prompt_with_arguments":
        known = ["testValue1", "testValue2", "paris", "party"]
    elif isinstance(ref, ResourceTemplateReference) and ref.uri == "test://template/{id}/data":
        known = ["123", "456"]
    return Completion(values=[value for value in known if value.startswith(argument.value)])


if __name__ == "__main__":
    serve(mcp, server_arguments(__doc__).parse_args().http)
