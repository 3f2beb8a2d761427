//! `bench`: how fast a server answers.
//!
//! Owns: load, measuring, what is printed of it. Must not know: how requests travel.

mod figures;
mod meter;

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use mcpbolt::RawJson;
use mcpbolt::client::{CallOptions, ClientSession};
use tokio::sync::watch;
use tokio::task::JoinSet;

use super::call;
use crate::args::Bench;
use crate::connection::{Connection, Setup};
use crate::exit::{Exit, Failure};
use crate::target::Place;

use figures::{Figures, Measured};
use meter::{Meter, Totals};

/// How often the bar moves.
const TICK: Duration = Duration::from_millis(100);

/// What is asked again and again.
#[derive(Clone)]
enum Request {
    Ping,
    Call { tool: String, arguments: RawJson },
}

/// How much load, and when it ends.
struct Load {
    request: Request,
    until: Instant,
    /// Requests that may still begin.
    left: AtomicU64,
    answers: AtomicU64,
    failures: AtomicU64,
    /// How long all answers took together, in nanoseconds.
    waited: AtomicU64,
    /// Set where no answer is waited for any more.
    stop: watch::Sender<bool>,
}

pub(super) async fn run(setup: &Setup<'_>, bench: Bench) -> Result<Exit, Failure> {
    let (place, mut words) = Place::of(bench.reach, setup.program)?;
    let tool = words.pop_front();
    setup
        .with(&place, async |connection: &Connection| {
            let session = &connection.session;
            let request = match tool {
                Some(tool) => {
                    let arguments = setup.interrupt.or(call::by_schema(session, &tool, &words)).await?;
                    Request::Call { tool, arguments }
                }
                None => Request::Ping,
            };
            let begun = Instant::now();
            let load = Arc::new(Load {
                request,
                until: begun + bench.duration,
                left: AtomicU64::new(bench.requests.unwrap_or(u64::MAX)),
                answers: AtomicU64::new(0),
                failures: AtomicU64::new(0),
                waited: AtomicU64::new(0),
                stop: watch::Sender::new(false),
            });
            let mut workers = JoinSet::new();
            for _ in 0..bench.concurrency {
                workers.spawn(work(session.clone(), Arc::clone(&load)));
            }
            let meter = Meter::new(begun, bench.duration, bench.requests);
            let measured = follow(setup, connection, &load, meter, &mut workers).await;
            connection.progress.clear();
            let figures = Figures::of(measured, begun.elapsed(), connection.took, bench.concurrency);
            figures.print(setup.output, session.revision().as_str())?;
            Ok(if figures.all_failed() { Exit::Failed } else { Exit::Done })
        })
        .await
}

/// Moves the bar until all workers are done or Ctrl-C ends the measurement.
async fn follow(
    setup: &Setup<'_>,
    connection: &Connection,
    load: &Load,
    mut meter: Meter,
    workers: &mut JoinSet<Measured>,
) -> Measured {
    let mut whole = Measured::default();
    let mut tick = tokio::time::interval(TICK);
    let mut ending = false;
    loop {
        tokio::select! {
            joined = workers.join_next() => match joined {
                Some(Ok(measured)) => whole.add(measured),
                Some(Err(_)) => {}
                None => return whole,
            },
            _ = setup.interrupt.wait(), if !ending => {
                load.stop.send_replace(true);
                ending = true;
            }
            _ = tick.tick() => {
                meter.see(Instant::now(), load.totals());
                connection.progress.measure(meter.part(), meter.figures());
            }
        }
    }
}

/// One request after the other.
async fn work(session: ClientSession, load: Arc<Load>) -> Measured {
    let mut measured = Measured::default();
    let take = |left: u64| left.checked_sub(1);
    let mut stop = load.stop.subscribe();
    while Instant::now() < load.until
        && load.left.fetch_update(Ordering::Relaxed, Ordering::Relaxed, take).is_ok()
    {
        let begun = Instant::now();
        let answer = tokio::select! {
            answer = load.request.send(&session) => answer,
            _ = stop.wait_for(|stopped| *stopped) => break,
        };
        match answer {
            Ok(()) => {
                let took = begun.elapsed();
                measured.times.push(took);
                load.waited.fetch_add(u64::try_from(took.as_nanos()).unwrap_or(u64::MAX), Ordering::Relaxed);
                load.answers.fetch_add(1, Ordering::Relaxed);
            }
            Err(why) => {
                measured.failed(why);
                load.failures.fetch_add(1, Ordering::Relaxed);
                if matches!(session.state(), mcpbolt::client::SessionState::Closed(_)) {
                    break;
                }
            }
        }
    }
    measured
}

impl Load {
    fn totals(&self) -> Totals {
        Totals {
            answers: self.answers.load(Ordering::Relaxed),
            failures: self.failures.load(Ordering::Relaxed),
            waited: Duration::from_nanos(self.waited.load(Ordering::Relaxed)),
        }
    }
}

impl Request {
    async fn send(&self, session: &ClientSession) -> Result<(), String> {
        match self {
            Self::Ping => session.ping().await.map_err(|error| error.message),
            Self::Call { tool, arguments } => {
                let result = session.call_tool_with(tool, Some(arguments.clone()), CallOptions::new()).await;
                match result {
                    Ok(result) if result.failed() => Err("the tool says that it failed".to_owned()),
                    Ok(_) => Ok(()),
                    Err(error) => Err(error.message),
                }
            }
        }
    }
}
