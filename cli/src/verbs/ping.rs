//! `ping`: a sign of life.
//!
//! Owns: what is printed of it. Must not know: which method it is.

use std::time::{Duration, Instant};

use serde_json::json;

use super::no_more;
use crate::args::Ping;
use crate::connection::{Connection, Setup};
use crate::exit::{Exit, Failure};
use crate::output::{Output, safe};
use crate::target::Place;

pub(super) async fn run(setup: &Setup<'_>, arguments: Ping) -> Result<Exit, Failure> {
    let (place, words) = Place::of(arguments.reach, setup.program)?;
    no_more(&words)?;
    let name = place.name();
    setup
        .with(&place, async |connection: &Connection| {
            let mut times = Vec::new();
            for _ in 0..arguments.count {
                let begun = Instant::now();
                connection.session.ping().await?;
                times.push(begun.elapsed());
                if !setup.output.is_json() {
                    connection.progress.aside(|| tell(setup.output, connection, &name, begun.elapsed()))?;
                }
            }
            connection.progress.clear();
            if setup.output.is_json() {
                setup.output.document(&json!({
                    "protocolVersion": connection.session.revision().as_str(),
                    "connectMs": millis(connection.took),
                    "pingMs": times.into_iter().map(millis).collect::<Vec<_>>(),
                }))?;
            }
            Ok(Exit::Done)
        })
        .await
}

fn tell(output: &Output, connection: &Connection, name: &str, time: Duration) -> Result<(), Failure> {
    let revision = connection.session.revision().as_str();
    output.print(&format!("{} answers in {:.2} ms ({revision})", safe(name), millis(time)))
}

/// Milliseconds, to the microsecond.
pub(super) fn millis(time: Duration) -> f64 {
    (time.as_secs_f64() * 1e6).round() / 1e3
}
