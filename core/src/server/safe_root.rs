//! A folder that names cannot lead out of.
//!
//! Owns: what a `file:` URI or a relative path means inside a folder, and opening it.
//! Must not know: MCP.

use std::fmt;
use std::fs::{self, File, OpenOptions};
use std::io;
use std::path::{Path, PathBuf};

use mcpbolt_proto::policy::media::DIRECTORY;
use mcpbolt_proto::policy::places::{PathViolation, UriPath, check_name, names_below};
use mcpbolt_proto::protocol::types::Resource;

/// A folder, and the only way into it. Takes relative paths and `file:` URIs; refuses
/// those that lead elsewhere on any system: `..`, absolute paths, drives, shares, streams
/// of files, device names, control characters, the same percent-encoded, and links that
/// end outside.
///
/// ```
/// use mcpbolt::server::SafeRoot;
/// use std::io::Read;
///
/// # let dir = tempfile::tempdir()?;
/// # std::fs::write(dir.path().join("may.txt"), "milk")?;
/// # let folder = dir.path();
/// let notes = SafeRoot::open(folder)?;
/// let mut text = String::new();
/// notes.open_file("may.txt")?.read_to_string(&mut text)?;
/// assert_eq!(text, "milk");
/// assert!(notes.open_file("../secret.txt").is_err());
/// assert!(notes.resolve("file:///etc/passwd").is_err());
/// # Ok::<(), std::io::Error>(())
/// ```
///
/// On Linux a file is opened by the kernel's own rule that nothing may lead out of the
/// folder, so that a link exchanged in between changes nothing. Elsewhere the path is
/// checked first and opened then.
#[derive(Clone)]
pub struct SafeRoot {
    /// Without links.
    path: PathBuf,
    /// Its names as they were given, and without links: URIs may spell either.
    spellings: [Vec<String>; 2],
}

impl SafeRoot {
    /// The folder `dir`, which must be there.
    ///
    /// # Errors
    /// When it cannot be read or is not a folder.
    pub fn open(dir: impl AsRef<Path>) -> io::Result<Self> {
        let path = dir.as_ref().canonicalize()?;
        if !path.is_dir() {
            return Err(io::ErrorKind::NotADirectory.into());
        }
        let spellings = [names(&std::path::absolute(dir)?), names(&path)];
        Ok(Self { path, spellings })
    }

    /// The folder.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Where `place` is: a relative path or a `file:` URI below the folder. It need not
    /// exist, but no link on the way leads outside.
    ///
    /// # Errors
    /// `InvalidInput` when it would lead out of the folder; otherwise as the system says.
    pub fn resolve(&self, place: &str) -> io::Result<PathBuf> {
        self.followed(&self.names_of(place)?)
    }

    /// Where names lead from the folder on, links followed.
    fn followed(&self, names: &[String]) -> io::Result<PathBuf> {
        let mut path = self.path.clone();
        for name in names {
            path.push(name);
            match fs::symlink_metadata(&path) {
                // A link to nothing fails here: what is written through it would be made
                // wherever it points.
                Ok(found) if found.is_symlink() => path = path.canonicalize()?,
                Ok(_) => {}
                Err(error) if error.kind() == io::ErrorKind::NotFound => {}
                Err(error) => return Err(error),
            }
            if !path.starts_with(&self.path) {
                return Err(refused("it is a link that leads out of the folder"));
            }
        }
        Ok(path)
    }

    /// Opens a plain file for reading.
    ///
    /// # Errors
    /// As [`SafeRoot::resolve`]; `InvalidInput` too for what is not a plain file.
    pub fn open_file(&self, place: &str) -> io::Result<File> {
        self.opened(place, false)
    }

    /// Makes a plain file, or empties it, for writing. The folder it lies in must be there.
    ///
    /// # Errors
    /// As [`SafeRoot::open_file`].
    pub fn create_file(&self, place: &str) -> io::Result<File> {
        // Emptied only once it is known to be a plain file.
        let file = self.opened(place, true)?;
        file.set_len(0)?;
        Ok(file)
    }

    /// Deletes a plain file, or a link to one, which then leaves the file as it is.
    ///
    /// # Errors
    /// As [`SafeRoot::open_file`].
    pub fn remove_file(&self, place: &str) -> io::Result<()> {
        let names = self.names_of(place)?;
        let is_file = fs::symlink_metadata(self.followed(&names)?)?.is_file();
        let Some((last, folders)) = names.split_last().filter(|_| is_file) else {
            return Err(refused("it is no plain file"));
        };
        fs::remove_file(self.followed(folders)?.join(last))
    }

