//! Which requests become tasks.
//!
//! Owns: what a tool says of itself, and what follows for a client. Must not know: tools.

use crate::protocol::capabilities::ClientCapabilities;
use crate::protocol::{Error, Revision};

use super::wire::EXTENSION;

/// Whether calls of a tool become tasks.
///
/// ```
/// use mcpbolt_proto::protocol::Revision;
/// use mcpbolt_proto::protocol::capabilities::ClientCapabilities;
/// use mcpbolt_proto::tasks::TaskSupport;
///
/// let plain = ClientCapabilities::default();
/// let modern = Revision::V2026_07_28;
/// assert_eq!(TaskSupport::Optional.begins(&plain, modern), Ok(false));
/// assert_eq!(TaskSupport::Required.begins(&plain, modern).unwrap_err().code.0, -32021);
/// assert_eq!(TaskSupport::named("required"), Some(TaskSupport::Required));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum TaskSupport {
    /// Never.
    #[default]
    Forbidden,
    /// For clients that declared the extension; others wait for the result.
    Optional,
    /// Always: a client that did not declare the extension is refused with -32021.
    Required,
}

impl TaskSupport {
    /// The one of that name: `forbidden`, `optional` or `required`.
    pub fn named(name: &str) -> Option<Self> {
        [Self::Forbidden, Self::Optional, Self::Required].into_iter().find(|one| one.name() == name)
    }

    /// Its name.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Forbidden => "forbidden",
            Self::Optional => "optional",
            Self::Required => "required",
        }
    }

    /// Whether a call of this client becomes a task.
    ///
    /// # Errors
    /// `MissingClientCapability` where it must and cannot.
    pub fn begins(self, client: &ClientCapabilities, revision: Revision) -> Result<bool, Error> {
        match (self, must_be_declared(client, revision)) {
            (Self::Forbidden, _) | (Self::Optional, Err(_)) => Ok(false),
            (_, declared) => declared.map(|()| true),
        }
    }
}

/// Whether a client may be given a task at all: one that declared the extension, in a revision
/// whose results name their type.
///
/// # Errors
/// `MissingClientCapability` if not.
pub fn must_be_declared(client: &ClientCapabilities, revision: Revision) -> Result<(), Error> {
    let nobody = ClientCapabilities::default();
    let client = if revision.features().result_type { client } else { &nobody };
    client.require_extension(EXTENSION).map(drop)
}
