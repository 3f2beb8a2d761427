//! Rows of a table in a file: what is written for each, and the steps that change them.
//!
//! Owns: the layout, conditions, ends of life. Must not know: the file, or who waits.

use std::time::Duration;

use bytes::Bytes;
use redb::{ReadTransaction, ReadableTable, StorageError, TableDefinition, TableError, WriteTransaction};

use super::super::table::{Condition, Versioned};

/// Key to version, end of life in milliseconds since 1970 (the greatest number: none), value.
const ROWS: TableDefinition<'_, &str, (u64, u64, &[u8])> = TableDefinition::new("rows 1");
/// Ends of life in order, to find what has expired without looking at the rest.
const ENDS: TableDefinition<'_, (u64, &str), ()> = TableDefinition::new("ends 1");
/// The last version that was used.
const COUNTS: TableDefinition<'_, &str, u64> = TableDefinition::new("counts 1");
const VERSION: &str = "version";
const NEVER: u64 = u64::MAX;
/// How many expired rows are forgotten with each write.
const FORGET: usize = 64;

/// A change of one row.
pub(super) enum Step {
    Put { key: String, value: Bytes, condition: Condition, ttl: Option<Duration> },
    Take { key: String },
    Touch { key: String, ttl: Duration },
}

/// What came of a step.
pub(super) enum Done {
    Version(Option<u64>),
    Value(Option<Bytes>),
    Known(bool),
}

/// Makes the tables that are not there yet.
pub(super) fn prepare(write: &WriteTransaction) -> Result<(), redb::Error> {
    write.open_table(ROWS)?;
    write.open_table(ENDS)?;
    write.open_table(COUNTS)?;
    Ok(())
}

pub(super) fn read(read: &ReadTransaction, key: &str, now: u64) -> Result<Option<Versioned>, redb::Error> {
    let table = match read.open_table(ROWS) {
        Ok(table) => table,
        Err(TableError::TableDoesNotExist(_)) => return Ok(None),
        Err(error) => return Err(error.into()),
    };
    Ok(table.get(key)?.and_then(|row| {
        let (version, end, value) = row.value();
        (end > now).then(|| Versioned { value: Bytes::copy_from_slice(value), version })
    }))
}

/// Takes steps in their order, and forgets some of what has expired.
pub(super) fn write(write: &WriteTransaction, steps: &[Step], now: u64) -> Result<Vec<Done>, redb::Error> {
    let mut tables = Tables {
        rows: write.open_table(ROWS)?,
        ends: write.open_table(ENDS)?,
        counts: write.open_table(COUNTS)?,
        now,
    };
    tables.forget()?;
    let done = steps.iter().map(|step| tables.take(step)).collect::<Result<Vec<_>, _>>()?;
    Ok(done)
}

struct Tables<'t> {
    rows: redb::Table<'t, &'static str, (u64, u64, &'static [u8])>,
    ends: redb::Table<'t, (u64, &'static str), ()>,
    counts: redb::Table<'t, &'static str, u64>,
    now: u64,
}

/// A row as it is.
struct Row {
    version: u64,
    end: u64,
    value: Bytes,
}

impl Tables<'_> {
    fn take(&mut self, step: &Step) -> Result<Done, StorageError> {
        match step {
            Step::Put { key, value, condition, ttl } => {
                let old = self.row(key)?;
                let holds = match condition {
                    Condition::Any => true,
                    Condition::Absent => old.is_none(),
                    Condition::Version(version) => old.as_ref().is_some_and(|row| row.version == *version),
                };
                if !holds {
                    return Ok(Done::Version(None));
                }
                let version = self.next_version()?;
                self.set(key, &Row { version, end: self.end(*ttl), value: value.clone() })?;
                Ok(Done::Version(Some(version)))
            }
            Step::Take { key } => {
                let row = self.row(key)?;
                self.remove(key)?;
                Ok(Done::Value(row.map(|row| row.value)))
            }
            Step::Touch { key, ttl } => {
                let Some(row) = self.row(key)? else { return Ok(Done::Known(false)) };
                self.set(key, &Row { end: self.end(Some(*ttl)), ..row })?;
                Ok(Done::Known(true))
            }
        }
    }

    /// The row, if it is alive.
    fn row(&self, key: &str) -> Result<Option<Row>, StorageError> {
        Ok(self.rows.get(key)?.and_then(|found| {
            let (version, end, value) = found.value();
            (end > self.now).then(|| Row { version, end, value: Bytes::copy_from_slice(value) })
        }))
    }

    fn set(&mut self, key: &str, row: &Row) -> Result<(), StorageError> {
        self.remove(key)?;
        self.rows.insert(key, (row.version, row.end, &*row.value))?;
        if row.end != NEVER {
            self.ends.insert((row.end, key), ())?;
        }
        Ok(())
    }

    fn remove(&mut self, key: &str) -> Result<(), StorageError> {
        let end = self.rows.remove(key)?.map(|row| row.value().1);
        if let Some(end) = end {
            self.ends.remove((end, key))?;
        }
        Ok(())
    }

    fn next_version(&mut self) -> Result<u64, StorageError> {
        let next = self.counts.get(VERSION)?.map_or(0, |count| count.value()) + 1;
        self.counts.insert(VERSION, next)?;
        Ok(next)
    }

    fn end(&self, ttl: Option<Duration>) -> u64 {
        let millis = |ttl: Duration| u64::try_from(ttl.as_millis()).unwrap_or(NEVER);
        ttl.map_or(NEVER, |ttl| self.now.saturating_add(millis(ttl)))
    }

    fn forget(&mut self) -> Result<(), StorageError> {
        let over: Vec<String> = self
            .ends
            .iter()?
            .take(FORGET)
            .map(|entry| entry.map(|(end, _)| (end.value().0, end.value().1.to_owned())))
            .take_while(|entry| entry.as_ref().map_or(true, |(end, _)| *end <= self.now))
            .map(|entry| entry.map(|(_, key)| key))
            .collect::<Result<_, _>>()?;
        over.iter().try_for_each(|key| self.remove(key))
    }
}