    /// What lies in a folder, sorted by name: each a resource with its `file:` URI,
    /// folders with the type `inode/directory`. Links that lead outside and names that no
    /// other system could have are left out.
    ///
    /// # Errors
    /// As [`SafeRoot::resolve`], and when it is not a folder.
    pub fn resources(&self, place: &str) -> io::Result<Vec<Resource>> {
        let folder = self.resolve(place)?;
        let mut found = Vec::new();
        for entry in fs::read_dir(&folder)? {
            let Ok(name) = entry?.file_name().into_string() else { continue };
            let Ok(target) = folder.join(&name).canonicalize() else { continue };
            if check_name(&name).is_err() || !target.starts_with(&self.path) {
                continue;
            }
            let Ok(uri) = url::Url::from_file_path(folder.join(&name)) else { continue };
            let resource = Resource::new(String::from(uri), name);
            match fs::metadata(&target)? {
                about if about.is_dir() => found.push(resource.mime_type(DIRECTORY)),
                about if about.is_file() => found.push(resource.size(about.len())),
                _ => {}
            }
        }
        found.sort_by(|a, b| a.name.cmp(&b.name));
        Ok(found)
    }

    fn opened(&self, place: &str, writes: bool) -> io::Result<File> {
        let path = self.resolve(place)?;
        if fs::metadata(&path).is_ok_and(|found| !found.is_file()) {
            return Err(refused("it is no plain file"));
        }
        let file = self.open_below(&path, writes)?;
        if file.metadata()?.is_file() { Ok(file) } else { Err(refused("it is no plain file")) }
    }

    /// The names of `place` from the folder on.
    fn names_of(&self, place: &str) -> io::Result<Vec<String>> {
        let is_uri = place.get(..5).is_some_and(|scheme| scheme.eq_ignore_ascii_case("file:"));
        if !is_uri {
            let names = names_below(place).map_err(|trick| refused(why(trick)))?;
            return Ok(names.into_iter().map(str::to_owned).collect());
        }
        let place = UriPath::parse(place).filter(UriPath::is_local_file);
        let place = place.ok_or_else(|| refused("it is no URI of a file here"))?;
        let root = self.spellings.iter().find(|root| place.names().starts_with(root));
        let root = root.ok_or_else(|| refused("it lies outside of the folder"))?;
        let names = &place.names()[root.len()..];
        for name in names {
            check_name(name).map_err(|trick| refused(why(trick)))?;
        }
        Ok(names.to_vec())
    }

    #[cfg(target_os = "linux")]
    fn open_below(&self, path: &Path, writes: bool) -> io::Result<File> {
        use rustix::fs::{Mode, OFlags, ResolveFlags, openat2};
        use rustix::io::Errno;

        let inside = path.strip_prefix(&self.path).map_err(|_| refused("it lies outside of the folder"))?;
        let folder = File::open(&self.path)?;
        let access = if writes { OFlags::WRONLY | OFlags::CREATE } else { OFlags::RDONLY };
        // A pipe must not make us wait.
        let flags = access | OFlags::CLOEXEC | OFlags::NONBLOCK;
        let mode = if writes { Mode::from_raw_mode(0o666) } else { Mode::empty() };
        match openat2(&folder, inside, flags, mode, ResolveFlags::BENEATH | ResolveFlags::NO_SYMLINKS) {
            Ok(file) => Ok(file.into()),
            Err(Errno::NOSYS | Errno::PERM) => open_plainly(path, writes),
            Err(Errno::XDEV | Errno::LOOP) => Err(refused("it was exchanged for a link")),
            Err(error) => Err(error.into()),
        }
    }

    #[cfg(not(target_os = "linux"))]
    #[allow(clippy::unused_self)]
    fn open_below(&self, path: &Path, writes: bool) -> io::Result<File> {
        open_plainly(path, writes)
    }
}

impl fmt::Debug for SafeRoot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("SafeRoot").field(&self.path).finish()
    }
}

fn open_plainly(path: &Path, writes: bool) -> io::Result<File> {
    OpenOptions::new().read(!writes).write(writes).create(writes).truncate(false).open(path)
}

/// The names of an absolute path, as a [`UriPath`] has them.
fn names(path: &Path) -> Vec<String> {
    let text = path.to_string_lossy().replace('\\', "/");
    let text = text.trim_start_matches("//?/");
    let mut names: Vec<String> =
        text.split('/').filter(|name| !matches!(*name, "" | ".")).map(str::to_owned).collect();
    if let Some(drive) = names.first_mut().filter(|name| name.ends_with(':')) {
        drive.make_ascii_uppercase();
    }
    names
}

fn why(trick: PathViolation) -> &'static str {
    match trick {
        PathViolation::Absolute => "it is not relative to the folder",
        PathViolation::Climbs => "it leads out of the folder",
        PathViolation::Drive => "it names a drive or a stream",
        PathViolation::Device => "it names a device",
        PathViolation::Hidden => "it holds a character that no name may hold",
    }
}

/// Says why, never what: the name is the client's.
fn refused(why: &str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidInput, format!("the path was refused: {why}"))
}
