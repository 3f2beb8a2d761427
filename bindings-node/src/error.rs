//! Errors of the engine as exceptions. Owns: the one exception that crosses the boundary: an
//! `Error` whose `code` is `MCPBOLT` and whose message is JSON text. Must not know: the facade's
//! error classes, which it chooses by `kind`.

use std::time::Duration;

use mcpbolt::bridge::{ERROR_NAMES, ErrorNames, names_of};
use mcpbolt_proto::jsonrpc::RawJson;
use mcpbolt_proto::protocol::{Error, ErrorKind};
use napi_derive::napi;

/// The `code` of exceptions made here.
#[derive(Debug)]
pub struct Engine;

impl AsRef<str> for Engine {
    #[allow(clippy::unnecessary_literal_bound, reason = "the trait's signature")]
    fn as_ref(&self) -> &str {
        "MCPBOLT"
    }
}

pub(crate) type Result<T> = std::result::Result<T, napi::Error<Engine>>;

/// Converts an error of the engine; the message is `{kind, code, message, data}`.
pub(crate) fn throw(error: Error) -> napi::Error<Engine> {
    let text = serde_json::json!({
        "kind": names_of(error.kind).name,
        "code": error.code.0,
        "message": error.message,
        "data": error.data,
    });
    napi::Error::new(Engine, text.to_string())
}

pub(crate) fn raw(text: String) -> Result<RawJson> {
    RawJson::parse(text).map_err(|e| throw(Error::usage(e.to_string())))
}

pub(crate) fn maybe_raw(text: Option<String>) -> Result<Option<RawJson>> {
    text.map(raw).transpose()
}

pub(crate) fn seconds(value: f64) -> Result<Duration> {
    Duration::try_from_secs_f64(value).map_err(|_| throw(Error::usage("a time must be positive")))
}

/// Marks a `requestState` that the facade opened as used; throws if it was used before in this
/// process.
#[napi]
#[allow(unreachable_pub, reason = "the macro wants it")]
pub fn take_state(number: String, expires: f64) -> Result<()> {
    mcpbolt::bridge::take_state(&number, expires).map_err(throw)
}

/// The kinds of errors as JSON text: `[name, code shown for it, whether it is local, member of the
/// 1.x ErrorCode, code of 2.x]`.
#[napi]
#[allow(unreachable_pub, reason = "the macro wants it")]
pub fn error_names() -> String {
    let row =
        |row: &ErrorNames| (row.name, row.shown_code, ErrorKind::is_local(row.kind), row.node, row.node2);
    serde_json::json!(ERROR_NAMES.iter().map(row).collect::<Vec<_>>()).to_string()
}
