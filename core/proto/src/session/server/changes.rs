//! Which changes concern whom, and how a change is said.
//!
//! Owns: what a subscription or a listen request covers. Must not know: sessions, or when a
//! change is told.

use std::collections::{BTreeMap, BTreeSet};

use crate::jsonrpc::{RawJson, RawObject};
use crate::protocol::methods;

use super::super::Change;

/// One open listen request and what it was promised.
#[derive(Debug)]
pub(super) struct Listen {
    pub(super) tools: bool,
    pub(super) prompts: bool,
    pub(super) resources: bool,
    pub(super) uris: BTreeSet<String>,
    /// Promised like the others; nothing of them is told.
    pub(super) muted: BTreeSet<String>,
    /// What it was promised of extensions, by the member of the filter.
    pub(super) topics: BTreeMap<&'static str, BTreeSet<String>>,
}

impl Listen {
    pub(super) fn wants(&self, change: &Change) -> bool {
        match change {
            Change::Tools => self.tools,
            Change::Prompts => self.prompts,
            Change::Resources => self.resources,
            Change::Resource(uri) => {
                self.uris.difference(&self.muted).any(|subscribed| covers(subscribed, uri))
            }
            Change::Topic { topic, key, .. } => {
                self.topics.get(topic.member).is_some_and(|wanted| wanted.contains(key))
            }
        }
    }

    /// How many things it names.
    pub(super) fn len(&self) -> usize {
        self.uris.len() + self.topics.values().map(BTreeSet::len).sum::<usize>()
    }

    /// The part of the filter that will be honoured.
    pub(super) fn honoured(&self) -> RawJson {
        let mut members = RawObject::new();
        let yes = || RawJson::encode(&true).unwrap_or_else(|_| RawJson::null());
        for (name, on) in [
            ("toolsListChanged", self.tools),
            ("promptsListChanged", self.prompts),
            ("resourcesListChanged", self.resources),
        ] {
            if on {
                members.set(name, yes());
            }
        }
        if let (false, Ok(uris)) = (self.uris.is_empty(), RawJson::encode(&self.uris)) {
            members.set("resourceSubscriptions", uris);
        }
        for (member, keys) in &self.topics {
            if let Ok(keys) = RawJson::encode(keys) {
                members.set(*member, keys);
            }
        }
        members.to_raw()
    }
}

/// Whether a subscription to `subscribed` covers `uri`: the same resource, or one below it.
///
/// ```
/// use mcpbolt_proto::session::server::covers;
///
/// assert!(covers("file:///notes", "file:///notes/today"));
/// assert!(!covers("file:///notes", "file:///notes.txt"));
/// ```
pub fn covers(subscribed: &str, uri: &str) -> bool {
    match uri.strip_prefix(subscribed) {
        Some("") => true,
        Some(rest) => subscribed.ends_with('/') || rest.starts_with('/'),
        None => false,
    }
}

/// The notification of a change.
pub(super) fn change_message(change: &Change) -> (&'static str, Option<RawObject>) {
    match change {
        Change::Tools => (methods::TOOLS_LIST_CHANGED, None),
        Change::Prompts => (methods::PROMPTS_LIST_CHANGED, None),
        Change::Resources => (methods::RESOURCES_LIST_CHANGED, None),
        Change::Resource(uri) => {
            let uri = RawJson::encode(uri).unwrap_or_else(|_| RawJson::null());
            (methods::RESOURCES_UPDATED, Some(std::iter::once(("uri", uri)).collect()))
        }
        Change::Topic { topic, params, .. } => (topic.notification, RawObject::parse(params)),
    }
}
