"""The reference of the TypeScript package: its classes, functions and types, read from the source
and its comments by TypeDoc, and not run.

Owns: which names are on which page, and how TypeDoc is run. How one of them is shown is in
`typescript_shown.py`.
"""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path
from typing import Any

import typescript_shown
from pages import REPOSITORY, TOP, Broken
from references import Page, anchor

SOURCES = TOP / "bindings-node" / "ts"
# The kind that TypeDoc gives what only names another place.
REFERENCE = 4194304


PAGES = (
    Page(
        "servers.md",
        "TypeScript: servers",
        "What can a server in TypeScript do, and what does each option mean?",
        {
            "mcpbolt/server/mcp.js": (
                "McpServer",
                "McpServerOptions",
                "ResourceTemplate",
                "ToolCallback",
                "ToolSchema",
                "PromptCallback",
                "ReadResourceCallback",
                "ReadResourceTemplateCallback",
                "RegisteredTool",
                "RegisteredResource",
                "RegisteredResourceTemplate",
                "RegisteredPrompt",
            ),
            "mcpbolt/server/completable.js": ("completable",),
            "mcpbolt/server/index.js": (
                "Server",
                "ServerOptions",
                "ServerGuards",
                "Authorize",
                "Action",
                "Asker",
                "Verdict",
                "SanitizeResult",
                "Audit",
                "AuditRecord",
            ),
            "mcpbolt/shared/protocol.js": ("RequestHandlerExtra",),
            "mcpbolt/server/http.js": (
                "listen",
                "ListenOptions",
                "HttpListener",
                "createHttpHandler",
                "HttpHandlerOptions",
                "HttpHandler",
                "ServerStats",
                "RequestHead",
                "Denied",
            ),
            "mcpbolt/server/stdio.js": ("StdioServerTransport",),
            "mcpbolt/server/streamableHttp.js": (
                "StreamableHTTPServerTransport",
                "StreamableHTTPServerTransportOptions",
                "EventStore",
            ),
            "mcpbolt/server/webStandardStreamableHttp.js": (
                "WebStandardStreamableHTTPServerTransport",
                "WebStandardStreamableHTTPServerTransportOptions",
            ),
            "mcpbolt/server/sse.js": ("SSEServerTransport", "SSEServerTransportOptions"),
        },
    ),
    Page(
        "clients.md",
        "TypeScript: clients",
        "What can a client in TypeScript do, and what does each option mean?",
        {
            "mcpbolt/client/index.js": ("Client", "ClientOptions", "ProtocolChoice", "ClientSession"),
            "mcpbolt/shared/protocol.js": ("RequestOptions",),
            "mcpbolt/client/stdio.js": ("StdioClientTransport", "StdioServerParameters", "getDefaultEnvironment"),
            "mcpbolt/client/streamableHttp.js": (
                "StreamableHTTPClientTransport",
                "StreamableHTTPClientTransportOptions",
                "StreamableHTTPReconnectionOptions",
                "StreamableHTTPError",
            ),
            "mcpbolt/client/sse.js": ("SSEClientTransport", "SSEClientTransportOptions"),
            "mcpbolt/client/websocket.js": ("WebSocketClientTransport",),
            "mcpbolt/inMemory.js": ("InMemoryTransport",),
            "mcpbolt/host.js": ("Host", "HostOptions", "HostConfig", "HostServerConfig", "HostTool"),
            "mcpbolt/review.js": (
                "askAlways",
                "askUnlessReadOnly",
                "allowAll",
                "ToolReviewer",
                "ToolReview",
                "ToolDecision",
                "RejectedError",
                "sampler",
                "SamplingSteps",
                "SamplingBudget",
                "Review",
                "chooseModel",
                "Model",
            ),
            "mcpbolt/client/middleware.js": (
                "applyMiddlewares",
                "createMiddleware",
                "Middleware",
                "withLogging",
                "LoggingOptions",
            ),
            "mcpbolt/types.js": ("McpError", "ErrorCode", "UrlElicitationRequiredError"),
        },
    ),
    Page(
        "v2.md",
        "TypeScript: names of 2.x",
        "What do the classes of the official 2.x have here?",
        {
            "mcpbolt/v2/server": (
                "McpServer",
                "McpServerOptions",
                "ResourceTemplate",
                "ToolCallback",
                "PromptCallback",
                "ReadResourceCallback",
                "ReadResourceTemplateCallback",
                "RegisteredTool",
                "RegisteredResource",
                "RegisteredResourceTemplate",
                "RegisteredPrompt",
                "Server",
                "ServerOptions",
                "ServerContext",
                "createMcpHandler",
                "CreateMcpHandlerOptions",
                "McpHttpHandler",
                "McpServerFactory",
                "McpRequestContext",
                "inputRequired",
                "InputRequiredBuilder",
                "acceptedContent",
                "createRequestStateCodec",
                "RequestStateCodecOptions",
                "fromJsonSchema",
                "UriTemplate",
                "ProtocolError",
                "ProtocolErrorCode",
                "SdkError",
                "SdkErrorCode",
            ),
            "mcpbolt/v2/server/stdio": ("serveStdio", "ServeStdioOptions", "StdioServerHandle"),
            "mcpbolt/v2/server/extension": ("Extension", "extend", "extensionMethod", "requireClientExtension"),
            "mcpbolt/v2/server/ext/tasks": ("beginTask",),
            "mcpbolt/v2/client": (
                "Client",
                "ClientOptions",
                "ConnectOptions",
                "CallToolRequestOptions",
                "RequestOptions",
                "VersionNegotiationOptions",
                "McpSubscription",
                "ResponseCacheStore",
                "CacheKey",
                "CacheEntry",
                "InMemoryResponseCacheStore",
            ),
            "mcpbolt/v2/node": ("toNodeHandler", "ToNodeHandlerOptions"),
            "mcpbolt/v2/express": ("createMcpExpressApp", "CreateMcpExpressAppOptions"),
            "mcpbolt/v2/fastify": ("createMcpFastifyApp", "CreateMcpFastifyAppOptions"),
            "mcpbolt/v2/hono": ("createMcpHonoApp", "CreateMcpHonoAppOptions"),
        },
    ),
    Page(
        "auth.md",
        "TypeScript: authorization",
        "What signs clients in, and what checks tokens?",
        {
            "mcpbolt/server/auth/resource-server.js": ("ResourceServer", "ResourceServerOptions", "CheckedRequest"),
            "mcpbolt/server/auth/types.js": ("AuthInfo",),
            "mcpbolt/server/auth/middleware/bearerAuth.js": ("requireBearerAuth", "BearerAuthMiddlewareOptions"),
            "mcpbolt/server/auth/router.js": ("mcpAuthMetadataRouter", "mcpAuthRouter", "AuthRouterOptions"),
            "mcpbolt/server/auth/provider.js": ("OAuthServerProvider", "AuthorizationParams", "OAuthTokenVerifier"),
            "mcpbolt/server/auth/providers/proxyProvider.js": ("ProxyOAuthServerProvider",),
            "mcpbolt/client/auth.js": (
                "OAuth",
                "OAuthOptions",
                "FileTokenStorage",
                "LoopbackRedirect",
                "LoopbackRedirectOptions",
                "OAuthClientProvider",
                "auth",
                "AuthResult",
                "UnauthorizedError",
            ),
            "mcpbolt/client/middleware.js": ("withOAuth",),
            "mcpbolt/client/auth-extensions.js": (
                "ClientCredentialsProvider",
                "ClientCredentialsProviderOptions",
                "PrivateKeyJwtProvider",
                "PrivateKeyJwtProviderOptions",
            ),
            "mcpbolt/v2/client": (
                "AuthProvider",
                "CrossAppAccessProvider",
                "CrossAppAccessProviderOptions",
                "withDpop",
                "generateDpopKeyPair",
            ),
            "mcpbolt/v2/server": ("requireScopes",),
        },
    ),
)


