//! The table of limits.

use mcpbolt_proto::limits::{LimitValue, Limits};
use std::fmt::Write as _;

/// The page.
pub(crate) fn page() -> String {
    let mut out = String::from(
        "# Limits\n\nWritten by `cargo xtask generate` from the rows of the engine; do not edit.\n\n\
         Where an official package has a default of its own, its names keep it here: `FastMCP`, `MCPServer` \
         and the official HTTP transports in Node read bodies of up to 4 MiB (`max_request_body_size`, \
         `maxRequestBodySize`).\n\n\
         | option | default | bounds | beyond it |\n|---|---|---|---|\n",
    );
    for [name, default, bounds, beyond] in rows() {
        let _ = writeln!(out, "| `{name}` | {default} | {bounds} | {beyond} |");
    }
    out
}

/// Name, default, what is bounded, what happens beyond it.
pub(crate) fn rows() -> impl Iterator<Item = [String; 4]> {
    Limits::rows().iter().map(|limit| {
        let default = value(limit.default, limit.unit);
        [limit.name.to_owned(), default, limit.doc.to_owned(), limit.beyond.to_owned()]
    })
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
