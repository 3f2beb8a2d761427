//! How a server is reached, as a JSON object: by command or by URL.
//!
//! Owns: which of the two it is. Must not know: their options.

use mcpbolt_proto::jsonrpc::{RawJson, RawObject};
use mcpbolt_proto::protocol::Error;

use crate::bridge::http::client_hooks::ClientHooks;

use super::command_target::command_target;
use super::http_target::http_target;
use super::server_target::ServerTarget;

/// Reads `{"command": …}` or `{"url": …}`. `hooks` is what hooks of the HTTP client that the
/// host wrote are asked with.
///
/// # Errors
/// `Usage`, naming the option that is unknown or has a wrong value.
pub(crate) fn read_target(json: &RawJson, hooks: &ClientHooks) -> Result<ServerTarget, Error> {
    let members = RawObject::parse(json).ok_or_else(|| Error::usage("a target must be an object"))?;
    match (members.contains("command"), members.contains("url")) {
        (true, false) => command_target(json),
        (false, true) => http_target(json, hooks),
        _ => Err(Error::usage("a target has either command or url")),
    }
}
