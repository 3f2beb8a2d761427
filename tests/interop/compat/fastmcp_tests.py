"""The own tests of fastmcp on `mcpbolt.compat`.

Downloads the source of a release (`fastmcp-2-sdist.txt` and so on) and runs its tests, except those of `tests/client/test_stdio.py`, which count processes. Ends with 0 if exactly
those fail that the list of the release names, and these are few enough. The interpreter has the
release, the official package, which must not be found, and mcpbolt.

    fastmcp_tests.py 2|3|4 [--list] [WORD ...]

`--list` prints what fails and compares nothing; with words only files are run whose path holds
one of them.
"""

import sys

from suite import HERE, Suite, main

# Their own limit of five seconds is for a machine that does nothing else.
OPTIONS = ("-o", "timeout=30", "-m", "not integration and not conformance")
# The share of the tests that may fail here and not on the official package.
MOST = {"2": 0.2, "3": 0.5, "4": 5.0}
# What of the source the tests need beside themselves.
FOLDERS = ("tests", "examples", "docs", "src", "fastmcp_slim", "fastmcp_remote", "scripts", "pyproject.toml", "README.md")
MORE = {"4": ("fastmcp_tasks", "skills", "dev-docs", "status-site", "AGENTS.md", "justfile", "loq.toml", "uv.lock")}

release, *arguments = sys.argv[1:]
sys.exit(main(
    Suite(
        name="fastmcp",
        pin=HERE / f"fastmcp-{release}-sdist.txt",
        known=HERE / f"fastmcp-{release}-known.txt",
        wanted=(*FOLDERS, *MORE.get(release, ())),
        options=OPTIONS,
        api="2" if release == "4" else "1",
        without=("tests/client/test_stdio.py",),
        most=MOST[release],
    ),
    arguments,
))
