//! URIs of skills and of their files.
//!
//! Owns: how names become a URI, which skill a URI belongs to, and when two spellings mean
//! one file. Must not know: which files there are.

use percent_encoding::{
    AsciiSet, CONTROLS, NON_ALPHANUMERIC, percent_decode_str, percent_encode, utf8_percent_encode,
};
use url::Url;

use super::MANIFEST;

/// What a name inside a path cannot hold as it is.
const SEGMENT: &AsciiSet = &CONTROLS
    .add(b' ')
    .add(b'"')
    .add(b'#')
    .add(b'%')
    .add(b'/')
    .add(b'<')
    .add(b'>')
    .add(b'?')
    .add(b'\\')
    .add(b'^')
    .add(b'`')
    .add(b'{')
    .add(b'}');
/// The first name is the authority: letters, digits and what RFC 3986 leaves unreserved.
const AUTHORITY: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~');

/// `skill://` and these names. `None` if a URI cannot say them.
pub(super) fn of_names<'a>(names: impl IntoIterator<Item = &'a str>) -> Option<String> {
    let mut uri = String::from("skill:/");
    for (at, name) in names.into_iter().enumerate() {
        if matches!(name, "" | "." | "..") {
            return None;
        }
        uri.push('/');
        uri.extend(utf8_percent_encode(name, if at == 0 { AUTHORITY } else { SEGMENT }));
    }
    // One that a reader would spell differently could not be compared.
    (canonical(&uri).as_ref() == Some(&uri)).then_some(uri)
}

/// The spelling that all readers of URIs agree on.
pub(super) fn canonical(uri: &str) -> Option<String> {
    Url::parse(uri).ok().map(String::from)
}

/// The folder of a skill, without a slash at its end; `None` if `manifest` is not the URI of
/// a `SKILL.md` in a folder that has a name.
///
/// ```
/// use mcpbolt_proto::policy::skills::root_of;
///
/// assert_eq!(root_of("skill://acme/refunds/SKILL.md").as_deref(), Some("skill://acme/refunds"));
/// assert_eq!(root_of("skill://acme/refunds/README.md"), None);
/// ```
pub fn root_of(manifest: &str) -> Option<String> {
    let url = Url::parse(manifest).ok()?;
    if url.query().is_some() || url.fragment().is_some() {
        return None;
    }
    let root = url.as_str().strip_suffix(MANIFEST)?.strip_suffix('/')?;
    (!root.ends_with('/')).then(|| root.to_owned())
}

/// The name of a folder: the last part of its path, or its authority.
pub(super) fn last_name(root: &str) -> Option<String> {
    let url = Url::parse(root).ok()?;
    let last = url.path().rsplit('/').next().filter(|last| !last.is_empty()).or_else(|| url.host_str())?;
    Some(percent_decode_str(last).decode_utf8().ok()?.into_owned())
}

/// Whether `uri` is a file strictly inside of the folder `root`, by plain names.
pub(super) fn is_inside(root: &str, uri: &str) -> bool {
    let Some(uri) = canonical(uri) else { return false };
    let Some(path) = uri.strip_prefix(root).and_then(|rest| rest.strip_prefix('/')) else { return false };
    !path.contains(['?', '#'])
        && path.split('/').all(|name| {
            let name: Vec<u8> = percent_decode_str(name).collect();
            !matches!(&*name, b"" | b"." | b"..") && !name.iter().any(|b| matches!(b, b'/' | b'\\' | 0))
        })
}

/// What all spellings of one file's URI below `root` have in common.
pub(super) fn key(root: &str, uri: &str) -> Option<String> {
    let mut url = Url::parse(uri).ok()?;
    url.set_fragment(None);
    let uri = String::from(url);
    let Some(path) = uri.strip_prefix(root).and_then(|rest| rest.strip_prefix('/')) else { return Some(uri) };
    let name = |name: &str| {
        percent_encode(&percent_decode_str(name).collect::<Vec<u8>>(), NON_ALPHANUMERIC).to_string()
    };
    Some(format!("{root}/{}", path.split('/').map(name).collect::<Vec<_>>().join("/")))
}

/// What `reference` in a file of the skill means: a path from the skill's folder, or a whole
/// URI. A fragment is dropped. `None` if it is neither or leaves the folder.
///
/// ```
/// use mcpbolt_proto::policy::skills::resolve;
///
/// let skill = "skill://acme/refunds/SKILL.md";
/// assert_eq!(resolve(skill, "examples/email.md#top").as_deref(), Some("skill://acme/refunds/examples/email.md"));
/// assert_eq!(resolve(skill, "../secrets.md"), None);
/// assert_eq!(resolve(skill, "https://example.com/"), None);
/// ```
pub fn resolve(manifest: &str, reference: &str) -> Option<String> {
    let root = root_of(manifest)?;
    let mut url = Url::parse(&format!("{root}/")).ok()?.join(reference).ok()?;
    url.set_fragment(None);
    let uri = String::from(url);
    is_inside(&root, &uri).then_some(uri)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_become_uris_and_come_back() {
        assert_eq!(
            of_names(["acme", "q & a", "100%.md"]).as_deref(),
            Some("skill://acme/q%20&%20a/100%25.md")
        );
        assert_eq!(of_names(["ä", "ö.md"]).as_deref(), Some("skill://%C3%A4/%C3%B6.md"));
        for names in [&["a", ".."][..], &["a", ""], &["a", "."]] {
            assert_eq!(of_names(names.iter().copied()), None);
        }
        assert_eq!(last_name("skill://acme/q%20a").as_deref(), Some("q a"));
        assert_eq!(last_name("skill://acme").as_deref(), Some("acme"));
    }

    #[test]
    fn only_a_manifest_in_a_named_folder_has_a_root() {
        for uri in [
            "skill:///SKILL.md",
            "skill://a/skill.md",
            "SKILL.md",
            "skill://a/b?/SKILL.md",
            "skill://a/SKILL.md#x",
            "skill://a//SKILL.md",
        ] {
            assert_eq!(root_of(uri), None, "{uri}");
        }
        assert_eq!(root_of("github://o/r/refunds/SKILL.md").as_deref(), Some("github://o/r/refunds"));
    }

    #[test]
    fn tricks_do_not_get_out_of_a_folder() {
        let root = "skill://a/b";
        for inside in ["skill://a/b/c", "skill://a/b/c/d.md", "skill://a/b/x%20y"] {
            assert!(is_inside(root, inside), "{inside}");
        }
        for outside in [
            "skill://a/b",
            "skill://a/b/",
            "skill://a/bc",
            "skill://a/b/../c",
            "skill://a/b/%2e%2e/c",
            "skill://a/b/c%2fd",
            "skill://a/b/%5c",
            "skill://a/b/x?y",
            "skill://a/b/c//d",
            "skill://x/b/c",
            "other",
        ] {
            assert!(!is_inside(root, outside), "{outside}");
        }
    }

    #[test]
    fn spellings_of_one_file_have_one_key() {
        let root = "skill://a";
        let key = |uri| key(root, uri).unwrap();
        assert_eq!(key("skill://a/Q&A.md"), key("skill://a/Q%26A.md#top"));
        assert_eq!(key("skill://a/%41.md"), key("skill://a/A.md"));
        assert_ne!(key("skill://a/a.md"), key("skill://a/A.md"));
        assert_ne!(key("skill://a/x%2fy"), key("skill://a/x/y"));
    }
}
