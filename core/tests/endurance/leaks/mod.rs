//! No leak: after a warm-up, many more calls change memory by less than 8 MB and nothing
//! else at all. Each row is a process of its own, with client and server in it, or with a
//! server it has started.

mod load;

use std::fmt::Write as _;
use std::process::Command;
use std::time::{Duration, Instant};

use mcpbolt::client::ClientSession;
use serde_json::json;

use crate::census::Census;
use crate::program::ROLE;
use load::World;

/// The row that a process is to run.
const ROW: &str = "MCPBOLT_ENDURANCE_ROW";
/// Most that memory may grow.
const MOST_KB: i64 = 8 * 1024;
/// How long nothing changes before a count is one to compare with.
const QUIET: Duration = Duration::from_millis(100);
/// How long what is over may take to go.
const SETTLE: Duration = Duration::from_secs(5);

/// How a connection is made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Over {
    StdioLegacy,
    StdioModern,
    HttpLegacy,
    HttpStateless,
    HttpModern,
    HttpSse,
}

/// What is done again and again.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum What {
    Calls,
    Questions,
    Cancelled,
    TimedOut,
    Listens,
    SessionsClosed,
    SessionsDropped,
    StreamsDropped,
}

impl What {
    /// Whether one session serves all of it.
    fn shares_a_session(self) -> bool {
        !matches!(self, Self::SessionsClosed | Self::SessionsDropped | Self::StreamsDropped)
    }
}

/// A row: its name, what it does over what, and how many times the work of a call it is.
pub(crate) struct Row {
    name: &'static str,
    pub(crate) over: Over,
    pub(crate) what: What,
    weight: usize,
}

const fn row(name: &'static str, over: Over, what: What, weight: usize) -> Row {
    Row { name, over, what, weight }
}

const ROWS: &[Row] = &[
    row("calls, stdio 2025-11-25", Over::StdioLegacy, What::Calls, 1),
    row("calls, stdio 2026-07-28", Over::StdioModern, What::Calls, 1),
    row("calls, HTTP 2025-11-25, sessions", Over::HttpLegacy, What::Calls, 1),
    row("calls, HTTP 2025-11-25, stateless", Over::HttpStateless, What::Calls, 1),
    row("calls, HTTP 2026-07-28", Over::HttpModern, What::Calls, 1),
    row("calls, HTTP+SSE 2024-11-05", Over::HttpSse, What::Calls, 1),
    row("questions, stdio 2025-11-25", Over::StdioLegacy, What::Questions, 1),
    row("questions, stdio 2026-07-28", Over::StdioModern, What::Questions, 1),
    row("questions, HTTP 2025-11-25", Over::HttpLegacy, What::Questions, 2),
    row("questions, HTTP 2026-07-28", Over::HttpModern, What::Questions, 2),
    row("cancelled calls, stdio 2025-11-25", Over::StdioLegacy, What::Cancelled, 1),
    row("cancelled calls, stdio 2026-07-28", Over::StdioModern, What::Cancelled, 1),
    row("cancelled calls, HTTP 2025-11-25", Over::HttpLegacy, What::Cancelled, 2),
    row("cancelled calls, HTTP 2026-07-28", Over::HttpModern, What::Cancelled, 2),
    row("timed-out calls, stdio 2025-11-25", Over::StdioLegacy, What::TimedOut, 1),
    row("timed-out calls, HTTP 2026-07-28", Over::HttpModern, What::TimedOut, 2),
    row("listens, stdio 2026-07-28", Over::StdioModern, What::Listens, 1),
    row("listens, HTTP 2026-07-28", Over::HttpModern, What::Listens, 2),
    row("sessions closed, stdio", Over::StdioModern, What::SessionsClosed, 100),
    row("sessions closed, HTTP 2025-11-25", Over::HttpLegacy, What::SessionsClosed, 5),
    row("sessions closed, HTTP 2026-07-28", Over::HttpModern, What::SessionsClosed, 5),
    row("sessions closed, HTTP+SSE", Over::HttpSse, What::SessionsClosed, 5),
    row("sessions dropped, HTTP 2025-11-25", Over::HttpLegacy, What::SessionsDropped, 5),
    row("streams dropped, HTTP 2025-11-25", Over::HttpLegacy, What::StreamsDropped, 5),
    row("streams dropped, HTTP 2026-07-28", Over::HttpModern, What::StreamsDropped, 5),
];

