//! How a server is reached, as a JSON object: by command or by URL.
//!
//! Owns: which of the two it is. Must not know: their options.

use std::sync::Arc;

use mcpbolt_proto::jsonrpc::{RawJson, RawObject};
use mcpbolt_proto::protocol::Error;

use crate::bridge::http::client_hooks::ClientHooks;
use crate::transport::streamable_http::client::Authorizer;

use super::command_target::command_target;
use super::http_target::http_target;
use super::server_target::ServerTarget;

/// Reads `{"command": …}` or `{"url": …}`. `hooks` is what hooks of the HTTP client that the
/// host wrote are asked with; `authorizer` gives requests their credentials in place of such a hook.
///
/// # Errors
/// `Usage`, naming the option that is unknown or has a wrong value.
pub(crate) fn read_target(
    json: &RawJson,
    hooks: &ClientHooks,
    authorizer: Option<Arc<dyn Authorizer>>,
) -> Result<ServerTarget, Error> {
    let members = RawObject::parse(json).ok_or_else(|| Error::usage("a target must be an object"))?;
    match (members.contains("command"), members.contains("url")) {
        (true, false) if authorizer.is_some() => {
            Err(Error::usage("a process has its credentials in its environment: only a url is signed in at"))
        }
        (true, false) => command_target(json),
        (false, true) => http_target(json, hooks, authorizer),
        _ => Err(Error::usage("a target has either command or url")),
    }
}
