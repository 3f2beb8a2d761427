"""The reference of the Python package: its classes and functions, read from the source and not run.

Owns: which names are on which page, and how one of them is shown. Docstrings are in the manner of
Google, as the package's own tests have them.
"""

from __future__ import annotations

import ast
import inspect
import logging
from typing import Any

import griffe
from pages import REPOSITORY, TOP, Broken
from references import Page

PACKAGE = TOP / "bindings-python" / "python"


PAGES = (
    Page(
        "servers.md",
        "Python: servers",
        "What can a server in Python do, and what does each parameter mean?",
        {
            "mcpbolt.server.fastmcp.server": ("FastMCP", "Context"),
            "mcpbolt.server.fastmcp.utilities.types": ("Image", "Audio"),
            "mcpbolt.server.fastmcp.prompts.base": ("UserMessage", "AssistantMessage"),
            "mcpbolt.server.lowlevel.server": ("Server", "NotificationOptions"),
            "mcpbolt.server.session": ("ServerSession",),
            "mcpbolt.server.transport_security": ("TransportSecuritySettings",),
            "mcpbolt.server.guarding": ("Asker", "Action", "Deny"),
            "mcpbolt.shared.path_security": ("safe_join",),
        },
    ),
    Page(
        "clients.md",
        "Python: clients",
        "What can a client in Python do, and what does each parameter mean?",
        {
            "mcpbolt.client.client": ("Client",),
            "mcpbolt.client.sync": ("SyncClient",),
            "mcpbolt.client.host": ("Host",),
            "mcpbolt.client.session": ("ClientSession",),
            "mcpbolt.client.session_group": ("ClientSessionGroup",),
            "mcpbolt.client.stdio": ("StdioServerParameters", "stdio_client"),
            "mcpbolt.client.streamable_http": ("streamable_http_client",),
            "mcpbolt.client.caching": ("CacheConfig",),
            "mcpbolt.shared.exceptions": ("McpError", "MCPError"),
        },
    ),
    Page(
        "v2.md",
        "Python: names of 2.x",
        "What do the classes of the official 2.x have here?",
        {
            "mcpbolt.server.mcpserver.server": ("MCPServer", "Context"),
            "mcpbolt.v2.client.client": ("Client",),
            "mcpbolt.v2.client.session": ("ClientSession",),
            "mcpbolt.server.extension": ("Extension",),
            "mcpbolt.shared.uri_template": ("UriTemplate",),
        },
    ),
    Page(
        "auth.md",
        "Python: authorization",
        "What signs clients in, and what checks tokens?",
        {
            "mcpbolt.server.auth.resource_server": ("ResourceServer", "TokenIntrospection", "DpopSettings"),
            "mcpbolt.server.auth.settings": ("AuthSettings",),
            "mcpbolt.server.auth.provider": ("AccessToken", "OAuthAuthorizationServerProvider"),
            "mcpbolt.server.auth.middleware.auth_context": ("get_access_token",),
            "mcpbolt.client.auth": ("OAuthClientProvider",),
        },
    ),
)


def pages() -> dict[str, str]:
    """The pages by their file."""
    logging.getLogger("griffe").setLevel(logging.ERROR)
    package = griffe.load("mcpbolt", search_paths=[PACKAGE], allow_inspection=False)
    return {page.file: text_of(page, package) for page in PAGES}


def text_of(page: Page, package: Any) -> str:
    lines = [f"# {page.title}", "", page.question, ""]
    for module, names in page.names.items():
        for name in names:
            lines += shown(found(package, module, name), f"{module}.{name}")
    return "\n".join(lines) + "\n"


def found(package: Any, module: str, name: str) -> Any:
    """The object, at whatever place a module has it from."""
    try:
        thing = package[f"{module.removeprefix('mcpbolt.')}.{name}"]
        return thing.final_target if thing.is_alias else thing
    except (KeyError, griffe.AliasResolutionError) as missing:
        raise Broken(f"docs/site/python_reference.py names {module}.{name}, which is not there") from missing


