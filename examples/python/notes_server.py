"""A server for notes: text files in one folder, and nothing outside it.

Shows: tools with structured answers, resources that come and go, a template,
subscriptions, prompts, completion, progress, and asking the client: a person
(elicitation), its model (sampling), its roots.

    python examples/python/notes_server.py ./notes
    python examples/python/notes_server.py --http 127.0.0.1:3000 ./notes
"""

import sys
from asyncio import to_thread
from pathlib import Path
from typing import Annotated
from urllib.parse import quote, unquote

from common import serve, server_arguments, text_of
from mcpbolt import McpError
from mcpbolt.server import NotificationOptions
from mcpbolt.server.fastmcp import Context, FastMCP
from mcpbolt.server.fastmcp.exceptions import ToolError
from mcpbolt.server.fastmcp.prompts.base import UserMessage
from mcpbolt.server.fastmcp.resources import FunctionResource
from mcpbolt.types import (
    Completion,
    CompletionArgument,
    CompletionContext,
    ContentBlock,
    EmbeddedResource,
    PromptReference,
    ResourceLink,
    ResourceTemplateReference,
    SamplingMessage,
    TextContent,
    TextResourceContents,
    ToolAnnotations,
)
from pydantic import AnyUrl, BaseModel, Field

# Longest name and longest note, in bytes.
MAX_NAME = 100
MAX_NOTE = 1 << 20
# What the protocol calls a resource that is not there.
NOT_THERE = -32002
# All notes' URIs begin with this.
PREFIX = "note:///"
TONES = ("clear", "formal", "friendly", "short")

Name = Annotated[str, Field(description="Name of the note.")]


class Folder:
    """The folder: names in, text out, and no way past its edge."""

    path = Path()

    def open(self, path: Path) -> None:
        """Use a folder; it is made if it is not there."""
        path.mkdir(parents=True, exist_ok=True)
        self.path = path.resolve()

    def names(self) -> list[str]:
        """Names of all notes, sorted."""
        return sorted(entry.name for entry in self.path.iterdir() if entry.is_file() and self.is_note(entry.name))

    def is_note(self, name: str) -> bool:
        """Whether this may be a note: one file of the folder itself, and no link out of it."""
        plain = all(c.isalnum() or c in " -_." for c in name) and not name.startswith(".") and name[-1:] not in ". "
        if not name or len(name.encode()) > MAX_NAME or not plain:
            return False
        file = self.path / name
        return not file.is_symlink() and (file.is_file() or not file.exists())

    def file(self, name: str) -> Path:
        """The file of a note. Fails for names that lead, or might lead, somewhere else."""
        if not self.is_note(name):
            raise ToolError(f"{name!r} is outside the folder or not a name of a note")
        return self.path / name

    def read(self, name: str) -> str:
        """The text of a note."""
        try:
            return self.file(name).read_text()
        except FileNotFoundError:
            raise ToolError(f"there is no note {name!r}") from None


folder = Folder()
mcp = FastMCP(
    "mcpbolt-notes",
    instructions="Notes are plain text, one file each. List them before you read or change one.",
    notification_options=NotificationOptions(resources_changed=True),
    legacy_sse=True,
    options={"unknown_tool": "error"},
)

SAFE = ToolAnnotations(readOnlyHint=True, openWorldHint=False)
REWRITES = ToolAnnotations(destructiveHint=True, idempotentHint=True, openWorldHint=False)
DELETES = ToolAnnotations(destructiveHint=True, openWorldHint=False)


class Listing(BaseModel):
    notes: list[str] = Field(description="Names of all notes.")


class Found(BaseModel):
    notes: list[str] = Field(description="Names of the notes that hold the text.")
    searched: int = Field(description="How many notes were read.")


@mcp.tool(annotations=SAFE)
def list_notes() -> Listing:
    """Lists all notes."""
    return Listing(notes=folder.names())


@mcp.tool(annotations=SAFE)
def read_note(name: Name) -> str:
    """Reads a note."""
    return folder.read(name)


@mcp.tool(annotations=SAFE)
async def search_notes(
    query: Annotated[str, Field(description="Text to look for; upper and lower case are the same.")], ctx: Context
) -> Found:
    """Finds the notes that hold a text, with progress."""
    names = folder.names()
    found: list[str] = []
    for done, name in enumerate(names, 1):
        # A client that cancels ends this here: the task is cancelled.
        if query.lower() in (await to_thread(folder.read, name)).lower():
            found.append(name)
        await ctx.report_progress(done, len(names), name)
    return Found(notes=found, searched=len(names))


