//! Batches as one JSON text, for languages that cross once per batch.
//!
//! Owns: how items and outcomes are written as text. Must not know: where they come from.
//!
//! Each item is an array whose first member says what it is: `["request", call,
//! connection, cause, method, name, params, invalid]`, and so on as in [`encode_batch`].

use std::fmt::Write as _;

use base64::Engine as _;
use serde::{Deserialize, Deserializer};

use mcpbolt_proto::jsonrpc::{LongString, RawJson, Units};
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
    write_batch(items, String::with_capacity(bytes), usize::MAX).text
}

/// A batch whose long strings are not in its text.
///
/// ```
/// use mcpbolt::bridge::{Item, SplitBatch, split_batch};
/// use mcpbolt_proto::jsonrpc::Units;
///
/// let message = serde_json::json!({"id": 7, "text": "a long text"}).into();
/// let batch = [Item::Message { connection: 1, message }];
/// let SplitBatch { text, ways, strings } = split_batch(&batch, 10);
/// assert_eq!(text, r#"[["message",1,{"id":7,"text":"\u0000"}]]"#);
/// assert_eq!((ways.as_str(), &strings[..]), (r#"[[0,2,"text"]]"#, &[Units::Ascii("a long text")][..]));
/// ```
#[derive(Debug)]
pub struct SplitBatch<'a> {
    /// As [`encode_batch`] writes it, but with `"\u0000"` for each long string.
    pub text: String,
    /// Where each belongs, as JSON text: an array of names and numbers that lead there from
    /// the batch. Where a name stands twice in one object the last one counts, so that what
    /// is found there may be another value, which is left as it is.
    pub ways: String,
    /// The long strings.
    pub strings: Vec<Units<'a>>,
}

/// A batch for hosts whose strings are not UTF-8: strings of payloads whose literals have at
/// least so many bytes are given apart, and are neither scanned nor copied as text.
pub fn split_batch(items: &[Item], least: usize) -> SplitBatch<'_> {
    let bytes: usize = items.iter().map(|item| item.size().min(least) + 96).sum();
    write_batch(items, String::with_capacity(bytes), least)
}

fn write_batch(items: &[Item], text: String, least: usize) -> SplitBatch<'_> {
    let mut batch = SplitBatch { text, ways: "[".to_owned(), strings: Vec::new() };
    batch.text.push('[');
    for (number, item) in items.iter().enumerate() {
        separate(&mut batch.text);
        encode_item(Row { batch: &mut batch, number, members: 0, least }, item);
    }
    batch.text.push(']');
    batch.ways.push(']');
    batch
}

fn separate(text: &mut String) {
    if !text.ends_with('[') {
        text.push(',');
    }
}

/// A row that is being written. Payloads are spliced in, never parsed again.
struct Row<'a, 'i> {
    batch: &'a mut SplitBatch<'i>,
    number: usize,
    members: usize,
    least: usize,
}

