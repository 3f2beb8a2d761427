//! The files of skills on disk.
//!
//! Owns: finding them without following links, and reading one. Must not know: which of them
//! are published, or as what.

use std::fs;
use std::io::{self, Read};
use std::path::Path;

use mcpbolt_proto::policy::skills::{FoundFile, FoundSkills, MANIFEST, SkillCatalog, SkillText};

use super::super::SafeRoot;

/// Files and folders below one folder.
const MAX_ENTRIES: usize = 100_000;
/// Bytes of one file: it is read whole.
const MAX_FILE: u64 = 256 * 1024 * 1024;
/// Folders inside of each other.
const MAX_DEPTH: usize = 32;

/// What lies below the folder; the files of skills with their digests.
pub(super) fn find(root: &SafeRoot) -> io::Result<FoundSkills> {
    let mut found = FoundSkills::default();
    let mut paths = Vec::new();
    walk(root.path(), "", 0, &mut found, &mut paths)?;
    let paths: Vec<&str> = paths.iter().map(String::as_str).collect();
    for path in SkillCatalog::files_of_skills(&paths) {
        let (file, bytes) = digested(root, path)?;
        if path.rsplit('/').next() == Some(MANIFEST) {
            let text = SkillText::parse(&String::from_utf8_lossy(&bytes));
            found.manifests.insert(path.to_owned(), text);
        }
        found.files.push(file);
    }
    Ok(found)
}

fn walk(
    folder: &Path,
    path: &str,
    depth: usize,
    found: &mut FoundSkills,
    files: &mut Vec<String>,
) -> io::Result<()> {
    let mut entries = fs::read_dir(folder)?.collect::<io::Result<Vec<_>>>()?;
    entries.sort_by_key(fs::DirEntry::file_name);
    for entry in entries {
        let name = entry.file_name();
        let name = name.to_string_lossy();
        if name.starts_with('.') {
            continue;
        }
        if found.folders.len() + files.len() == MAX_ENTRIES || depth == MAX_DEPTH {
            let bound =
                format!("it holds more than {MAX_ENTRIES} files, or folders deeper than {MAX_DEPTH} levels");
            return Err(io::Error::new(io::ErrorKind::InvalidInput, bound));
        }
        let below = if path.is_empty() { name.clone().into_owned() } else { format!("{path}/{name}") };
        // Of the entry itself: a link is neither file nor folder.
        let kind = entry.file_type()?;
        if kind.is_dir() {
            found.folders.push(below.clone());
            walk(&entry.path(), &below, depth + 1, found, files)?;
        } else if kind.is_file() && entry.file_name().to_str().is_some() {
            files.push(below);
        } else {
            found.other.push(below);
        }
    }
    Ok(())
}

/// A file's digest and its bytes.
fn digested(root: &SafeRoot, path: &str) -> io::Result<(FoundFile, Vec<u8>)> {
    let in_path = |error: io::Error| io::Error::new(error.kind(), format!("{path}: {error}"));
    let bytes = read(root, path, MAX_FILE).map_err(in_path)?;
    if bytes.len() as u64 > MAX_FILE {
        return Err(in_path(io::Error::new(io::ErrorKind::InvalidInput, "it is larger than 256 MiB")));
    }
    let digest = mcpbolt_proto::policy::skills::digest(&bytes);
    Ok((FoundFile { path: path.to_owned(), digest, size: bytes.len() as u64 }, bytes))
}

/// The bytes of a file, at most one more than `most`.
pub(super) fn read(root: &SafeRoot, path: &str, most: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    root.open_file(path)?.take(most.saturating_add(1)).read_to_end(&mut bytes)?;
    Ok(bytes)
}
