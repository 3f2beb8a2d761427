//! `replay`: a recording, played as the server it was of, or as its client.
//!
//! Owns: which of the two. Must not know: how recordings are made.

mod as_client;
mod as_server;
mod message;

use std::time::Duration;

use super::record::file;
use super::{no_more, word};
use crate::args::Replay;
use crate::exit::{Exit, Failure};
use crate::output::Output;

pub(super) fn run(output: &Output, arguments: &Replay, timeout: Duration) -> Result<Exit, Failure> {
    let mut words = arguments.reach.words.clone().into();
    let path = word(&mut words, "the file to play")?;
    no_more(&words)?;
    let (frames, redact) = file::read(path.as_ref())?;
    if arguments.reach.command.is_empty() {
        as_server::play(output, &frames, &redact)
    } else {
        as_client::play(output, &frames, &redact, arguments, timeout)
    }
}
