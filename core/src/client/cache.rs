//! Results that may be used again.
//!
//! Owns: for how long a result may be used again, and what makes it stale. Must not know: who
//! asks, or how a result came.

use std::collections::HashMap;
use std::time::Duration;

use parking_lot::Mutex;

use mcpbolt_proto::jsonrpc::{RawJson, RawObject};
use mcpbolt_proto::protocol::methods;
use mcpbolt_proto::session::Time;

use super::notification::ServerNotification;

/// Most results kept per session.
const MAX_ENTRIES: usize = 1_000;
/// Longest time a result is kept, whatever the server says.
const MAX_TTL: Duration = Duration::from_hours(24);

/// The cache of one session: one authorization context, so that private results may be
/// kept too. Pages are entries of their own.
#[derive(Debug, Default)]
pub(crate) struct Cache {
    entries: Mutex<HashMap<(String, String), (RawJson, Time)>>,
}

fn key(method: &str, params: Option<&RawJson>) -> (String, String) {
    let mut members = params.and_then(RawObject::parse).unwrap_or_default();
    members.remove("_meta");
    (method.to_owned(), members.to_raw().as_str().to_owned())
}

impl Cache {
    pub(crate) fn get(&self, method: &str, params: Option<&RawJson>, now: Time) -> Option<RawJson> {
        let entries = self.entries.lock();
        let (value, until) = entries.get(&key(method, params))?;
        (now < *until).then(|| value.clone())
    }

    /// Keeps a result as long as it says.
    pub(crate) fn put(&self, method: &str, params: Option<&RawJson>, now: Time, value: &RawJson) {
        if !value.as_str().contains("ttlMs") {
            return;
        }
        let ttl = RawObject::parse(value).and_then(|m| m.get("ttlMs")?.decode::<u64>().ok()).unwrap_or(0);
        if ttl == 0 {
            return;
        }
        let until = now.saturating_add(Duration::from_millis(ttl).min(MAX_TTL));
        let mut entries = self.entries.lock();
        if entries.len() >= MAX_ENTRIES {
            entries.retain(|_, (_, until)| now < *until);
        }
        if entries.len() < MAX_ENTRIES {
            entries.insert(key(method, params), (value.clone(), until));
        }
    }

    pub(crate) fn forget(&self, method: &str) {
        self.entries.lock().retain(|(kept, _), _| kept != method);
    }

    pub(crate) fn clear(&self) {
        self.entries.lock().clear();
    }

    pub(crate) fn invalidate(&self, notification: &ServerNotification) {
        match notification {
            ServerNotification::ToolsChanged => self.forget(methods::TOOLS_LIST),
            ServerNotification::PromptsChanged => self.forget(methods::PROMPTS_LIST),
            ServerNotification::ResourcesChanged => {
                self.forget(methods::RESOURCES_LIST);
                self.forget(methods::RESOURCES_TEMPLATES_LIST);
            }
            // It may be a part of a resource that was read under another name.
            ServerNotification::ResourceUpdated { .. } => self.forget(methods::RESOURCES_READ),
            _ => {}
        }
    }
}
