//! Reading one object of options.
//!
//! Owns: errors that name the wrong member, and the forms that several objects share.
//! Must not know: any option.

use std::time::Duration;

use serde::{Deserialize, Deserializer};
use serde_json::Value;

use mcpbolt_proto::jsonrpc::RawJson;
use mcpbolt_proto::protocol::Error;

/// A time in seconds; `null` means no limit.
pub(crate) fn seconds<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Duration>, D::Error> {
    let Some(seconds) = Option::<f64>::deserialize(deserializer)? else { return Ok(Some(Duration::MAX)) };
    Duration::try_from_secs_f64(seconds).map(Some).map_err(serde::de::Error::custom)
}

/// Reads an object of options; the message names what is unknown or wrong.
pub(crate) fn read<'a, T: Deserialize<'a>>(what: &str, json: &'a RawJson) -> Result<T, Error> {
    if !json.is_object() {
        return Err(Error::usage(format!("{what} must be an object")));
    }
    json.decode_borrowed().map_err(|e| Error::usage(format!("{what}: {e}")))
}

/// A value that does not name a service.
#[derive(Debug)]
pub(crate) struct NoServiceName;

/// Reads which service is asked: true is the service of the usual name, a text the one of
/// that name, false none.
///
/// Servers that share an inbox are told apart by names of their own.
pub(crate) fn service_name(value: &Value, usual: &str) -> Result<Option<String>, NoServiceName> {
    match (value.as_bool(), value.as_str()) {
        (Some(on), _) => Ok(on.then(|| usual.to_owned())),
        (None, Some(name)) if !name.is_empty() => Ok(Some(name.to_owned())),
        _ => Err(NoServiceName),
    }
}
