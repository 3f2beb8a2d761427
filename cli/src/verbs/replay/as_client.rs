//! A recording as the client of a live server, whose answers are compared.
//!
//! Owns: the order of what is sent, waiting for what has to come first. Must not know: files.

use std::borrow::Cow;
use std::collections::VecDeque;
use std::fmt::Display;
use std::io::{BufRead, Write};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

use mcpbolt::observe::Redactor;
use serde_json::{Value, json};

use super::super::Live;
use super::super::record::file::{Frame, Side, split_end};
use super::super::record::lines::Lines;
use super::message::{Kind, difference, id, is_same, kind, method};
use crate::args::Replay;
use crate::exit::{Exit, Failure};
use crate::output::{BAD, GOOD, Output, safe};
use crate::target::Place;

/// How long a server may take to end when its client has left, before it is made to.
const GRACE: Duration = Duration::from_secs(2);

/// What a server says now.
struct Heard {
    text: String,
    message: Value,
}

/// A live server and what it said that nobody waited for yet.
struct Conversation {
    /// Until it is closed.
    to: Option<Box<dyn Write + Send>>,
    from: Receiver<Heard>,
    early: VecDeque<Heard>,
    timeout: Duration,
}

impl Conversation {
    fn send(&mut self, line: &[u8]) -> Result<(), Failure> {
        let gone = |why: &dyn Display| Failure::new(Exit::Unreachable, format!("the server left: {why}"));
        let to = self.to.as_mut().ok_or_else(|| gone(&"its input is closed"))?;
        to.write_all(line).and_then(|()| to.flush()).map_err(|why| gone(&why))?;
        // A line without an end was the last one: its end was that of the input.
        if !line.ends_with(b"\n") {
            self.to = None;
        }
        Ok(())
    }

