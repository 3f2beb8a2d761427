//! The table: what is measured, who takes part, what has to be reached.
//!
//! Owns: rows, entrants, goals. A suite is one language's; another one is another
//! function here and another name in [`find`]. Must not know: how loads are made.

mod auth;
mod counted;
mod extensions;
mod fleet;
mod kotlin;
mod large;
mod node;
mod python;
mod swift;

pub use counted::only_counted;

use std::time::Duration;

use jsonwebtoken::Algorithm;
use mcpbolt_bench::long::Way;
use mcpbolt_bench::payload::Era;

/// What a row does to its entrants.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Work {
    /// Calls of `echo`, 64 in flight on stdio, 16 connections on HTTP.
    Calls,
    /// Calls of `echo`, each after the answer to the one before.
    OneByOne(Processors),
    /// `tasks/get` of that many tasks that are open, as many in flight as calls.
    Tasks(u64),
    /// `tools/list` with that many tools besides `echo`, one after the other.
    List(usize),
    /// One text of about that many bytes, one call after the other.
    Long(Way, usize),
    /// From the start of the process to the answer of the first request.
    ColdStart,
    /// The entrant is a client; it prints its own report.
    Client,
    /// The entrant goes through a file of access tokens; it prints its own report.
    Tokens {
        /// What they are signed with.
        signature: Algorithm,
        /// Whether it goes through a few again and again, or once through many.
        seen: bool,
    },
}

impl Work {
    /// Whether many requests are under way at once.
    pub fn is_load(self) -> bool {
        matches!(self, Self::Calls | Self::Tasks(_))
    }

    /// Whether some requests go before those that are measured.
    pub fn warms_up(self) -> bool {
        self.is_load() || matches!(self, Self::OneByOne(_))
    }
}

/// What processors do while nobody has anything to do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Processors {
    /// They sleep, and have to be woken.
    Sleep,
    /// They are kept busy by something that gives way.
    Awake,
}

/// How an entrant is reached.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Transport {
    /// Pipes.
    Stdio,
    /// Streamable HTTP; whether the load opens sessions.
    Http {
        /// Whether the load opens a session per connection.
        sessions: bool,
    },
}

/// What an entrant is compared as.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Role {
    /// Ours: the goals are for this one.
    Ours,
    /// What the goals are measured against.
    Peer,
    /// Shown for scale.
    Shown,
}

/// One program in a row.
#[derive(Debug, Clone)]
pub struct Entrant {
    /// Its name in reports.
    pub name: &'static str,
    /// What it is compared as.
    pub role: Role,
    /// Program and arguments. `{bin}` is the folder of the programs built here, `{port}`
    /// a free port, `{seconds}` the time to measure, `{warm}` the seconds before that,
    /// `{issuer}` an issuer of tokens, `{resource}` for whom they are, `{tokens}` a file of
    /// them, `{store}` the URL of a store; the names of [`GIVEN`] stand for what the environment says.
    pub command: Vec<String>,
}

/// A measured quantity.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Metric {
    /// Calls per second.
    Rate,
    /// Median latency in microseconds.
    P50,
    /// 99th percentile in microseconds.
    P99,
    /// The latency that one call of 1,000 exceeds, in microseconds.
    P999,
    /// Processor milliseconds for 1,000 calls.
    Cpu,
    /// Peak resident memory in MB.
    Memory,
    /// Megabytes per second, there and back counted once.
    Bytes,
    /// Milliseconds from start to first answer.
    Start,
}

impl Metric {
    /// All of them.
    pub const ALL: [Self; 8] =
        [Self::Rate, Self::P50, Self::P99, Self::P999, Self::Cpu, Self::Memory, Self::Bytes, Self::Start];

    /// What it is called, with its unit.
    pub fn label(self) -> &'static str {
        match self {
            Self::Rate => "calls/s",
            Self::P50 => "p50 µs",
            Self::P99 => "p99 µs",
            Self::P999 => "p99.9 µs",
            Self::Cpu => "CPU ms/1,000",
            Self::Memory => "peak RSS MB",
            Self::Bytes => "MB/s",
            Self::Start => "start ms",
        }
    }
}

/// What ours must reach.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Bound {
    /// At least so many times the peer's.
    AtLeast(f64),
    /// At most so many times the peer's.
    AtMost(f64),
    /// Below this figure, whatever the peer's.
    Below(f64),
}

/// A bound on a metric.
#[derive(Debug, Clone, Copy)]
pub struct Goal {
    /// Of what.
    pub metric: Metric,
    /// How much.
    pub bound: Bound,
}

