"""The official package's own tests, 1.30.0, on `mcpbolt.compat`.

Downloads the package's source (`official-sdist.txt`), leaves its code behind, and runs its
tests. Ends with 0 if exactly those fail that `official-tests-known.txt` names. The interpreter
has what `requirements-official-tests.txt` lists, and finds mcpbolt.

    official_tests.py [--list] [WORD ...]

`--list` prints what fails and compares nothing; with words only files are run whose path
holds one of them.
"""

import sys

from suite import HERE, Suite, main

# As the official project runs them: what is deprecated fails a test.
SETTINGS = """\
[pytest]
xfail_strict = true
filterwarnings =
    error
    ignore::DeprecationWarning:websockets
    ignore:websockets.server.WebSocketServerProtocol is deprecated:DeprecationWarning
    ignore:Returning str or bytes.*:DeprecationWarning:mcp.server.lowlevel
"""

sys.exit(main(
    Suite(
        name="mcp",
        pin=HERE / "official-sdist.txt",
        known=HERE / "official-tests-known.txt",
        # What of the package the tests need beside themselves.
        wanted=("tests", "examples", "docs", "README.md"),
        settings=SETTINGS,
        options=("--timeout", "30"),
    ),
    sys.argv[1:],
))