    /// The next message that is wanted, whatever else comes first.
    fn wait(&mut self, what: &str, wanted: impl Fn(&Value) -> bool) -> Result<Heard, Failure> {
        let early = self.early.iter().position(|heard| wanted(&heard.message));
        if let Some(heard) = early.and_then(|at| self.early.remove(at)) {
            return Ok(heard);
        }
        let until = Instant::now() + self.timeout;
        loop {
            match self.from.recv_timeout(until.saturating_duration_since(Instant::now())) {
                Ok(heard) if wanted(&heard.message) => return Ok(heard),
                Ok(heard) => self.early.push_back(heard),
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

/// The states that the server gave with its questions, which it wants back with the answers.
#[derive(Default)]
struct States(Vec<State>);

struct State {
    /// What was asked, without answers.
    request: Value,
    then: Value,
    now: Value,
}

impl States {
    fn keep(&mut self, request: &Value, then: &Value, now: &Value) {
        let state = |answer: &Value| answer.pointer("/result/requestState").cloned();
        if let (Some(then), Some(now)) = (state(then), state(now)) {
            self.0.push(State { request: unanswered(request.clone()), then, now });
        }
    }

    /// What is to be said in place of a recorded line; the line where it has no state, or the same.
    fn in_place<'a>(&mut self, then: &Value, line: &'a [u8]) -> Cow<'a, [u8]> {
        let place = "/params/requestState";
        let other = then.pointer(place).and_then(|given| {
            let request = unanswered(then.clone());
            let is_it = |state: &State| state.then == *given && is_same(&state.request, &request);
            let at = self.0.iter().position(is_it)?;
            Some(self.0.remove(at).now).filter(|now| now != given)
        });
        let Some(other) = other else { return line.into() };
        let mut now = then.clone();
        if let Some(state) = now.pointer_mut(place) {
            *state = other;
        }
        format!("{now}{}", split_end(line).1).into_bytes().into()
    }
}

/// A request as it was before the server asked anything.
fn unanswered(mut request: Value) -> Value {
    if let Some(params) = request.get_mut("params").and_then(Value::as_object_mut) {
        params.retain(|name, _| name != "inputResponses" && name != "requestState");
    }
    request
}

/// What was found.
#[derive(Debug, Default)]
struct Compared {
    sent: usize,
    same: usize,
    /// Of those that are the same, the ones that are so to the last character.
    identical: usize,
    different: Vec<(String, String)>,
}

pub(super) fn play(
    live: &Live<'_>,
    place: &Place,
    frames: &[Frame],
    redact: &Redactor,
    arguments: &Replay,
    timeout: Duration,
) -> Result<Exit, Failure> {
    let Lines { to, from, server } = Lines::open(live, place)?;
    let mut conversation = Conversation { to: Some(to), from: heard(from), early: VecDeque::new(), timeout };
    let compared = talk(&mut conversation, frames, redact, arguments);
    // The end of its input is how a server on stdio learns that it is over.
    drop(conversation);
    match compared {
        Ok(compared) => {
            let exit = report(live.output, &compared);
            server.end(GRACE);
            exit
        }
        Err(failure) => {
            server.end(Duration::ZERO);
            Err(failure)
        }
    }
}

/// The messages of the server, as they come.
fn heard(mut from: Box<dyn BufRead + Send>) -> Receiver<Heard> {
    let (tell, heard) = channel();
    std::thread::spawn(move || {
        let mut line = Vec::new();
        while matches!(from.read_until(b'\n', &mut line), Ok(1..)) {
            let text = String::from_utf8_lossy(split_end(&line).0).into_owned();
            let message = serde_json::from_str(&text);
            if message.is_ok_and(|message| tell.send(Heard { text, message }).is_err()) {
                return;
            }
            line.clear();
        }
    });
    heard
}

fn talk(
    live: &mut Conversation,
    frames: &[Frame],
    redact: &Redactor,
    arguments: &Replay,
) -> Result<Compared, Failure> {
    let mut compared = Compared::default();
    let mut asked: Vec<Value> = Vec::new();
    // What the server asks, then and now.
    let mut questions: Vec<(Value, Value)> = Vec::new();
    let mut states = States::default();
    for frame in frames {
        let mut then = frame.message();
        match (frame.from, kind(&then)) {
            (Side::Client, Kind::Answer) => {
                let now = questions.iter().find(|(old, _)| old == id(&then)).map(|(_, now)| now.clone());
                if let Some(now) = now.filter(|now| now != id(&then)) {
                    then["id"] = now;
                    live.send(format!("{then}\n").as_bytes())?;
                } else {
                    live.send(&frame.line)?;
                }
                compared.sent += 1;
            }
            (Side::Client, kind) => {
                live.send(&states.in_place(&then, &frame.line))?;
                compared.sent += 1;
                if kind == Kind::Request {
                    asked.push(then);
                }
            }
            (Side::Server, Kind::Answer) => {
                let request = asked.iter().find(|request| id(request) == id(&then));
                let name = request.map_or("", |request| method(request)).to_owned();
                let name = format!("{name} (id {})", id(&then));
                let Heard { text, message: mut now } = live
                    .wait(&format!("the answer to {name}"), |message| {
                        kind(message) == Kind::Answer && id(message) == id(&then)
                    })?;
                if let Some(request) = request {
                    states.keep(request, &then, &now);
                }
                let is_identical = redact.text(&text).as_bytes() == split_end(&frame.line).0;
                redact.message(&mut now);
                compared.answer(name, (then, now), is_identical, arguments);
            }
            (Side::Server, Kind::Request) => {
                let wanted = method(&then).to_owned();
                let now = live
                    .wait(&wanted, |message| kind(message) == Kind::Request && method(message) == wanted)?;
                questions.push((id(&then).clone(), id(&now.message).clone()));
            }
            (Side::Server, _) => {}
        }
    }
    Ok(compared)
}

impl Compared {
    /// Takes an answer as it was then and as it is now.
    fn answer(&mut self, name: String, answers: (Value, Value), is_identical: bool, arguments: &Replay) {
        let (mut then, mut now) = answers;
        for message in [&mut then, &mut now] {
            for pointer in &arguments.ignore {
                forget(message, pointer);
            }
        }
        match difference(&then, &now) {
            None if arguments.exact && !is_identical => {
                self.different.push((name, "how it is written".to_owned()));
            }
            None => {
                self.same += 1;
                self.identical += usize::from(is_identical);
            }
            Some(place) => self.different.push((name, place)),
        }
    }
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
            "sent": compared.sent, "same": compared.same, "identical": compared.identical,
            "different": different.collect::<Vec<_>>(),
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
        "{} messages sent, {} answers are the same ({} byte for byte), {} differ",
        compared.sent,
        compared.same,
        compared.identical,
        compared.different.len()
    );
    output.print(&output.paint(style, &summary))?;
    Ok(exit)
}