/// One thing measured.
#[derive(Debug, Clone)]
pub struct Row {
    /// For `--only`.
    pub id: &'static str,
    /// For people.
    pub title: &'static str,
    /// What is done.
    pub work: Work,
    /// In which era.
    pub era: Era,
    /// Over which transport.
    pub transport: Transport,
    /// By whom.
    pub entrants: Vec<Entrant>,
    /// What ours must reach.
    pub goals: Vec<Goal>,
    /// Said in the report when a goal is missed.
    pub why: &'static str,
}

/// One language's rows.
pub struct Suite {
    /// Its name on the command line.
    pub name: &'static str,
    /// What it compares.
    pub title: &'static str,
    /// Said in the report about how the programs are built and set.
    pub notes: &'static [&'static str],
    /// How long each load runs before it is measured; without it, 2,000 calls go before.
    pub warm_up: Option<Duration>,
    /// Its rows.
    pub rows: Vec<Row>,
}

/// The names of all suites.
pub const NAMES: &[&str] = &["rust", "python", "node", "kotlin", "swift", "auth", "extensions", "fleet"];

/// Placeholders of commands and the variables that hold what they stand for: where
/// another language's programs are, and what runs them.
pub const GIVEN: &[(&str, &str)] = &[
    ("{programs}", "MCPBOLT_BENCH_PROGRAMS"),
    ("{mcpbolt}", "MCPBOLT_BENCH_PYTHON"),
    ("{mcp1}", "MCPBOLT_BENCH_PYTHON_MCP1"),
    ("{mcp2}", "MCPBOLT_BENCH_PYTHON_MCP2"),
    ("{fastmcp4}", "MCPBOLT_BENCH_PYTHON_FASTMCP4"),
    ("{kotlin}", "MCPBOLT_BENCH_KOTLIN"),
    ("{kotlin-sdk}", "MCPBOLT_BENCH_KOTLIN_SDK"),
    ("{swift}", "MCPBOLT_BENCH_SWIFT"),
    ("{swift-sdk}", "MCPBOLT_BENCH_SWIFT_SDK"),
    ("{other}", "MCPBOLT_BENCH_OTHER"),
    ("{other-programs}", "MCPBOLT_BENCH_OTHER_PROGRAMS"),
    ("{other-env}", "MCPBOLT_BENCH_OTHER_ENV"),
];

/// The suite of that name.
pub fn find(name: &str) -> Option<Suite> {
    match name {
        "rust" => Some(rust()),
        "python" => Some(python::suite()),
        "node" => Some(node::suite()),
        "kotlin" => Some(kotlin::suite()),
        "swift" => Some(swift::suite()),
        "auth" => Some(auth::suite()),
        "extensions" => Some(extensions::suite()),
        "fleet" => Some(fleet::suite()),
        _ => None,
    }
}

const STATEFUL: Transport = Transport::Http { sessions: true };
const STATELESS: Transport = Transport::Http { sessions: false };

/// Entrants that serve with `flags`: ours, rmcp and, where it can take part, the floor.
fn servers(transport: Transport, flags: &[&str], floor: bool) -> Vec<Entrant> {
    let entrant =
        |name, role, program: &str| serving(name, role, vec![format!("{{bin}}/{program}")], transport, flags);
    let mut all =
        vec![entrant("mcpbolt", Role::Ours, "mcpbolt-server"), entrant("rmcp", Role::Peer, "rmcp-server")];
    // The floor knows no sessions.
    if floor && transport != STATEFUL {
        all.push(entrant("floor", Role::Shown, "floor-server"));
    }
    all
}

/// A program that serves: where it listens, and what else it is told.
fn serving(
    name: &'static str,
    role: Role,
    mut command: Vec<String>,
    transport: Transport,
    flags: &[&str],
) -> Entrant {
    if matches!(transport, Transport::Http { .. }) {
        command.extend(["--http".to_owned(), "127.0.0.1:{port}".to_owned()]);
    }
    command.extend(flags.iter().map(|&flag| flag.to_owned()));
    Entrant { name, role, command }
}

/// What a client is told: how long, which era, and where our server is.
fn client_arguments(transport: Transport, era: Era) -> Vec<String> {
    let modern: &[&str] = if era == Era::Modern { &["--modern"] } else { &[] };
    let target = match transport {
        Transport::Stdio => ["--", "{bin}/mcpbolt-server"],
        Transport::Http { .. } => ["--url", "http://127.0.0.1:{port}/mcp"],
    };
    [&["--seconds", "{seconds}"], modern, &target].concat().into_iter().map(str::to_owned).collect()
}

/// Client contestants; over HTTP the URL is added when the server listens.
fn clients(transport: Transport, era: Era) -> Vec<Entrant> {
    let entrant = |name, role, program: &str| {
        let mut command = vec![format!("{{bin}}/{program}")];
        command.extend(client_arguments(transport, era));
        Entrant { name, role, command }
    };
    vec![entrant("mcpbolt", Role::Ours, "mcpbolt-client"), entrant("rmcp", Role::Peer, "rmcp-client")]
}

