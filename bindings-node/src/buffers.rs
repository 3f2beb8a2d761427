//! Bytes of JavaScript.
//!
//! Owns: copying them. Must not know: what they are for.

use bytes::Bytes;
use napi::bindgen_prelude::Uint8Array;

/// Copies bytes, so that they outlive the call.
pub(crate) fn copied(bytes: &Uint8Array) -> Bytes {
    Bytes::copy_from_slice(bytes)
}