impl<'i> Row<'_, 'i> {
    /// Where the next member is to be written.
    fn next(&mut self) -> &mut String {
        self.members += 1;
        separate(&mut self.batch.text);
        &mut self.batch.text
    }

    fn text(mut self, value: &str) -> Self {
        self.next().push_str(&serde_json::to_string(value).unwrap_or_default());
        self
    }

    fn maybe(self, value: Option<&str>) -> Self {
        match value {
            Some(value) => self.text(value),
            None => self.raw(None),
        }
    }

    fn number(mut self, value: u64) -> Self {
        let _ = write!(self.next(), "{value}");
        self
    }

    fn flag(mut self, value: bool) -> Self {
        self.next().push_str(if value { "true" } else { "false" });
        self
    }

    fn raw(mut self, value: Option<&RawJson>) -> Self {
        self.next().push_str(value.map_or("null", RawJson::as_str));
        self
    }

    /// A payload of the item, whose long strings may be given apart.
    fn payload(mut self, value: Option<&'i RawJson>) -> Self {
        let Some(value) = value.filter(|value| value.as_str().len() >= self.least) else {
            return self.raw(value);
        };
        let (number, member, mut from) = (self.number, self.members, 0);
        self.next();
        for LongString { way, span } in LongString::all_in(value, self.least) {
            let Some(string) = Units::of_literal(&value.as_str()[span.clone()]) else { continue };
            let SplitBatch { text, ways, strings } = &mut *self.batch;
            text.push_str(&value.as_str()[from..span.start]);
            text.push_str("\"\\u0000\"");
            from = span.end;
            separate(ways);
            // It begins with one bracket.
            let rest = &way[1..];
            let comma = if rest == "]" { "" } else { "," };
            let _ = write!(ways, "[{number},{member}{comma}{rest}");
            strings.push(string);
        }
        self.batch.text.push_str(&value.as_str()[from..]);
        self
    }

    fn bytes(mut self, bytes: &[u8]) -> Self {
        if let Ok(text) = std::str::from_utf8(bytes) {
            return self.text(text);
        }
        let coded = base64::engine::general_purpose::STANDARD.encode(bytes);
        let _ = write!(self.next(), r#"{{"base64":"{coded}"}}"#);
        self
    }

    fn failure(mut self, failure: &Failure) -> Self {
        let quoted = |text: &str| serde_json::to_string(text).unwrap_or_default();
        let (kind, message) = (quoted(&failure.kind), quoted(&failure.message));
        let text = self.next();
        let _ = write!(text, r#"{{"kind":{kind},"code":{},"message":{message}"#, failure.code);
        if let Some(data) = &failure.data {
            let _ = write!(text, r#","data":{}"#, data.as_str());
        }
        text.push('}');
        self
    }
}

fn encode_item<'i>(row: Row<'_, 'i>, item: &'i Item) {
    row.batch.text.push('[');
    let row = match item {
        Item::Request(r) => {
            let row = row.text("request").number(r.call).number(r.connection).number(r.cause).text(&r.method);
            row.maybe(r.name.as_deref()).payload(r.params.as_ref()).raw(r.invalid.as_ref())
        }
        Item::Notification { connection, cause, method, params } => {
            row.text("notification").number(*connection).number(*cause).text(method).payload(params.as_ref())
        }
        Item::Response { id, call, cause, outcome } => {
            let row = row.text("response").number(*id).number(*call).number(*cause);
            match outcome {
                Ok(value) => row.payload(Some(value)).raw(None),
                Err(failure) => row.raw(None).failure(failure),
            }
        }
        Item::Progress { id, params } => row.text("progress").number(*id).raw(Some(params)),
        Item::Sent { id, request } => row.text("sent").number(*id).text(request),
        Item::EventId { id, event } => row.text("event_id").number(*id).text(event),
        Item::Cancel { call, why, reason } => {
            row.text("cancel").number(*call).text(why.as_str()).maybe(reason.as_deref())
        }
        Item::Writable { target } => row.text("writable").number(*target),
        Item::Ask { id, service, payload } => row.text("ask").number(*id).text(service).raw(Some(payload)),
        Item::Outgoing { connection } => row.text("outgoing").number(*connection),
        Item::Subscription { connection, uri, active } => {
            row.text("subscription").number(*connection).text(uri).flag(*active)
        }
        Item::Log { connection, kind, message } => {
            row.text("log").number(*connection).text(kind).text(message)
        }
        Item::Closed { connection, failure } => {
            let row = row.text("closed").number(*connection);
            match failure {
                Some(failure) => row.failure(failure),
                None => row.raw(None),
            }
        }
        Item::State { connection, state } => row.text("state").number(*connection).text(state),
        Item::Listening { connection, on } => row.text("listening").number(*connection).flag(*on),
        Item::Message { connection, message } => {
            row.text("message").number(*connection).payload(Some(message))
        }
        Item::SendFailed { connection, id, failure } => {
            row.text("send_failed").number(*connection).raw(Some(id)).failure(failure)
        }
        Item::CauseClosed { cause } => row.text("cause_closed").number(*cause),
        http => encode_http(row, http),
    };
    row.batch.text.push(']');
}

fn encode_http<'a, 'i>(row: Row<'a, 'i>, item: &'i Item) -> Row<'a, 'i> {
    match item {
        Item::HttpHead { request, status, headers, body, end } => {
            let headers = RawJson::encode(headers).unwrap_or_else(|_| RawJson::null());
            let row = row.text("http_head").number(*request).number((*status).into());
            row.raw(Some(&headers)).bytes(body).flag(*end)
        }
        Item::HttpChunk { request, bytes, end } => {
            row.text("http_chunk").number(*request).bytes(bytes).flag(*end)
        }
        Item::HttpRequest { request, head, body } => {
            row.text("http_request").number(*request).raw(Some(head)).bytes(body)
        }
        Item::HttpClosed { request } => row.text("http_closed").number(*request),
        _ => row,
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
