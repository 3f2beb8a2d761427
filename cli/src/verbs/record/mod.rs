//! `record`: a proxy on standard input and output that writes down both directions.
//!
//! Owns: passing lines on, unchanged. Must not know: what is in them; what is left out of the
//! file `redact` decides.

pub(super) mod file;
pub(super) mod lines;

use std::io::{self, BufRead, Write};
use std::sync::mpsc::channel;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use mcpbolt::observe::Redactor;

use super::{Live, no_more};
use crate::args::{Reach, Record};
use crate::exit::{Exit, Failure};
use crate::target::Place;

use file::{Side, Writer};
use lines::Lines;

/// How long a server may take to end that nobody hears any more, before it is made to.
const GRACE: Duration = Duration::from_secs(2);

/// Starts or reaches the server, stands between it and its client, and ends when the server does.
pub(super) fn run(live: &Live<'_>, arguments: Record) -> Result<Exit, Failure> {
    let (path, reach) = file_first(arguments.reach, "the file to write")?;
    let (place, words) = Place::of(reach, live.program)?;
    no_more(&words)?;
    let redact = Redactor::new(arguments.redact).map_err(|wrong| {
        Failure::usage(format!("--redact {wrong}: no JSON pointer"))
            .remedy("write /params/arguments/password")
    })?;
    let writer = Writer::create(path.as_ref(), redact, arguments.overwrite)?;
    let Lines { to, from, server } = Lines::open(live, &place)?;
    let writer = Arc::new(Mutex::new(writer));
    let beside = Arc::clone(&writer);
    let (output, (tell, told)) = (*live.output, channel());
    let early = move |why: &io::Error| output.note(&format!("mcpbolt: recording ended early: {why}"));
    // Ends with the client's last line; where the server ends first, with the process.
    std::thread::spawn(move || {
        let mut to = to;
        match pass_on(io::stdin().lock(), &mut to, Side::Client, &beside) {
            // A server that has left says itself how.
            Err(why) if why.kind() != io::ErrorKind::BrokenPipe => {
                early(&why);
                // Before the server hears the end of its input, and ends.
                let _ = tell.send(());
            }
            _ => {}
        }
    });
    if let Err(why) = pass_on(from, io::stdout(), Side::Server, &writer) {
        early(&why);
        // Nobody reads what it says any more.
        server.end(GRACE);
        return Ok(Exit::Failed);
    }
    let served_well = server.wait()?;
    Ok(if served_well && told.try_recv().is_err() { Exit::Done } else { Exit::Failed })
}

/// The first word, which is a file, and the server that the others name.
pub(super) fn file_first(mut reach: Reach, what: &str) -> Result<(String, Reach), Failure> {
    if reach.words.is_empty() {
        return Err(Failure::usage(format!("{what} is missing")).remedy("--help has examples"));
    }
    Ok((reach.words.remove(0), reach))
}

/// Each line is written down before it goes on, so that the file has causes before effects.
fn pass_on(mut from: impl BufRead, mut to: impl Write, side: Side, writer: &Mutex<Writer>) -> io::Result<()> {
    let mut line = Vec::new();
    while from.read_until(b'\n', &mut line)? > 0 {
        writer.lock().unwrap_or_else(PoisonError::into_inner).add(side, &line)?;
        to.write_all(&line)?;
        to.flush()?;
        line.clear();
    }
    Ok(())
}
