//! `record`: a proxy on standard input and output that writes down both directions.
//!
//! Owns: passing lines on, unchanged. Must not know: what is in them; what is left out of the
//! file `redact` decides.

pub(super) mod file;

use std::ffi::OsString;
use std::io::{self, BufRead, BufReader, Write};
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex, PoisonError};

use mcpbolt::observe::Redactor;

use super::{no_more, word};
use crate::args::Record;
use crate::exit::{Exit, Failure};
use crate::output::Output;

use file::{Side, Writer};

/// Starts the server, stands between it and its client, and ends when the server does.
pub(super) fn run(output: &Output, arguments: Record) -> Result<Exit, Failure> {
    let mut words = arguments.reach.words.into();
    let path = word(&mut words, "the file to write")?;
    no_more(&words)?;
    let redact = Redactor::new(arguments.redact).map_err(|wrong| {
        Failure::usage(format!("--redact {wrong}: no JSON pointer"))
            .remedy("write /params/arguments/password")
    })?;
    let command = arguments.reach.command;
    let writer = Writer::create(path.as_ref(), redact, arguments.overwrite)?;
    let mut child = start(&command)?;
    let writer = Arc::new(Mutex::new(writer));
    let (Some(to_server), Some(from_server)) = (child.stdin.take(), child.stdout.take()) else {
        return Err(Failure::new(Exit::Unreachable, "the server has no standard streams"));
    };
    let beside = Arc::clone(&writer);
    // Ends with the client's last line; where the server ends first, with the process.
    std::thread::spawn(move || pass_on(io::stdin().lock(), to_server, Side::Client, &beside));
    let passed = pass_on(BufReader::new(from_server), io::stdout(), Side::Server, &writer);
    if let Err(why) = passed {
        output.note(&format!("mcpbolt: recording ended early: {why}"));
    }
    let status = child.wait().map_err(|why| Failure::new(Exit::Unreachable, why.to_string()))?;
    Ok(if status.success() { Exit::Done } else { Exit::Failed })
}

/// The server's program, with all of our environment: whoever starts us means it.
pub(super) fn start(command: &[OsString]) -> Result<Child, Failure> {
    let (program, args) = command.split_first().ok_or_else(|| {
        Failure::usage("no command after --").remedy("recordings are of servers on standard input and output")
    })?;
    let mut command = Command::new(program);
    command.args(args).stdin(Stdio::piped()).stdout(Stdio::piped());
    command.spawn().map_err(|why| {
        Failure::new(Exit::Unreachable, format!("{} cannot be started: {why}", program.to_string_lossy()))
    })
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
