//! The rows about extensions: asking how tasks stand.
//!
//! Owns: these rows and what ours must reach beside rmcp, the only other SDK for Rust. Must not
//! know: how loads are made.

use mcpbolt_bench::payload::Era;

use super::{Bound, Metric, Row, STATELESS, Suite, Transport, Work, servers};

/// Asking how tasks stand, with few of them and with many; why a target is missed.
const ROWS: [(&str, &str, u64, Transport, &str); 4] = [
    ("get-stdio", "tasks/get, 100 open, stdio", 100, Transport::Stdio, ""),
    ("get-http", "tasks/get, 100 open, HTTP", 100, STATELESS, HTTP),
    ("many-stdio", "tasks/get, 10,000 open, stdio", 10_000, Transport::Stdio, ""),
    ("many-http", "tasks/get, 10,000 open, HTTP", 10_000, STATELESS, ""),
];

const HTTP: &str =
    "most of a request is HTTP itself, where tools/call of 2026-07-28 is 1.8 times rmcp's (the suite for Rust, on another machine).";

/// Most memory that a server with all of them may ever have taken, in MB.
const MEMORY: f64 = 50.0;

pub(super) fn suite() -> Suite {
    Suite {
        name: "extensions",
        title: "Extensions: tasks of mcpbolt and of rmcp 3.11.0",
        notes: &[
            "Tasks of 2026-07-28 (`io.modelcontextprotocol/tasks`), kept in memory on both sides. Each is a call of a tool that never ends; the load opens all of them, then asks for the state of one after the other.",
            "rmcp looks at all of its tasks for some that have expired whenever it is asked for one: the rows with few open compare what the rest costs.",
        ],
        warm_up: None,
        rows: ROWS.into_iter().map(tasks).collect(),
    }
}

fn tasks(row: (&'static str, &'static str, u64, Transport, &'static str)) -> Row {
    let (id, title, open, transport, why) = row;
    let flags: &[&str] =
        if transport == Transport::Stdio { &["--tasks"] } else { &["--tasks", "--stateless"] };
    super::row(id, title, Work::Tasks(open), Era::Modern, transport)
        .by(servers(transport, flags, false))
        .goal(Metric::Rate, Bound::AtLeast(3.0))
        .goal(Metric::Memory, Bound::Below(MEMORY))
        .why(why)
}
