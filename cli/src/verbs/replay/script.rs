//! A recording as what a server says, and when.
//!
//! Owns: which recorded line belongs to what a client says now, and the order of lines. Must not
//! know: streams, clocks.

use std::collections::BTreeMap;

use mcpbolt::meta::SUBSCRIPTION_ID;
use serde_json::Value;

use super::super::record::file::{Frame, Side, split_end};
use super::message::{Kind, id, is_same, kind, method};

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
    /// The turn whose listen request it was said for.
    listen: Option<usize>,
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
            let listens =
                |turn: &Turn| is_listen(&turn.message) && Some(id(&turn.message)) == heard_by(&message);
            let listen = script.turns.iter().rposition(listens);
            script.lines.push(Line { owner, listen, bytes: frame.line.clone(), said: false });
        }
        script
    }

    /// Takes what a client says now; `false` if that was never said.
    pub(super) fn hears(&mut self, message: &Value) -> bool {
        let as_then = self.as_then(message);
        let is_it = |turn: &Turn| turn.names.is_none() && is_same(&turn.message, &as_then);
        let Some(at) = self.turns.iter().position(is_it) else { return false };
        let turn = &mut self.turns[at];
        turn.names = Some(renamed(&turn.message, message));
        self.reached = self.reached.max(at + 1);
        true
    }

    /// What a client says now, with the id that the request that it gives up had then.
    fn as_then(&self, message: &Value) -> Value {
        let mut as_then = message.clone();
        if method(message) != CANCELLED {
            return as_then;
        }
        let Some(given_up) = as_then.pointer_mut(REQUEST_ID) else { return as_then };
        let is_it = |turn: &&Turn| {
            let id = id(&turn.message);
            let now = |names: &BTreeMap<String, Value>| names.get(&id.to_string()).unwrap_or(id) == given_up;
            kind(&turn.message) == Kind::Request && turn.names.as_ref().is_some_and(now)
        };
        if let Some(turn) = self.turns.iter().rfind(is_it) {
            *given_up = id(&turn.message).clone();
        }
        as_then
    }

    /// What is to be said now, in the order of the recording. A line for which the client has still to
    /// say something holds back those after it, unless the client is not waited for any more.
    pub(super) fn due(&mut self, wait_for_client: bool) -> Vec<Vec<u8>> {
        let (mut due, same) = (Vec::new(), BTreeMap::new());
        for line in self.lines.iter_mut().filter(|line| !line.said) {
            let names =
                |turn: Option<usize>| turn.map_or(Some(&same), |turn| self.turns[turn].names.as_ref());
            match (names(line.owner), names(line.listen)) {
                (Some(names), Some(listen)) => {
                    line.said = true;
                    due.push(rename(&line.bytes, names, listen));
                }
                // A client that left something out, or says it later than then.
                (None, _) if line.owner.is_some_and(|owner| owner < self.reached) => {}
                (None, _) if wait_for_client => break,
                _ => {}
            }
        }
        due
    }

    /// Whether something could be said that waits for its turn.
    pub(super) fn holds_back(&self) -> bool {
        let is_said = |turn: Option<usize>| turn.is_none_or(|turn| self.turns[turn].names.is_some());
        let is_owed = |line: &Line| is_said(line.owner) && is_said(line.listen);
        self.lines.iter().any(|line| !line.said && is_owed(line))
    }
}

/// By which a client gives up a request.
const CANCELLED: &str = "notifications/cancelled";
const REQUEST_ID: &str = "/params/requestId";

/// Where a message says for which listen request it is: a notification, and the answer to it.
const LISTENS: [&str; 2] = ["params", "result"];

fn is_listen(message: &Value) -> bool {
    method(message) == "subscriptions/listen"
}

/// The id of the listen request for which something is said.
fn heard_by(message: &Value) -> Option<&Value> {
    LISTENS.iter().find_map(|part| message.get(part)?.get("_meta")?.get(SUBSCRIPTION_ID))
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

/// The line for a client whose names are these, and those of its listen request; as it was where they
/// are the same.
fn rename(line: &[u8], names: &BTreeMap<String, Value>, listen: &BTreeMap<String, Value>) -> Vec<u8> {
    let other = || {
        let (said, end) = split_end(line);
        let mut message: Value = serde_json::from_slice(said).ok()?;
        let place = match kind(&message) {
            Kind::Answer => "/id",
            _ => "/params/progressToken",
        };
        let mut is_other = put(message.pointer_mut(place), names);
        for part in LISTENS {
            let meta = message.get_mut(part).and_then(|part| part.get_mut("_meta"));
            is_other |= put(meta.and_then(|meta| meta.get_mut(SUBSCRIPTION_ID)), listen);
        }
        is_other.then(|| format!("{message}{end}").into_bytes())
    };
    if names.is_empty() && listen.is_empty() { None } else { other() }.unwrap_or_else(|| line.to_vec())
}

/// Puts another name in the place of this one; whether there is another.
fn put(name: Option<&mut Value>, names: &BTreeMap<String, Value>) -> bool {
    let other = name.and_then(|name| Some((names.get(&name.to_string())?, name)));
    other.map(|(now, name)| *name = now.clone()).is_some()
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
