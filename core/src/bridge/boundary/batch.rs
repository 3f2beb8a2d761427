//! Batches as one JSON text, for languages that cross once per batch.
//!
//! Owns: how items and outcomes are written as text. Must not know: where they come from.
//!
//! Each item is an array whose first member says what it is: `["request", call,
//! connection, cause, method, name, params, invalid]`, and so on as in [`encode_batch`].

use std::fmt::Write as _;

use base64::Engine as _;
use serde::{Deserialize, Deserializer};

use mcpbolt_proto::jsonrpc::RawJson;
use mcpbolt_proto::protocol::Error;

use super::item::Item;
use super::outcome::{Failure, Outcome, Question};

/// A batch as one text without line breaks.
///
/// | item | members after its name |
/// |---|---|
/// | `request` | call, connection, cause, method, name, params, invalid |
/// | `notification` | connection, cause, method, params |
/// | `response` | id, call, cause, result, `{kind, code, message, data}` |
/// | `progress` | id, params |
/// | `event_id` | id, event id |
/// | `cancel` | call, why, reason |
/// | `writable` | target |
/// | `ask` | id, service, payload |
/// | `outgoing` | connection |
/// | `subscription` | connection, uri, active |
/// | `log` | connection, kind, message |
/// | `closed` | connection, `{kind, code, message, data}` or null |
/// | `state` | connection, state |
/// | `message` | connection, message |
/// | `send_failed` | connection, id, `{kind, code, message, data}` |
/// | `http_head` | request, status, [[name, value]], body, end |
/// | `http_chunk` | request, bytes, end |
/// | `http_request` | request, `{method, target, headers}`, body |
/// | `http_closed` | request |
/// | `cause_closed` | cause |
///
/// Bodies are texts; one that is not UTF-8 is `{"base64": …}`.
pub fn encode_batch(items: &[Item]) -> String {
    let bytes: usize = items.iter().map(|item| item.size() + 96).sum();
    let mut text = String::with_capacity(bytes);
    text.push('[');
    for item in items {
        separate(&mut text);
        encode_item(&mut text, item);
    }
    text.push(']');
    text
}

fn separate(text: &mut String) {
    if !text.ends_with('[') {
        text.push(',');
    }
}

/// A row that is being written. Payloads are spliced in, never parsed again.
struct Row<'a>(&'a mut String);