fn goal(metric: Metric, bound: Bound) -> Goal {
    Goal { metric, bound }
}

fn row(id: &'static str, title: &'static str, work: Work, era: Era, transport: Transport) -> Row {
    Row { id, title, work, era, transport, entrants: Vec::new(), goals: Vec::new(), why: "" }
}

impl Row {
    fn by(mut self, entrants: Vec<Entrant>) -> Self {
        self.entrants = entrants;
        self
    }

    fn and(mut self, more: Vec<Entrant>) -> Self {
        self.entrants.extend(more);
        self
    }

    fn goal(mut self, metric: Metric, bound: Bound) -> Self {
        self.goals.push(goal(metric, bound));
        self
    }

    fn why(mut self, why: &'static str) -> Self {
        self.why = why;
        self
    }
}

/// Calls one at a time, on stdio with processors asleep and awake, and in sessions over HTTP; the
/// median, with processors asleep, is to be below `most` microseconds.
fn one_by_one(most: f64, servers: impl Fn(Transport) -> Vec<Entrant>) -> Vec<Row> {
    let single = |id, title, processors, transport| {
        let row = row(id, title, Work::OneByOne(processors), Era::Legacy, transport).by(servers(transport));
        row.goal(Metric::Cpu, Bound::AtMost(1.0))
    };
    vec![
        single("one-stdio", "one at a time, stdio", Processors::Sleep, Transport::Stdio)
            .goal(Metric::P50, Bound::Below(most)),
        single("one-stdio-awake", "one at a time, stdio, processors kept awake", Processors::Awake, Transport::Stdio),
        single("one-http", "one at a time, HTTP, sessions", Processors::Sleep, STATEFUL),
    ]
}

fn rust() -> Suite {
    let mut rows = rust_loads();
    rows.extend(one_by_one(40.0, |transport| servers(transport, &[], true)));
    rows.extend(rust_clients());
    rows.extend(rust_singles());
    rows.extend(rust_guard_rails());
    Suite {
        name: "rust",
        title: "Rust: mcpbolt against rmcp 3.11.0 and against the least code that answers",
        notes: &[
            "Both sides are built in one workspace with one profile (thin LTO, one codegen unit) and use tokio's default multi-threaded runtime where they need one.",
            "rmcp serves stdio with `stdio_pipes()`, the faster of its two, and HTTP on axum with `TCP_NODELAY` set on accepted sockets, which it does not do itself. Its client may have 64 POSTs under way.",
            "Each side answers HTTP in the form it prefers: in sessions rmcp always opens an event stream; ours writes one JSON document, because the client names that first. A row of its own forces event streams on both.",
            "The floor is a loop over stdin without registry, sessions or checks, and bare hyper on one thread. It shows what the load generator can measure at all. It knows no sessions.",
            "Guard rails: our server with two rates, a deadline, a cap on calls, an access decision, an audit written as JSON and a look at each block that leaves, against the same with nothing that can be turned off.",
        ],
        warm_up: None,
        rows,
    }
}

fn rust_loads() -> Vec<Row> {
    use Bound::{AtLeast, AtMost};
    let stdio = |id, title, era| {
        row(id, title, Work::Calls, era, Transport::Stdio)
            .by(servers(Transport::Stdio, &[], true))
            .goal(Metric::Rate, AtLeast(3.0))
            .goal(Metric::Memory, AtMost(1.0))
    };
    let http = |id, title, era, transport, flags| {
        row(id, title, Work::Calls, era, transport)
            .by(servers(transport, flags, true))
            .goal(Metric::Rate, AtLeast(3.0))
            .goal(Metric::Memory, AtMost(1.0))
    };
    vec![
        stdio("stdio-legacy", "stdio, 2025-11-25, 64 in flight", Era::Legacy),
        stdio("stdio-modern", "stdio, 2026-07-28, 64 in flight", Era::Modern),
        http("http-sessions", "HTTP, 2025-11-25, sessions", Era::Legacy, STATEFUL, &[][..]).why(
            "the load runs on the same two processors and costs the same for both. Ours spends about 52,000 instructions outside the kernel on a call (callgrind).",
        ),
        http("http-sse", "HTTP, 2025-11-25, sessions, event streams", Era::Legacy, STATEFUL, &["--sse"][..])
            .why(
                "each of the 16 sessions keeps its last 1,000 events, answers too, for clients that come back with Last-Event-ID; rmcp keeps a few.",
            ),
        http("http-stateless", "HTTP, 2025-11-25, stateless", Era::Legacy, STATELESS, &["--stateless"][..])
            .why(
                "three times rmcp's rate is more than the floor reaches under this load. Outside the kernel ours spends about 51,000 instructions on a call, rmcp 132,000, the floor 17,000 (callgrind).",
            ),
        http("http-modern", "HTTP, 2026-07-28", Era::Modern, STATELESS, &["--stateless"][..]).why(
            "outside the kernel ours spends about 65,000 instructions on a call, rmcp 190,000, the floor 21,000 (callgrind); the kernel's part and the load's are the same for all.",
        ),
    ]
}

