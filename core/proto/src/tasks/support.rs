//! Which requests become tasks.
//!
//! Owns: what a tool says of itself, and what follows for a client. Must not know: tools.

use crate::jsonrpc::RawObject;
use crate::protocol::capabilities::ClientCapabilities;
use crate::protocol::{Error, ErrorKind, Revision};

use super::wire::EXTENSION;

/// Whether calls of a tool become tasks.
///
/// ```
/// use mcpbolt_proto::protocol::Revision;
/// use mcpbolt_proto::protocol::capabilities::ClientCapabilities;
/// use mcpbolt_proto::tasks::{TaskSupport, TaskWish};
///
/// let plain = ClientCapabilities::default();
/// let modern = Revision::V2026_07_28;
/// assert_eq!(TaskSupport::Optional.begins(&plain, modern, None), Ok(false));
/// assert_eq!(TaskSupport::Required.begins(&plain, modern, None).unwrap_err().code.0, -32021);
/// // In 2025-11-25 a request says whether it is to become a task.
/// let (old, wish) = (Revision::V2025_11_25, Some(TaskWish::default()));
/// assert_eq!(TaskSupport::Optional.begins(&plain, old, wish), Ok(true));
/// assert_eq!(TaskSupport::Required.begins(&plain, old, None).unwrap_err().code.0, -32601);
/// assert_eq!(TaskSupport::named("required"), Some(TaskSupport::Required));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum TaskSupport {
    /// Never.
    #[default]
    Forbidden,
    /// For clients that declared the extension, or in 2025-11-25 wish for one; others wait for
    /// the result.
    Optional,
    /// Always: a client that did not declare the extension is refused with -32021, one of
    /// 2025-11-25 that does not wish for a task with -32601.
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
    /// `MissingClientCapability` where it must and cannot; in 2025-11-25 `MethodNotFound` for a
    /// wish that the tool does not grant, and for none where it needs one.
    pub fn begins(
        self,
        client: &ClientCapabilities,
        revision: Revision,
        wish: Option<TaskWish>,
    ) -> Result<bool, Error> {
        if has_wishes(revision) {
            return self.grants(wish.is_some());
        }
        match (self, must_be_declared(client, revision)) {
            (Self::Forbidden, _) | (Self::Optional, Err(_)) => Ok(false),
            (_, declared) => declared.map(|()| true),
        }
    }

    fn grants(self, wished: bool) -> Result<bool, Error> {
        let refused = |words: &str| Err(Error::new(ErrorKind::MethodNotFound, words));
        match (self, wished) {
            (Self::Forbidden, true) => refused("the tool runs as no task: call it without params.task"),
            (Self::Required, false) => refused("the tool runs as a task only: call it with params.task"),
            (_, wished) => Ok(wished),
        }
    }
}

/// What a request says about the task that it is to become: `params.task` of 2025-11-25.
///
/// ```
/// use mcpbolt_proto::jsonrpc::{RawJson, RawObject};
/// use mcpbolt_proto::protocol::Revision;
/// use mcpbolt_proto::tasks::TaskWish;
///
/// let params = RawObject::parse(&RawJson::parse(r#"{"task":{"ttl":60000}}"#)?).unwrap();
/// assert_eq!(TaskWish::read(&params, Revision::V2025_11_25), Ok(Some(TaskWish { ttl: Some(60_000) })));
/// // The member means nothing elsewhere.
/// assert_eq!(TaskWish::read(&params, Revision::V2026_07_28), Ok(None));
/// # Ok::<(), mcpbolt_proto::protocol::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct TaskWish {
    /// Milliseconds from its creation for which it is to be kept; `None`: as the server likes.
    pub ttl: Option<u64>,
}

impl TaskWish {
    /// What the params of a request say; `None` without a wish.
    ///
    /// # Errors
    /// `InvalidParams` if it is malformed.
    pub fn read(params: &RawObject, revision: Revision) -> Result<Option<Self>, Error> {
        let Some(task) = params.get("task").filter(|_| has_wishes(revision)) else { return Ok(None) };
        let malformed = || Error::invalid_params("params.task must be an object with ttl in milliseconds");
        let members = RawObject::parse(task).ok_or_else(malformed)?;
        let ttl = members.get("ttl").map(|ttl| ttl.decode::<Option<u64>>().map_err(|_| malformed()));
        Ok(Some(Self { ttl: ttl.transpose()?.flatten() }))
    }
}

/// Whether a request says by itself that it is to become a task.
pub(super) fn has_wishes(revision: Revision) -> bool {
    revision.features().tool_execution
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
