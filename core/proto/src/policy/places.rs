//! Places and what lies inside them: URIs compared by their parts.
//!
//! Owns: how a URI or a relative path falls into names, and which names are tricks.
//! Must not know: files. Links are left to the code that touches the disk.

use iri_string::types::IriStr;
use percent_encoding::percent_decode_str;

/// Whether `text` is an absolute URI (RFC 3986; letters beyond ASCII may stand as they
/// are, as in RFC 3987).
///
/// ```
/// use mcpbolt_proto::policy::places::is_uri;
///
/// assert!(is_uri("note:///shopping%20list") && is_uri("https://example.com/a?b#c"));
/// assert!(!is_uri("notes.txt") && !is_uri("note:///shopping list"));
/// ```
pub fn is_uri(text: &str) -> bool {
    IriStr::new(text).is_ok()
}

/// A place: scheme, authority and the names of its path, decoded, without `.` and `..`.
///
/// ```
/// use mcpbolt_proto::policy::places::UriPath;
///
/// let project = UriPath::parse("file:///srv/project").unwrap();
/// assert!(project.contains(&UriPath::parse("FILE://localhost/srv/project/src/%6dain.rs").unwrap()));
/// assert!(!project.contains(&UriPath::parse("file:///srv/project/../secret").unwrap()));
/// assert!(!project.contains(&UriPath::parse("file:///srv/project-2").unwrap()));
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UriPath {
    scheme: String,
    authority: String,
    names: Vec<String>,
}

impl UriPath {
    /// Reads an absolute URI; `None` if it is not one, climbs above its own root, or hides
    /// a separator or a control character in a name.
    pub fn parse(uri: &str) -> Option<Self> {
        let iri = IriStr::new(uri).ok()?;
        let scheme = iri.scheme_str().to_ascii_lowercase();
        let mut authority = iri.authority_str().unwrap_or_default().to_ascii_lowercase();
        if scheme == "file" && authority == "localhost" {
            authority.clear();
        }
        let mut names: Vec<String> = Vec::new();
        for segment in iri.path_str().split('/') {
            let name = percent_decode_str(segment).decode_utf8().ok()?;
            if name.contains(['/', '\\']) || name.chars().any(char::is_control) {
                return None;
            }
            match &*name {
                "" | "." => {}
                ".." => drop(names.pop()?),
                _ => names.push(name.into_owned()),
            }
        }
        if let Some(drive) = names.first_mut().filter(|name| scheme == "file" && is_drive(name)) {
            drive.make_ascii_uppercase();
        }
        Some(Self { scheme, authority, names })
    }

    /// Whether `other` is this place or lies below it.
    pub fn contains(&self, other: &Self) -> bool {
        self.scheme == other.scheme
            && self.authority == other.authority
            && other.names.starts_with(&self.names)
    }

    /// Whether it is a file or folder of this machine.
    pub fn is_local_file(&self) -> bool {
        self.scheme == "file" && self.authority.is_empty()
    }

    /// The names of its path, from the root on.
    pub fn names(&self) -> &[String] {
        &self.names
    }
}

/// Why a path was refused.
///
/// ```
/// use mcpbolt_proto::policy::places::{PathViolation, check_name};
///
/// assert_eq!(check_name("nul.txt"), Err(PathViolation::Device));
/// assert_eq!(check_name("notes.txt"), Ok(()));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PathViolation {
    /// It is absolute, or a URI of another place.
    Absolute,
    /// It climbs with `..`.
    Climbs,
    /// It names a drive, a share or a stream of a file.
    Drive,
    /// It names a device.
    Device,
    /// It holds a control character, or a separator in disguise.
    Hidden,
}

/// The names of a path below a folder, for any system: what would leave the folder on
/// one of them is refused on all.
///
/// ```
/// use mcpbolt_proto::policy::places::{PathViolation, names_below};
///
/// assert_eq!(names_below("2026/may.txt"), Ok(vec!["2026", "may.txt"]));
/// assert_eq!(names_below("../may.txt"), Err(PathViolation::Climbs));
/// assert_eq!(names_below("C:may.txt"), Err(PathViolation::Drive));
/// ```
///
/// # Errors
/// What is wrong with it.
pub fn names_below(path: &str) -> Result<Vec<&str>, PathViolation> {
    if path.starts_with(['/', '\\']) {
        return Err(PathViolation::Absolute);
    }
    let mut names = Vec::new();
    for name in path.split('/') {
        check_name(name)?;
        if !matches!(name, "" | ".") {
            names.push(name);
        }
    }
    Ok(names)
}

