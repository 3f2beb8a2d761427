"""The official package's own tests, 1.30.0 or 2.3.0, on `mcpbolt.compat`.

Downloads the package's source (`official-sdist.txt`, `official-sdist-2.txt`), leaves its code
behind, and runs its tests. Ends with 0 if exactly those fail that `official-tests-known.txt` or
`official-tests-known-2.txt` names. The interpreter has what `requirements-official-tests.txt`
lists, with a 2 for 2.3.0, and finds mcpbolt.

    official_tests.py [--api 2] [--list] [WORD ...]

`--list` prints what fails and compares nothing; with words only files are run whose path
holds one of them.
"""

import argparse
import sys

from suite import HERE, Suite, main

# As the official projects run them: what is deprecated fails a test.
SETTINGS_1 = """\
[pytest]
xfail_strict = true
filterwarnings =
    error
    ignore::DeprecationWarning:websockets
    ignore:websockets.server.WebSocketServerProtocol is deprecated:DeprecationWarning
    ignore:Returning str or bytes.*:DeprecationWarning:mcp.server.lowlevel
"""
SETTINGS_2 = """\
[pytest]
xfail_strict = true
pythonpath = mcp-2.3.0/scripts/docs mcp-2.3.0/examples
markers =
    requirement(id): the entry in tests/interaction/_requirements.py that a test is for
filterwarnings =
    error
    ignore:.*is deprecated as of 2026-07-28 .*:mcp.MCPDeprecationWarning
    ignore:Client-to-server progress is deprecated as of 2026-07-28.*:mcp.MCPDeprecationWarning
    ignore:ping is removed as of 2026-07-28.*:mcp.MCPDeprecationWarning
    ignore:'encoding' argument not specified:EncodingWarning:pytest_examples
"""

LINES = {
    "1": Suite(
        name="mcp",
        pin=HERE / "official-sdist.txt",
        known=HERE / "official-tests-known.txt",
        # What of the package the tests need beside themselves.
        wanted=("tests", "examples", "docs", "README.md"),
        settings=SETTINGS_1,
        options=("--timeout", "30"),
    ),
    "2": Suite(
        name="mcp",
        pin=HERE / "official-sdist-2.txt",
        known=HERE / "official-tests-known-2.txt",
        wanted=("tests", "examples", "docs", "docs_src", "schema", "scripts", "README.md", "pyproject.toml"),
        settings=SETTINGS_2,
        options=("--timeout", "30"),
        api="2",
        # Tests of what servers of authorization answer.
        without=(
            "tests/server/auth/",
            "tests/server/mcpserver/auth/",
            # Reads standard input, which a server of 2.3 would have taken away: it comes to no end.
            "tests/server/test_stdio.py",
        ),
    ),
}

parser = argparse.ArgumentParser(add_help=False)
parser.add_argument("--api", choices=LINES, default="1")
line, arguments = parser.parse_known_args()
sys.exit(main(LINES[line.api], arguments))
