//! JSON-RPC 2.0 messages as bytes and values.
//!
//! Owns: envelopes, identifiers, error objects, raw JSON that is safe to splice.
//! Must not know: anything of the Model Context Protocol.

mod canonical;
mod codec;
mod envelope;
mod error;
mod escape;
mod host_text;
mod id;
pub(crate) mod members;
mod message;
mod object;
mod pieces;
mod places;
mod raw;
mod scan;
mod skim;
mod special;
mod units;

pub use canonical::canonical_digest;
pub use codec::{DecodeLimits, Incoming, Malformed, decode, encode};
pub use error::{ErrorCode, ErrorObject};
pub use host_text::{HostText, LiteralParts};
pub use id::Id;
pub use message::{Message, Notification, Request, Response};
pub use object::RawObject;
pub use pieces::Pieces;
pub use places::LongString;
pub use raw::{JsonKind, RawError, RawJson};
pub use skim::{Skim, Skimmed};
pub use units::{UnitPieces, Units};
