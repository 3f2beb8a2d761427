"""Parameters of resource templates that lead where they should not."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from bounds import WHOLE
from peer import MODERN
from talk import Talk

from mcpbolt import Client, McpError
from mcpbolt.server.fastmcp import FastMCP
from mcpbolt.server.mcpserver import DEFAULT_RESOURCE_SECURITY, MCPServer, ResourceSecurity
from mcpbolt.server.mcpserver.exceptions import ResourceNotFoundError
from mcpbolt.server.mcpserver.resources import ResourceManager, ResourceSecurityError, ResourceTemplate
from mcpbolt.shared.path_security import PathEscapeError, contains_path_traversal, is_absolute_path, safe_join

PATHS = [
    *("", ".", "..", "a", "a/b", "a/../b", "a/../../b", "../a", "a/..", "a/./..", "./../a", "..a", "a..b", "1.0..2.0"),
    *("...", "a\\..\\..\\b", "..\\a", "a//..", "//..", "/", "/a", "\\a", "\\\\h\\s", "C:", "c:\\a", "C:a", "1:a", "é:a"),
    *(":", "a:", "ab:c", "/../a", "a/b/../../..", "a/b/../..", "\0", "..\0", "../", "/..", " ../a"),
]
URIS = [
    *("docs://a/b", "docs://../etc/passwd", "docs://a/../b", "docs://a/../../b", "docs://%2e%2e/a", "docs://%2Fetc/passwd"),
    *("docs:///etc/passwd", "docs://a%00b", "docs://a/C:%5C", "docs://..%5Ca", "docs://a?b", "docs://", "docs://a%20b"),
    *("file://one/a", "file://one/%2e%2e", "file://one/..", "file://one/../two", "file://one/a/b", "file://one/%2Fa"),
    *("open://../../etc/passwd", "open:///etc/passwd", "open://a%00b", "diff://a..b", "diff://../a", "diff://a?path=../b"),
    *("diff://a?path=b", "tree:", "tree:/a/b", "tree:/a/%2e%2e/b", "tree:/../b", "tree:/%2Fa", "tree:/a//b"),
    *("log://api", "log://api?level=error&lines=5", "log://api?lines=x", "log://api?other=1#f", "log://a/b", "log://%C3%A9", "log://é"),
    *("fails://error", "fails://gone", "fails://protocol", "fails://crash"),
    "Fixed://Host/A%2e/../b",
]
# To the official package these are names like others.
NO_URIS = ["/plain/a/b", "nothing", "%", "a b", "docs://C:%5CWindows"]


def run(work: Any) -> Any:
    return asyncio.run(asyncio.wait_for(work, WHOLE))


@pytest.mark.skipif(not MODERN, reason="MCPBOLT_TEST_PYTHON_MCP2 names no interpreter")
@pytest.mark.parametrize("modern", [False, True], ids=["legacy", "modern"])
def test_the_official_package_reads_and_refuses_the_same(modern: bool) -> None:
    program = "guarded_resources.py"
    with Talk("mcp", program, modern) as theirs, Talk("mcpbolt", program, modern) as ours:
        for uri in URIS:
            params = {"uri": uri}
            expected, found = theirs.ask("resources/read", params), ours.ask("resources/read", params)
            error = found.get("error", {})
            if not modern and error.get("code") == -32002:
                # Legacy clients are told in their own code that there is no such resource.
                error["code"] = -32602
            assert found == expected, uri
        for uri in NO_URIS:
            assert ours.ask("resources/read", {"uri": uri})["error"]["code"] == -32602
        assert ours.ask("resources/templates/list", {}) == theirs.ask("resources/templates/list", {})
        assert ours.ask("tools/call", {"name": "refusals"}) == theirs.ask("tools/call", {"name": "refusals"})


@pytest.mark.skipif(not MODERN, reason="MCPBOLT_TEST_PYTHON_MCP2 names no interpreter")
def test_the_official_package_says_the_same_of_paths() -> None:
    program = (
        "import sys; from mcp.shared.path_security import *; paths = eval(sys.argv[1]); "
        "print([(contains_path_traversal(p), is_absolute_path(p)) for p in paths])"
    )
    done = subprocess.run([MODERN, "-c", program, repr(PATHS)], capture_output=True, check=True, text=True, timeout=60)
    assert done.stdout.strip() == str([(contains_path_traversal(path), is_absolute_path(path)) for path in PATHS])


def test_a_path_stays_in_its_folder(tmp_path: Path) -> None:
    (tmp_path / "docs").mkdir()
    (tmp_path / "secret").write_text("s")
    (tmp_path / "docs" / "away").symlink_to(tmp_path / "secret")
    docs = tmp_path / "docs"
    assert safe_join(docs, "a", "../b") == docs.resolve() / "b"
    assert safe_join(str(docs)) == docs.resolve()
    for parts in (["../secret"], ["a", "../../secret"], ["/etc/passwd"], ["a", "C:b"], ["a\0b"], ["away"], ["a", "\\x"]):
        with pytest.raises(PathEscapeError):
            safe_join(docs, *parts)


def test_a_policy_says_which_parameter_it_refuses() -> None:
    assert DEFAULT_RESOURCE_SECURITY == ResourceSecurity()
    validate = DEFAULT_RESOURCE_SECURITY.validate
    assert validate({"a": "b", "c": ["d", "e/f"]}) is None
    assert validate({"a": "b", "c": ["d", "../e"]}) == "c"
    assert validate({"a": "/b", "c": ".."}) == "a"
    assert ResourceSecurity(exempt_params={"a"}).validate({"a": "/b", "c": "\0"}) == "c"
    assert ResourceSecurity(reject_null_bytes=False).validate({"c": "\0"}) is None


def test_a_refused_parameter_is_no_other_template() -> None:
    manager = ResourceManager(security=ResourceSecurity(reject_absolute_paths=False))
    strict = manager.add_template(lambda path: path, "a://{+path}", name="strict", security=DEFAULT_RESOURCE_SECURITY)
    lenient = manager.add_template(lambda path: path, "b://{+path}", name="lenient")
    assert isinstance(strict, ResourceTemplate)
    with pytest.raises(ResourceSecurityError) as caught:
        strict.matches("a:///x")
    assert (caught.value.template, caught.value.param) == ("a://{+path}", "path")
    assert lenient.matches("b:///x") == {"path": "/x"}
    manager.add_template(lambda path: path, "a://{+path}{?q}", name="later")
    with pytest.raises(ResourceNotFoundError, match="Unknown resource: a://../x"):
        run(manager.get_resource("a://../x"))


@pytest.mark.parametrize("mode", ["auto", "legacy"])
def test_the_policy_of_a_server(mode: str) -> None:
    server: MCPServer[Any] = MCPServer("open", resource_security=ResourceSecurity(reject_path_traversal=False))

    @server.resource("a://{+path}")
    def a(path: str) -> str:
        return path

    @server.resource("b://{+path}", security=DEFAULT_RESOURCE_SECURITY)
    def b(path: str) -> str:
        return path

    async def main() -> None:
        async with Client(server, mode=mode) as client:
            assert (await client.read_resource("a://../x")).contents[0].text == "../x"  # type: ignore[union-attr]
            for uri in ("a:///x", "b://../x"):
                with pytest.raises(McpError, match="Unknown resource"):
                    await client.read_resource(uri)

    run(main())


@pytest.mark.parametrize("guarded", [False, True])
def test_a_server_of_the_1_x_kind_refuses_nothing_unless_it_is_told_to(guarded: bool) -> None:
    mcp: FastMCP[Any] = FastMCP("plain", resource_security=DEFAULT_RESOURCE_SECURITY if guarded else None)

    @mcp.resource("a://x/{name}")
    def a(name: str) -> str:
        return name

    async def main() -> None:
        async with Client(mcp) as client:
            assert (await client.read_resource("a://x/y")).contents[0].text == "y"  # type: ignore[union-attr]
            for name in ("..%2Fy", "C:y", "%2Fy"):
                if guarded:
                    with pytest.raises(McpError, match="Unknown resource"):
                        await client.read_resource(f"a://x/{name}")
                else:
                    await client.read_resource(f"a://x/{name}")

    run(main())


def test_a_guard_costs_nothing_at_the_start() -> None:
    program = (
        "import sys; from mcpbolt.server import MCPServer; server = MCPServer('x')\n"
        "@server.resource('note://today')\ndef today() -> str: return ''\n"
        "print([name for name in ('pydantic', 'mcpbolt.shared.uri_template', 'mcpbolt.shared.path_security') if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, check=True, text=True, env=dict(os.environ))
    assert done.stdout.strip() == "[]"
