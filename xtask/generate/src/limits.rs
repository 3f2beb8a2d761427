//! The table of limits.

use mcpbolt_proto::limits::{LimitValue, Limits};
use std::fmt::Write as _;

/// The page.
pub(crate) fn page() -> String {
    let mut out = String::from(
        "# Limits\n\nWritten by `cargo xtask generate` from the rows of the engine; do not edit.\n\n\
         | option | default | bounds | beyond it |\n|---|---|---|---|\n",
    );
    for limit in Limits::rows() {
        let value = value(limit.default, limit.unit);
        let _ = writeln!(out, "| `{}` | {value} | {} | {} |", limit.name, limit.doc, limit.beyond);
    }
    out
}

fn value(value: LimitValue, unit: &str) -> String {
    const MIB: u64 = 1024 * 1024;
    match value {
        LimitValue::Bytes(bytes) if bytes >= MIB && bytes % MIB == 0 => format!("{} MiB", bytes / MIB),
        LimitValue::Bytes(bytes) if bytes >= 1024 && bytes % 1024 == 0 => format!("{} KiB", bytes / 1024),
        LimitValue::Bytes(bytes) => format!("{bytes} bytes"),
        LimitValue::Count(count) => format!("{count} {unit}"),
        LimitValue::Time(None) => "none".to_owned(),
        LimitValue::Time(Some(time)) => format!("{} s", time.as_secs()),
    }
}
