//! Where a server keeps what outlasts a call, as one choice.
//!
//! Owns: the names of the choices. Must not know: what is kept, or how.

use std::fmt;
use std::sync::Arc;

use mcpbolt_proto::limits::Limits;
use mcpbolt_proto::protocol::Error;

use super::bus::Bus;
use super::log::Log;
use super::memory::MemoryTable;
use super::table::Table;

/// Where a server keeps what outlasts a call: in memory, in a file, in Redis or Valkey, or in
/// stores of the program's own.
///
/// ```
/// use mcpbolt::Limits;
/// use mcpbolt::store::Stores;
///
/// let memory = Stores::open("memory", &Limits::default())?;
/// assert!(Stores::open("elsewhere", &Limits::default()).is_err());
/// # let _ = memory;
/// # Ok::<(), mcpbolt::Error>(())
/// ```
#[derive(Clone)]
pub struct Stores {
    pub(crate) table: Arc<dyn Table>,
    /// Whether no other process uses them.
    pub(crate) alone: bool,
    /// What legacy sessions need besides, to be served by several nodes.
    pub(crate) fleet: Option<(Arc<dyn Log>, Arc<dyn Bus>)>,
    /// A file that can be let go of.
    #[cfg(feature = "file-store")]
    file: Option<Arc<super::file::FileTable>>,
}

impl Stores {
    /// In memory, within these limits. Gone with the process.
    pub fn memory(limits: &Limits) -> Self {
        let table = MemoryTable::new(limits.tasks_max, Limits::size(limits.tasks_bytes));
        Self { alone: true, ..Self::shared(Arc::new(table)) }
    }

    /// In a file of this process's, which outlasts it.
    ///
    /// # Errors
    /// `Store` if the file cannot be opened, or another process or server has it open.
    #[cfg(feature = "file-store")]
    pub fn file(path: impl Into<std::path::PathBuf>) -> Result<Self, Error> {
        let file = Arc::new(super::file::FileTable::open(path)?);
        Ok(Self { alone: true, file: Some(Arc::clone(&file)), ..Self::shared(file) })
    }

    /// In Redis or Valkey, for all nodes that name the same server: tasks and legacy sessions.
    /// What the URL says is in [`RedisStore`](super::RedisStore).
    ///
    /// # Errors
    /// `Usage`, naming the part of the URL that is wrong. A server that is away is no error.
    #[cfg(feature = "redis")]
    pub fn redis(url: &str) -> Result<Self, Error> {
        let store = super::redis::RedisStore::open(url)?;
        Ok(Self::fleet(store.table(), store.log(), store.bus()))
    }

    /// In a table of the program's own, which other processes may use too.
    pub fn shared(table: Arc<dyn Table>) -> Self {
        Self {
            table,
            alone: false,
            fleet: None,
            #[cfg(feature = "file-store")]
            file: None,
        }
    }

    /// In stores of the program's own that all nodes have: tasks and legacy sessions.
    pub fn fleet(table: Arc<dyn Table>, log: Arc<dyn Log>, bus: Arc<dyn Bus>) -> Self {
        Self { fleet: Some((log, bus)), ..Self::shared(table) }
    }

    /// Lets go of the file of `Stores::file`, so that the next server can open it although
    /// something still holds these. What is read or written later fails with `Store`. Nothing
    /// happens to other stores.
    ///
    /// ```
    /// use mcpbolt::store::Stores;
    ///
    /// # let folder = tempfile::tempdir().unwrap();
    /// # let path = folder.path().join("tasks.redb");
    /// let first = Stores::file(&path)?;
    /// assert!(Stores::file(&path).is_err());
    /// first.close();
    /// let second = Stores::file(&path)?;
    /// # drop(second);
    /// # Ok::<(), mcpbolt::Error>(())
    /// ```
    #[cfg_attr(not(feature = "file-store"), allow(clippy::unused_self))]
    pub fn close(&self) {
        #[cfg(feature = "file-store")]
        if let Some(file) = &self.file {
            file.close();
        }
    }

    /// Those of a name, if something is kept there: tasks, where there are any, and sessions, where
    /// nodes share them. A name that stands for nothing is told in any case.
    pub(crate) fn needed(name: &str, limits: &Limits, tasks: bool) -> Result<Option<Self>, Error> {
        let is_local = name == "memory" || name.starts_with("file:");
        (tasks || !is_local).then(|| Self::open(name, limits)).transpose()
    }

    /// By a name: `memory`, `file:` and a path, or the URL of a Redis or Valkey server.
    ///
    /// # Errors
    /// `Usage` for another name and for one that this build has no feature for; what
    /// [`Stores::file`] and `Stores::redis` say.
    pub fn open(name: &str, limits: &Limits) -> Result<Self, Error> {
        match name.split_once(':') {
            None if name == "memory" => Ok(Self::memory(limits)),
            #[cfg(feature = "file-store")]
            Some(("file", path)) if !path.is_empty() => Self::file(path),
            #[cfg(feature = "redis")]
            Some((scheme, _)) if SERVERS.contains(&scheme) => Self::redis(name),
            // A URL may have a password, and is not repeated.
            Some((scheme, _)) => Err(Error::usage(format!("stores \"{scheme}:…\": {CHOICES}"))),
            None => Err(Error::usage(format!("stores {name:?}: {CHOICES}"))),
        }
    }
}

/// What URLs of servers begin with.
#[cfg(feature = "redis")]
const SERVERS: [&str; 4] = ["redis", "rediss", "valkey", "valkeys"];

/// What there is to choose from in this build.
const CHOICES: &str = match (cfg!(feature = "file-store"), cfg!(feature = "redis")) {
    (true, true) => "say \"memory\", \"file:\" and a path, or a URL such as redis://host:6379",
    (true, false) => "say \"memory\", or \"file:\" and a path; stores in Redis are the feature redis",
    (false, true) => {
        "say \"memory\", or a URL such as redis://host:6379; stores in files are the feature file-store"
    }
    (false, false) => {
        "say \"memory\"; this build has no other stores, which are the features file-store and redis"
    }
};

impl fmt::Debug for Stores {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let fleet = self.fleet.is_some();
        f.debug_struct("Stores").field("alone", &self.alone).field("fleet", &fleet).finish_non_exhaustive()
    }
}
