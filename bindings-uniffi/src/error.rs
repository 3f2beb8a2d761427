//! Errors of the engine as exceptions. Owns: the one error that crosses. Must not know:
//! the facades' classes, which they pick by `kind`.

use std::time::Duration;

use mcpbolt::bridge::{ERROR_NAMES, ErrorNames, names_of};
use mcpbolt_proto::jsonrpc::RawJson;
use mcpbolt_proto::protocol::{Error, ErrorKind};

/// What the engine refuses. One case: what kind it is, is data.
#[derive(Debug, thiserror::Error, uniffi::Error)]
pub enum EngineFailure {
    /// An error of the engine.
    #[error("{kind}: {text}")]
    Refused {
        /// Its kind, by the names of `error_names`.
        kind: String,
        /// Its code on the wire.
        code: i64,
        /// What it says. Not `message`, which is a member of every exception of Kotlin.
        text: String,
        /// Its data as JSON text.
        data: Option<String>,
    },
}

pub(crate) type Result<T> = std::result::Result<T, EngineFailure>;

impl From<Error> for EngineFailure {
    fn from(error: Error) -> Self {
        Self::Refused {
            kind: names_of(error.kind).name.to_owned(),
            code: error.code.0,
            text: error.message,
            data: error.data.map(|raw| raw.as_str().to_owned()),
        }
    }
}

pub(crate) fn raw(text: String) -> Result<RawJson> {
    RawJson::parse(text).map_err(|e| Error::usage(e.to_string()).into())
}

pub(crate) fn maybe_raw(text: Option<String>) -> Result<Option<RawJson>> {
    text.map(raw).transpose()
}

pub(crate) fn seconds(value: f64) -> Result<Duration> {
    Duration::try_from_secs_f64(value).map_err(|_| Error::usage("a time must be positive").into())
}

/// The kinds of errors as JSON text: `[name, code shown for it, whether it is local,
/// its class in Kotlin, its case in Swift]`.
#[uniffi::export]
pub fn error_names() -> String {
    let row =
        |row: &ErrorNames| (row.name, row.shown_code, ErrorKind::is_local(row.kind), row.kotlin, row.swift);
    serde_json::json!(ERROR_NAMES.iter().map(row).collect::<Vec<_>>()).to_string()
}
