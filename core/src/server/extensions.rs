//! What all extensions of a server come to.
//!
//! Owns: what a server keeps of its extensions, and what they are given when it is built. Must
//! not know: how one is put together.

use std::collections::HashMap;
use std::sync::Arc;

use mcpbolt_proto::jsonrpc::RawObject;
use mcpbolt_proto::protocol::extensions::Topic;
use mcpbolt_proto::protocol::{Error, Method};

use crate::handler::{BoxFuture, Engine};
use crate::store::Stores;

use super::Context;
use super::middleware::Middleware;
use super::outcome::Failure;

/// Says for which keys of a topic a client may listen.
pub(super) type TopicFn =
    Arc<dyn Fn(Vec<String>, Context) -> BoxFuture<'static, Result<Vec<String>, Failure>> + Send + Sync>;

pub(super) type Start = Box<dyn FnOnce(&Starting<'_>) -> Result<(), Error> + Send>;

/// What an extension is given when its server is built.
///
/// ```
/// use mcpbolt::server::{Extension, Starting};
///
/// let extension = Extension::new("com.example/colours").starting(|start: &Starting<'_>| {
///     println!("{:?} is kept in {:?}", start.engine, start.stores);
///     Ok(())
/// });
/// # let _ = extension;
/// ```
#[derive(Debug)]
pub struct Starting<'a> {
    /// What all connections of the server share.
    pub engine: &'a Arc<Engine>,
    /// Where the server keeps what outlasts a call.
    pub stores: &'a Stores,
}

/// What all extensions of a server come to.
#[derive(Default)]
pub(super) struct Extensions {
    pub(super) ids: Vec<String>,
    pub(super) rows: Arc<HashMap<&'static str, &'static Method>>,
    pub(super) topics: Arc<[&'static Topic]>,
    pub(super) granted: Vec<(&'static Topic, TopicFn)>,
    pub(super) hooks: Vec<(String, Arc<dyn Middleware>)>,
    /// The capability for tasks of 2025-11-25.
    pub(super) legacy_tasks: Option<RawObject>,
    /// Middleware and hooks of the methods that have hooks.
    chains: HashMap<String, Arc<[Arc<dyn Middleware>]>>,
}

impl Extensions {
    /// Puts the server's middleware before the hooks of each method.
    pub(super) fn chain(&mut self, middleware: &[Arc<dyn Middleware>]) {
        for (method, hook) in self.hooks.drain(..) {
            let chain = self.chains.entry(method).or_insert_with(|| middleware.into());
            *chain = chain.iter().cloned().chain([hook]).collect();
        }
    }

    /// The chain of a method that has hooks.
    pub(super) fn chain_of(&self, method: &str) -> Option<&Arc<[Arc<dyn Middleware>]>> {
        self.chains.get(method)
    }

    /// # Errors
    /// `Usage` if one was added twice.
    pub(super) fn check(&self) -> Result<(), Error> {
        let twice = self.ids.iter().enumerate().find(|(at, id)| self.ids[..*at].contains(*id));
        twice.map_or(Ok(()), |(_, id)| Err(Error::usage(format!("extension {id} was added twice"))))
    }
}
