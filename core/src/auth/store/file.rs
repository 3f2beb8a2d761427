//! Credentials in files, for programs that start again.
//!
//! Owns: the names of the files, how they are written, and the lock between processes. Must not
//! know: what is in them; how a folder is closed to others.

use std::fmt::Write as _;
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::time::Duration;

use sha2::{Digest as _, Sha256};
use tempfile::NamedTempFile;

use mcpbolt_proto::protocol::Error;

use super::{CredentialStore, Credentials, StoreLock, private_folder};
use crate::handler::BoxFuture;

/// How often a lock that another program holds is tried.
const TRY_AGAIN: Duration = Duration::from_millis(25);

/// Keeps credentials in a folder, one file for each server, in plain text. A folder that the store
/// makes can be read by the user alone, on Unix and on Windows; so can the files on Unix, also in
/// a folder that was there before. On Windows such a folder should be the user's own. Files are
/// replaced in one step, so that a program that is killed leaves the old or the new content.
/// Several programs may share the folder.
///
/// ```
/// use mcpbolt::auth::{FileStore, OAuth};
///
/// let folder = std::env::temp_dir().join("example-credentials"); // better: the user's own
/// let oauth = OAuth::new("Example").store(FileStore::new(folder));
/// # let _ = oauth;
/// ```
#[derive(Debug, Clone)]
pub struct FileStore {
    folder: PathBuf,
}

impl FileStore {
    /// A store in this folder, which is made when it is needed.
    pub fn new(folder: impl Into<PathBuf>) -> Self {
        Self { folder: folder.into() }
    }

    /// The file of a server. A URL is no file name, and may say more than a folder should show.
    fn file(&self, server: &str, extension: &str) -> PathBuf {
        let digest = Sha256::digest(server.as_bytes());
        let name = digest.iter().take(16).fold(String::new(), |mut name, byte| {
            let _ = write!(name, "{byte:02x}");
            name
        });
        self.folder.join(format!("{name}.{extension}"))
    }

    fn failed(&self, what: &str, why: &io::Error) -> Error {
        Error::usage(format!("credential store {}: it cannot be {what}: {why}", self.folder.display()))
    }

    /// Does something with files where waiting for them is no harm.
    async fn blocking<T: Send + 'static>(
        &self,
        what: &str,
        work: impl FnOnce() -> io::Result<T> + Send + 'static,
    ) -> Result<T, Error> {
        let done = tokio::task::spawn_blocking(work).await;
        done.unwrap_or_else(|_| Err(io::ErrorKind::Interrupted.into())).map_err(|why| self.failed(what, &why))
    }
}

impl CredentialStore for FileStore {
    fn load<'a>(&'a self, server: &'a str) -> BoxFuture<'a, Result<Credentials, Error>> {
        let path = self.file(server, "json");
        Box::pin(async move {
            let read = self.blocking("read", move || match fs::read(path) {
                Err(why) if why.kind() == io::ErrorKind::NotFound => Ok(None),
                read => read.map(Some),
            });
            let Some(text) = read.await? else { return Ok(Credentials::default()) };
            serde_json::from_slice(&text).map_err(|_| {
                let path = self.file(server, "json");
                Error::usage(format!("{}: it is not what was written there; delete it", path.display()))
            })
        })
    }

    fn save<'a>(&'a self, server: &'a str, credentials: &'a Credentials) -> BoxFuture<'a, Result<(), Error>> {
        let (folder, path) = (self.folder.clone(), self.file(server, "json"));
        let text = serde_json::to_vec_pretty(credentials).unwrap_or_default();
        Box::pin(self.blocking("written", move || replace(&folder, &path, &text)))
    }

    fn lock<'a>(&'a self, server: &'a str) -> BoxFuture<'a, Result<StoreLock, Error>> {
        let (folder, path) = (self.folder.clone(), self.file(server, "lock"));
        Box::pin(async move {
            let file = self.blocking("locked", move || open_lock(&folder, &path)).await?;
            loop {
                match file.try_lock() {
                    Ok(()) => return Ok(Box::new(file) as StoreLock),
                    // A thread that waits for the system's lock could not be called back.
                    Err(TryLockError::WouldBlock) => tokio::time::sleep(TRY_AGAIN).await,
                    Err(TryLockError::Error(why)) => return Err(self.failed("locked", &why)),
                }
            }
        })
    }
}

/// Puts the text into the file, which nobody ever sees half written.
fn replace(folder: &Path, path: &Path, text: &[u8]) -> io::Result<()> {
    private_folder::make(folder)?;
    // On Unix it begins its life readable for nobody else.
    let mut file = NamedTempFile::new_in(folder)?;
    file.write_all(text)?;
    file.as_file().sync_all()?;
    file.persist(path)?;
    Ok(())
}

fn open_lock(folder: &Path, path: &Path) -> io::Result<File> {
    private_folder::make(folder)?;
    let mut options = OpenOptions::new();
    options.create(true).truncate(false).write(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(path)
}
