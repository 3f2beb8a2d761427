//! A recording as a server on standard input and output.
//!
//! Owns: the streams, and how long a client is waited for. Must not know: which line belongs to what.

use std::io::{self, BufRead as _, Write as _};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::Duration;

use mcpbolt::observe::Redactor;
use serde_json::{Value, json};

use super::super::record::file::Frame;
use super::message::{Kind, id, kind, method};
use super::script::Script;
use crate::exit::{Exit, Failure};
use crate::output::{Output, safe};

/// How long a client may be silent that said more then before it got an answer: it is another one, and
/// waits for that answer.
const SILENCE: Duration = Duration::from_secs(1);

/// Plays until the client leaves.
pub(super) fn play(output: &Output, frames: &[Frame], redact: &Redactor) -> Result<Exit, Failure> {
    let mut script = Script::of(frames);
    let mut exit = Exit::Done;
    let said = client();
    loop {
        say(&script.due(true))?;
        let next = if script.holds_back() {
            said.recv_timeout(SILENCE)
        } else {
            said.recv().map_err(RecvTimeoutError::from)
        };
        let line = match next {
            Ok(line) => line.map_err(|why| Failure::usage(format!("standard input: {why}")))?,
            Err(left) => {
                say(&script.due(false))?;
                match left {
                    RecvTimeoutError::Timeout => continue,
                    RecvTimeoutError::Disconnected => return Ok(exit),
                }
            }
        };
        // As the recording has it.
        let text = redact.text(&String::from_utf8_lossy(&line));
        let message: Value = serde_json::from_str(&text).unwrap_or_default();
        if script.hears(&message) {
            continue;
        }
        exit = Exit::Failed;
        output.note(&format!("mcpbolt: not in the recording: {}", safe(method(&message))));
        if kind(&message) == Kind::Request {
            let error = json!({"code": -32603, "message": "this request is not in the recording"});
            let refusal = json!({"jsonrpc": "2.0", "id": id(&message), "error": error});
            say(&[format!("{refusal}\n").into_bytes()])?;
        }
    }
}

/// The lines of the client, until it leaves.
fn client() -> Receiver<io::Result<Vec<u8>>> {
    let (tell, said) = channel();
    std::thread::spawn(move || {
        let mut input = io::stdin().lock();
        loop {
            let mut line = Vec::new();
            let read = input.read_until(b'\n', &mut line);
            let over = !matches!(read, Ok(1..));
            if matches!(read, Ok(0)) || tell.send(read.map(|_| line)).is_err() || over {
                return;
            }
        }
    });
    said
}

fn say(lines: &[Vec<u8>]) -> Result<(), Failure> {
    let mut stdout = io::stdout().lock();
    let said = lines.iter().try_for_each(|line| stdout.write_all(line)).and_then(|()| stdout.flush());
    said.map_err(|why| Failure::new(Exit::Unreachable, format!("the client left: {why}")))
}
