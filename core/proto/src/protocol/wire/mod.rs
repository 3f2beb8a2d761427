//! One codec per era: the only place where a logical answer gets its wire form.
//!
//! Owns: what is added to and taken from params and results for a revision. Handlers
//! and callers work on the version-neutral form and never see any of it.
//! Must not know: sessions, HTTP, who is on the other end.
//!
//! | | legacy | modern |
//! |---|---|---|
//! | result | `resultType`, `ttlMs`, `cacheScope`, server info taken out | put in |
//! | `structuredContent` | only what the revision knows, else text | as is, `null` too |
//! | question | a request of its own | `input_required` |
//! | params | progress token | plus revision, capabilities, client info, log level |
//!
//! Every member that is not named here keeps its bytes and its place.

mod codec;
mod decode;
mod downgrade;
mod forms;
mod legacy;
mod meta;
mod modern;
#[cfg(test)]
mod tests;

pub(crate) use codec::{ShapedResult, result_size};
pub use codec::{
    decode_result, encode_input_required, encode_notification_params, encode_params, encode_result,
    encode_retry, with_progress_token,
};
pub(crate) use downgrade::asked;
pub use forms::{CacheHint, CacheScope, ClientEnvelope, Decoded, Question, ResultExtras};
