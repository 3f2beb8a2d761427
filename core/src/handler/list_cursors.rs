//! Cursors of lists that the engine pages: where the next page begins.
//!
//! Owns: their text. Must not know: which lists there are, or how long they are.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;

use mcpbolt_proto::protocol::Error;

use super::Call;

/// The cursor of a list's page.
pub(crate) fn at(method: &str, start: usize) -> String {
    URL_SAFE_NO_PAD.encode(format!("{method}:{start}"))
}

/// Where the page begins that a call of a list method asks for.
pub(crate) fn start(call: &Call) -> Result<usize, Error> {
    let Some(raw) = call.param("cursor").filter(|raw| !raw.is_null()) else { return Ok(0) };
    raw.as_string().and_then(|cursor| read(call.method(), &cursor)).ok_or_else(unknown)
}

/// What is said of any other cursor.
pub(crate) fn unknown() -> Error {
    Error::invalid_params("cursor is not one this server issued")
}

fn read(method: &str, cursor: &str) -> Option<usize> {
    let plain = String::from_utf8(URL_SAFE_NO_PAD.decode(cursor).ok()?).ok()?;
    plain.strip_prefix(method)?.strip_prefix(':')?.parse().ok()
}
