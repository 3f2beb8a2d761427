//! Changes of the host's lists that it has not come for yet.
//!
//! Owns: which of them clients are to be told of, once each. Must not know: what is listed,
//! or who is told.

use mcpbolt_proto::session::Change;

/// A list that the engine has no current rows of.
///
/// ```
/// use mcpbolt::bridge::{HostServer, Inbox, InboxLimits, Options};
///
/// let server = HostServer::new(Options::default(), vec![Inbox::new(InboxLimits::default())])?;
/// for list in server.refresh_lists()? {
///     server.set_snapshot(list.kind, list.generation, &serde_json::json!([]).into())?;
/// }
/// assert!(server.refresh_lists()?.is_empty());
/// # Ok::<(), mcpbolt_proto::protocol::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OutdatedList {
    /// Its name: `tools`, `prompts`, `resources` or `resourceTemplates`.
    pub kind: &'static str,
    /// What [`HostServer::set_snapshot`](crate::bridge::HostServer::set_snapshot) is to be given with its rows.
    pub generation: u64,
}

/// Changes that the host has not come for.
#[derive(Debug, Default)]
pub(crate) struct ListChanges {
    is_awaited: bool,
    pub(crate) announced: Vec<Change>,
}

impl ListChanges {
    /// Whether it is the first since the host came last.
    pub(crate) fn add(&mut self, change: Option<Change>) -> bool {
        // Resources and their templates are one list to clients.
        self.announced.extend(change.filter(|change| !self.announced.contains(change)));
        !std::mem::replace(&mut self.is_awaited, true)
    }
}
