//! Whose order and words peers meet: this engine's own, or those of an implementation that it
//! stands in for.
//!
//! Owns: what a norm decides; the tables, one for each, are in `rows`. Must not know: how a header
//! or a session is looked up, or how a response is written.

mod rows;
mod typescript;
pub mod words;

use std::time::Duration as Time;

use crate::jsonrpc::{ErrorCode, ErrorObject, RawJson};

/// What a peer can tell of an implementation beside the protocol: in which order it looks at a
/// message, what it refuses with, from which number it counts. Chosen once, when a server or a
/// client is made.
///
/// ```
/// use mcpbolt_proto::policy::norm::{HttpRule, Norm};
///
/// let official = Norm::named("python-1").unwrap();
/// assert_eq!(official.refusal(HttpRule::SessionKnown).unwrap().message, "Session not found");
/// assert_eq!(Norm::OWN.refusal(HttpRule::SessionKnown).unwrap().message, "no such session");
/// ```
#[derive(Debug, PartialEq, Eq)]
#[allow(clippy::struct_excessive_bools, reason = "a row of answers, none of which follows from another")]
pub struct Norm {
    /// Its name in options.
    pub name: &'static str,
    /// The number that requests of a session begin with. Requests of servers are named after
    /// their node, too, unless this says a number.
    pub first_id: Option<u64>,
    /// Whether a handler's reports of progress leave although they do not increase.
    pub any_progress: bool,
    /// Whether progress that belongs to no request reaches the program as a notification.
    pub stray_progress: bool,
    /// Whether the program is told of a cancelled request as a notification, too.
    pub tells_cancels: bool,
    /// Whether an answer may repeat a number as a string without a remark.
    pub text_ids: bool,
    /// Whether a client's session may begin without a handshake in a revision that has one.
    pub skips_handshake: bool,
    /// Whether `notifications/initialized` opens a server's session although no `initialize` did.
    pub opens_by_notice: bool,
    /// Whether requests may name resources by any text, be it a URI or not.
    pub any_uri: bool,
    /// Whether requests reach the program, and log messages leave, although the server does not
    /// declare the capability for them.
    pub undeclared: bool,
    /// Whether the error for an unknown method names it in its data, and not in its message.
    pub method_as_data: bool,
    /// Whether an error of the program is sent with the code it has, although the revision has
    /// another for it or keeps that one for itself.
    pub any_code: bool,
    /// Whether a `_meta` of null is as good as none.
    pub null_meta: bool,
    /// Whether a client learns only of the revisions of the era in which it asks.
    pub offers_by_era: bool,
    /// Whether a client's request leaves although the revision has no such request.
    pub sends_any_request: bool,
    /// Why a client cancels a request, if the program does not say.
    pub cancel_reason: Option<&'static str>,
    /// Whether the host words the refusals of bodies that are not a message.
    pub asks_for_bodies: bool,
    /// Whether the stream of `initialize` begins with an event of its own where a host's store
    /// keeps events, if the client asks for a revision that has such events.
    pub primes_handshake: bool,
    /// Whether an `initialize` over HTTP that names a session is for that session.
    pub repeats_handshake: bool,
    /// Why a request of ours is cancelled that was not answered in time. `{seconds}` stands for
    /// the time it had.
    pub timed_out: &'static str,
    /// The error for a request of a legacy session over HTTP that its client cancelled. Absent:
    /// its stream ends without one.
    pub cancelled: Option<(ErrorCode, &'static str)>,
    /// The error of a client's request for the program that cancelled it. Absent: words of our own.
    pub given_up: Option<(ErrorCode, &'static str)>,
    /// Whether a request that the program cancels by a notification of its own goes on: it ends with
    /// what the server says, or its time.
    pub awaits_cancelled: bool,
    /// Whether who sends a log message waits where there is no room for it, so that none is lost.
    pub waits_to_log: bool,
    /// The id of errors over HTTP that answer no request. Absent: null.
    pub error_id: Option<&'static str>,
    /// Whether refusals over HTTP name a session, be it the one that the request would have
    /// opened.
    pub names_session: bool,
    /// What is looked at before the body of a POST is read, in this order.
    pub post: &'static [HttpRule],
    /// What is looked at once a POST is known to bring a message other than `initialize`.
    pub message: &'static [HttpRule],
    /// What is looked at first in a GET.
    pub get: &'static [HttpRule],
    /// What is looked at first in a DELETE.
    pub delete: &'static [HttpRule],
    /// What is looked at first in a request with another method.
    pub other: &'static [HttpRule],
    http: &'static [(HttpRule, HttpRefusal)],
    gates: &'static [(Gate, GateRefusal)],
}

/// A rule that a request over HTTP may break before it reaches a session.
///
/// ```
/// use mcpbolt_proto::policy::norm::{HttpRule, Norm};
///
/// // What the official package looks at first is the session.
/// assert_eq!(Norm::PYTHON_1.get.first(), Some(&HttpRule::SessionKnown));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum HttpRule {
    /// `Host` is one of those that are allowed.
    Host,
    /// `Origin` is one of those that are allowed.
    Origin,
    /// The method is GET, POST or DELETE.
    Method,
    /// `Content-Type` begins like that of JSON.
    ContentTypePrefix,
    /// `Content-Type` is that of JSON.
    ContentType,
    /// `Accept` allows JSON or event streams; absent, it allows both.
    AcceptEither,
    /// `Accept` names JSON, where all answers are JSON.
    AcceptJson,
    /// `Accept` names JSON and event streams, where answers may be either.
    AcceptBoth,
    /// `Accept` allows JSON, where all answers are JSON; absent, it allows nothing.
    AllowsJson,
    /// `Accept` allows JSON and event streams, where answers may be either; absent, it allows
    /// nothing.
    AllowsBoth,
    /// `Accept` names event streams.
    AcceptStream,
    /// As [`HttpRule::AcceptStream`], wildcards included.
    AllowsStream,
    /// The names of JSON and of event streams stand somewhere in `Accept`.
    AcceptBothTexts,
    /// The name of event streams stands somewhere in `Accept`.
    AcceptStreamText,
    /// The body is not too large.
    BodySize,
    /// The body is JSON.
    BodyJson,
    /// The body is a message, or a batch of messages.
    BodyMessages,
    /// A batch is not too long.
    BatchSize,
    /// `initialize` does not open a session a second time.
    OpenOnce,
    /// `initialize` is no part of a batch.
    OpenAlone,
    /// `initialize` has opened the session.
    SessionOpen,
    /// `Mcp-Session-Id` is there, if there are sessions.
    SessionNamed,
    /// `Mcp-Session-Id` names a session of this client.
    SessionKnown,
    /// There is room for another session.
    SessionRoom,
    /// There are sessions that could be ended.
    SessionEnds,
    /// The session has no other stream that a GET has opened.
    OneStream,
    /// `Last-Event-ID` is the id of an event.
    EventKnown,
    /// The stream that `Last-Event-ID` names has no reader.
    OneReader,
    /// The events that were kept can be read.
    Replay,
    /// `MCP-Protocol-Version` is a revision on offer.
    Version,
    /// `MCP-Protocol-Version` is a revision on offer, or the draft before the first one.
    VersionOrDraft,
}

/// How a broken [`HttpRule`] is answered.
///
/// ```
/// use mcpbolt_proto::policy::norm::{HttpRefusal, HttpRule, Norm};
///
/// let refusal: &HttpRefusal = Norm::PYTHON_1.refusal(HttpRule::BodySize).unwrap();
/// assert_eq!((refusal.status, refusal.code), (413, None)); // plain text
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct HttpRefusal {
    /// HTTP status.
    pub status: u16,
    /// The code of the JSON-RPC error. Absent: the message alone is the body, as plain text.
    pub code: Option<ErrorCode>,
    /// What the client is told. `{version}` stands for the revision it named, `{supported}` for
    /// those on offer, `{listed}` for those and the drafts, newest first; `{host}`, `{origin}` and
    /// `{limit}` for what [`Named`](words::Named) has under these names.
    pub message: &'static str,
}

/// Why a message is not let in: a request of the legacy era by its session, or a message of
/// either era that no session takes.
///
/// ```
/// use mcpbolt_proto::policy::norm::{Gate, Norm};
///
/// let error = Norm::PYTHON_1.gate_refusal(Gate::UnknownMethod).unwrap();
/// assert_eq!((error.code.0, &*error.message), (-32602, "Invalid request parameters"));
/// assert_eq!(Norm::OWN.gate_refusal(Gate::UnknownMethod), None); // the failure's own words
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Gate {
    /// The protocol has no such method.
    UnknownMethod,
    /// The parameters are not those of the method.
    Params,
    /// It came before `initialize`.
    Handshake,
    /// It is part of a batch over HTTP.
    Batch,
    /// It is a response, which clients of the modern era do not send.
    Response,
}

/// How a [`Gate`] answers: the code, the message, the data.
type GateRefusal = (ErrorCode, &'static str, Option<&'static str>);

impl Norm {
    /// By its name in options.
    pub fn named(name: &str) -> Option<&'static Self> {
        let all = [Self::OWN, Self::PYTHON_1, Self::PYTHON_2, Self::TYPESCRIPT, Self::TYPESCRIPT_1];
        all.into_iter().find(|norm| norm.name == name)
    }

