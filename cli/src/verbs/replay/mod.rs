//! `replay`: a recording, played as the server it was of, or as its client.
//!
//! Owns: which of the two. Must not know: how recordings are made.

mod as_client;
mod as_server;
mod message;
mod script;

use super::record::{file, file_first};
use super::{Live, no_more};
use crate::args::Replay;
use crate::connection::PATIENCE;
use crate::exit::{Exit, Failure};
use crate::target::Place;

pub(super) fn run(live: &Live<'_>, mut arguments: Replay) -> Result<Exit, Failure> {
    let reach = std::mem::take(&mut arguments.reach);
    let (path, reach) = file_first(reach, "the file to play")?;
    let (frames, redact) = file::read(path.as_ref())?;
    if reach.words.is_empty() && reach.command.is_empty() {
        return as_server::play(live.output, &frames, &redact);
    }
    let (place, words) = Place::of(reach, live.program)?;
    no_more(&words)?;
    as_client::play(live, &place, &frames, &redact, &arguments, live.common.timeout.unwrap_or(PATIENCE))
}