def pages(tools: Path, folder: Path) -> dict[str, str]:
    """The pages by their file. `tools` has `node_modules`; what is written on the way is in `folder`."""
    project = read(tools, folder)
    by_id: dict[int, Any] = {}
    collect(project, by_id)
    entries = {module["sources"][0]["fileName"]: module for module in project["children"]}
    found = {page.file: found_of(page, entries, by_id) for page in PAGES}
    places: dict[int, tuple[str, str]] = {}
    for file, names in found.items():
        for (_, name), nodes in names.items():
            places |= {node["id"]: (file, name) for node in nodes}
    return {page.file: text_of(page, found[page.file], by_id, places) for page in PAGES}


def read(tools: Path, folder: Path) -> Any:
    """The package as TypeDoc reads it. Types of frameworks that are not installed stay names."""
    node = shutil.which("node")
    if node is None:
        raise Broken("no node on the path, which reads the TypeScript package")
    if not (tools / "node_modules" / "typedoc").is_dir():
        raise Broken(f"no typedoc in {tools}: npm ci has to have installed docs/site/typescript there")
    entries = dict.fromkeys(entry for page in PAGES for entry in page.names)
    options = {
        "entryPoints": [str(file_of(entry)) for entry in entries],
        "tsconfig": str(SOURCES.parent / "tsconfig.json"),
        "compilerOptions": {"typeRoots": [str(tools / "node_modules" / "@types")]},
        # What a name is made of may not be exported itself.
        "plugin": [str(tools / "node_modules" / "typedoc-plugin-missing-exports" / "index.js")],
        "basePath": str(SOURCES),
        "json": str(folder / "typescript.json"),
        "pretty": False,
        "sort": ["source-order"],
        "excludeExternals": True,
        "excludeInternal": True,
        "excludePrivate": True,
        "excludeProtected": True,
        # Links are made here; what the compiler has to say is told by `typing-node`.
        "disableGit": True,
        "sourceLinkTemplate": "{path}",
        "skipErrorChecking": True,
        "validation": False,
        "treatWarningsAsErrors": True,
        "logLevel": "Warn",
    }
    given = folder / "typedoc.json"
    given.write_text(json.dumps(options), "utf-8")
    program = tools / "node_modules" / "typedoc" / "bin" / "typedoc"
    ran = subprocess.run([node, program, "--options", given], capture_output=True, text=True, check=False)
    if ran.returncode != 0:
        raise Broken(f"TypeDoc cannot read bindings-node/ts:\n{ran.stdout}{ran.stderr}")
    return json.loads((folder / "typescript.json").read_text("utf-8"))


