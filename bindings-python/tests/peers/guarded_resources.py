"""Templates with and without guards, for either package: `guarded_resources.py mcp | mcpbolt`."""

import importlib
import sys
from typing import Any

PACKAGE = sys.argv[1]
high = importlib.import_module(f"{PACKAGE}.server.mcpserver")
resources = importlib.import_module(f"{PACKAGE}.server.mcpserver.resources")
failures = importlib.import_module(f"{PACKAGE}.server.mcpserver.exceptions")
MCPError = importlib.import_module(f"{PACKAGE}.shared.exceptions").MCPError
Guard = resources.ResourceSecurity

server = high.MCPServer("guarded", log_level="CRITICAL")
lenient = Guard(reject_path_traversal=False, reject_absolute_paths=False, reject_null_bytes=False)


@server.resource("docs://{+path}")
def docs(path: str) -> str:
    return f"docs {path}"


@server.resource("file://one/{name}")
def one(name: str) -> str:
    return f"one {name}"


@server.resource("file://one/{+path}")
def fallback(path: str) -> str:
    return f"fallback {path}"


@server.resource("open://{+path}", security=lenient)
def opened(path: str) -> str:
    return f"open {path}"


@server.resource("diff://{+range}{?path}", security=Guard(exempt_params={"range"}))
def diff(range: str, path: str = "") -> str:
    return f"diff {range} {path}"


@server.resource("tree:{/path*}", mime_type="application/json")
def tree(path: list[str]) -> Any:
    return {"path": path}


@server.resource("log://{service}{?level,lines}")
def log(ctx: high.Context, service: str, level: str = "info", lines: int = 3) -> str:
    return f"{service} {level} {lines}"


@server.resource("/plain{/path*}")
def plain(path: list[str]) -> bytes:
    return "/".join(path).encode()


@server.resource("fails://{kind}")
def fails(kind: str) -> str:
    if kind == "error":
        raise failures.ResourceError("expected")
    if kind == "gone":
        raise failures.ResourceNotFoundError("gone")
    if kind == "protocol":
        raise MCPError(code=-7, message="p", data={"a": 1})
    raise KeyError("a secret")


@server.resource("Fixed://Host/A%2e/../b")
def fixed() -> str:
    return "fixed"


WRONG: list[tuple[str, Any]] = [
    ("a://{b", lambda b: b),
    ("a://{b:3}", lambda b: b),
    ("a://{b}", lambda c: c),
    ("a://{b}{?c}", lambda b, c: b),
    ("a://b", lambda b: b),
]


@server.tool()
def refusals() -> list[str]:
    said: list[str] = []
    for uri, function in WRONG:
        try:
            server.resource(uri, name="f")(function)
        except Exception as error:
            said.append(f"{type(error).__name__}: {error}")
        else:
            said.append("taken")

    def contextual(ctx: high.Context) -> str:
        return ""

    try:
        server.resource("a://fixed")(contextual)
    except ValueError as error:
        said.append(str(error))
    return said


if __name__ == "__main__":
    server.run("stdio")
