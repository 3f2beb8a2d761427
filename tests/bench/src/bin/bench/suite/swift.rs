//! The rows of Swift: our package against the same work on our engine in Rust, or against programs
//! on the official package, if the environment names some.
//!
//! The programs are in `tests/bench/swift`.

use mcpbolt_bench::payload::Era;

use super::{Bound, Entrant, Metric, Role, Row, STATEFUL, STATELESS, Suite, Transport, Work, row};

/// Names a folder with programs on the official package; see the notes.
const OFFICIAL: &str = "MCPBOLT_BENCH_SWIFT_SDK";

// What is to be kept, a little below what was reached when the rows were written: which share of the
// engine's rate, and how long it may take to start, in ms.

const STDIO_SERVER: f64 = 0.12;
const HTTP_SERVER: f64 = 0.33;
const STDIO_CLIENT: f64 = 0.3;
const STDIO_CLIENT_WHY: &str = "ours takes 32 to 41 µs of the processor for a call, the engine alone 4 to 6: the layer adds 28 to 35 µs. Over HTTP it adds 20 to 28, to an engine's part of 21 to 24.";
const HTTP_CLIENT: f64 = 0.4;
const START: Bound = Bound::Below(50.0);

pub(super) fn suite() -> Suite {
    suite_with(std::env::var_os(OFFICIAL).is_some_and(|folder| !folder.is_empty()))
}

/// `official`: whether there are programs on the official package.
fn suite_with(official: bool) -> Suite {
    let mut rows = loads(official);
    rows.extend(clients(official));
    rows.extend(colds(official));
    Suite {
        name: "swift",
        title: "Swift: mcpbolt against its own engine in Rust",
        notes: &[
            "The official Swift package is not among the programs that are here: it is published on a git host alone, in no registry that this benchmark takes its peers from. Whoever has it sets `MCPBOLT_BENCH_SWIFT_SDK` to a folder with two programs that stand on it, `server` (an `echo` on the standard streams) and `client` (Streamable HTTP, 2025-11-25). They take the words that those in `tests/bench/swift` take, whose `shared` has the command line and the load and knows no package. In the rows of these two it is the peer then, and ours has to reach at least its rate for no more of the processor.",
            "Otherwise the peer is `engine`: the same server or client in Rust, on the engine that the Swift package is made of. The ratio is what the layer costs; there is nobody to beat in it, and its target is a little below what was reached once, so that a layer which gets slower shows. The floor is the least code that gives the right answers.",
            "Ours is the package for Linux that users get, built by SwiftPM in the release configuration with the library in the release profile linked in. Its programs are started by Debian's loader and a shell that becomes it, which counts in their cold start.",
            "Over HTTP ours serves with `serveHttp`, from Rust. Clients call our own Rust server.",
        ],
        warm_up: None,
        rows,
    }
}

/// A row of ours, the engine and the official package's program, if there is one; each is made by
/// `tell` of its name, what it is compared as, and its program.
fn contest(
    row: Row,
    official: Option<&str>,
    engine: &str,
    tell: impl Fn(&'static str, Role, String) -> Entrant,
) -> Row {
    let mut all = vec![tell("mcpbolt", Role::Ours, format!("{{swift}}/{}", kind(row.work)))];
    if let Some(program) = official {
        all.push(tell("official", Role::Peer, format!("{{swift-sdk}}/{program}")));
    }
    let engines = if official.is_some() { Role::Shown } else { Role::Peer };
    all.push(tell("engine", engines, format!("{{bin}}/{engine}")));
    row.by(all)
}

/// Our program for a kind of work.
fn kind(work: Work) -> &'static str {
    if work == Work::Client { "client" } else { "server" }
}

/// At least as many calls as the official package's, for no more of the processor; or so many
/// times the engine's.
fn compared(row: Row, official: bool, of_engine: f64) -> Row {
    if official {
        return row.goal(Metric::Rate, Bound::AtLeast(1.0)).goal(Metric::Cpu, Bound::AtMost(1.0));
    }
    row.goal(Metric::Rate, Bound::AtLeast(of_engine))
}

