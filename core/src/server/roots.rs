//! The client's roots: kept while they are known to be good, and compared with.
//!
//! Owns: when known roots are stale, and what lies inside of one. Must not know: how a client
//! is asked.
//!
//! Deprecated since 2026-07-28 (SEP-2577); earliest removal 2027-07-28.

use std::collections::HashMap;
use std::io;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use parking_lot::Mutex;

use mcpbolt_proto::policy::places::UriPath;
use mcpbolt_proto::protocol::types::Root;

use crate::handler::ConnectionId;

use super::SafeRoot;

/// The places a client lets the server work in. Deprecated since 2026-07-28 (SEP-2577);
/// earliest removal 2027-07-28.
///
/// ```
/// use mcpbolt::server::Roots;
/// use mcpbolt::types::Root;
///
/// let roots = Roots::new(vec![Root::new("file:///srv/project"), Root::new("https://api.example.com/v1")]);
/// assert!(roots.contains("file:///srv/project/src/main.rs"));
/// assert!(roots.contains("https://api.example.com/v1/users"));
/// assert!(!roots.contains("file:///srv/project/../secret"));
/// ```
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Roots {
    list: Vec<Root>,
    places: Vec<UriPath>,
}

/// What became of one root that is a folder. See [`Roots::folders`].
///
/// ```
/// use mcpbolt::server::{RootFolder, Roots};
///
/// let roots = Roots::new(vec![mcpbolt::types::Root::new("file:///no/such/folder")]);
/// let [RootFolder { root, folder }] = &roots.folders()[..] else { panic!("one root") };
/// assert!(folder.is_err() && root.name.is_none());
/// ```
#[derive(Debug)]
pub struct RootFolder {
    /// The root.
    pub root: Root,
    /// Its folder, or why it cannot be reached.
    pub folder: io::Result<SafeRoot>,
}

impl Roots {
    /// These roots.
    pub fn new(list: Vec<Root>) -> Self {
        let places = list.iter().filter_map(|root| UriPath::parse(&root.uri)).collect();
        Self { list, places }
    }

    /// The roots as the client named them.
    pub fn list(&self) -> &[Root] {
        &self.list
    }

    /// Whether a URI is a root or lies below one, `..` and percent-encoding resolved.
    /// Links are not: use [`Roots::folders`] for files.
    pub fn contains(&self, uri: &str) -> bool {
        UriPath::parse(uri).is_some_and(|place| self.places.iter().any(|root| root.contains(&place)))
    }

    /// The folders among the roots. One that cannot be reached is not a reason to fail: it
    /// comes with its error, and the others are there.
    pub fn folders(&self) -> Vec<RootFolder> {
        let files = self.list.iter().filter_map(|root| Some((root, UriPath::parse(&root.uri)?)));
        let files = files.filter(|(_, place)| place.is_local_file());
        files
            .map(|(root, place)| RootFolder { root: root.clone(), folder: SafeRoot::open(path(&place)) })
            .collect()
    }
}

fn path(place: &UriPath) -> PathBuf {
    let absolute = place.names().join("/");
    if cfg!(windows) { PathBuf::from(absolute) } else { PathBuf::from(format!("/{absolute}")) }
}

/// What is known of each connection's roots, until the client says that they changed.
#[derive(Default)]
pub(super) struct KnownRoots {
    known: Mutex<HashMap<ConnectionId, Known>>,
    /// Whether anything was ever known: most servers never ask.
    used: AtomicBool,
}

#[derive(Default)]
struct Known {
    /// Changes of the list so far.
    changes: u64,
    roots: Option<Arc<Roots>>,
}

impl KnownRoots {
    /// The roots of a connection, or the number of changes to hand to [`KnownRoots::keep`].
    pub(super) fn get(&self, connection: ConnectionId) -> Result<Arc<Roots>, u64> {
        self.used.store(true, Ordering::Relaxed);
        let mut known = self.known.lock();
        let known = known.entry(connection).or_default();
        known.roots.clone().ok_or(known.changes)
    }

    /// Keeps what the client said, unless the list changed while it was asked.
    pub(super) fn keep(&self, connection: ConnectionId, changes: u64, roots: &Arc<Roots>) {
        if let Some(known) = self.known.lock().get_mut(&connection).filter(|known| known.changes == changes) {
            known.roots = Some(Arc::clone(roots));
        }
    }

    /// The client says that its roots changed.
    pub(super) fn changed(&self, connection: ConnectionId) {
        if let Some(known) = self.known.lock().get_mut(&connection) {
            known.changes += 1;
            known.roots = None;
        }
    }

    /// The connection is over, or does not answer.
    pub(super) fn forget(&self, connection: ConnectionId) {
        if self.used.load(Ordering::Relaxed) {
            self.known.lock().remove(&connection);
        }
    }
}
