//! What `notifications/cancelled` says.
//!
//! Owns: its params, both ways. Must not know: whose requests they name, or what becomes of them.

use bytestring::ByteString;

use crate::jsonrpc::{Id, RawJson, RawObject, encode};
use crate::protocol::methods;

/// The request that is cancelled, and why; `None` for params without a request.
pub(super) fn read(params: Option<&RawJson>) -> Option<(Id, Option<String>)> {
    let members = RawObject::parse(params?)?;
    let id = Id::from_raw(members.get("requestId")?)?;
    Some((id, members.get("reason").and_then(RawJson::as_string)))
}

/// The notification that cancels a request.
pub(super) fn write(request: &Id, reason: Option<&str>) -> ByteString {
    let mut params = RawObject::new();
    params.set("requestId", request.to_raw());
    if let Some(reason) = reason.and_then(|r| RawJson::encode(r).ok()) {
        params.set("reason", reason);
    }
    encode::notification(methods::CANCELLED, Some(&params.to_raw()))
}