impl Row<'_> {
    fn text(self, value: &str) -> Self {
        separate(self.0);
        self.0.push_str(&serde_json::to_string(value).unwrap_or_default());
        self
    }

    fn maybe(self, value: Option<&str>) -> Self {
        match value {
            Some(value) => self.text(value),
            None => self.raw(None),
        }
    }

    fn number(self, value: u64) -> Self {
        separate(self.0);
        let _ = write!(self.0, "{value}");
        self
    }

    fn flag(self, value: bool) -> Self {
        separate(self.0);
        self.0.push_str(if value { "true" } else { "false" });
        self
    }

    fn raw(self, value: Option<&RawJson>) -> Self {
        separate(self.0);
        self.0.push_str(value.map_or("null", RawJson::as_str));
        self
    }

    fn bytes(self, bytes: &[u8]) -> Self {
        if let Ok(text) = std::str::from_utf8(bytes) {
            return self.text(text);
        }
        let coded = base64::engine::general_purpose::STANDARD.encode(bytes);
        separate(self.0);
        let _ = write!(self.0, r#"{{"base64":"{coded}"}}"#);
        self
    }

    fn failure(self, failure: &Failure) -> Self {
        separate(self.0);
        let quoted = |text: &str| serde_json::to_string(text).unwrap_or_default();
        let (kind, message) = (quoted(&failure.kind), quoted(&failure.message));
        let _ = write!(self.0, r#"{{"kind":{kind},"code":{},"message":{message}"#, failure.code);
        if let Some(data) = &failure.data {
            let _ = write!(self.0, r#","data":{}"#, data.as_str());
        }
        self.0.push('}');
        self
    }
}

fn encode_item(text: &mut String, item: &Item) {
    text.push('[');
    let _ = match item {
        Item::Request(r) => {
            let row =
                Row(text).text("request").number(r.call).number(r.connection).number(r.cause).text(&r.method);
            row.maybe(r.name.as_deref()).raw(r.params.as_ref()).raw(r.invalid.as_ref())
        }
        Item::Notification { connection, cause, method, params } => Row(text)
            .text("notification")
            .number(*connection)
            .number(*cause)
            .text(method)
            .raw(params.as_ref()),
        Item::Response { id, call, cause, outcome } => {
            let row = Row(text).text("response").number(*id).number(*call).number(*cause);
            match outcome {
                Ok(value) => row.raw(Some(value)).raw(None),
                Err(failure) => row.raw(None).failure(failure),
            }
        }
        Item::Progress { id, params } => Row(text).text("progress").number(*id).raw(Some(params)),
        Item::EventId { id, event } => Row(text).text("event_id").number(*id).text(event),
        Item::Cancel { call, why, reason } => {
            Row(text).text("cancel").number(*call).text(why.as_str()).maybe(reason.as_deref())
        }
        Item::Writable { target } => Row(text).text("writable").number(*target),
        Item::Ask { id, service, payload } => {
            Row(text).text("ask").number(*id).text(service).raw(Some(payload))
        }
        Item::Outgoing { connection } => Row(text).text("outgoing").number(*connection),
        Item::Subscription { connection, uri, active } => {
            Row(text).text("subscription").number(*connection).text(uri).flag(*active)
        }
        Item::Log { connection, kind, message } => {
            Row(text).text("log").number(*connection).text(kind).text(message)
        }
        Item::Closed { connection, failure } => {
            let row = Row(text).text("closed").number(*connection);
            match failure {
                Some(failure) => row.failure(failure),
                None => row.raw(None),
            }
        }
        Item::State { connection, state } => Row(text).text("state").number(*connection).text(state),
        Item::Message { connection, message } => {
            Row(text).text("message").number(*connection).raw(Some(message))
        }
        Item::SendFailed { connection, id, failure } => {
            Row(text).text("send_failed").number(*connection).raw(Some(id)).failure(failure)
        }
        Item::CauseClosed { cause } => Row(text).text("cause_closed").number(*cause),
        http => encode_http(text, http),
    };
    text.push(']');
}

fn encode_http<'a>(text: &'a mut String, item: &Item) -> Row<'a> {
    match item {
        Item::HttpHead { request, status, headers, body, end } => {
            let headers = RawJson::encode(headers).unwrap_or_else(|_| RawJson::null());
            let row = Row(text).text("http_head").number(*request).number((*status).into());
            row.raw(Some(&headers)).bytes(body).flag(*end)
        }
        Item::HttpChunk { request, bytes, end } => {
            Row(text).text("http_chunk").number(*request).bytes(bytes).flag(*end)
        }
        Item::HttpRequest { request, head, body } => {
            Row(text).text("http_request").number(*request).raw(Some(head)).bytes(body)
        }
        Item::HttpClosed { request } => Row(text).text("http_closed").number(*request),
        _ => Row(text),
    }
}

/// One completion: exactly one of the three.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Completion {
    id: u64,
    #[serde(default, deserialize_with = "present")]
    result: Option<RawJson>,
    #[serde(default)]
    error: Option<ErrorText>,
    #[serde(default)]
    input: Option<InputText>,
}

/// `null` is a result too.
fn present<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<RawJson>, D::Error> {
    RawJson::deserialize(deserializer).map(Some)
}

#[derive(Deserialize)]
struct ErrorText {
    #[serde(default)]
    kind: String,
    #[serde(default = "internal")]
    code: i64,
    #[serde(default)]
    message: String,
    #[serde(default)]
    data: Option<RawJson>,
}

const fn internal() -> i64 {
    -32603
}

#[derive(Deserialize)]
struct InputText {
    #[serde(default)]
    questions: Vec<(String, String, Option<RawJson>)>,
    #[serde(default)]
    state: Option<String>,
}

/// Reads outcomes from one text: an array of `{id, result}`, `{id, error: {kind, code,
/// message, data}}` or `{id, input: {questions: [[key, method, params]], state}}`.
///
/// # Errors
/// `Usage` if the text has another shape.
pub fn decode_outcomes(text: &str) -> Result<Vec<(u64, Outcome)>, Error> {
    let rows: Vec<Completion> =
        serde_json::from_str(text).map_err(|e| Error::usage(format!("outcomes: {e}")))?;
    rows.into_iter()
        .map(|row| match (row.result, row.error, row.input) {
            (Some(value), None, None) => Ok((row.id, Outcome::Result(value))),
            (None, Some(e), None) => {
                let failure = Failure { kind: e.kind, code: e.code, message: e.message, data: e.data };
                Ok((row.id, Outcome::Error(failure)))
            }
            (None, None, Some(input)) => {
                let questions = input.questions.into_iter();
                let questions =
                    questions.map(|(key, method, params)| Question { key, method, params }).collect();
                Ok((row.id, Outcome::InputRequired { questions, state: input.state }))
            }
            _ => Err(Error::usage("an outcome is a result, an error or questions")),
        })
        .collect()
}
