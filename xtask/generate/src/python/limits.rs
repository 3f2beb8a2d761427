//! The table of limits as Python, for the command `mcpbolt limits`.

use std::fmt::Write as _;

use crate::limits;

const HEAD: &str = "\"\"\"The limits of the engine: name, default, what is bounded, what happens beyond it.

Written by `cargo xtask generate` from the engine's own rows; do not edit.
\"\"\"

# ruff: noqa: E501
from __future__ import annotations

LIMITS: tuple[tuple[str, str, str, str], ...] = (
";

/// The module.
pub(super) fn module() -> String {
    let mut out = HEAD.to_owned();
    for [name, default, bounds, beyond] in limits::rows() {
        let _ = writeln!(out, "    ({name:?}, {default:?}, {bounds:?}, {beyond:?}),");
    }
    out.push_str(")\n");
    out
}
