//! The folder: names in, text out, and no way past its edge.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use mcpbolt::server::Failure;

/// Longest name of a note, in bytes.
const MAX_NAME: usize = 100;
/// Longest note, in bytes.
const MAX_NOTE: usize = 1 << 20;

/// A folder of notes.
#[derive(Clone, Debug)]
pub(crate) struct Folder(PathBuf);

impl Folder {
    /// Opens a folder, or makes it.
    pub(crate) fn open(path: &Path) -> io::Result<Self> {
        fs::create_dir_all(path)?;
        path.canonicalize().map(Self)
    }

    /// Where it is.
    pub(crate) fn path(&self) -> &Path {
        &self.0
    }

    /// Names of all notes, sorted.
    pub(crate) fn names(&self) -> Vec<String> {
        let entries = fs::read_dir(&self.0).into_iter().flatten().flatten();
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
        self.file(name).is_ok_and(|path| path.exists())
    }

    /// The text of a note.
    pub(crate) async fn read(&self, name: &str) -> Result<String, Failure> {
        let path = self.file(name)?;
        tokio::fs::read_to_string(path).await.map_err(|error| failed("read", name, &error))
    }

    /// Writes a note.
    pub(crate) async fn write(&self, name: &str, text: &str) -> Result<(), Failure> {
        if text.len() > MAX_NOTE {
            return Err(Failure::tool(format!("a note has at most {MAX_NOTE} bytes")));
        }
        let path = self.file(name)?;
        tokio::fs::write(path, text).await.map_err(|error| failed("write", name, &error))
    }

    /// Deletes a note.
    pub(crate) async fn delete(&self, name: &str) -> Result<(), Failure> {
        let path = self.file(name)?;
        tokio::fs::remove_file(path).await.map_err(|error| failed("delete", name, &error))
    }

    /// The file of a note. Fails for names that lead, or might lead, somewhere else.
    fn file(&self, name: &str) -> Result<PathBuf, Failure> {
        check(name).map_err(Failure::tool)?;
        let path = self.0.join(name);
        match fs::symlink_metadata(&path) {
            // A link may point anywhere; a folder is no note.
            Ok(found) if !found.is_file() => Err(Failure::tool(format!("{name:?} is not a plain file"))),
            _ => Ok(path),
        }
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
    #[test]
    fn links_are_not_followed() {
        let place = std::env::temp_dir().join(format!("mcpbolt-notes-{}", std::process::id()));
        let folder = Folder::open(&place.join("inside")).unwrap();
        fs::write(place.join("secret"), "s").unwrap();
        std::os::unix::fs::symlink(place.join("secret"), folder.path().join("link")).unwrap();
        assert!(folder.file("link").is_err());
        assert!(folder.file("other").is_ok());
        assert!(folder.names().is_empty());
        fs::remove_dir_all(place).unwrap();
    }
}