@mcp.tool(annotations=REWRITES, structured_output=False)
async def write_note(
    name: Name, text: Annotated[str, Field(description="Its new text.")], ctx: Context
) -> list[ContentBlock]:
    """Writes a note, new or not."""
    if len(text.encode()) > MAX_NOTE:
        raise ToolError(f"a note has at most {MAX_NOTE} bytes")
    file = folder.file(name)
    new = not file.exists()
    await to_thread(file.write_text, text)
    if new:
        offer(name)
    await ctx.notify_resource_updated(uri(name))
    await ctx.info(f"wrote {name} ({len(text)} characters)")
    said = TextContent(type="text", text="Wrote a new note." if new else "Replaced the note.")
    return [said, ResourceLink(type="resource_link", uri=AnyUrl(uri(name)), name=name)]


class Deletion(BaseModel):
    delete: bool = Field(title="Delete it for good")


@mcp.tool(annotations=DELETES)
async def delete_note(name: Name, ctx: Context) -> str:
    """Deletes a note after asking the person."""
    file = folder.file(name)
    if not file.exists():
        raise ToolError(f"there is no note {name!r}")
    answer = await ctx.elicit(f"Delete the note {name}?", Deletion)
    if answer.action != "accept" or not answer.data.delete:
        return "Nothing was deleted."
    await to_thread(file.unlink)
    mcp.remove_resource(uri(name))
    await ctx.notify_resource_updated(uri(name))
    return f"Deleted {name}."


@mcp.tool()
async def summarize_note(name: Name, ctx: Context) -> str:
    """Summarizes a note with the client's model."""
    text = await to_thread(folder.read, name)
    question = SamplingMessage(role="user", content=TextContent(type="text", text=text))
    answer = await ctx.session.create_message(
        [question], max_tokens=200, system_prompt="Summarize the note in one sentence."
    )
    return text_of([answer.content])


@mcp.tool()
async def check_roots(ctx: Context) -> str:
    """Says whether the notes lie in one of the client's roots."""
    roots = (await ctx.session.list_roots()).roots
    for root in roots:
        if folder.path.is_relative_to(unquote(root.uri.path or "/")):
            return f"The notes lie in {root.uri}."
    return f"The notes lie in none of the client's {len(roots)} roots."


# Notes as resources: one per note, and a template for names not listed yet.


def uri(name: str) -> str:
    """The URI of a note."""
    return PREFIX + quote(name)


def offer(name: str) -> None:
    """List a note among the resources. Clients are told."""
    resource = FunctionResource.from_function(
        lambda: note(quote(name)), uri(name), name=name, description=f"The note {name}", mime_type="text/plain"
    )
    mcp.add_resource(resource)


@mcp.resource(PREFIX + "{name}", name="note", mime_type="text/plain")
def note(name: str) -> str:
    """A note by its name."""
    try:
        return folder.read(unquote(name))
    except ToolError:
        # What is no note is not there, whatever the reason: names outside tell nothing.
        raise McpError(NOT_THERE, "there is no such note", {"uri": PREFIX + name}) from None


@mcp.subscribe_resource()
async def subscribed(uri: AnyUrl) -> None:
    print(f"{uri}: one more subscriber", file=sys.stderr)


@mcp.unsubscribe_resource()
async def unsubscribed(uri: AnyUrl) -> None:
    print(f"{uri}: one less subscriber", file=sys.stderr)


@mcp.prompt(title="Improve a note")
def improve_note(
    name: Name, tone: Annotated[str, Field(description="For example friendly or formal")] = "clear"
) -> list[UserMessage]:
    """Asks for a better wording of a note."""
    text = TextResourceContents(uri=AnyUrl(uri(name)), mimeType="text/plain", text=folder.read(name))
    return [
        UserMessage(f"Rewrite this note in a {tone} tone. Keep every fact."),
        UserMessage(EmbeddedResource(type="resource", resource=text)),
    ]


@mcp.completion()
async def complete(
    ref: PromptReference | ResourceTemplateReference, argument: CompletionArgument, context: CompletionContext | None
) -> Completion:
    """Names for `name`, of the prompt and of the template; tones for `tone`."""
    known = {"name": folder.names(), "tone": TONES}.get(argument.name, ())
    return Completion(values=[value for value in known if value.lower().startswith(argument.value.lower())])


if __name__ == "__main__":
    parser = server_arguments(__doc__)
    parser.add_argument("folder", type=Path, nargs="?", default=Path("notes"), help="where the notes are")
    arguments = parser.parse_args()
    folder.open(arguments.folder)
    for each in folder.names():
        offer(each)
    serve(mcp, arguments.http)
