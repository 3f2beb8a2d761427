//! The context a sampling request may draw on: what the program knows of its servers.
//!
//! Owns: which servers are told of, and in which words. Must not know: who asks, or which model
//! reads it.

use std::sync::{OnceLock, Weak};

use parking_lot::Mutex;

use mcpbolt_proto::protocol::types::{CreateMessageParams, IncludeContext, Tool};
use mcpbolt_proto::session::negotiate::Agreed;

/// What one server contributes.
///
/// ```
/// use mcpbolt::client::ContextServer;
///
/// let server = ContextServer { name: "notes".into(), instructions: None, tools: Vec::new() };
/// assert!(server.tools.is_empty());
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct ContextServer {
    /// Its name in the [`Host`](super::Host), or what it calls itself.
    pub name: String,
    /// How to use it, in its own words. Untrusted.
    pub instructions: Option<String>,
    /// Its tools, as far as the host knows them.
    pub tools: Vec<Tool>,
}

/// The context of one sampling request, after review: nothing, the asking server, or
/// all servers of its [`Host`](super::Host).
///
/// ```
/// use mcpbolt::client::SamplingContext;
/// use mcpbolt::protocol::types::CreateMessageParams;
///
/// let params = CreateMessageParams::new(Vec::new(), 100);
/// assert_eq!(SamplingContext::default().attach(params.clone()), params);
/// ```
#[derive(Debug, Clone, PartialEq, Default)]
pub struct SamplingContext {
    /// The servers in it.
    pub servers: Vec<ContextServer>,
}

impl SamplingContext {
    /// Adds the servers' instructions to the end of the system prompt, each under its
    /// server's name.
    #[must_use]
    pub fn attach(&self, mut params: CreateMessageParams) -> CreateMessageParams {
        let parts = self.servers.iter().filter_map(|server| {
            let text = server.instructions.as_deref()?;
            Some(format!("Instructions of the server {}:\n{text}", server.name))
        });
        let all: Vec<String> = params.system_prompt.take().into_iter().chain(parts).collect();
        params.system_prompt = (!all.is_empty()).then(|| all.join("\n\n"));
        params
    }
}

/// Who knows all servers of a program.
pub(super) trait ContextSource: Send + Sync {
    fn servers(&self) -> Vec<ContextServer>;
}

/// What one session knows of itself and of its host.
#[derive(Default)]
pub(super) struct SessionContext {
    own: Mutex<Option<ContextServer>>,
    host: OnceLock<(String, Weak<dyn ContextSource>)>,
}

impl SessionContext {
    pub(super) fn learn(&self, agreed: &Agreed) {
        let name = agreed.server_info.as_ref().map_or("server", |info| &info.name).to_owned();
        let instructions = agreed.instructions.clone();
        *self.own.lock() = Some(ContextServer { name, instructions, tools: Vec::new() });
    }

    /// The session is one of a host's, under this name.
    pub(super) fn join(&self, name: &str, host: Weak<dyn ContextSource>) {
        let _ = self.host.set((name.to_owned(), host));
    }

    pub(super) fn gather(&self, level: Option<&IncludeContext>) -> SamplingContext {
        let all = match level {
            Some(IncludeContext::ThisServer) => false,
            Some(IncludeContext::AllServers) => true,
            _ => return SamplingContext::default(),
        };
        let host = self.host.get().and_then(|(name, host)| Some((name, host.upgrade()?.servers())));
        let servers = match host {
            Some((_, servers)) if all => servers,
            Some((name, servers)) => servers.into_iter().filter(|server| server.name == *name).collect(),
            None => self.own.lock().iter().cloned().collect(),
        };
        SamplingContext { servers }
    }
}