fn rust_clients() -> Vec<Row> {
    let client = |id, title, era, transport| {
        row(id, title, Work::Client, era, transport)
            .by(clients(transport, era))
            .goal(Metric::Rate, Bound::AtLeast(2.0))
    };
    vec![
        client(
            "client-stdio-legacy",
            "client, stdio, 2025-11-25, 64 in flight",
            Era::Legacy,
            Transport::Stdio,
        )
        .why(
            "client and server share two processors, and the server's part is the same for both. Outside the kernel ours spends about 28,000 instructions on a call, rmcp's 78,000 (callgrind).",
        ),
        client(
            "client-stdio-modern",
            "client, stdio, 2026-07-28, 64 in flight",
            Era::Modern,
            Transport::Stdio,
        ),
        client("client-http-legacy", "client, HTTP, 2025-11-25, 64 in flight", Era::Legacy, STATEFUL),
        client("client-http-modern", "client, HTTP, 2026-07-28, 64 in flight", Era::Modern, STATELESS),
    ]
}

/// Ours with everything on, against ours with everything off.
fn rust_guard_rails() -> Vec<Row> {
    let rails = |id, title, era, transport, flags: &[&str]| {
        let ours = |name, role, guard| {
            let flags = [flags, &["--guard-rails", guard]].concat();
            serving(name, role, vec!["{bin}/mcpbolt-server".to_owned()], transport, &flags)
        };
        row(id, title, Work::Calls, era, transport)
            .by(vec![ours("all on", Role::Ours, "on"), ours("all off", Role::Peer, "off")])
            .goal(Metric::Rate, Bound::AtLeast(0.5))
    };
    vec![
        rails("rails-stdio", "guard rails on and off, stdio, 2025-11-25", Era::Legacy, Transport::Stdio, &[]),
        rails(
            "rails-http",
            "guard rails on and off, HTTP, 2026-07-28",
            Era::Modern,
            STATELESS,
            &["--stateless"],
        ),
    ]
}

fn rust_singles() -> Vec<Row> {
    use Bound::{AtLeast, AtMost, Below};
    const LIST: Work = Work::List(499);
    const LONG: Work = Work::Long(Way::ThereAndBack, 10 << 20);
    let many = &["--tools", "499"][..];
    let list = |id, title, transport| {
        row(id, title, LIST, Era::Legacy, transport)
            .by(servers(transport, many, false))
            .goal(Metric::P50, Below(1000.0))
    };
    let long = |id, title, era, transport, flags| {
        row(id, title, LONG, era, transport)
            .by(servers(transport, flags, true))
            .goal(Metric::Bytes, AtLeast(1.0))
    };
    let cold = |id, title, era, transport| {
        row(id, title, Work::ColdStart, era, transport)
            .by(servers(transport, &[], true))
            .goal(Metric::Start, AtMost(1.0))
    };
    vec![
        list("list-stdio", "tools/list of 500 tools, stdio", Transport::Stdio),
        list("list-http", "tools/list of 500 tools, HTTP, sessions", STATEFUL),
        long("long-stdio", "10 MiB there and back, stdio", Era::Legacy, Transport::Stdio, &[][..]),
        long(
            "long-http",
            "10 MiB there and back, HTTP 2026-07-28",
            Era::Modern,
            STATELESS,
            &["--stateless"][..],
        ),
        cold("cold-stdio-legacy", "cold start, stdio, initialize", Era::Legacy, Transport::Stdio),
        cold("cold-stdio-modern", "cold start, stdio, server/discover", Era::Modern, Transport::Stdio).why(
            "from start to end both spend 0.78 million instructions outside the kernel, as for initialize (callgrind): what differs from run to run is when the kernel lets a second thread begin.",
        ),
        cold("cold-http", "cold start, HTTP, initialize", Era::Legacy, STATEFUL),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_has_ours_and_its_own_name_and_a_goal_if_there_is_a_peer() {
        for rows in NAMES.iter().map(|name| find(name).expect("it has a name").rows) {
            for (at, row) in rows.iter().enumerate() {
                let count = |role| row.entrants.iter().filter(|entrant| entrant.role == role).count();
                assert_eq!(count(Role::Ours), 1, "{}", row.id);
                assert_eq!(count(Role::Peer), usize::from(!row.goals.is_empty()), "{}", row.id);
                assert!(rows[..at].iter().all(|other| other.id != row.id), "{}", row.id);
            }
        }
    }
}
