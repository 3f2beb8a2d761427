//! Who answers a method: the engine from a snapshot, or the host.
//!
//! Owns: the slot of each method. Must not know: what is answered.

use std::collections::HashMap;

use mcpbolt_proto::protocol::methods;

/// Who answers a method of a server.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Slot {
    /// The engine, from what it was told; the host where that does not suffice.
    #[default]
    Engine,
    /// The host, always.
    Host,
}

/// The slots of all methods.
#[derive(Debug, Clone)]
pub(crate) struct Slots {
    set: HashMap<String, Slot>,
    fast_path: bool,
    tells_initialized: bool,
}

impl Default for Slots {
    fn default() -> Self {
        Self { set: HashMap::new(), fast_path: true, tells_initialized: false }
    }
}

impl Slots {
    pub(crate) fn of(&self, method: &str) -> Slot {
        if !self.fast_path {
            return Slot::Host;
        }
        self.set.get(method).copied().unwrap_or_default()
    }

    /// Whether the host asked for a method itself, with the fast path or without.
    pub(crate) fn is_hosts(&self, method: &str) -> bool {
        self.set.contains_key(method)
    }

    /// Whether the host waits for `notifications/initialized` on the era without it too.
    pub(crate) fn tells_initialized(&self) -> bool {
        self.tells_initialized
    }

    pub(crate) fn set(&mut self, method: &str, slot: Slot) {
        if method == methods::INITIALIZED {
            self.tells_initialized = slot == Slot::Host;
        }
        match slot {
            Slot::Engine => drop(self.set.remove(method)),
            Slot::Host => drop(self.set.insert(method.to_owned(), slot)),
        }
    }

    pub(crate) fn fast_path(&mut self, on: bool) {
        self.fast_path = on;
    }

    /// Methods of the program's own and of extensions, which the protocol's table does not have.
    pub(crate) fn own(&self) -> impl Iterator<Item = String> + '_ {
        self.set.keys().filter(|name| methods::lookup(name).is_none()).cloned()
    }
}
