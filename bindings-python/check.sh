#!/usr/bin/env bash
# Builds the extension and runs check.py, then the tests and the examples.
# PYTHON names an interpreter that has what tests/requirements.txt lists; `cargo xtask test python` makes one.
set -euo pipefail
cd "$(dirname "$0")"
python="${PYTHON:-python3}"
./build.sh
export PYTHONPATH="$PWD/python"
timeout 120 "$python" check.py
# The extension is what its stub says. MCPBOLT_TEST_PYTHON_TYPING: an interpreter that has mypy.
if [ -n "${MCPBOLT_TEST_PYTHON_TYPING:-}" ]; then
  timeout 120 "$MCPBOLT_TEST_PYTHON_TYPING" -m mypy.stubtest mcpbolt._mcpbolt
fi
# With MCPBOLT_TEST_FULL the tests for leaks make ten times the calls.
timeout 3000 "$python" -m pytest
# Programs in the shape of the tutorials, and the examples as their README starts them.
timeout 600 "$python" -m pytest -c pyproject.toml ../tests/seeds/python ../examples/python/tests ../examples/cookbook/python/tests
