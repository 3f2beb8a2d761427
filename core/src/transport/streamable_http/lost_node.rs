//! The error of a request whose node died while it ran.
//!
//! Owns: what it says, and how a client tells it from other errors. Must not know: when a node is dead,
//! what is sent again.

#[cfg(feature = "http-server")]
use bytestring::ByteString;
#[cfg(feature = "http-server")]
use mcpbolt_proto::jsonrpc::{ErrorCode, ErrorObject, Id, RawJson, encode};

use crate::handler::lease::REASON;

/// The error as the answer to a request.
#[cfg(feature = "http-server")]
pub(super) fn answer(id: &Id) -> ByteString {
    let message = "the node that ran this request is gone: it may have run, in part or to its end";
    let mut error = ErrorObject::new(ErrorCode::INTERNAL_ERROR, message);
    error.data = Some(RawJson::from(serde_json::json!({ "reason": REASON })));
    encode::error(Some(id), &error)
}

/// Whether an answer is this error.
#[cfg(feature = "http-client")]
pub(super) fn is_it(answer: &bytes::Bytes) -> bool {
    #[derive(serde::Deserialize)]
    struct Answer {
        error: Refused,
    }
    #[derive(serde::Deserialize)]
    struct Refused {
        data: Data,
    }
    #[derive(serde::Deserialize)]
    struct Data {
        reason: String,
    }
    serde_json::from_slice::<Answer>(answer).is_ok_and(|answer| answer.error.data.reason == REASON)
}

#[cfg(all(test, feature = "http-server", feature = "http-client"))]
mod tests {
    use super::*;

    #[test]
    fn it_is_told_from_other_errors() {
        assert!(is_it(&answer(&Id::Number(3)).into_bytes()));
        for other in [
            r#"{"jsonrpc":"2.0","id":3,"result":{"data":{"reason":"node_gone"}}}"#,
            r#"{"jsonrpc":"2.0","id":3,"error":{"code":-32603,"message":"node_gone"}}"#,
            r#"{"jsonrpc":"2.0","id":3,"error":{"code":-32603,"message":"","data":{"reason":"other"}}}"#,
        ] {
            assert!(!is_it(&other.into()), "{other}");
        }
    }
}
