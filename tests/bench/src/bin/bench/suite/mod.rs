//! The table: what is measured, who takes part, what has to be reached.
//!
//! Owns: rows, entrants, goals. A suite is one language's; another one is another
//! file here and another name in [`find`]. Must not know: how loads are made.

mod auth;
mod counted;
mod extensions;
mod fleet;
mod kotlin;
mod large;
mod node;
mod python;
mod rust;
mod scale;
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
    /// Calls of `echo` on that many connections, over HTTP.
    Connections(usize),
    /// Nothing, while clients hold something.
    Idle(Holding),
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
        matches!(self, Self::Calls | Self::Connections(_) | Self::Tasks(_))
    }

    /// Whether some requests go before those that are measured.
    pub fn warms_up(self) -> bool {
        self.is_load() || matches!(self, Self::OneByOne(_))
    }
}

/// What clients hold of a server that has nothing to do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Holding {
    /// One connection.
    Nothing,
    /// That many sessions without a stream, all opened on one connection.
    Sessions(usize),
    /// That many listen streams, each on a connection of its own.
    Streams(usize),
}

impl Work {
    /// How many files and sockets it takes on each side, beside a few.
    pub fn open_files(self) -> usize {
        match self {
            Self::Connections(count) | Self::Idle(Holding::Streams(count)) => count,
            _ => 0,
        }
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
    /// Bytes of resident memory for each thing that is held.
    Each,
    /// The part of one processor that an idle server takes, in percent.
    Idle,
}

impl Metric {
    /// All of them.
    pub const ALL: [Self; 10] = [
        Self::Rate,
        Self::P50,
        Self::P99,
        Self::P999,
        Self::Cpu,
        Self::Memory,
        Self::Bytes,
        Self::Start,
        Self::Each,
        Self::Idle,
    ];

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
            Self::Each => "bytes each",
            Self::Idle => "idle CPU %",
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
    /// The same about memory.
    pub why_memory: &'static str,
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
pub const NAMES: &[&str] =
    &["rust", "python", "node", "kotlin", "swift", "auth", "extensions", "fleet", "scale"];

/// Of this suite a plot is drawn of what the page says, in place of bars.
pub const PLOTTED: &str = "scale";

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
        "rust" => Some(rust::suite()),
        "python" => Some(python::suite()),
        "node" => Some(node::suite()),
        "kotlin" => Some(kotlin::suite()),
        "swift" => Some(swift::suite()),
        "auth" => Some(auth::suite()),
        "extensions" => Some(extensions::suite()),
        "fleet" => Some(fleet::suite()),
        "scale" => Some(scale::suite()),
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
    Row { id, title, work, era, transport, entrants: Vec::new(), goals: Vec::new(), why: "", why_memory: "" }
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

    /// Why a goal about a metric is missed; empty where nothing is known.
    pub fn reason(&self, metric: Metric) -> &'static str {
        if metric == Metric::Memory { self.why_memory } else { self.why }
    }

    fn why_memory(mut self, why: &'static str) -> Self {
        self.why_memory = why;
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
        single(
            "one-stdio-awake",
            "one at a time, stdio, processors kept awake",
            Processors::Awake,
            Transport::Stdio,
        ),
        single("one-http", "one at a time, HTTP, sessions", Processors::Sleep, STATEFUL),
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
                let alone = |goal: &Goal| matches!(goal.bound, Bound::Below(_));
                let alone = count(Role::Peer) == 0 && row.goals.iter().all(alone);
                assert!(alone || count(Role::Peer) == 1 && !row.goals.is_empty(), "{}", row.id);
                assert!(rows[..at].iter().all(|other| other.id != row.id), "{}", row.id);
            }
        }
    }
}
