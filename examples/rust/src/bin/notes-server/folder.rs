//! The folder: names in, text out, and no way past its edge.

use std::fs;
use std::io;
use std::path::Path;

use mcpbolt::server::{Failure, SafeRoot};
use tokio::io::{AsyncReadExt, AsyncWriteExt};

/// Longest name of a note, in bytes.
const MAX_NAME: usize = 100;
/// Longest note, in bytes.
const MAX_NOTE: usize = 1 << 20;

/// A folder of notes.
#[derive(Clone, Debug)]
pub(crate) struct Folder(SafeRoot);

impl Folder {
    /// Opens a folder, or makes it.
    pub(crate) fn open(path: &Path) -> io::Result<Self> {
        fs::create_dir_all(path)?;
        SafeRoot::open(path).map(Self)
    }

    /// Where it is.
    pub(crate) fn path(&self) -> &Path {
        self.0.path()
    }

    /// Names of all notes, sorted.
    pub(crate) fn names(&self) -> Vec<String> {
        let entries = fs::read_dir(self.path()).into_iter().flatten().flatten();
        let mut names: Vec<String> = entries
            .filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_file()))
            .filter_map(|entry| entry.file_name().into_string().ok())
            .filter(|name| check(name).is_ok())
            .collect();
        names.sort();
        names
    }

    /// Whether there is a note of that name.
    pub(crate) fn has(&self, name: &str) -> bool {
        check(name).is_ok() && self.0.open_file(name).is_ok()
    }

    /// The text of a note.
    pub(crate) async fn read(&self, name: &str) -> Result<String, Failure> {
        check(name).map_err(Failure::tool)?;
        let failed = |error: io::Error| failed("read", name, &error);
        let mut text = String::new();
        let file = self.0.open_file(name).map_err(failed)?;
        tokio::fs::File::from_std(file).read_to_string(&mut text).await.map_err(failed)?;
        Ok(text)
    }

    /// Writes a note.
    pub(crate) async fn write(&self, name: &str, text: &str) -> Result<(), Failure> {
        if text.len() > MAX_NOTE {
            return Err(Failure::tool(format!("a note has at most {MAX_NOTE} bytes")));
        }
        check(name).map_err(Failure::tool)?;
        let failed = |error: io::Error| failed("write", name, &error);
        let mut file = tokio::fs::File::from_std(self.0.create_file(name).map_err(failed)?);
        file.write_all(text.as_bytes()).await.map_err(failed)?;
        file.flush().await.map_err(failed)
    }

    /// Deletes a note.
    pub(crate) fn delete(&self, name: &str) -> Result<(), Failure> {
        check(name).map_err(Failure::tool)?;
        self.0.remove_file(name).map_err(|error| failed("delete", name, &error))
    }
}

/// A name is one file of the folder itself: no separators, nothing hidden.
fn check(name: &str) -> Result<(), String> {
    let allowed = |c: char| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_' | '.');
    if name.is_empty() || name.len() > MAX_NAME {
        return Err(format!("a name has 1 to {MAX_NAME} bytes"));
    }
    if name.starts_with('.') || name.ends_with(['.', ' ']) || !name.chars().all(allowed) {
        return Err(format!("{name:?} is outside the folder or not a name of a note"));
    }
    Ok(())
}

fn failed(what: &str, name: &str, error: &io::Error) -> Failure {
    match error.kind() {
        io::ErrorKind::NotFound => Failure::tool(format!("there is no note {name:?}")),
        io::ErrorKind::InvalidInput => Failure::tool(format!("cannot {what} {name:?}: {error}")),
        kind => Failure::tool(format!("cannot {what} {name:?}: {kind}")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_stay_in_the_folder() {
        for name in ["a", "shopping list.md", "über-uns_2.txt"] {
            assert!(check(name).is_ok(), "{name}");
        }
        for name in
            ["", "..", ".", "../a", "a/b", "/etc/passwd", "a\\b", "c:x", ".hidden", "a\0", "a\n", "a."]
        {
            assert!(check(name).is_err(), "{name:?}");
        }
    }

    #[cfg(unix)]
    #[tokio::test]
    async fn links_lead_nowhere() {
        let place = std::env::temp_dir().join(format!("mcpbolt-notes-{}", std::process::id()));
        let folder = Folder::open(&place.join("inside")).unwrap();
        fs::write(place.join("secret"), "s").unwrap();
        std::os::unix::fs::symlink(place.join("secret"), folder.path().join("link")).unwrap();
        for name in ["link", "../secret"] {
            assert!(!folder.has(name) && folder.read(name).await.is_err(), "{name}");
            assert!(folder.write(name, "x").await.is_err() && folder.delete(name).is_err(), "{name}");
        }
        assert_eq!(fs::read_to_string(place.join("secret")).unwrap(), "s");
        folder.write("other", "o").await.unwrap();
        assert_eq!((folder.read("other").await.unwrap().as_str(), folder.names().len()), ("o", 1));
        folder.delete("other").unwrap();
        assert!(folder.names().is_empty());
        fs::remove_dir_all(place).unwrap();
    }
}
