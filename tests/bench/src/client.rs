//! The loop in which client contestants make their calls, and what they print.

use std::future::Future;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};

use crate::payload;
use crate::process;

/// The command line of a client contestant.
#[derive(clap::Parser, Debug, Clone)]
pub struct ClientArgs {
    /// How long to measure, in seconds.
    #[arg(long, default_value_t = 1.0)]
    pub seconds: f64,
    /// Calls under way at any time.
    #[arg(long, default_value_t = 64)]
    pub in_flight: usize,
    /// Calls before measuring.
    #[arg(long, default_value_t = 2000)]
    pub warm_up: u64,
    /// Open with `server/discover` instead of `initialize`.
    #[arg(long)]
    pub modern: bool,
    /// URL of the server; without it, the command after `--`.
    #[arg(long)]
    pub url: Option<String>,
    /// Program and arguments of the server.
    #[arg(last = true)]
    pub command: Vec<String>,
}

/// What a client contestant prints as one line of JSON.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct ClientReport {
    /// Calls answered while measuring.
    pub calls: u64,
    /// How long that took.
    pub seconds: f64,
    /// Median latency in microseconds.
    pub p50: f64,
    /// 99th percentile in microseconds.
    pub p99: f64,
    /// Processor time of the client while measuring, in seconds.
    pub cpu: f64,
    /// Its peak memory in bytes.
    pub memory: u64,
}

impl ClientReport {
    /// From latencies in nanoseconds, and the seconds and processor time that all of them took.
    pub fn of(mut nanos: Vec<u32>, seconds: f64, cpu: f64) -> Self {
        nanos.sort_unstable();
        let at = |share: f64| {
            let place = ((nanos.len().saturating_sub(1)) as f64 * share) as usize;
            nanos.get(place).map_or(0.0, |nanos| f64::from(*nanos) / 1000.0)
        };
        let memory = process::peak_memory(std::process::id());
        Self { calls: nanos.len() as u64, seconds, p50: at(0.5), p99: at(0.99), cpu, memory }
    }
}

/// Makes calls with `call`, which sends a text and gives back the one that came, and
/// prints the report. Fails on the first wrong reply.
pub async fn run<F, Fut>(args: &ClientArgs, call: F) -> Result<(), String>
where
    F: Fn(String) -> Fut + Send + Sync + 'static,
    Fut: Future<Output = Result<String, String>> + Send,
{
    let call = Arc::new(call);
    let warm = Until::Calls(args.warm_up);
    load(args.in_flight, warm, &call).await?;
    let (cpu, started) = (process::cpu(std::process::id()), Instant::now());
    let until = Until::Time(started + Duration::from_secs_f64(args.seconds));
    let latencies = load(args.in_flight, until, &call).await?;
    let seconds = started.elapsed().as_secs_f64();
    let cpu = process::cpu(std::process::id()).saturating_sub(cpu).as_secs_f64();
    let report = ClientReport::of(latencies, seconds, cpu);
    println!("{}", serde_json::to_string(&report).map_err(|error| error.to_string())?);
    Ok(())
}

#[derive(Clone, Copy)]
enum Until {
    Calls(u64),
    Time(Instant),
}

async fn load<F, Fut>(in_flight: usize, until: Until, call: &Arc<F>) -> Result<Vec<u32>, String>
where
    F: Fn(String) -> Fut + Send + Sync + 'static,
    Fut: Future<Output = Result<String, String>> + Send,
{
    let next = Arc::new(AtomicU64::new(0));
    let worker = || {
        let (call, next) = (Arc::clone(call), Arc::clone(&next));
        tokio::spawn(async move {
            let mut latencies = Vec::new();
            loop {
                let id = next.fetch_add(1, Ordering::Relaxed);
                let sent = Instant::now();
                let over = match until {
                    Until::Calls(calls) => id >= calls,
                    Until::Time(end) => sent >= end,
                };
                if over {
                    return Ok(latencies);
                }
                let text = payload::text(id);
                let came = call(text.clone()).await?;
                if came != text {
                    return Err(format!("sent {text:?}, got {came:?}"));
                }
                latencies.push(u32::try_from(sent.elapsed().as_nanos()).unwrap_or(u32::MAX));
            }
        })
    };
    let workers: Vec<_> = (0..in_flight).map(|_| worker()).collect();
    let mut all = Vec::new();
    for worker in workers {
        all.extend(worker.await.map_err(|error| error.to_string())??);
    }
    Ok(all)
}
