//! The client that is attacked, in Rust: `attacked-client URL`, or `attacked-client -- COMMAND ARGS`.
//! Calls what `ATTACKED` says, all at once, and prints how each call ended.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use mcpbolt::client::{Client, Command, Target};
use mcpbolt::protocol::Error;
use mcpbolt_attacks::told;
use serde_json::{Value, json};

/// How often the loop is looked at.
const BEAT: Duration = Duration::from_millis(20);

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Error> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let target: Target = match words.split_first() {
        Some((dashes, command)) if dashes == "--" => Command::new(&command[0]).args(&command[1..]).into(),
        Some((url, _)) => Target::from(url.as_str()),
        None => return Err(Error::usage("no server")),
    };
    let session = Client::builder("attacked", "1.0.0").build().connect(target).await?;
    session.list_all_tools().await?;
    let told = told();
    let size = told.get("bytes").and_then(Value::as_u64).unwrap_or_default();
    let filler = "x".repeat(usize::try_from(size).unwrap_or(0));
    let stalled = Arc::new(AtomicU64::new(0));
    let beating = tokio::spawn(beat(stalled.clone()));
    let mut calls = tokio::task::JoinSet::new();
    for tool in told.get("calls").and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str) {
        let (session, tool, text) = (session.clone(), tool.to_owned(), filler.clone());
        calls.spawn(async move {
            let started = Instant::now();
            let ended = session.call_tool(&tool, json!({ "text": text })).await;
            let error = ended.err().map(|error| error.to_string().chars().take(120).collect::<String>());
            json!({"tool": tool, "error": error, "seconds": started.elapsed().as_secs_f64()})
        });
    }
    let ended = calls.join_all().await;
    beating.abort();
    let said = json!({"calls": ended, "stalled": stalled.load(Ordering::SeqCst)});
    #[expect(clippy::print_stdout, reason = "what it is for")]
    {
        println!("{said}");
    }
    session.close().await;
    Ok(())
}

/// Notes the longest time, in milliseconds, that the loop did nothing else.
async fn beat(longest: Arc<AtomicU64>) {
    loop {
        let before = Instant::now();
        tokio::time::sleep(BEAT).await;
        let gap = u64::try_from((before.elapsed().saturating_sub(BEAT)).as_millis()).unwrap_or(u64::MAX);
        longest.fetch_max(gap, Ordering::SeqCst);
    }
}