    /// How a broken rule is answered; absent where the server has no fixed words for it.
    pub fn refusal(&self, rule: HttpRule) -> Option<&'static HttpRefusal> {
        self.http.iter().find(|(named, _)| *named == rule).map(|(_, refusal)| refusal)
    }

    /// The error for a request that a session does not let in; absent where the failure has
    /// words of its own.
    pub fn gate_refusal(&self, gate: Gate) -> Option<ErrorObject> {
        let (_, (code, message, data)) = self.gates.iter().find(|(named, _)| *named == gate)?;
        let error = ErrorObject::new(*code, *message);
        Some(match data.and_then(|data| RawJson::encode(data).ok()) {
            Some(data) => error.with_data(data),
            None => error,
        })
    }

    /// Why a request of ours is cancelled that had this time for its answer.
    pub fn timed_out(&self, time: Time) -> String {
        self.timed_out.replace("{seconds}", &in_python(time.as_secs_f64()))
    }
}

/// A number as Python shows it: small ones with an exponent of two digits.
fn in_python(number: f64) -> String {
    if number == 0.0 || number >= 1e-4 {
        return format!("{number:?}");
    }
    let text = format!("{number:e}");
    match text.split_once("e-") {
        Some((digits, exponent)) => format!("{digits}e-{exponent:0>2}"),
        None => text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_rule_that_is_looked_at_has_words() {
        for norm in [Norm::OWN, Norm::PYTHON_1, Norm::PYTHON_2, Norm::TYPESCRIPT, Norm::TYPESCRIPT_1] {
            let lists = [norm.post, norm.message, norm.get, norm.delete, norm.other];
            for rule in lists.into_iter().flatten() {
                assert!(norm.refusal(*rule).is_some(), "{}: {rule:?}", norm.name);
            }
        }
    }

    #[test]
    fn times_are_filled_in() {
        assert_eq!(Norm::OWN.timed_out(Time::from_secs(5)), "timed out");
        for (time, words) in [
            (Time::from_micros(1), "timed out after 1e-06s"),
            (Time::from_millis(250), "timed out after 0.25s"),
            (Time::from_secs(5), "timed out after 5.0s"),
        ] {
            assert_eq!(Norm::PYTHON_2.timed_out(time), words);
        }
    }
}
