//! Where a server keeps what outlasts a call, as one choice.
//!
//! Owns: the names of the choices. Must not know: what is kept, or how.

use std::fmt;
use std::sync::Arc;

use mcpbolt_proto::limits::Limits;
use mcpbolt_proto::protocol::Error;

use super::memory::MemoryTable;
use super::table::Table;

/// Where a server keeps what outlasts a call: in memory, in a file, or in a store of the
/// program's own.
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
}

impl Stores {
    /// In memory, within these limits. Gone with the process.
    pub fn memory(limits: &Limits) -> Self {
        let table = MemoryTable::new(limits.tasks_max, Limits::size(limits.tasks_bytes));
        Self { table: Arc::new(table), alone: true }
    }

    /// In a file of this process's, which outlasts it.
    ///
    /// # Errors
    /// `Store` if the file cannot be opened, or another process has it open.
    #[cfg(feature = "file-store")]
    pub fn file(path: impl Into<std::path::PathBuf>) -> Result<Self, Error> {
        Ok(Self { table: Arc::new(super::file::FileTable::open(path)?), alone: true })
    }

    /// In a table of the program's own, which other processes may use too.
    pub fn shared(table: Arc<dyn Table>) -> Self {
        Self { table, alone: false }
    }

    /// By a name: `memory`, or `file:` and a path.
    ///
    /// # Errors
    /// `Usage` for another name, `Store` where [`Stores::file`] fails.
    pub fn open(name: &str, limits: &Limits) -> Result<Self, Error> {
        match name.split_once(':') {
            None if name == "memory" => Ok(Self::memory(limits)),
            #[cfg(feature = "file-store")]
            Some(("file", path)) if !path.is_empty() => Self::file(path),
            _ => Err(Error::usage(format!("stores {name:?}: say \"memory\", or \"file:\" and a path"))),
        }
    }
}

impl fmt::Debug for Stores {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Stores").field("alone", &self.alone).finish_non_exhaustive()
    }
}
