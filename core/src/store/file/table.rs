//! The table itself: a thread that writes, and futures that wait for it.
//!
//! Owns: the order of writes, and that many of them are one on the disk. Must not know: how a
//! row is laid out.

use std::fmt;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use bytes::Bytes;
use redb::{Database, DatabaseError};
use tokio::sync::oneshot;

use mcpbolt_proto::protocol::{Error, ErrorKind};

use super::super::clock::Clock;
use super::super::future::BoxFuture;
use super::super::table::{Condition, Table, Versioned};
use super::database::{File, closed};
use super::rows::{Done, Step};

/// A [`Table`] in a file of this process's. What was written is there after the process was
/// killed, and after the machine lost its power. Writes that come together share one wait for
/// the disk. A full disk fails the write, with those words, and the store goes on when there is
/// room again.
///
/// ```
/// use mcpbolt::store::{Condition, FileTable, Table};
///
/// # let folder = tempfile::tempdir().unwrap();
/// # let path = folder.path().join("tasks.redb");
/// # let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
/// # runtime.block_on(async {
/// let table = FileTable::open(&path)?;
/// table.put("k", "v".into(), Condition::Absent, None).await?;
/// drop(table);
/// assert_eq!(FileTable::open(&path)?.take("k").await?.unwrap(), "v");
/// # Ok::<(), mcpbolt::Error>(())
/// # }).unwrap();
/// ```
pub struct FileTable {
    file: Arc<File>,
    clock: Arc<dyn Clock>,
    path: PathBuf,
    /// Dropped before the thread is waited for.
    steps: Option<Sender<Waiting>>,
    writer: Option<std::thread::JoinHandle<()>>,
}

/// A step, and who waits for it.
type Waiting = (Step, oneshot::Sender<Result<Done, Error>>);

/// Most steps that share a wait for the disk.
const TOGETHER: usize = 256;

impl FileTable {
    /// Opens the file, or makes it.
    ///
    /// # Errors
    /// `Store` if it cannot be opened, is no file of a store, or another process or server has it
    /// open.
    pub fn open(path: impl Into<PathBuf>) -> Result<Self, Error> {
        let path = path.into();
        let file = path.clone();
        Self::start(path, move || Database::create(&file), Arc::new(Calendar))
    }

    pub(super) fn start(
        path: PathBuf,
        open: impl Fn() -> Result<Database, DatabaseError> + Send + Sync + 'static,
        clock: Arc<dyn Clock>,
    ) -> Result<Self, Error> {
        let file = Arc::new(File::new(&path, open)?);
        let (steps, taken) = channel();
        let (written, time) = (Arc::clone(&file), Arc::clone(&clock));
        let writer = std::thread::Builder::new()
            .name("mcpbolt-store".into())
            .spawn(move || write(&written, &*time, &taken))
            .map_err(|why| Error::new(ErrorKind::Store, format!("store {}: {why}", path.display())))?;
        Ok(Self { file, clock, path, steps: Some(steps), writer: Some(writer) })
    }

    /// Lets go of the file, which can be opened again when this returns. What comes later fails.
    pub(crate) fn close(&self) {
        self.file.close();
    }

    fn step(&self, step: Step) -> BoxFuture<'_, Result<Done, Error>> {
        let (tell, told) = oneshot::channel();
        // Written in any case once it was handed over.
        let handed = self.steps.as_ref().is_some_and(|steps| steps.send((step, tell)).is_ok());
        Box::pin(async move { if handed { told.await.map_err(|_| closed())? } else { Err(closed()) } })
    }
}

