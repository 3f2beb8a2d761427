//! The file of a table, and the words for what is wrong with it.
//!
//! Owns: opening it, opening it again after a failure, closing it. Must not know: what its rows hold.

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
    database: RwLock<State>,
}

#[derive(Default)]
enum State {
    Open(Database),
    /// Opened with the next use.
    #[default]
    Shut,
    /// For good.
    Closed,
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
        if matches!(*database, State::Shut) {
            let opened = (self.open)().map_err(|error| self.failed(&error.into()))?;
            let prepared = || -> Result<(), redb::Error> {
                let write = opened.begin_write()?;
                rows::prepare(&write)?;
                write.commit()?;
                Ok(())
            };
            prepared().map_err(|error| self.failed(&error))?;
            *database = State::Open(opened);
        }
        Ok(())
    }

    /// Lets go of the file, once what is being read or written is done.
    pub(super) fn close(&self) {
        *self.database.write() = State::Closed;
    }

    fn with<T>(&self, work: impl Fn(&Database) -> Result<T, redb::Error>) -> Result<T, Error> {
        if matches!(*self.database.read(), State::Shut) {
            self.reopen()?;
        }
        let outcome = match &*self.database.read() {
            State::Open(database) => work(database),
            State::Shut | State::Closed => return Err(closed()),
        };
        outcome.map_err(|error| {
            // Nothing works on it any more.
            let mut database = self.database.write();
            if matches!(*database, State::Open(_)) {
                *database = State::Shut;
            }
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
                format!("store {path}: another process or server has it open; each needs a file of its own")
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

/// What is told of a store that was closed.
pub(super) fn closed() -> Error {
    Error::new(ErrorKind::Store, "the store is closed")
}

fn is_full(why: &io::Error) -> bool {
    matches!(
        why.kind(),
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded | io::ErrorKind::FileTooLarge
    )
}
