//! The rows about growth: connections and sessions, what idle ones take, and many tools.
//!
//! Owns: these rows and what ours must reach beside rmcp. Must not know: how loads are made.

use mcpbolt_bench::payload::Era;

use super::{Bound, Holding, Metric, Row, STATEFUL, STATELESS, Suite, Transport, Work, row, servers};

/// What idle servers may take of a processor, in percent.
const IDLE: Bound = Bound::Below(0.1);

/// From so many connections on their memory is most of what a server has.
const MANY: usize = 256;

// Why targets are missed, in the words of the report.

const ALONE: &str = "one call at a time is mostly what the kernel takes to wake the other side, which is the same for both; of a processor ours takes half of what rmcp takes in sessions, four fifths in 2026-07-28.";
const LOADED: &str = "the load needs a processor for itself and has no more to give: of the other one ours takes 2.0 µs a call, four fifths of it, and rmcp, which also takes some of the load's, 9.3.";

/// Servers are told that one client may hold this much.
const CROWD: [&str; 2] = ["--crowd", "20000"];

pub(super) fn suite() -> Suite {
    let mut rows = Vec::new();
    rows.extend(SESSIONS.map(|(id, title, count)| connections(id, title, count, Era::Legacy)));
    rows.extend(MODERN.map(|(id, title, count)| connections(id, title, count, Era::Modern)));
    rows.extend(idle());
    rows.extend(TOOLS.map(|(id, title, count)| {
        with_tools(id, title, Work::Calls, count).goal(Metric::Rate, Bound::AtLeast(3.0)).why(LOADED)
    }));
    rows.extend(LISTS.map(|(id, title, count)| {
        with_tools(id, title, Work::List(count - 1), count).goal(Metric::P50, Bound::AtMost(0.5))
    }));
    Suite {
        name: "scale",
        title: "Scale: many connections, sessions, streams and tools, mcpbolt and rmcp 3.11.0",
        notes: &[
            "The load comes from one address and runs on the same processors. For it ours is told `max_connections`, `max_sessions`, `max_in_flight`, `per_principal.sessions`, `per_principal.streams` and `per_principal.in_flight` of 20,000; connections from 127.0.0.1 are not counted by `per_principal.connections`. rmcp has no such limits.",
            "Each connection is kept alive and has one call under way, in 2025-11-25 in a session of its own. Each side answers in the form it prefers, as in the suite for Rust.",
            "Bytes each: resident memory with 10,000 of them less that before, after some thousand calls, over 10,000. Sessions are opened on one connection and have no stream; a listen stream of 2026-07-28 has a connection of its own in HTTP/1.1, whose part is in its bytes.",
            "Idle CPU: what the server takes of one processor while nobody sends anything, from the scheduler's own count.",
            "What 32 processors would give, and which lock is met first there: [how it scales](scale.md).",
            "Tools have a schema of three properties each. Neither side divides the list into pages unless it is told to: `tools/list` answers all of them at once.",
        ],
        warm_up: None,
        rows,
    }
}

const SESSIONS: [(&str, &str, usize); 4] = [
    ("sessions-1", "HTTP, 2025-11-25, 1 session", 1),
    ("sessions-16", "HTTP, 2025-11-25, 16 sessions", 16),
    ("sessions-256", "HTTP, 2025-11-25, 256 sessions", 256),
    ("sessions-4096", "HTTP, 2025-11-25, 4,096 sessions", 4096),
];

const MODERN: [(&str, &str, usize); 4] = [
    ("modern-1", "HTTP, 2026-07-28, 1 connection", 1),
    ("modern-16", "HTTP, 2026-07-28, 16 connections", 16),
    ("modern-256", "HTTP, 2026-07-28, 256 connections", 256),
    ("modern-4096", "HTTP, 2026-07-28, 4,096 connections", 4096),
];

const TOOLS: [(&str, &str, usize); 3] = [
    ("tools-10", "10 tools, calls of one, stdio", 10),
    ("tools-500", "500 tools, calls of one, stdio", 500),
    ("tools-10000", "10,000 tools, calls of one, stdio", 10_000),
];

const LISTS: [(&str, &str, usize); 3] = [
    ("list-10", "tools/list of 10 tools, stdio", 10),
    ("list-500", "tools/list of 500 tools, stdio", 500),
    ("list-10000", "tools/list of 10,000 tools, stdio", 10_000),
];

fn with_tools(id: &'static str, title: &'static str, work: Work, count: usize) -> Row {
    let besides = (count - 1).to_string();
    row(id, title, work, Era::Legacy, Transport::Stdio).by(servers(
        Transport::Stdio,
        &["--tools", &besides],
        false,
    ))
}

/// What a server of an era is told, and how it is reached.
fn of(era: Era) -> (Transport, Vec<&'static str>) {
    match era {
        Era::Legacy => (STATEFUL, CROWD.to_vec()),
        Era::Modern => (STATELESS, [&CROWD[..], &["--stateless"]].concat()),
    }
}

fn connections(id: &'static str, title: &'static str, count: usize, era: Era) -> Row {
    let (transport, flags) = of(era);
    let row = row(id, title, Work::Connections(count), era, transport)
        .by(servers(transport, &flags, false))
        .goal(Metric::Rate, Bound::AtLeast(1.5))
        .why(ALONE);
    // With few connections it is the program's own.
    if count < MANY { row } else { row.goal(Metric::Memory, Bound::AtMost(1.0)) }
}

fn idle() -> Vec<Row> {
    let row = |id, title, holding, era| {
        let (transport, flags) = of(era);
        row(id, title, Work::Idle(holding), era, transport)
            .by(servers(transport, &flags, false))
            .goal(Metric::Idle, IDLE)
    };
    vec![
        super::row("idle-stdio", "idle, stdio", Work::Idle(Holding::Nothing), Era::Legacy, Transport::Stdio)
            .by(servers(Transport::Stdio, &[], false))
            .goal(Metric::Idle, IDLE),
        row("idle-http", "idle, HTTP, one session", Holding::Nothing, Era::Legacy),
        row("idle-sessions", "10,000 idle sessions", Holding::Sessions(10_000), Era::Legacy)
            .goal(Metric::Each, Bound::AtMost(1.0)),
        row("idle-streams", "10,000 idle listen streams", Holding::Streams(10_000), Era::Modern)
            .goal(Metric::Each, Bound::AtMost(1.0)),
    ]
}
