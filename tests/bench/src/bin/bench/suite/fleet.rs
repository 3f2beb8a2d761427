//! The rows about several nodes: what it costs a node that its sessions are in a shared store.
//!
//! Owns: these rows and what a node may cost beside itself with its own memory. Must not know: how
//! loads are made, which store it is.

use mcpbolt_bench::payload::Era;

use super::{Bound, Entrant, Metric, Role, Row, STATEFUL, STATELESS, Suite, Transport, Work, serving};

/// Processor time of a call in a session, which is looked up in the store.
const IN_SESSIONS: Bound = Bound::AtMost(1.6);
/// The same where no call needs the store.
const ALONE: Bound = Bound::AtMost(1.1);

/// What a program is told whose sessions are in the store.
const SHARED: &[&str] = &["--stores", "{store}"];

const RUST: &[&str] = &["{bin}/mcpbolt-equipped-server"];
const PYTHON: &[&str] = &["{mcpbolt}", "{programs}/python/server_mcpbolt.py"];
const NODE: &[&str] = &["node", "{programs}/node/server_mcpbolt.mjs"];
/// Of the packages of TypeScript the one that keeps sessions in Redis.
const MCP_USE: &[&str] = &["node", "{programs}/node/server_mcp_use.mjs"];

pub(super) fn suite() -> Suite {
    Suite {
        name: "fleet",
        title: "Several nodes: mcpbolt on a shared store and on its own memory",
        notes: &[
            "Both are the same program; one is told `stores=\"redis://…\"`. The store runs on the same two processors, in memory only; processor time and memory are those of the node alone, calls per second those of both.",
            "Without sessions nothing of a call is in the store: these rows show that it costs nothing to have one.",
            "mcp-use 1.34.6 is the last line of that package with a `RedisSessionStore`; it answers in event streams. Its store keeps what a client declared, not the streams.",
        ],
        warm_up: None,
        rows: rows(),
    }
}

fn rows() -> Vec<Row> {
    let legacy = |id, title, program, flags| row(id, title, program, Era::Legacy, STATEFUL, flags);
    let modern = |id, title, program| row(id, title, program, Era::Modern, STATELESS, &["--stateless"]);
    vec![
        legacy("sessions-rust", "HTTP, 2025-11-25, sessions, Rust", RUST, &[]),
        legacy("sse-rust", "HTTP, 2025-11-25, sessions, event streams, Rust", RUST, &["--sse"]),
        row(
            "stateless-rust",
            "HTTP, 2025-11-25, stateless, Rust",
            RUST,
            Era::Legacy,
            STATELESS,
            &["--stateless"],
        ),
        modern("modern-rust", "HTTP, 2026-07-28, Rust", RUST),
        legacy("sessions-python", "HTTP, 2025-11-25, sessions, Python", PYTHON, &[]),
        modern("modern-python", "HTTP, 2026-07-28, Python", PYTHON),
        legacy("sessions-node", "HTTP, 2025-11-25, sessions, Node", NODE, &[]).and(mcp_use()),
        modern("modern-node", "HTTP, 2026-07-28, Node", NODE),
    ]
}

fn row(
    id: &'static str,
    title: &'static str,
    program: &[&str],
    era: Era,
    transport: Transport,
    flags: &[&str],
) -> Row {
    let with = |name, role, more| entrant(name, role, program, transport, &[flags, more].concat());
    let bound = if transport == STATEFUL { IN_SESSIONS } else { ALONE };
    super::row(id, title, Work::Calls, era, transport)
        .by(vec![with("shared store", Role::Ours, SHARED), with("own memory", Role::Peer, &[])])
        .goal(Metric::Cpu, bound)
}

fn entrant(
    name: &'static str,
    role: Role,
    program: &[&str],
    transport: Transport,
    flags: &[&str],
) -> Entrant {
    serving(name, role, program.iter().map(|&word| word.to_owned()).collect(), transport, flags)
}

fn mcp_use() -> Vec<Entrant> {
    let with = |name, flags| entrant(name, Role::Shown, MCP_USE, STATEFUL, flags);
    vec![with("mcp-use, Redis", SHARED), with("mcp-use, own memory", &[])]
}
