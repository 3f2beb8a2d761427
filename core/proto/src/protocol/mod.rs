//! The Model Context Protocol as values: revisions, methods, types, wire forms.
//!
//! Owns: the revision table, the method table, the version-neutral types, one codec
//! per era, the error kinds. Must not know: sessions, HTTP, time.

pub mod capabilities;
mod declaration;
pub mod error;
pub mod extensions;
mod feature_values;
pub mod meta;
pub mod methods;
pub mod types;
pub mod version;
pub mod wire;

pub use error::{Error, ErrorKind};
pub use methods::Method;
pub use version::{Era, Revision};
