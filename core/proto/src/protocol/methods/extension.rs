//! Rows of extensions: which one a row belongs to, and rows that the table does not know, made by a
//! program.
//!
//! Owns: how such a row is written. Must not know: which extensions there are, or who answers.

use super::{Direction, Kind, Method, NameSource, Revision};

/// Where rows are looked up by the name of a method: [`lookup`](super::lookup), or a server's
/// own rows before it.
pub type Rows<'a> = &'a dyn Fn(&str) -> Option<&'static Method>;

impl Method {
    /// The extension it belongs to in that revision.
    pub fn extension_in(&self, revision: Revision) -> Option<&'static str> {
        self.extension.filter(|(from, _)| *from <= revision).map(|(_, id)| id)
    }

    /// A request of clients that belongs to an extension, in every revision. A server answers it
    /// if it declared the extension; a client that did not gets -32021.
    ///
    /// ```
    /// use mcpbolt_proto::protocol::methods::NameSource;
    /// use mcpbolt_proto::protocol::{Method, Revision};
    ///
    /// const MIX: Method = Method::extension_request("com.example/colours", "colours/mix")
    ///     .with_name(NameSource::Name)
    ///     .from_revision(Revision::V2026_07_28);
    /// assert!(MIX.is_request() && !MIX.is_in(Revision::V2025_11_25));
    /// assert_eq!(MIX.extension_in(Revision::V2026_07_28), Some("com.example/colours"));
    /// ```
    pub const fn extension_request(extension: &'static str, name: &'static str) -> Self {
        let row = Self::row(name, Kind::Request, Direction::ClientToServer, "EmptyParams");
        Self { result: "EmptyResult", extension: Some((row.first, extension)), ..row }
    }

    /// A notification that belongs to an extension, in every revision.
    ///
    /// ```
    /// use mcpbolt_proto::protocol::Method;
    /// use mcpbolt_proto::protocol::methods::{Direction, Side};
    ///
    /// const DRIED: Method = Method::extension_notification(
    ///     "com.example/colours", "notifications/colours/dried", Direction::ServerToClient,
    /// );
    /// assert!(!DRIED.is_request() && !DRIED.direction.allows(Side::Client));
    /// ```
    pub const fn extension_notification(
        extension: &'static str,
        name: &'static str,
        direction: Direction,
    ) -> Self {
        let row = Self::row(name, Kind::Notification, direction, "EmptyParams");
        Self { extension: Some((row.first, extension)), ..row }
    }

    /// The parameter that `Mcp-Name` repeats over HTTP, where the revision has that header.
    /// None by default.
    #[must_use]
    pub const fn with_name(self, source: NameSource) -> Self {
        self.named(source)
    }

    /// Also for clients that did not declare the extension: the one that answers decides what
    /// they get. Otherwise they get -32021.
    #[must_use]
    pub const fn for_undeclared(mut self) -> Self {
        self.for_undeclared = true;
        self
    }

    /// Only from this revision on.
    #[must_use]
    pub const fn from_revision(mut self, first: Revision) -> Self {
        self.first = first;
        if let Some((_, extension)) = self.extension {
            self.extension = Some((first, extension));
        }
        self
    }
}
