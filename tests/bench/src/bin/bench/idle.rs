//! Servers that have nothing to do: what they take of a processor, and what each thing that clients
//! hold of them takes of memory.
//!
//! Owns: opening these things, waiting until the server is quiet. Must not know: goals, reports.

use std::time::{Duration, Instant};

use mcpbolt_bench::ask::Ask;
use mcpbolt_bench::process::{self, free_port};

use crate::http::{self, Connection};
use crate::measure::{self, Effort, Listening};
use crate::sample::Sample;
use crate::stdio::Pipes;
use crate::suite::{Entrant, Holding, Metric, Row};

/// Idle time is measured for so many times as long as a load.
const LONGER: u32 = 2;
/// How long a server may go on working after the last answer.
const QUIET: Duration = Duration::from_secs(5);

/// A server on HTTP, of which clients hold something.
pub fn on_http(
    row: &Row,
    entrant: &Entrant,
    holding: Holding,
    sessions: bool,
    effort: Effort,
) -> Result<Sample, String> {
    let port = free_port()?;
    let server = Listening::start(&measure::fill(entrant, port, effort, &[]))?;
    let pid = server.pid();
    let load = async {
        let mut first = vec![measure::first(&server, port, row).await?];
        first[0].open(sessions).await?;
        // What the first calls make is not of those that follow.
        http::calls(&mut first, &Ask::Echo, effort.warm_time, effort.warm_up).await?;
        quiet(pid).await;
        let before = process::memory(pid);
        let mut streams = Vec::new();
        let count = match holding {
            Holding::Nothing => 0,
            Holding::Sessions(count) => {
                for _ in 0..count {
                    first[0].open(true).await?;
                }
                count
            }
            Holding::Streams(count) => {
                for id in 1..=count as u64 {
                    let connection = Connection::connect(port, row.era).await;
                    let mut connection = connection.map_err(|error| format!("connection {id}: {error}"))?;
                    connection.listen(id).await.map_err(|why| format!("stream {id}: {why}"))?;
                    streams.push(connection);
                }
                count
            }
        };
        quiet(pid).await;
        let mut sample = Sample::default();
        if count > 0 {
            let more = process::memory(pid).saturating_sub(before);
            sample.set(Metric::Each, more as f64 / count as f64);
        }
        let (since, cpu) = (Instant::now(), process::cpu(pid));
        nothing(effort).await;
        idle(&mut sample, since, process::cpu(pid).saturating_sub(cpu));
        // It still knows what is held of it.
        http::calls(&mut first, &Ask::Echo, effort.time, 1).await?;
        let lost = streams.iter_mut().map(Connection::is_kept).filter(|kept| !kept).count();
        if lost > 0 {
            return Err(format!("{lost} of {count} streams were closed"));
        }
        sample.memory(process::peak_memory(pid));
        Ok(sample)
    };
    measure::within(effort.patience(), load)
}

/// A server on stdio that has answered some calls.
pub fn on_stdio(row: &Row, entrant: &Entrant, effort: Effort) -> Result<Sample, String> {
    let mut pipes = Pipes::start(&measure::fill(entrant, 0, effort, &[]), effort.patience())?;
    pipes.open(row.era)?;
    pipes.calls(&Ask::Echo, row.era, 1, effort.warm_time, effort.warm_up)?;
    let mut sample = measure::within(effort.patience(), async {
        quiet(pipes.pid()).await;
        let mut sample = Sample::default();
        let (since, cpu) = (Instant::now(), pipes.cpu());
        nothing(effort).await;
        idle(&mut sample, since, pipes.cpu().saturating_sub(cpu));
        Ok(sample)
    })?;
    pipes.calls(&Ask::Echo, row.era, 1, effort.time, 1)?;
    pipes.finish(&mut sample);
    Ok(sample)
}

/// For as long as idle time is measured.
async fn nothing(effort: Effort) {
    let _ = tokio::time::timeout(effort.time * LONGER, std::future::pending::<()>()).await;
}

/// Notes the part of a processor that was spent.
fn idle(sample: &mut Sample, since: Instant, spent: Duration) {
    sample.set(Metric::Idle, 100.0 * spent.as_secs_f64() / since.elapsed().as_secs_f64());
}

/// Until all threads of a server wait for something.
async fn quiet(pid: u32) {
    let (end, mut tries) = (Instant::now() + QUIET, tokio::time::interval(Duration::from_millis(5)));
    tries.tick().await;
    while Instant::now() < end {
        tries.tick().await;
        if process::asleep(pid) {
            return;
        }
    }
}
