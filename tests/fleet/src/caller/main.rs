//! One who calls a fleet: `fleet-caller --port PORT --calls N`, until its input has ended and so many
//! are made. Prints what came of it as JSON.
//!
//! Owns: how many calls there are, and who makes them. Must not know: nodes, or who ends them.

mod lane;
mod seen;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

use clap::Parser;
use tokio::io::AsyncReadExt as _;
use tokio::task::JoinSet;

use lane::{Era, Lane};
use seen::Seen;

/// How often it says how far it is.
const OFTEN: Duration = Duration::from_secs(20);

/// Calls the tool `echo` with the numbers from zero, each once, in both eras, and never again.
#[derive(Parser, Debug)]
struct Args {
    /// Where the fleet is, on loopback.
    #[arg(long)]
    port: u16,
    /// How many calls at least.
    #[arg(long)]
    calls: u64,
    /// How many are under way at once; every other one in a session of 2025-11-25, the rest by
    /// 2026-07-28.
    #[arg(long, default_value_t = 16)]
    lanes: usize,
    /// Seconds within which each has to end.
    #[arg(long, default_value_t = 30)]
    patience: u64,
}

type Failure = Box<dyn std::error::Error + Send + Sync>;

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Failure> {
    let args = Args::parse();
    // Asked for before the client is built, although nothing here is encrypted.
    let _ = rustls::crypto::ring::default_provider().install_default();
    let client = reqwest::Client::builder().no_proxy().http1_only().tcp_nodelay(true).build()?;
    let patience = Duration::from_secs(args.patience);
    let (next, enough) = (Arc::<AtomicU64>::default(), Arc::<AtomicBool>::default());
    let mut lanes = JoinSet::new();
    for number in 0..args.lanes {
        let era = if number % 2 == 0 { Era::Legacy } else { Era::Modern };
        let mut lane = Lane::open(client.clone(), args.port, era, patience).await?;
        let (next, enough) = (Arc::clone(&next), Arc::clone(&enough));
        lanes.spawn(async move {
            let mut seen = Seen::default();
            loop {
                if next.load(Ordering::Relaxed) >= args.calls && enough.load(Ordering::Relaxed) {
                    return seen;
                }
                let number = next.fetch_add(1, Ordering::Relaxed);
                seen.note(lane.call(number).await);
            }
        });
    }
    let telling = tokio::spawn(async move {
        let mut often = tokio::time::interval(OFTEN);
        loop {
            often.tick().await;
            eprintln!("    {} calls of {}", next.load(Ordering::Relaxed), args.calls);
        }
    });
    let mut rest = Vec::new();
    tokio::io::stdin().read_to_end(&mut rest).await?;
    enough.store(true, Ordering::Relaxed);
    let mut all = Seen::default();
    while let Some(seen) = lanes.join_next().await {
        all.add(seen?);
    }
    telling.abort();
    serde_json::to_writer(std::io::stdout(), &all)?;
    Ok(())
}
