//! The rows of Kotlin: our package against the official Kotlin SDK.
//!
//! The programs are in `tests/bench/kotlin`.

use std::time::Duration;

use mcpbolt_bench::payload::Era;

use super::{Bound, Entrant, Metric, Role, Row, STATEFUL, STATELESS, Suite, Transport, Work, row};

/// By then the JVM has compiled what runs often.
const WARM_UP: Duration = Duration::from_secs(20);
/// What all programs are started with. The official package says on standard output that it
/// logs, which is where clients report.
const JAVA: [&str; 3] = ["java", "-Xmx256m", "-Dkotlin-logging.logStartupMessage=false"];

pub(super) fn suite() -> Suite {
    let mut rows = loads();
    rows.extend(clients());
    rows.push(cold("cold-http", "cold start, HTTP, initialize"));
    Suite {
        name: "kotlin",
        title: "Kotlin: mcpbolt against the official Kotlin SDK, 0.16.0",
        notes: &[
            "The peer is the official package 0.16.0 on Ktor 3.5.2, the one it is built with. It does not speak 2026-07-28: those rows have no peer and no target.",
            "Both run on the same JVM with its own defaults, but for a heap of at most 256 MB, and are compiled by the same Kotlin. Each load runs for 20 s before it is measured, so that the JVM has compiled what runs often; a cold start is not warmed up.",
            "Ours is the jar that users get, with the library in the release profile inside; JNA unpacks it at every start.",
            "Over HTTP ours serves with `serveHttp`, from Rust; the official one with `mcpStreamableHttp` on Ktor's CIO, a server per session as in its samples, and `mcpStatelessStreamableHttp` without sessions. Its client is on Ktor's CIO. Both answer with JSON documents. Nothing is logged.",
            "Clients call our own Rust server.",
        ],
        warm_up: Some(WARM_UP),
        rows,
    }
}

/// A program of the class path that the environment names.
fn program(class_path: &str, class: &str) -> Vec<String> {
    [&JAVA[..], &["-cp", class_path, class]].concat().into_iter().map(str::to_owned).collect()
}

/// Ours and, where it speaks the era, the official one, each with what it is told.
fn both(era: Era, class: &str, tell: impl Fn(&'static str, Role, Vec<String>) -> Entrant) -> Vec<Entrant> {
    let mut all = vec![tell("mcpbolt", Role::Ours, program("{kotlin}", class))];
    if era == Era::Legacy {
        all.push(tell("official", Role::Peer, program("{kotlin-sdk}", class)));
    }
    all
}

fn servers(transport: Transport, era: Era, flags: &[&str]) -> Vec<Entrant> {
    both(era, "bench.ServerKt", |name, role, command| super::serving(name, role, command, transport, flags))
}

/// Where there is a peer: as many calls at least, for no more of the processor.
fn compared(row: Row) -> Row {
    if row.era == Era::Modern {
        return row;
    }
    row.goal(Metric::Rate, Bound::AtLeast(1.0)).goal(Metric::Cpu, Bound::AtMost(1.0))
}

fn loads() -> Vec<Row> {
    let load = |id, title, era, transport, flags: &[&str]| {
        compared(row(id, title, Work::Calls, era, transport).by(servers(transport, era, flags)))
    };
    let stateless = &["--stateless"];
    vec![
        load("http-sessions", "HTTP, 2025-11-25, sessions", Era::Legacy, STATEFUL, &[]),
        load("http-stateless", "HTTP, 2025-11-25, stateless", Era::Legacy, STATELESS, stateless),
        load("http-modern", "HTTP, 2026-07-28", Era::Modern, STATELESS, stateless),
    ]
}

fn clients() -> Vec<Row> {
    let client = |id, title, era, transport| {
        let entrants = both(era, "bench.ClientKt", |name, role, mut command| {
            command.extend(super::client_arguments(transport, era));
            command.extend(["--warm-up", "{warm}"].map(str::to_owned));
            Entrant { name, role, command }
        });
        compared(row(id, title, Work::Client, era, transport).by(entrants))
    };
    vec![
        client("client-http", "client, HTTP, 2025-11-25", Era::Legacy, STATEFUL),
        client("client-http-modern", "client, HTTP, 2026-07-28", Era::Modern, STATELESS),
    ]
}

fn cold(id: &'static str, title: &'static str) -> Row {
    row(id, title, Work::ColdStart, Era::Legacy, STATEFUL)
        .by(servers(STATEFUL, Era::Legacy, &[]))
        .goal(Metric::Start, Bound::AtMost(1.0))
}
