//! A recording as what a server says, and when.
//!
//! Owns: which recorded line belongs to what a client says now, and the order of lines. Must not
//! know: streams, clocks.

use std::collections::BTreeMap;

use serde_json::Value;

use super::super::record::file::{Frame, Side, split_end};
use super::message::{Kind, id, is_same, kind};

/// What a client said then.
#[derive(Debug)]
struct Turn {
    message: Value,
    /// Ids and progress tokens that are other ones now, by the old one's text; `None` until it is said.
    names: Option<BTreeMap<String, Value>>,
}

/// What the server said, because of which turn; `None` before there was one.
#[derive(Debug)]
struct Line {
    owner: Option<usize>,
    bytes: Vec<u8>,
    said: bool,
}

/// The whole recording.
#[derive(Debug, Default)]
pub(super) struct Script {
    turns: Vec<Turn>,
    lines: Vec<Line>,
    /// The turns before this one were said, or will not be.
    reached: usize,
}

impl Script {
    /// An answer belongs to its request, progress to that of its token, all else to what the client
    /// said last.
    pub(super) fn of(frames: &[Frame]) -> Self {
        let mut script = Self::default();
        for frame in frames {
            let message = frame.message();
            if frame.from == Side::Client {
                script.turns.push(Turn { message, names: None });
                continue;
            }
            let asked = |turn: &Turn| match kind(&message) {
                Kind::Answer => kind(&turn.message) == Kind::Request && id(&turn.message) == id(&message),
                _ => !progress(&message).is_null() && asks_progress(&turn.message) == progress(&message),
            };
            let owner = script.turns.iter().rposition(asked).or(script.turns.len().checked_sub(1));
            script.lines.push(Line { owner, bytes: frame.line.clone(), said: false });
        }
        script
    }

    /// Takes what a client says now; `false` if that was never said.
    pub(super) fn hears(&mut self, message: &Value) -> bool {
        let is_it = |turn: &Turn| turn.names.is_none() && is_same(&turn.message, message);
        let Some(at) = self.turns.iter().position(is_it) else { return false };
        let turn = &mut self.turns[at];
        turn.names = Some(renamed(&turn.message, message));
        self.reached = self.reached.max(at + 1);
        true
    }

    /// What is to be said now, in the order of the recording. A line for which the client has still to
    /// say something holds back those after it, unless the client is not waited for any more.
    pub(super) fn due(&mut self, wait_for_client: bool) -> Vec<Vec<u8>> {
        let (mut due, same) = (Vec::new(), BTreeMap::new());
        for line in self.lines.iter_mut().filter(|line| !line.said) {
            let names = match line.owner {
                None => Some(&same),
                Some(owner) => self.turns[owner].names.as_ref(),
            };
            match names {
                Some(names) => {
                    line.said = true;
                    due.push(rename(&line.bytes, names));
                }
                // A client that left something out, or says it later than then.
                None if line.owner.is_some_and(|owner| owner < self.reached) => {}
                None if wait_for_client => break,
                None => {}
            }
        }
        due
    }

    /// Whether something could be said that waits for its turn.
    pub(super) fn holds_back(&self) -> bool {
        let is_owed = |line: &Line| line.owner.is_none_or(|owner| self.turns[owner].names.is_some());
        self.lines.iter().any(|line| !line.said && is_owed(line))
    }
}

fn progress(message: &Value) -> &Value {
    message.pointer("/params/progressToken").unwrap_or(&Value::Null)
}

fn asks_progress(message: &Value) -> &Value {
    message.pointer("/params/_meta/progressToken").unwrap_or(&Value::Null)
}

fn renamed(then: &Value, now: &Value) -> BTreeMap<String, Value> {
    let pairs = [(id(then), id(now)), (asks_progress(then), asks_progress(now))];
    let other = pairs.into_iter().filter(|(then, now)| then != now);
    other.map(|(then, now)| (then.to_string(), now.clone())).collect()
}

/// The line for a client whose names are these; as it was where they are the same.
fn rename(line: &[u8], names: &BTreeMap<String, Value>) -> Vec<u8> {
    let other = || {
        let (said, end) = split_end(line);
        let mut message: Value = serde_json::from_slice(said).ok()?;
        let place = match kind(&message) {
            Kind::Answer => "/id",
            _ => "/params/progressToken",
        };
        let name = message.pointer_mut(place)?;
        *name = names.get(&name.to_string())?.clone();
        Some(format!("{message}{end}").into_bytes())
    };
    if names.is_empty() { None } else { other() }.unwrap_or_else(|| line.to_vec())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn script(lines: &[(Side, &str)]) -> Script {
        let frame = |(from, text): &(Side, &str)| Frame { from: *from, line: format!("{text}\n").into() };
        Script::of(&lines.iter().map(frame).collect::<Vec<_>>())
    }

    fn due(script: &mut Script, wait_for_client: bool) -> String {
        String::from_utf8(script.due(wait_for_client).concat()).expect("text")
    }

    #[test]
    fn answers_follow_their_requests_and_keep_their_text() {
        let mut script = script(&[
            (Side::Client, r#"{"id":1,"method":"a"}"#),
            (Side::Client, r#"{"id":2,"method":"b","params":{"_meta":{"progressToken":"p"}}}"#),
            (Side::Server, r#"{"method":"notifications/progress","params":{"progressToken":"p"}}"#),
            (Side::Server, r#"{"id":1,  "result":{}}"#),
            (Side::Server, r#"{"id":2,"result":[]}"#),
        ]);
        assert!(script.hears(&json!({"id": 9, "method": "b", "params": {"_meta": {"progressToken": 5}}})));
        assert_eq!(
            due(&mut script, true),
            "{\"method\":\"notifications/progress\",\"params\":{\"progressToken\":5}}\n{\"id\":9,\"result\":[]}\n",
        );
        let a = json!({"id": 1, "method": "a"});
        assert!(script.hears(&a));
        assert_eq!(due(&mut script, true), "{\"id\":1,  \"result\":{}}\n");
        assert!(!script.hears(&a), "each is played once");
    }

    #[test]
    fn the_order_is_that_of_the_recording_while_the_client_may_still_speak() {
        let lines = [
            (Side::Client, r#"{"id":1,"method":"slow"}"#),
            (Side::Client, r#"{"id":2,"method":"fast"}"#),
            (Side::Server, r#"{"id":2,"result":{}}"#),
            (Side::Server, r#"{"id":1,"result":{}}"#),
        ];
        let (slow, fast) = (json!({"id": 1, "method": "slow"}), json!({"id": 2, "method": "fast"}));
        let mut same = script(&lines);
        assert!(same.hears(&slow));
        assert_eq!((due(&mut same, true).as_str(), same.holds_back()), ("", true));
        assert!(same.hears(&fast));
        assert_eq!(due(&mut same, true), "{\"id\":2,\"result\":{}}\n{\"id\":1,\"result\":{}}\n");
        // A client that waits for the first answer gets it when it has been silent for long enough.
        let mut patient = script(&lines);
        assert!(patient.hears(&slow));
        assert_eq!(due(&mut patient, false), "{\"id\":1,\"result\":{}}\n");
        assert!(!patient.holds_back() && patient.hears(&fast));
        assert_eq!(due(&mut patient, true), "{\"id\":2,\"result\":{}}\n");
    }
}