def shown(thing: Any, path: str) -> list[str]:
    """One class or function."""
    source = REPOSITORY + str(thing.filepath.relative_to(TOP))
    lines = [f"## `{thing.name}`", "", f"`{path}` · [source]({source}#L{thing.lineno})", ""]
    if thing.is_class:
        constructor = member(thing, "__init__")
        if constructor is not None:
            lines += signature(constructor, thing.name)
        lines += documented(thing)
        if constructor is not None:
            lines += documented(constructor)
        for each in sorted(members(thing), key=lambda each: each.name):
            lines += [f"### `{thing.name}.{each.name}`", ""]
            lines += signature(each, each.name) if each.is_function else []
            lines += documented(each)
        return lines
    return [*lines, *signature(thing, thing.name), *documented(thing)]


def member(thing: Any, name: str) -> Any:
    each = thing.all_members.get(name)
    return each.final_target if each is not None and each.is_alias else each


def members(thing: Any) -> list[Any]:
    """What programs use of a class: public members that are documented, those of its bases of ours too."""
    found: list[Any] = []
    for name in thing.all_members:
        each = None if name.startswith("_") else member(thing, name)
        if each is not None and (each.is_function or each.is_attribute) and (each.docstring or description(each)):
            found.append(each)
    return found


def description(attribute: Any) -> str:
    """What `Field(description=…)` of a model says."""
    for given in getattr(getattr(attribute, "value", None), "arguments", ()):
        if getattr(given, "name", "") == "description":
            return str(ast.literal_eval(str(given.value)))
    return ""


def signature(function: Any, name: str) -> list[str]:
    """As Python would show it, one parameter a line where they are many."""
    given: list[str] = []
    kinds = griffe.ParameterKind
    starred = False
    for each in function.parameters:
        if each.name in ("self", "cls"):
            continue
        if each.kind is kinds.keyword_only and not starred:
            given.append("*")
        mark = {kinds.var_positional: "*", kinds.var_keyword: "**"}.get(each.kind, "")
        starred = starred or mark == "*" or each.kind is kinds.keyword_only
        annotation = f": {each.annotation}" if each.annotation is not None else ""
        default = f" = {each.default}" if each.default is not None and not mark else ""
        given.append(f"{mark}{each.name}{annotation}{default}")
    returns = f" -> {function.returns}" if function.returns is not None and name[0].islower() else ""
    start = "async def " if "async" in function.labels else ""
    flat = f"{start}{name}({', '.join(given)}){returns}"
    wide = f"{start}{name}(\n" + "".join(f"    {each},\n" for each in given) + f"){returns}"
    return ["```python", flat if len(flat) <= 100 else wide, "```", ""]


def documented(thing: Any) -> list[str]:
    """The docstring: words, tables of parameters, examples."""
    if thing.docstring is None:
        return [words, ""] if (words := description(thing)) else []
    lines: list[str] = []
    for section in thing.docstring.parse("google", warnings=False):
        kind, value = section.kind.value, section.value
        if kind == "text":
            lines += [value, ""]
        elif kind in ("parameters", "other parameters", "attributes", "raises", "returns", "yields"):
            lines += table(kind, value)
        elif kind == "admonition":
            lines += [inspect.cleandoc(value.description), ""]
        elif kind == "examples":
            lines += [f"```pycon\n{text}\n```" if "example" in str(what) else text for what, text in value] + [""]
    return lines


def table(kind: str, rows: list[Any]) -> list[str]:
    """One row for each parameter, exception or result."""
    title = {"parameters": "parameter", "other parameters": "parameter", "attributes": "attribute"}.get(kind, kind)
    lines = [f"| {title} | meaning |", "|---|---|"]
    for row in rows:
        name = getattr(row, "name", "") or row.annotation or ""
        meaning = " ".join(row.description.split()).replace("|", "\\|")
        lines.append(f"| `{name}` | {meaning} |" if name else f"| | {meaning} |")
    return [*lines, ""]