/// Writes what waits, until nobody can hand over any more.
fn write(file: &File, clock: &dyn Clock, taken: &Receiver<Waiting>) {
    while let Ok(first) = taken.recv() {
        let more = std::iter::from_fn(|| taken.try_recv().ok()).take(TOGETHER - 1);
        let (steps, waiting): (Vec<_>, Vec<_>) = std::iter::once(first).chain(more).unzip();
        match file.write(&steps, millis(clock)) {
            Ok(done) => waiting.into_iter().zip(done).for_each(|(tell, done)| drop(tell.send(Ok(done)))),
            Err(error) => waiting.into_iter().for_each(|tell| drop(tell.send(Err(error.clone())))),
        }
    }
}

fn millis(clock: &dyn Clock) -> u64 {
    u64::try_from(clock.now().as_millis()).unwrap_or(u64::MAX)
}

impl Table for FileTable {
    fn get<'a>(&'a self, key: &'a str) -> BoxFuture<'a, Result<Option<Versioned>, Error>> {
        Box::pin(async move { self.file.read(key, millis(&*self.clock)) })
    }

    fn put<'a>(
        &'a self,
        key: &'a str,
        value: Bytes,
        condition: Condition,
        ttl: Option<Duration>,
    ) -> BoxFuture<'a, Result<Option<u64>, Error>> {
        Box::pin(async move {
            match self.step(Step::Put { key: key.to_owned(), value, condition, ttl }).await? {
                Done::Version(version) => Ok(version),
                _ => Ok(None),
            }
        })
    }

    fn take<'a>(&'a self, key: &'a str) -> BoxFuture<'a, Result<Option<Bytes>, Error>> {
        Box::pin(async move {
            match self.step(Step::Take { key: key.to_owned() }).await? {
                Done::Value(value) => Ok(value),
                _ => Ok(None),
            }
        })
    }

    fn delete<'a>(&'a self, key: &'a str) -> BoxFuture<'a, Result<bool, Error>> {
        Box::pin(async move { Ok(self.take(key).await?.is_some()) })
    }

    fn touch<'a>(&'a self, key: &'a str, ttl: Duration) -> BoxFuture<'a, Result<bool, Error>> {
        Box::pin(async move {
            let done = self.step(Step::Touch { key: key.to_owned(), ttl }).await?;
            Ok(matches!(done, Done::Known(true)))
        })
    }
}

/// The file can be opened again when this returns.
impl Drop for FileTable {
    fn drop(&mut self) {
        self.steps = None;
        if let Some(writer) = self.writer.take() {
            let _ = writer.join();
        }
    }
}

impl fmt::Debug for FileTable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("FileTable").field("path", &self.path).finish_non_exhaustive()
    }
}

/// Time since 1970: ends of life are kept over restarts.
#[derive(Debug)]
struct Calendar;

