//! Results that may be used again.
//!
//! Owns: for how long a result may be used again, and what makes it stale. Must not know: who
//! asks, or how a result came.

use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use parking_lot::Mutex;

use mcpbolt_proto::jsonrpc::{RawJson, RawObject};
use mcpbolt_proto::protocol::methods;
use mcpbolt_proto::session::Time;

use super::notification::ServerNotification;

/// Most results kept per session.
const MAX_ENTRIES: usize = 1_000;
/// Most bytes kept per session, of results and what was asked.
const MAX_BYTES: usize = 16 * 1024 * 1024;
/// A result larger than this is asked for each time: it would leave no room for the others.
const MAX_RESULT: usize = MAX_BYTES / 4;
/// Longest time a result is kept, whatever the server says.
const MAX_TTL: Duration = Duration::from_hours(24);

/// The cache of one session: one authorization context, so that private results may be
/// kept too. Pages are entries of their own.
#[derive(Debug, Default)]
pub(crate) struct Cache {
    kept: Mutex<Kept>,
    /// How often something became stale. Changed under the lock; read without it, by each request.
    changes: AtomicU64,
}

#[derive(Debug, Default)]
struct Kept {
    entries: HashMap<Key, (RawJson, Time)>,
    bytes: usize,
}

/// Method, and params without `_meta`.
type Key = (String, String);

/// When a result was asked for. One that became stale on its way is not kept.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Asked {
    at: Time,
    changes: u64,
}

fn key(method: &str, params: Option<&RawJson>) -> Key {
    let mut members = params.and_then(RawObject::parse).unwrap_or_default();
    members.remove("_meta");
    (method.to_owned(), members.to_raw().as_str().to_owned())
}

fn size((method, params): &Key, value: &RawJson) -> usize {
    method.len() + params.len() + value.as_str().len()
}

/// For how long a result may be used again.
fn time_to_live(value: &RawJson) -> Option<Duration> {
    if !value.as_str().contains("ttlMs") {
        return None;
    }
    let milliseconds = RawObject::parse(value)?.get("ttlMs")?.decode::<u64>().ok()?;
    (milliseconds > 0).then(|| Duration::from_millis(milliseconds).min(MAX_TTL))
}

impl Kept {
    fn take(&mut self, key: &Key) {
        if let Some((value, _)) = self.entries.remove(key) {
            self.bytes -= size(key, &value);
        }
    }

    fn remove(&mut self, unwanted: impl Fn(&Key, Time) -> bool) {
        let bytes = &mut self.bytes;
        self.entries.retain(|key, (value, until)| {
            let stays = !unwanted(key, *until);
            if !stays {
                *bytes -= size(key, value);
            }
            stays
        });
    }

    fn is_full(&self, more: usize) -> bool {
        self.entries.len() >= MAX_ENTRIES || self.bytes + more > MAX_BYTES
    }
}

impl Cache {
    /// What a result that is asked for now is put under.
    pub(crate) fn asked(&self, at: Time) -> Asked {
        Asked { at, changes: self.changes.load(Ordering::Acquire) }
    }

    pub(crate) fn get(&self, method: &str, params: Option<&RawJson>, now: Time) -> Option<RawJson> {
        let key = key(method, params);
        let mut kept = self.kept.lock();
        let (value, until) = kept.entries.get(&key)?;
        if now < *until {
            return Some(value.clone());
        }
        kept.take(&key);
        None
    }

    /// Keeps a result as long as it says, from when it was asked for: nothing is kept too long.
    pub(crate) fn put(&self, method: &str, params: Option<&RawJson>, asked: Asked, value: &RawJson) {
        let Some(ttl) = time_to_live(value) else { return };
        let key = key(method, params);
        let more = size(&key, value);
        let mut kept = self.kept.lock();
        if self.changes.load(Ordering::Acquire) != asked.changes || more > MAX_RESULT {
            return;
        }
        kept.take(&key);
        if kept.is_full(more) {
            kept.remove(|_, until| until <= asked.at);
        }
        if !kept.is_full(more) {
            kept.bytes += more;
            kept.entries.insert(key, (value.clone(), asked.at.saturating_add(ttl)));
        }
    }

    pub(crate) fn forget(&self, method: &str) {
        let mut kept = self.kept.lock();
        self.changes.fetch_add(1, Ordering::AcqRel);
        kept.remove(|(of, _), _| of == method);
    }

    pub(crate) fn clear(&self) {
        let mut kept = self.kept.lock();
        self.changes.fetch_add(1, Ordering::AcqRel);
        *kept = Kept::default();
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

#[cfg(test)]
mod tests {
    use super::*;

    const SECOND: Time = Time::from_secs(1);

    fn result(bytes: usize, ttl: u64) -> RawJson {
        serde_json::json!({"ttlMs": ttl, "text": "x".repeat(bytes)}).into()
    }

    fn uri(number: usize) -> RawJson {
        serde_json::json!({"uri": format!("file:///{number}")}).into()
    }

    #[test]
    fn what_became_stale_on_its_way_is_not_kept() {
        let cache = Cache::default();
        let asked = cache.asked(Time::ZERO);
        cache.invalidate(&ServerNotification::ToolsChanged);
        cache.put(methods::TOOLS_LIST, None, asked, &result(1, 60_000));
        assert!(cache.get(methods::TOOLS_LIST, None, Time::ZERO).is_none());
        cache.put(methods::TOOLS_LIST, None, cache.asked(Time::ZERO), &result(1, 60_000));
        assert!(cache.get(methods::TOOLS_LIST, None, Time::ZERO).is_some());
        let asked = cache.asked(Time::ZERO);
        cache.clear();
        cache.put(methods::TOOLS_LIST, None, asked, &result(1, 60_000));
        assert!(cache.get(methods::TOOLS_LIST, None, Time::ZERO).is_none(), "of the session before");
    }

    #[test]
    fn results_have_so_much_room_and_those_whose_time_is_over_make_some() {
        let (cache, large) = (Cache::default(), MAX_RESULT - 1_000);
        let put = |number, at| {
            cache.put(methods::RESOURCES_READ, Some(&uri(number)), cache.asked(at), &result(large, 1_000));
        };
        let get = |number, at| cache.get(methods::RESOURCES_READ, Some(&uri(number)), at).is_some();
        (0..5).for_each(|number| put(number, Time::ZERO));
        assert_eq!(
            (0..5).map(|number| get(number, Time::ZERO)).collect::<Vec<_>>(),
            [true, true, true, true, false]
        );
        put(0, Time::ZERO);
        assert!(get(0, Time::ZERO), "a new one takes the place of its own");
        put(6, SECOND);
        assert!(get(6, SECOND) && !get(0, SECOND));
        assert_eq!(cache.kept.lock().entries.len(), 1);
        cache.put(methods::RESOURCES_READ, None, cache.asked(SECOND), &result(MAX_RESULT, 1_000));
        assert!(cache.get(methods::RESOURCES_READ, None, SECOND).is_none(), "one that is too large");
        assert!(!get(6, SECOND * 2));
        assert_eq!(cache.kept.lock().bytes, 0);
    }
}
