#!/usr/bin/env bash
# Builds the package and runs its tests, then programs in the shape of the tutorials and the examples.
# NODE names the Node to run them on. With MCPBOLT_TEST_FULL the tests for leaks make ten times the calls.
set -euo pipefail
cd "$(dirname "$0")"
[ -n "${MCPBOLT_TEST_BUILT:-}" ] || ./build.sh --debug
mapfile -t own < <(find tests -name '*.test.mjs' | sort)
timeout "$([ -n "${MCPBOLT_TEST_FULL:-}" ] && echo 2400 || echo 1800)" "${NODE:-node}" --test --test-concurrency=2 "${own[@]}"
mapfile -t programs < <(find ../tests/seeds/node ../examples/node ../examples/cookbook/node -name node_modules -prune -o -name '*.test.mjs' -print 2>/dev/null | sort)
[ ${#programs[@]} -eq 0 ] || timeout 600 "${NODE:-node}" --test --test-concurrency=2 "${programs[@]}"