fn loads(official: bool) -> Vec<Row> {
    let load = |id, title, era, transport: Transport, flags: &[&str], of_engine| {
        // The official package has no HTTP server of its own.
        let official = (official && era == Era::Legacy && transport == Transport::Stdio).then_some("server");
        let tell = |name, role, program| super::serving(name, role, vec![program], transport, flags);
        let row = row(id, title, Work::Calls, era, transport);
        let mut row = contest(row, official, "mcpbolt-server", tell);
        // The floor knows no sessions.
        if transport != STATEFUL {
            row.entrants.push(tell("floor", Role::Shown, "{bin}/floor-server".to_owned()));
        }
        compared(row, official.is_some(), of_engine)
    };
    let stateless = &["--stateless"];
    vec![
        load("stdio-legacy", "stdio, 2025-11-25", Era::Legacy, Transport::Stdio, &[], STDIO_SERVER),
        load("stdio-modern", "stdio, 2026-07-28", Era::Modern, Transport::Stdio, &[], STDIO_SERVER),
        load("http-sessions", "HTTP, 2025-11-25, sessions", Era::Legacy, STATEFUL, &[], HTTP_SERVER),
        load("http-stateless", "HTTP, 2025-11-25, stateless", Era::Legacy, STATELESS, stateless, HTTP_SERVER),
        load("http-modern", "HTTP, 2026-07-28", Era::Modern, STATELESS, stateless, HTTP_SERVER),
    ]
}

fn clients(official: bool) -> Vec<Row> {
    let client = |id, title, era, transport: Transport, of_engine| {
        let official = (official && era == Era::Legacy && transport == STATEFUL).then_some("client");
        let tell = |name, role, program| {
            let command = [vec![program], super::client_arguments(transport, era)].concat();
            Entrant { name, role, command }
        };
        let row = row(id, title, Work::Client, era, transport);
        compared(contest(row, official, "mcpbolt-client", tell), official.is_some(), of_engine)
    };
    vec![
        client("client-stdio", "client, stdio, 2025-11-25", Era::Legacy, Transport::Stdio, STDIO_CLIENT)
            .why(STDIO_CLIENT_WHY),
        client(
            "client-stdio-modern",
            "client, stdio, 2026-07-28",
            Era::Modern,
            Transport::Stdio,
            STDIO_CLIENT,
        )
        .why(STDIO_CLIENT_WHY),
        client("client-http", "client, HTTP, 2025-11-25", Era::Legacy, STATEFUL, HTTP_CLIENT),
        client("client-http-modern", "client, HTTP, 2026-07-28", Era::Modern, STATELESS, HTTP_CLIENT),
    ]
}

fn colds(official: bool) -> Vec<Row> {
    let cold = |id, title, transport: Transport| {
        let official = (official && transport == Transport::Stdio).then_some("server");
        let tell = |name, role, program| super::serving(name, role, vec![program], transport, &[]);
        let row = row(id, title, Work::ColdStart, Era::Legacy, transport);
        let bound = if official.is_some() { Bound::AtMost(1.0) } else { START };
        contest(row, official, "mcpbolt-server", tell).goal(Metric::Start, bound)
    };
    vec![
        cold("cold-stdio", "cold start, stdio, initialize", Transport::Stdio),
        cold("cold-http", "cold start, HTTP, initialize", STATEFUL),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn programs_on_the_official_package_are_the_peer_of_what_they_can_do() {
        let rows = suite_with(true).rows;
        for row in &rows {
            let peer = row.entrants.iter().find(|entrant| entrant.role == Role::Peer).expect("a peer");
            let able = matches!(row.id, "stdio-legacy" | "client-http" | "cold-stdio");
            assert_eq!(peer.name, if able { "official" } else { "engine" }, "{}", row.id);
        }
    }
}