impl Clock for Calendar {
    fn now(&self) -> Duration {
        SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use std::io;
    use std::sync::atomic::{AtomicU64, Ordering};

    use parking_lot::Mutex;
    use redb::StorageBackend;

    use super::super::super::clock::ManualClock;
    use super::super::super::testing;
    use super::*;

    /// A disk that outlives the databases on it, and has room for so many bytes.
    #[derive(Debug, Default, Clone)]
    struct Disk(Arc<(Mutex<Vec<u8>>, AtomicU64)>);

    impl StorageBackend for Disk {
        fn len(&self) -> io::Result<u64> {
            Ok(self.0.0.lock().len() as u64)
        }

        fn read(&self, offset: u64, out: &mut [u8]) -> io::Result<()> {
            let start = usize::try_from(offset).unwrap();
            out.copy_from_slice(&self.0.0.lock()[start..start + out.len()]);
            Ok(())
        }

        fn set_len(&self, len: u64) -> io::Result<()> {
            if len > self.0.1.load(Ordering::Relaxed) {
                return Err(io::ErrorKind::StorageFull.into());
            }
            self.0.0.lock().resize(usize::try_from(len).unwrap(), 0);
            Ok(())
        }

        fn sync_data(&self) -> io::Result<()> {
            Ok(())
        }

        fn write(&self, offset: u64, data: &[u8]) -> io::Result<()> {
            let start = usize::try_from(offset).unwrap();
            self.0.0.lock()[start..start + data.len()].copy_from_slice(data);
            Ok(())
        }
    }

    fn on(disk: &Disk, clock: Arc<dyn Clock>) -> FileTable {
        let disk = disk.clone();
        let open = move || redb::Builder::new().create_with_backend(disk.clone());
        FileTable::start("disk".into(), open, clock).unwrap()
    }

    #[tokio::test]
    async fn a_file_keeps_the_rules_of_tables() {
        let (disk, clock) = (Disk::default(), Arc::new(ManualClock::default()));
        disk.0.1.store(u64::MAX, Ordering::Relaxed);
        let table = on(&disk, Arc::clone(&clock) as _);
        testing::table(Arc::new(table), &testing::Time::manual(&clock)).await;
    }

    #[tokio::test]
    async fn a_full_file_keeps_the_rules_of_full_tables() {
        let disk = Disk::default();
        disk.0.1.store(4 << 20, Ordering::Relaxed);
        let table = on(&disk, Arc::new(Calendar));
        testing::full_table(&table, Bytes::from(vec![b'x'; 256 << 10]), 100).await;
    }

    #[tokio::test]
    async fn a_full_disk_is_told_by_name_and_room_ends_it() {
        let disk = Disk::default();
        disk.0.1.store(2 << 20, Ordering::Relaxed);
        let table = on(&disk, Arc::new(Calendar));
        table.put("small", "kept".into(), Condition::Any, None).await.unwrap();
        let large = Bytes::from(vec![b'x'; 4 << 20]);
        let error = table.put("large", large.clone(), Condition::Any, None).await.unwrap_err();
        assert_eq!(error.kind, ErrorKind::Store);
        assert!(error.message.contains("the disk is full"), "{}", error.message);
        assert_eq!(table.get("small").await.unwrap().unwrap().value, "kept", "what was written stays");
        disk.0.1.store(u64::MAX, Ordering::Relaxed);
        table.put("large", large, Condition::Any, None).await.unwrap();
    }

    #[tokio::test]
    async fn a_file_belongs_to_one_process_and_to_stores() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("one.redb");
        let first = FileTable::open(&path).unwrap();
        let error = FileTable::open(&path).unwrap_err();
        assert!(error.message.contains("another process or server has it open"), "{}", error.message);
        drop(first);
        let closed = FileTable::open(&path).unwrap();
        closed.put("k", "v".into(), Condition::Any, None).await.unwrap();
        closed.close();
        let error = closed.put("k", "later".into(), Condition::Any, None).await.unwrap_err();
        assert_eq!((error.kind, &*error.message), (ErrorKind::Store, "the store is closed"));
        let again = FileTable::open(&path).unwrap();
        assert_eq!(again.get("k").await.unwrap().unwrap().value, "v");
        let other = folder.path().join("notes.txt");
        std::fs::write(&other, "no database, and long enough to be taken for one ".repeat(100)).unwrap();
        let error = FileTable::open(&other).unwrap_err();
        assert!(error.message.contains("no file of a store"), "{}", error.message);
    }

    #[tokio::test]
    async fn what_has_expired_is_forgotten_over_a_restart() {
        let (disk, clock) = (Disk::default(), Arc::new(ManualClock::default()));
        disk.0.1.store(u64::MAX, Ordering::Relaxed);
        let table = on(&disk, Arc::clone(&clock) as _);
        let ttl = Some(Duration::from_secs(5));
        table.put("short", "v".into(), Condition::Any, ttl).await.unwrap();
        table.put("long", "v".into(), Condition::Any, None).await.unwrap();
        drop(table);
        clock.advance(Duration::from_secs(5));
        let table = on(&disk, Arc::clone(&clock) as _);
        assert!(table.get("short").await.unwrap().is_none());
        assert!(table.get("long").await.unwrap().is_some());
    }
}
