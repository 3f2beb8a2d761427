//! A recording as the client of a live server, whose answers are compared.
//!
//! Owns: the order of what is sent, waiting for what has to come first. Must not know: files.

use std::collections::VecDeque;
use std::io::{BufRead as _, BufReader, Write as _};
use std::process::ChildStdin;
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

use mcpbolt::observe::Redactor;
use serde_json::{Value, json};

use super::super::record::file::{Frame, Side};
use super::super::record::start;
use super::message::{Kind, difference, id, kind, method};
use crate::args::Replay;
use crate::exit::{Exit, Failure};
use crate::output::{BAD, GOOD, Output, safe};

/// A live server and what it said that nobody waited for yet.
struct Live {
    to: ChildStdin,
    from: Receiver<Value>,
    early: VecDeque<Value>,
    timeout: Duration,
}

impl Live {
    fn send(&mut self, text: &str) -> Result<(), Failure> {
        let sent = writeln!(self.to, "{text}").and_then(|()| self.to.flush());
        sent.map_err(|why| Failure::new(Exit::Unreachable, format!("the server left: {why}")))
    }

    /// The next message that is wanted, whatever else comes first.
    fn wait(&mut self, what: &str, wanted: impl Fn(&Value) -> bool) -> Result<Value, Failure> {
        if let Some(at) = self.early.iter().position(&wanted) {
            return Ok(self.early.remove(at).unwrap_or_default());
        }
        let until = Instant::now() + self.timeout;
        loop {
            match self.from.recv_timeout(until.saturating_duration_since(Instant::now())) {
                Ok(message) if wanted(&message) => return Ok(message),
                Ok(message) => self.early.push_back(message),
                Err(RecvTimeoutError::Timeout) => {
                    return Err(Failure::new(Exit::TimedOut, format!("{what} does not come")));
                }
                Err(RecvTimeoutError::Disconnected) => {
                    return Err(Failure::new(Exit::Unreachable, format!("the server left before {what}")));
                }
            }
        }
    }
}

/// What was found.
#[derive(Debug, Default)]
struct Compared {
    sent: usize,
    same: usize,
    different: Vec<(String, String)>,
}

pub(super) fn play(
    output: &Output,
    frames: &[Frame],
    redact: &Redactor,
    arguments: &Replay,
    timeout: Duration,
) -> Result<Exit, Failure> {
    let mut child = start(&arguments.reach.command)?;
    let (Some(to), Some(out)) = (child.stdin.take(), child.stdout.take()) else {
        return Err(Failure::new(Exit::Unreachable, "the server has no standard streams"));
    };
    let (tell, from) = channel();
    std::thread::spawn(move || {
        let lines = BufReader::new(out).lines().map_while(Result::ok);
        let messages = lines.filter_map(|line| serde_json::from_str(&line).ok());
        messages.into_iter().try_for_each(|message| tell.send(message))
    });
    let mut live = Live { to, from, early: VecDeque::new(), timeout };
    let compared = talk(&mut live, frames, redact, &arguments.ignore);
    // The end of its input is how a server on stdio learns that it is over.
    drop(live);
    if compared.is_err() {
        let _ = child.kill();
    }
    let _ = child.wait();
    report(output, &compared?)
}

fn talk(
    live: &mut Live,
    frames: &[Frame],
    redact: &Redactor,
    ignore: &[String],
) -> Result<Compared, Failure> {
    let mut compared = Compared::default();
    let mut asked: Vec<Value> = Vec::new();
    // What the server asks, then and now.
    let mut questions: Vec<(Value, Value)> = Vec::new();
    for frame in frames {
        let mut then: Value = serde_json::from_str(&frame.text).unwrap_or_default();
        match (frame.from, kind(&then)) {
            (Side::Client, Kind::Answer) => {
                let now = questions.iter().find(|(old, _)| old == id(&then)).map(|(_, now)| now.clone());
                if let Some(now) = now.filter(|now| now != id(&then)) {
                    then["id"] = now;
                    live.send(&then.to_string())?;
                } else {
                    live.send(&frame.text)?;
                }
                compared.sent += 1;
            }
            (Side::Client, kind) => {
                live.send(&frame.text)?;
                compared.sent += 1;
                if kind == Kind::Request {
                    asked.push(then);
                }
            }
            (Side::Server, Kind::Answer) => {
                let request = asked.iter().find(|request| id(request) == id(&then));
                let name = request.map_or("", |request| method(request)).to_owned();
                let name = format!("{name} (id {})", id(&then));
                let mut now = live.wait(&format!("the answer to {name}"), |message| {
                    kind(message) == Kind::Answer && id(message) == id(&then)
                })?;
                redact.message(&mut now);
                for message in [&mut then, &mut now] {
                    for pointer in ignore {
                        forget(message, pointer);
                    }
                }
                match difference(&then, &now) {
                    None => compared.same += 1,
                    Some(place) => compared.different.push((name, place)),
                }
            }
            (Side::Server, Kind::Request) => {
                let wanted = method(&then).to_owned();
                let now = live
                    .wait(&wanted, |message| kind(message) == Kind::Request && method(message) == wanted)?;
                questions.push((id(&then).clone(), id(&now).clone()));
            }
            (Side::Server, _) => {}
        }
    }
    Ok(compared)
}

/// What is not compared is taken to be the same.
fn forget(message: &mut Value, pointer: &str) {
    if let Some(found) = message.pointer_mut(pointer) {
        *found = Value::Null;
    }
}

fn report(output: &Output, compared: &Compared) -> Result<Exit, Failure> {
    let exit = if compared.different.is_empty() { Exit::Done } else { Exit::Failed };
    if output.is_json() {
        let different = compared.different.iter().map(|(name, place)| json!({"answer": name, "at": place}));
        output.document(&json!({
            "sent": compared.sent, "same": compared.same, "different": different.collect::<Vec<_>>(),
        }))?;
        return Ok(exit);
    }
    for (name, place) in &compared.different {
        output.print(&format!(
            "{} {}",
            output.paint(BAD, "≠"),
            safe(&format!("{name}: differs at {place}"))
        ))?;
    }
    let style = if exit == Exit::Done { GOOD } else { BAD };
    let summary = format!(
        "{} messages sent, {} answers are the same, {} differ",
        compared.sent,
        compared.same,
        compared.different.len()
    );
    output.print(&output.paint(style, &summary))?;
    Ok(exit)
}
