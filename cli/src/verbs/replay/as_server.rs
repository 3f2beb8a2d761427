//! A recording as a server on standard input and output.
//!
//! Owns: which recorded answer belongs to what a client says now. Must not know: processes.

use std::collections::BTreeMap;
use std::io::{self, BufRead as _, Write as _};

use mcpbolt::observe::Redactor;
use serde_json::{Value, json};

use super::super::record::file::{Frame, Side};
use super::message::{Kind, id, is_same, kind, method};
use crate::exit::{Exit, Failure};
use crate::output::{Output, safe};

/// What a client said then, and what the server said because of it.
#[derive(Debug)]
struct Turn {
    message: Value,
    replies: Vec<String>,
    played: bool,
}

/// The whole recording in turns.
#[derive(Debug, Default)]
struct Script {
    /// What the server said before it was asked.
    opening: Vec<String>,
    turns: Vec<Turn>,
}

impl Script {
    /// An answer belongs to its request, all else to what the client said last.
    fn of(frames: &[Frame]) -> Self {
        let mut script = Self::default();
        for frame in frames {
            let message: Value = serde_json::from_str(&frame.text).unwrap_or_default();
            match frame.from {
                Side::Client => script.turns.push(Turn { message, replies: Vec::new(), played: false }),
                Side::Server => {
                    let asked = |turn: &Turn| {
                        kind(&turn.message) == Kind::Request && id(&turn.message) == id(&message)
                    };
                    let owner = match kind(&message) {
                        Kind::Answer => script.turns.iter().rposition(asked),
                        _ => None,
                    };
                    let owner = owner.or(script.turns.len().checked_sub(1));
                    let replies = match owner.and_then(|owner| script.turns.get_mut(owner)) {
                        Some(turn) => &mut turn.replies,
                        None => &mut script.opening,
                    };
                    replies.push(frame.text.clone());
                }
            }
        }
        script
    }

    /// The answers to what a client says now; `None` if that was never said.
    fn answers(&mut self, message: &Value) -> Option<Vec<String>> {
        let turn = self.turns.iter_mut().find(|turn| !turn.played && is_same(&turn.message, message))?;
        turn.played = true;
        let names = renamed(&turn.message, message);
        Some(turn.replies.iter().map(|reply| rename(reply, &names)).collect())
    }
}

/// Ids and progress tokens that are other ones now, by the old one's text.
fn renamed(then: &Value, now: &Value) -> BTreeMap<String, Value> {
    let token = |message: &Value| message.pointer("/params/_meta/progressToken").cloned().unwrap_or_default();
    let pairs = [(id(then).clone(), id(now).clone()), (token(then), token(now))];
    pairs.into_iter().filter(|(then, now)| then != now).map(|(then, now)| (then.to_string(), now)).collect()
}

/// The reply for a client whose names are these; as it was where they are the same.
fn rename(reply: &str, names: &BTreeMap<String, Value>) -> String {
    let Ok(mut message) = serde_json::from_str::<Value>(reply) else { return reply.to_owned() };
    let place = match kind(&message) {
        Kind::Answer => "/id",
        _ => "/params/progressToken",
    };
    match message.pointer_mut(place).and_then(|name| Some((names.get(&name.to_string())?.clone(), name))) {
        Some((now, name)) => {
            *name = now;
            message.to_string()
        }
        None => reply.to_owned(),
    }
}

/// Plays until the client leaves.
pub(super) fn play(output: &Output, frames: &[Frame], redact: &Redactor) -> Result<Exit, Failure> {
    let mut script = Script::of(frames);
    let mut exit = Exit::Done;
    say(&script.opening)?;
    for line in io::stdin().lock().lines() {
        let line = line.map_err(|why| Failure::usage(format!("standard input: {why}")))?;
        let mut message: Value = serde_json::from_str(&line).unwrap_or_default();
        redact.message(&mut message);
        if let Some(replies) = script.answers(&message) {
            say(&replies)?;
            continue;
        }
        exit = Exit::Failed;
        output.note(&format!("mcpbolt: not in the recording: {}", safe(method(&message))));
        if kind(&message) == Kind::Request {
            let error = json!({"code": -32603, "message": "this request is not in the recording"});
            say(&[json!({"jsonrpc": "2.0", "id": id(&message), "error": error}).to_string()])?;
        }
    }
    Ok(exit)
}

fn say(replies: &[String]) -> Result<(), Failure> {
    let mut stdout = io::stdout().lock();
    let said = replies.iter().try_for_each(|reply| writeln!(stdout, "{reply}")).and_then(|()| stdout.flush());
    said.map_err(|why| Failure::new(Exit::Unreachable, format!("the client left: {why}")))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn frames(lines: &[(Side, &str)]) -> Vec<Frame> {
        lines.iter().map(|(from, text)| Frame { from: *from, text: (*text).to_owned() }).collect()
    }

    #[test]
    fn answers_follow_their_requests_and_keep_their_text() {
        let mut script = Script::of(&frames(&[
            (Side::Client, r#"{"id":1,"method":"a"}"#),
            (Side::Client, r#"{"id":2,"method":"b","params":{"_meta":{"progressToken":"p"}}}"#),
            (Side::Server, r#"{"method":"notifications/progress","params":{"progressToken":"p"}}"#),
            (Side::Server, r#"{"id":1,  "result":{}}"#),
            (Side::Server, r#"{"id":2,"result":[]}"#),
        ]));
        let b = json!({"id": 9, "method": "b", "params": {"_meta": {"progressToken": 5}}});
        assert_eq!(
            script.answers(&b),
            Some(vec![
                r#"{"method":"notifications/progress","params":{"progressToken":5}}"#.to_owned(),
                r#"{"id":9,"result":[]}"#.to_owned()
            ])
        );
        let a = json!({"id": 1, "method": "a"});
        assert_eq!(script.answers(&a), Some(vec![r#"{"id":1,  "result":{}}"#.to_owned()]));
        assert_eq!(script.answers(&a), None, "each is played once");
    }
}
