//! What a host tells the engine about the server and its lists.
//!
//! Owns: snapshots, which lists are outdated, and announcing changes. Must not know: what
//! is answered from a snapshot, or who is told of a change.

use mcpbolt_proto::jsonrpc::RawJson;
use mcpbolt_proto::protocol::Error;
use mcpbolt_proto::session::Change;

use crate::bridge::boundary::panics::contain;
use crate::handler::Handler as _;

use super::host_server::HostServer;
use super::list_changes::OutdatedList;
use super::snapshot::{RegistryKind, RegistrySnapshot, ServerSnapshot};
use super::token_scopes::ScopeTable;

impl HostServer {
    /// Tells the engine what it may answer: `server` is `{serverInfo, capabilities, uses,
    /// instructions, cacheHints, completion}`, where `uses` are methods that the program
    /// handles or sends, whose capabilities are declared too; `tools` an array of `{tool, validation:
    /// "engine" | "host" | "none", worker, hidden, timeout, max_concurrency}`; `prompts`,
    /// `resources` and `resourceTemplates` arrays of items as clients see them, or of
    /// `{item, timeout, max_concurrency}`. `completion` is `{timeout, max_concurrency}` of
    /// all completions. `scopes` has those that tokens need over HTTP, whoever answers the lists:
    /// `{"tools": {name: [scope]}, "prompts", "resources", "resourceTemplates"}`. `Ok(false)` if a newer generation is there already.
    ///
    /// # Errors
    /// `Usage`, naming the wrong member.
    pub fn set_snapshot(&self, kind: &str, generation: u64, json: &RawJson) -> Result<bool, Error> {
        if kind == "server" {
            let about = ServerSnapshot::read(json)?;
            if !about.completion.is_empty() {
                self.engine.rails.switch_on();
            }
            self.host.set_about(about);
            return Ok(true);
        }
        if kind == "scopes" {
            self.host.set_scopes(ScopeTable::read(json)?);
            return Ok(true);
        }
        let kind = named(kind)?;
        let list = RegistrySnapshot::read(kind, generation, json)
            .inspect_err(|_| self.host.refuse_list(kind, generation))?;
        if list.is_bounded() {
            self.engine.rails.switch_on();
        }
        Ok(self.host.set_list(kind, list))
    }

    /// The host's registry has this generation now: until a snapshot of it arrives the
    /// host is asked.
    ///
    /// # Errors
    /// `Usage` for an unknown kind.
    pub fn mark_stale(&self, kind: &str, generation: u64) -> Result<(), Error> {
        self.host.mark_stale(named(kind)?, generation);
        Ok(())
    }

    /// Tells every client that wants to know: `tools`, `prompts`, `resources`, or
    /// `resource` with its URI.
    ///
    /// # Errors
    /// `Usage` for an unknown change.
    pub fn announce(&self, change: &str, uri: Option<&str>) -> Result<(), Error> {
        let change = match (change, uri) {
            ("tools", _) => Change::Tools,
            ("prompts", _) => Change::Prompts,
            ("resources" | "resourceTemplates", _) => Change::Resources,
            ("resource", Some(uri)) => Change::Resource(uri.to_owned()),
            _ => return Err(Error::usage(format!("there is no change {change}"))),
        };
        contain(|| self.engine.bus().publish(&change))
    }

    /// A list of the host's changed: the host is asked until its rows arrive. With
    /// `announce`, clients are told at the next [`HostServer::refresh_lists`]. Returns
    /// whether the host is to call that, at the end of its turn; further changes until then
    /// need no other call. Any thread may call this.
    ///
    /// # Errors
    /// `Usage` for an unknown kind.
    pub fn list_changed(&self, kind: &str, announce: bool) -> Result<bool, Error> {
        let kind = named(kind)?;
        self.host.outdate(kind);
        Ok(self.host.list_changes().lock().add(announce.then(|| kind.change())))
    }

    /// Tells clients once of all lists that changed since the last time, where the server
    /// declares that it does. Returns the lists that the engine has no current rows of; one
    /// without a snapshot is the host's to answer. Rows that were refused are not asked for
    /// again until the list changes.
    ///
    /// # Errors
    /// `Internal` if that panicked.
    pub fn refresh_lists(&self) -> Result<Vec<OutdatedList>, Error> {
        let changes = std::mem::take(&mut *self.host.list_changes().lock());
        contain(|| changes.announced.iter().for_each(|change| self.engine.bus().publish(change)))?;
        Ok(self.host.outdated())
    }

    /// The capabilities that the server declares, as JSON.
    pub fn capabilities(&self) -> RawJson {
        let capabilities = RawJson::encode(self.host.facts().capabilities());
        capabilities.unwrap_or_else(|_| RawJson::empty_object())
    }
}

fn named(kind: &str) -> Result<RegistryKind, Error> {
    RegistryKind::named(kind).ok_or_else(|| Error::usage(format!("there is no snapshot {kind}")))
}
