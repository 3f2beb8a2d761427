//! The version-neutral types: one set, the superset of all five revisions.
//!
//! Owns: the shapes of params, results and what is inside them, written in
//! camelCase with absent members left out. Must not know: which revision is
//! spoken. What a revision lacks or requires (`resultType`, cache hints, `mode`)
//! is added and removed by the wire codecs.

#[macro_use]
mod macros;

mod cancel;
mod common;
mod completion;
mod content;
mod elicitation;
mod field;
mod form;
mod form_fields;
mod input;
mod lifecycle;
mod logging;
mod number;
mod paging;
mod progress;
mod prompt;
mod resource;
mod roots;
mod sampling;
mod subscription;
mod tool;

pub use cancel::*;
pub use common::*;
pub use completion::*;
pub use content::*;
pub use elicitation::*;
pub use field::*;
pub use form::*;
pub use form_fields::*;
pub use input::*;
pub use lifecycle::*;
pub use logging::*;
pub use paging::*;
pub use progress::*;
pub use prompt::*;
pub use resource::*;
pub use roots::*;
pub use sampling::*;
pub use subscription::*;
pub use tool::*;

/// The ordered map of the protocol's string-keyed members.
pub use indexmap::IndexMap;