/// Whether one name is no more than a name.
///
/// # Errors
/// What is wrong with it.
pub fn check_name(name: &str) -> Result<(), PathViolation> {
    if name.contains(['/', '\\']) || name.chars().any(char::is_control) {
        return Err(PathViolation::Hidden);
    }
    if name.contains(':') {
        return Err(PathViolation::Drive);
    }
    // Windows drops dots and spaces at the end: "..  " climbs there.
    let bare = name.trim_end_matches(['.', ' ']);
    if name.starts_with("..") && bare.is_empty() {
        return Err(PathViolation::Climbs);
    }
    if bare.is_empty() && !matches!(name, "" | ".") {
        return Err(PathViolation::Hidden);
    }
    if is_device(bare) { Err(PathViolation::Device) } else { Ok(()) }
}

/// `C:`, as a name of its own.
fn is_drive(name: &str) -> bool {
    matches!(name.as_bytes(), [letter, b':' | b'|'] if letter.is_ascii_alphabetic())
}

/// Names that mean a device on Windows, whatever their extension and wherever they are.
fn is_device(name: &str) -> bool {
    let stem = name.split('.').next().unwrap_or_default().trim_end().to_ascii_uppercase();
    if matches!(&*stem, "CON" | "PRN" | "AUX" | "NUL" | "CONIN$" | "CONOUT$" | "CLOCK$") {
        return true;
    }
    let number = stem.strip_prefix("COM").or_else(|| stem.strip_prefix("LPT"));
    number.is_some_and(|n| {
        matches!(n, "0" | "1" | "2" | "3" | "4" | "5" | "6" | "7" | "8" | "9" | "¹" | "²" | "³")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_absolute_uri_is_refused() {
        for uri in ["file:///a", "note:///x", "a:b", "https://api.example.com/v1?q=1#f", "memo://ü/ß"] {
            assert!(is_uri(uri), "{uri}");
        }
        for text in [
            "",
            "a",
            "/etc/passwd",
            "../a",
            "//host/a",
            "file:///a b",
            "file:///%zz",
            "file:///a\n",
            "1a:b",
            "file:///a\\b",
        ] {
            assert!(!is_uri(text), "{text:?}");
        }
    }

    #[test]
    fn places_are_compared_by_their_parts() {
        let inside = |root: &str, uri: &str| {
            UriPath::parse(root).zip(UriPath::parse(uri)).is_some_and(|(root, uri)| root.contains(&uri))
        };
        for uri in [
            "file:///srv/p",
            "file:///srv/p/",
            "file:///srv/p/a",
            "file:///srv/./p/a",
            "file:///srv/p/a/../b",
            "file:///%73rv/p/%61",
            "FILE:///srv/p/a",
            "file://localhost/srv/p/a",
            "file:///srv//p/a",
        ] {
            assert!(inside("file:///srv/p", uri), "{uri}");
        }
        for uri in [
            "file:///srv",
            "file:///srv/pp",
            "file:///srv/p/..",
            "file:///srv/p/../q",
            "file:///srv/p/%2e%2e/q",
            "file:///srv/p/%2E./q",
            "file:///srv/p/..%2fq",
            "file:///srv/p/%2e%2e%5cq",
            "file:///srv/p%00/a",
            "file://host/srv/p/a",
            "http:///srv/p/a",
            "file:///../srv/p",
            "/srv/p/a",
            "",
            "file:///SRV/p/a",
        ] {
            assert!(!inside("file:///srv/p", uri), "{uri}");
        }
        assert!(inside("https://api.example.com/v1", "https://API.example.com/v1/users"));
        assert!(!inside("https://api.example.com/v1", "https://api.example.com:8443/v1/users"));
        assert!(inside("file:///c:/docs", "file:///C:/docs/a"));
    }

    #[test]
    fn no_spelling_of_a_path_leaves_its_folder_on_any_system() {
        for path in ["a", "a/b.txt", "a b/über.txt", "..a", "a..", "...a", "com10", "console.txt", "", "."] {
            assert!(names_below(path).is_ok(), "{path:?}");
        }
        for path in [
            "/etc/passwd",
            "\\windows",
            "//host/share",
            "\\\\host\\share",
            "..",
            "../a",
            "a/../../b",
            "a/..",
            ".. /a",
            "... /a",
            "..\\a",
            "a\\..\\b",
            "C:",
            "C:a",
            "C:/a",
            "c:\\a",
            "a:stream",
            "a/b::$DATA",
            "NUL",
            "nul.txt",
            "a/con",
            "CON.tar.gz",
            "com1",
            "LPT9.x",
            "aux ",
            "conin$",
            "COM¹",
            "a\0",
            "a\nb",
            "a/\u{7f}",
            "\\\\?\\C:\\a",
            "\\\\.\\pipe\\x",
            "a/ ",
            "a/. .",
        ] {
            assert!(names_below(path).is_err(), "{path:?}");
        }
    }
}