def file_of(entry: str) -> Path:
    """The source of an entry point."""
    path = entry.removeprefix("mcpbolt/")
    return SOURCES / (path.removesuffix(".js") + ".ts")


def collect(node: Any, by_id: dict[int, Any]) -> None:
    """Everything that has an id."""
    if isinstance(node, dict):
        if isinstance(node.get("id"), int) and "kind" in node:
            by_id[node["id"]] = node
        for each in node.values():
            collect(each, by_id)
    elif isinstance(node, list):
        for each in node:
            collect(each, by_id)


def found_of(page: Page, entries: dict[str, Any], by_id: dict[int, Any]) -> dict[tuple[str, str], list[Any]]:
    """The declarations of each name of a page, at whatever place an entry point has them from."""
    found: dict[tuple[str, str], list[Any]] = {}
    anchors: set[str] = set()
    for entry, names in page.names.items():
        children = entries[file_of(entry).relative_to(SOURCES).as_posix()].get("children", ())
        for name in names:
            nodes = [each for each in children if each["name"] == name]
            nodes = [by_id[each["target"]] if each["kind"] == REFERENCE else each for each in nodes]
            if not nodes:
                raise Broken(f"docs/site/typescript_reference.py names {name} of {entry}, which is not there")
            if anchor(name) in anchors:
                raise Broken(f"docs/site/typescript_reference.py has {name} twice on {page.file}")
            anchors.add(anchor(name))
            found[entry, name] = nodes
    return found


def text_of(
    page: Page,
    found: dict[tuple[str, str], list[Any]],
    by_id: dict[int, Any],
    places: dict[int, tuple[str, str]],
) -> str:
    def to(target: int) -> str | None:
        node = by_id.get(target, {})
        place = places.get(node["target"] if node.get("kind") == REFERENCE else target)
        if place is None:
            return None
        file, name = place
        return f"{'' if file == page.file else file}#{anchor(name)}"

    links = typescript_shown.Links(by_id, to)
    lines = [f"# {page.title}", "", page.question, ""]
    for (entry, name), nodes in found.items():
        at = (nodes[0].get("sources") or nodes[0]["signatures"][0]["sources"])[0]
        source = f"{REPOSITORY}bindings-node/ts/{at['fileName']}#L{at['line']}"
        lines += [f"## `{name}`", "", f"`{entry}` · [source]({source})", ""]
        lines += typescript_shown.shown(nodes, links)
    return "\n".join(lines) + "\n"
