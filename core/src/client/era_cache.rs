//! Which era a server turned out to speak, remembered between connects of one client.
//!
//! Owns: the eras that are believed, for how long, and which server they are of. Must not know:
//! how an era is found out.
//!
//! A verdict only chooses what is asked first. A server that answers otherwise is
//! believed, and a failure under a remembered verdict makes it forgotten and asked anew.

use std::collections::HashMap;
use std::ffi::OsString;
use std::time::Duration;

use parking_lot::Mutex;

use mcpbolt_proto::protocol::Revision;
use mcpbolt_proto::session::Time;

/// Most servers remembered.
const CAPACITY: usize = 1_000;

/// How long a verdict is believed unless the program says otherwise: an upgraded server
/// still answers the old handshake, so that a stale verdict would never fail by itself.
pub(super) const BELIEVED: Duration = Duration::from_hours(1);

/// A server: origin and path of its URL, or command and arguments.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) enum ServerKey {
    Http(String),
    Child(Vec<OsString>),
}

/// What a server speaks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum KnownEra {
    /// `server/discover` is answered.
    Modern,
    /// `initialize` is.
    Legacy,
    /// Over HTTP+SSE, that is.
    LegacySse,
}

impl KnownEra {
    pub(super) fn of(revision: Revision, sse: bool) -> Self {
        match revision.is_modern() {
            true => Self::Modern,
            false if sse => Self::LegacySse,
            false => Self::Legacy,
        }
    }
}

/// The eras of one client and its clones.
#[derive(Debug, Default)]
pub(super) struct EraCache(Mutex<HashMap<ServerKey, (KnownEra, Time)>>);

impl EraCache {
    pub(super) fn get(&self, server: &ServerKey, now: Time) -> Option<KnownEra> {
        let table = self.0.lock();
        table.get(server).filter(|(_, until)| now < *until).map(|(verdict, _)| *verdict)
    }

    pub(super) fn put(&self, server: ServerKey, verdict: KnownEra, until: Time, now: Time) {
        let mut table = self.0.lock();
        if table.len() >= CAPACITY {
            table.retain(|_, (_, until)| now < *until);
            let oldest = table.iter().min_by_key(|(_, (_, until))| *until).map(|(key, _)| key.clone());
            if let Some(oldest) = oldest.filter(|_| table.len() >= CAPACITY) {
                table.remove(&oldest);
            }
        }
        table.insert(server, (verdict, until));
    }

    pub(super) fn forget(&self, server: &ServerKey) {
        self.0.lock().remove(server);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(number: usize) -> ServerKey {
        ServerKey::Http(format!("https://{number}.example.com/mcp"))
    }

    #[test]
    fn verdicts_expire_and_are_forgotten() {
        let eras = EraCache::default();
        eras.put(key(1), KnownEra::Legacy, Time::from_secs(10), Time::ZERO);
        assert_eq!(eras.get(&key(1), Time::from_secs(9)), Some(KnownEra::Legacy));
        assert_eq!(eras.get(&key(1), Time::from_secs(10)), None);
        assert_eq!(eras.get(&key(2), Time::ZERO), None);
        eras.forget(&key(1));
        assert_eq!(eras.get(&key(1), Time::ZERO), None);
    }

    #[test]
    fn only_so_many_servers_are_remembered() {
        let eras = EraCache::default();
        for number in 0..=CAPACITY {
            let until = Time::from_secs(100 + number as u64);
            eras.put(key(number), KnownEra::Modern, until, Time::ZERO);
        }
        assert_eq!(eras.0.lock().len(), CAPACITY);
        assert_eq!(eras.get(&key(0), Time::ZERO), None, "the one that ends first made room");
        assert_eq!(eras.get(&key(CAPACITY), Time::ZERO), Some(KnownEra::Modern));
    }
}
