//! One settings file: JSON, perhaps with comments, of which one entry is changed.
//!
//! Owns: that the rest of the file stays as it is, and that nothing is lost on the way. Must not
//! know: which app it belongs to.

use std::collections::HashSet;
use std::fs::{self, File};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use jsonc_parser::ParseOptions;
use jsonc_parser::cst::{CstInputValue, CstObject, CstRootNode};
use serde_json::Value;
use tempfile::NamedTempFile;

use crate::exit::{Exit, Failure};

/// Comments and commas after the last entry, as editors have them; nothing else that is no JSON.
const OPTIONS: ParseOptions = ParseOptions {
    allow_comments: true,
    allow_loose_object_property_names: false,
    allow_trailing_commas: true,
    allow_missing_commas: false,
    allow_single_quoted_strings: false,
    allow_hexadecimal_numbers: false,
    allow_unary_plus_numbers: false,
    allow_bare_decimal_point_numbers: false,
    allow_non_finite_numbers: false,
    allow_extended_string_escapes: false,
};

/// What some editors on Windows put before the text. It is no part of it.
pub(crate) const MARK: &str = "\u{feff}";

/// What a file is to become.
pub(crate) struct Change {
    pub(crate) before: String,
    pub(crate) after: String,
}

impl Change {
    /// Whether anything changes.
    pub(crate) fn is_one(&self) -> bool {
        self.before != self.after
    }
}

/// A settings file.
pub(crate) struct SettingsFile {
    /// The file itself, where the path is a link.
    path: PathBuf,
    key: &'static str,
    /// What stands before the text: nothing, or a [`MARK`], which stays.
    mark: &'static str,
    /// `None` if there is no file yet.
    text: Option<String>,
}

