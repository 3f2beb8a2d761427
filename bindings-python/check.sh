#!/usr/bin/env bash
# Builds the extension and runs check.py, then the tests where pytest is installed.
# PYTHON names the interpreter.
set -euo pipefail
cd "$(dirname "$0")"
python="${PYTHON:-python3}"
./build.sh
export PYTHONPATH="$PWD/python"
timeout 120 "$python" check.py
if "$python" -c "import pytest, pydantic" 2>/dev/null; then
  timeout 600 "$python" -m pytest
else
  echo "bindings-python: tests not run ($python has no pytest or no pydantic)"
fi
