//! The file of a table, and the words for what is wrong with it.
//!
//! Owns: opening it, opening it again after a failure. Must not know: what its rows hold.

use std::io;
use std::path::{Path, PathBuf};

use parking_lot::RwLock;
use redb::{Database, DatabaseError, ReadableDatabase as _};

use mcpbolt_proto::protocol::{Error, ErrorKind};

use super::super::table::Versioned;
use super::rows::{self, Done, Step};

/// An open file. After a failure it is opened again with the next use: what was not written
/// to its end was not written.
pub(super) struct File {
    open: Box<dyn Fn() -> Result<Database, DatabaseError> + Send + Sync>,
    path: PathBuf,
    database: RwLock<Option<Database>>,
}

impl File {
    /// # Errors
    /// `Store`, which says why.
    pub(super) fn new(
        path: &Path,
        open: impl Fn() -> Result<Database, DatabaseError> + Send + Sync + 'static,
    ) -> Result<Self, Error> {
        let file = Self { open: Box::new(open), path: path.to_owned(), database: RwLock::default() };
        file.reopen()?;
        Ok(file)
    }

    fn reopen(&self) -> Result<(), Error> {
        let mut database = self.database.write();
        if database.is_none() {
            let opened = (self.open)().map_err(|error| self.failed(&error.into()))?;
            let prepared = || -> Result<(), redb::Error> {
                let write = opened.begin_write()?;
                rows::prepare(&write)?;
                write.commit()?;
                Ok(())
            };
            prepared().map_err(|error| self.failed(&error))?;
            *database = Some(opened);
        }
        Ok(())
    }

    fn with<T>(&self, work: impl Fn(&Database) -> Result<T, redb::Error>) -> Result<T, Error> {
        if self.database.read().is_none() {
            self.reopen()?;
        }
        let outcome = self.database.read().as_ref().map(work);
        let outcome = outcome.ok_or_else(|| Error::new(ErrorKind::Store, "the store is closed"))?;
        outcome.map_err(|error| {
            // Nothing works on it any more.
            *self.database.write() = None;
            self.failed(&error)
        })
    }

    pub(super) fn read(&self, key: &str, now: u64) -> Result<Option<Versioned>, Error> {
        self.with(|database| rows::read(&database.begin_read()?, key, now))
    }

    /// All steps in one, which is on the disk when this returns, or none.
    pub(super) fn write(&self, steps: &[Step], now: u64) -> Result<Vec<Done>, Error> {
        self.with(|database| {
            let write = database.begin_write()?;
            let done = rows::write(&write, steps, now)?;
            write.commit()?;
            Ok(done)
        })
    }

    fn failed(&self, error: &redb::Error) -> Error {
        let path = self.path.display();
        let message = match error {
            redb::Error::DatabaseAlreadyOpen => {
                format!("store {path}: another process has it open; each process needs a file of its own")
            }
            redb::Error::Io(why) if is_full(why) => format!("store {path}: the disk is full"),
            redb::Error::Io(why) if why.kind() == io::ErrorKind::InvalidData => {
                format!("store {path}: this is no file of a store; name another, or move it away")
            }
            other => format!("store {path}: {other}"),
        };
        Error::new(ErrorKind::Store, message)
    }
}

fn is_full(why: &io::Error) -> bool {
    matches!(
        why.kind(),
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded | io::ErrorKind::FileTooLarge
    )
}