impl SettingsFile {
    /// Reads the file whose servers stand under `key`.
    pub(crate) fn read(path: &Path, key: &'static str) -> Result<Self, Failure> {
        let wrong = |why: &io::Error| Failure::usage(format!("{}: {why}", path.display()));
        // A link stays one: what it leads to is changed.
        let found = match fs::canonicalize(path) {
            Ok(found) => found,
            Err(why) if why.kind() == io::ErrorKind::NotFound => {
                return Ok(Self { path: path.to_owned(), key, mark: "", text: None });
            }
            Err(why) => return Err(wrong(&why)),
        };
        let mut text = fs::read_to_string(&found).map_err(|why| wrong(&why))?;
        let mark = if text.starts_with(MARK) { MARK } else { "" };
        text.drain(..mark.len());
        Ok(Self { path: found, key, mark, text: Some(text) })
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// The entry of a server.
    pub(crate) fn entry(&self, name: &str) -> Result<Option<Value>, Failure> {
        let root = self.parse()?;
        let servers = self.servers(&root, false)?;
        Ok(servers.and_then(|servers| servers.get(name)?.value()?.to_serde_value()))
    }

    /// The names of all servers.
    pub(crate) fn names(&self) -> Result<Vec<String>, Failure> {
        let root = self.parse()?;
        let servers = self.servers(&root, false)?;
        Ok(servers.iter().flat_map(names).collect())
    }

    /// The file with this entry.
    pub(crate) fn with(&self, name: &str, entry: &Value) -> Result<Change, Failure> {
        let root = self.parse()?;
        if let Some(servers) = self.servers(&root, true)? {
            let entry = input(entry);
            match servers.get(name) {
                Some(there) => there.set_value(entry),
                None => drop(servers.append(name, entry)),
            }
        }
        Ok(self.change(&root))
    }

    /// The file without the entry of that name, if it has one.
    pub(crate) fn without(&self, name: &str) -> Result<Change, Failure> {
        let root = self.parse()?;
        if let Some(entry) = self.servers(&root, false)?.and_then(|servers| servers.get(name)) {
            entry.remove();
        }
        Ok(self.change(&root))
    }

    /// Writes the change: first a copy beside the file, then the new file in one step, with the mode
    /// of the old one. A file that was not there is the user's alone. Returns where the copy is.
    pub(crate) fn write(&self, change: &Change) -> Result<Option<PathBuf>, Failure> {
        self.replace(change).map_err(|why| {
            Failure::new(Exit::Failed, format!("{}: {why}", self.path.display()))
                .remedy("nothing was changed")
        })
    }

    fn replace(&self, change: &Change) -> io::Result<Option<PathBuf>> {
        let folder = self.path.parent().filter(|folder| !folder.as_os_str().is_empty());
        let folder = folder.unwrap_or(Path::new("."));
        fs::create_dir_all(folder)?;
        let mut new = NamedTempFile::new_in(folder)?;
        new.write_all(self.mark.as_bytes())?;
        new.write_all(change.after.as_bytes())?;
        let mut copy = None;
        if self.text.is_some() {
            if fs::read_to_string(&self.path)?.strip_prefix(self.mark) != Some(&change.before) {
                return Err(io::Error::other("another program has just changed it; try again"));
            }
            new.as_file().set_permissions(fs::metadata(&self.path)?.permissions())?;
            copy = Some(self.back_up()?);
        }
        new.as_file().sync_all()?;
        new.persist(&self.path).map_err(|failed| failed.error)?;
        Ok(copy)
    }

    /// A copy that replaces no other.
    fn back_up(&self) -> io::Result<PathBuf> {
        let time = humantime::format_rfc3339_seconds(SystemTime::now()).to_string().replace(':', "-");
        let name = self.path.file_name().unwrap_or_default().to_string_lossy();
        for number in 0.. {
            let suffix = if number == 0 { String::new() } else { format!("-{number}") };
            let copy = self.path.with_file_name(format!("{name}.{time}{suffix}.bak"));
            match File::options().write(true).create_new(true).open(&copy) {
                Ok(_) => {
                    fs::copy(&self.path, &copy)?;
                    return Ok(copy);
                }
                Err(why) if why.kind() == io::ErrorKind::AlreadyExists => {}
                Err(why) => return Err(why),
            }
        }
        Err(io::Error::from(io::ErrorKind::AlreadyExists))
    }

    fn parse(&self) -> Result<CstRootNode, Failure> {
        let text = self.text.as_deref().unwrap_or_default();
        let text = if text.trim().is_empty() { "{\n}\n" } else { text };
        let root = CstRootNode::parse(text, &OPTIONS).map_err(|why| self.refused(&why.to_string()))?;
        match root.object_value() {
            Some(_) => Ok(root),
            None => Err(self.refused("it holds no object")),
        }
    }

    /// The object of servers; made where that is wanted.
    fn servers(&self, root: &CstRootNode, make: bool) -> Result<Option<CstObject>, Failure> {
        let all = root.object_value().ok_or_else(|| self.refused("it holds no object"))?;
        if names(&all).filter(|name| name == self.key).count() > 1 {
            return Err(self.refused(&format!("it has {} more than once", self.key)));
        }
        let servers = match all.get(self.key) {
            Some(there) => {
                there.object_value().ok_or_else(|| self.refused(&format!("its {} is no object", self.key)))?
            }
            None if make => all.object_value_or_set(self.key),
            None => return Ok(None),
        };
        // The last one is in force, and the first would be changed.
        let mut seen = HashSet::new();
        match names(&servers).find(|name| !seen.insert(name.clone())) {
            Some(name) => Err(self.refused(&format!("it has the server {name} more than once"))),
            None => Ok(Some(servers)),
        }
    }

    fn refused(&self, why: &str) -> Failure {
        Failure::usage(format!("{}: {why}", self.path.display()))
            .remedy("it was left as it is: put it right in an editor, and try again")
    }

    fn change(&self, root: &CstRootNode) -> Change {
        Change { before: self.text.clone().unwrap_or_default(), after: root.to_string() }
    }
}

fn names(object: &CstObject) -> impl Iterator<Item = String> + use<> {
    object.properties().into_iter().filter_map(|one| one.decoded_name())
}

fn input(value: &Value) -> CstInputValue {
    match value {
        Value::Null => CstInputValue::Null,
        Value::Bool(value) => CstInputValue::Bool(*value),
        Value::Number(value) => CstInputValue::Number(value.to_string()),
        Value::String(value) => CstInputValue::String(value.clone()),
        Value::Array(values) => CstInputValue::Array(values.iter().map(input).collect()),
        Value::Object(members) => {
            CstInputValue::Object(members.iter().map(|(name, value)| (name.clone(), input(value))).collect())
        }
    }
}
