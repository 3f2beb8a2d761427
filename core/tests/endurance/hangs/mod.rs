//! No hang: every way a connection can end, with everything that can wait for it. The
//! table is made of the four lists below and printed with what came of each row.

mod client;
mod server;

use std::fmt::{self, Display};
use std::pin::Pin;
use std::time::{Duration, Instant};

use futures_util::stream::{self, StreamExt};
use mcpbolt::protocol::ErrorKind;

/// The longest that anything may wait for its end.
pub(crate) const BOUND: Duration = Duration::from_secs(5);

/// How many rows run at the same time: most of them wait for a second.
const AT_ONCE: usize = 6;

/// What carries the connection, and in which revision.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Over {
    StdioLegacy,
    StdioModern,
    HttpLegacy,
    HttpModern,
}

impl Over {
    const ALL: [Self; 4] = [Self::StdioLegacy, Self::StdioModern, Self::HttpLegacy, Self::HttpModern];

    pub(crate) fn is_http(self) -> bool {
        matches!(self, Self::HttpLegacy | Self::HttpModern)
    }

    pub(crate) fn is_modern(self) -> bool {
        matches!(self, Self::StdioModern | Self::HttpModern)
    }
}

impl Display for Over {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::StdioLegacy => "stdio 2025-11-25",
            Self::StdioModern => "stdio 2026-07-28",
            Self::HttpLegacy => "HTTP 2025-11-25",
            Self::HttpModern => "HTTP 2026-07-28",
        })
    }
}

/// What waits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Waits {
    Request,
    Listen,
    Elicit,
    ListPage,
    Connect,
}

impl Display for Waits {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Request => "request",
            Self::Listen => "listen",
            Self::Elicit => "elicit",
            Self::ListPage => "list page",
            Self::Connect => "connect",
        })
    }
}

/// How a wait ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Ended {
    /// With this failure.
    As(ErrorKind),
    /// With a result.
    Well,
    /// Not within the bound.
    Hangs,
    /// The row itself failed.
    Panics,
}

impl Display for Ended {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::As(kind) => f.pad(&format!("{kind:?}")),
            Self::Well => f.pad("ends well"),
            Self::Hangs => f.pad("HANGS"),
            Self::Panics => f.pad("PANICS"),
        }
    }
}

impl<T> From<Result<T, mcpbolt::Error>> for Ended {
    fn from(outcome: Result<T, mcpbolt::Error>) -> Self {
        outcome.map_or_else(|error| Self::As(error.kind), |_| Self::Well)
    }
}

/// A row of one side's table: what ends how, and what waits for it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Row<C> {
    over: Over,
    close: C,
    waits: Waits,
    expected: Ended,
}

impl<C: Display> Display for Row<C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:17} {:17} {:12}", self.over, self.close, self.waits)
    }
}

/// Every combination for which `expected` says how it ends.
fn table<C: Copy>(
    closes: &[C],
    waits: &[Waits],
    expected: fn(Over, C, Waits) -> Option<Ended>,
) -> Vec<Row<C>> {
    let mut rows = Vec::new();
    for over in Over::ALL {
        for &close in closes {
            for &waits in waits {
                if let Some(expected) = expected(over, close, waits) {
                    rows.push(Row { over, close, waits, expected });
                }
            }
        }
    }
    rows
}

/// Runs every row that is chosen. Whether all ended as they should.
pub(crate) fn run(chosen: &dyn Fn(&str) -> bool) -> bool {
    let runtime = tokio::runtime::Runtime::new().expect("a runtime");
    let client = client::rows().into_iter().map(|row| {
        let run: Running = Box::pin(client::run(row));
        (format!("client   {row}"), row.expected, run)
    });
    let server = server::rows().into_iter().map(|row| {
        let run: Running = Box::pin(server::run(row));
        (format!("server   {row}"), row.expected, run)
    });
    let rows: Vec<_> = client.chain(server).filter(|(name, ..)| chosen(name)).collect();
    println!("{:8} {:17} {:17} {:12} ends as", "waiting", "over", "close path", "waits");
    let wrong = runtime.block_on(async {
        let mut ended = stream::iter(rows).map(timed).buffered(AT_ONCE);
        let mut wrong = 0;
        while let Some((name, expected, ended, took)) = ended.next().await {
            let verdict = if ended == expected { String::new() } else { format!("  WRONG, not {expected}") };
            wrong += usize::from(ended != expected);
            println!("{name} {ended:9} {:5} ms{verdict}", took.as_millis());
        }
        wrong
    });
    println!("{wrong} rows ended as they should not");
    wrong == 0
}

type Running = Pin<Box<dyn Future<Output = Ended> + Send>>;

async fn timed((name, expected, run): (String, Ended, Running)) -> (String, Ended, Ended, Duration) {
    let start = Instant::now();
    let ended = tokio::spawn(run).await.unwrap_or(Ended::Panics);
    (name, expected, ended, start.elapsed())
}