/// How often things are done: warm-up, then measured.
fn depth() -> (usize, usize) {
    if std::env::var_os("MCPBOLT_TEST_FULL").is_some() { (10_000, 100_000) } else { (400, 1_200) }
}

/// Runs every row that is chosen, two processes at a time. Whether none leaks.
pub(crate) fn run(chosen: &dyn Fn(&str) -> bool) -> bool {
    println!("{:38} {:>7} {:>8} {:>9}  besides memory", "leaks", "times", "RSS", "took");
    let rows: Vec<_> = ROWS.iter().filter(|row| chosen(row.name)).collect();
    let mut leaks = 0;
    for pair in rows.chunks(2) {
        let start = |row: &&Row| {
            let program = std::env::current_exe().expect("our own path");
            Command::new(program).env(ROLE, "leak").env(ROW, row.name).spawn().expect("starts")
        };
        let playing: Vec<_> = pair.iter().map(start).collect();
        for mut played in playing {
            leaks += usize::from(!played.wait().expect("our child").success());
        }
    }
    println!("{leaks} rows leak");
    leaks == 0
}

/// Runs the row that the environment names, and ends the process.
pub(crate) fn play() -> ! {
    let name = std::env::var(ROW).unwrap_or_default();
    let row = ROWS.iter().find(|row| row.name == name).expect("a row of that name");
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .enable_all()
        .build()
        .expect("a runtime");
    let clean = runtime.block_on(measure(row));
    std::process::exit(i32::from(!clean));
}

async fn measure(row: &'static Row) -> bool {
    let (warm_up, times) = depth();
    let times = times.div_ceil(row.weight);
    let warm_up = warm_up.div_ceil(row.weight);
    let start = Instant::now();
    let world = World::start(row).await;
    let mut changes = Vec::new();
    if row.what.shares_a_session() {
        // An HTTP client may keep one more connection than it needed so far.
        let pooled = !matches!(row.over, Over::StdioLegacy | Over::StdioModern);
        let first = world.connect_warm().await;
        load::repeat(&world, Some(&first), warm_up / 2).await;
        end(first).await;
        let before = settled(None, None, false).await;
        let session = world.connect_warm().await;
        load::repeat(&world, Some(&session), warm_up / 2).await;
        let open = settled(Some(&session), None, pooled).await;
        load::repeat(&world, Some(&session), times).await;
        changes.push((settled(Some(&session), Some(open), pooled).await - open, pooled));
        end(session).await;
        changes.push((settled(None, Some(before), false).await - before, false));
    } else {
        load::repeat(&world, None, warm_up).await;
        let before = settled(None, None, false).await;
        load::repeat(&world, None, times).await;
        changes.push((settled(None, Some(before), false).await - before, false));
    }
    report(row, times, &changes, start.elapsed())
}

async fn end(session: ClientSession) {
    session.close().await;
}

/// Counts when all is quiet; with a count to come back to, when nothing is more than then.
async fn settled(session: Option<&ClientSession>, back_to: Option<Census>, pooled: bool) -> Census {
    let start = Instant::now();
    let (mut last, mut since) = (Census::of_this_process(), start);
    loop {
        let mut now = Census::of_this_process();
        if let Some(session) = session {
            now = now + load::census_of_the_server(session).await;
        }
        if !(now - last).grown(pooled).is_empty() || !(last - now).grown(pooled).is_empty() {
            since = Instant::now();
        }
        last = now;
        let over = match back_to {
            None => since.elapsed() > QUIET,
            Some(before) => (now - before).grown(pooled).is_empty(),
        };
        if over || start.elapsed() > SETTLE {
            return now;
        }
        tokio::task::yield_now().await;
    }
}

/// Prints a row. Whether it is clean.
fn report(row: &Row, times: usize, changes: &[(Census, bool)], took: Duration) -> bool {
    let rss = changes.iter().map(|(change, _)| change.rss_kb).max().unwrap_or_default();
    let mut other = String::new();
    for (change, pooled) in changes {
        for (name, count) in change.grown(*pooled) {
            let _ = write!(other, " {name} {count:+}");
        }
    }
    let clean = rss < MOST_KB && other.is_empty();
    let verdict = if clean { " nothing" } else { "  LEAKS" };
    let seconds = took.as_secs_f64();
    println!("{:38} {times:7} {rss:+5} kB {seconds:7.1} s {other}{verdict}", row.name);
    clean
}

/// The arguments of `echo`.
pub(crate) fn say(text: &str) -> serde_json::Value {
    json!({ "text": text })
}
