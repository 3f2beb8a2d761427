//! Whether what was read is what the entry said.
//!
//! Owns: the decision, and its reasons. Must not know: how it was read.

use std::fmt;

use super::entry::{Skill, SkillFile, SkillResources};
use super::frontmatter::{SkillText, differences};
use super::uri::{key, root_of};

/// Why a file must not be used.
///
/// ```
/// use mcpbolt_proto::policy::skills::Violation;
///
/// assert_eq!(Violation::Size.word(), "size");
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Violation {
    /// The entry does not list it.
    Unlisted,
    /// It has another length.
    Size,
    /// It has another digest.
    Digest,
    /// The frontmatter of `SKILL.md` differs from the entry, or cannot be read; one sentence
    /// each.
    Frontmatter(Vec<String>),
}

impl Violation {
    /// `unlisted`, `size`, `digest` or `frontmatter`.
    pub const fn word(&self) -> &'static str {
        match self {
            Self::Unlisted => "unlisted",
            Self::Size => "size",
            Self::Digest => "digest",
            Self::Frontmatter(_) => "frontmatter",
        }
    }
}

/// A file that is not what its skill's entry says: it must not be used, and if it is the
/// skill's `SKILL.md` the skill must not be loaded. Ask for the entry again; if that differs,
/// approvals of the old one are void.
///
/// ```
/// use mcpbolt_proto::policy::skills::{Skill, Violation};
///
/// let skill: Skill = serde_json::from_str(
///     r#"{"uri": "skill://a/SKILL.md", "frontmatter": {"name": "a"}, "resources": []}"#,
/// )?;
/// let mismatch = skill.verify("skill://a/more.md", b"").unwrap_err();
/// assert_eq!(mismatch.violation, Violation::Unlisted);
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{uri} is not what the entry of its skill says: {}", Reason(.violation))]
pub struct SkillMismatch {
    /// The file.
    pub uri: String,
    /// In what it differs.
    pub violation: Violation,
}

struct Reason<'a>(&'a Violation);

impl fmt::Display for Reason<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Violation::Unlisted => f.write_str("it is not listed"),
            Violation::Size => f.write_str("its size differs"),
            Violation::Digest => f.write_str("its digest differs"),
            Violation::Frontmatter(fields) => write!(f, "its frontmatter differs ({})", fields.join("; ")),
        }
    }
}

impl Skill {
    /// The file that `uri` means, however it is spelled; `None` if the entry lists none.
    pub fn file(&self, uri: &str) -> Option<&SkillFile> {
        let root = root_of(&self.uri)?;
        let wanted = key(&root, uri)?;
        self.files().iter().find(|file| key(&root, &file.uri).as_ref() == Some(&wanted))
    }

    /// Whether `uri` is the skill's own `SKILL.md`.
    pub fn is_manifest(&self, uri: &str) -> bool {
        root_of(&self.uri).is_some_and(|root| {
            let own = key(&root, &self.uri);
            own.is_some() && own == key(&root, uri)
        })
    }

    /// Checks the bytes that were read from `uri`: it is listed, its size and digest are those
    /// of the entry, and if it is the `SKILL.md`, so is each field of its frontmatter. The
    /// `SKILL.md` comes back read. Of a dynamic skill only the frontmatter can be checked.
    ///
    /// # Errors
    /// In what it differs.
    pub fn verify(&self, uri: &str, bytes: &[u8]) -> Result<Option<SkillText>, SkillMismatch> {
        let differs = |violation| SkillMismatch { uri: uri.to_owned(), violation };
        if let SkillResources::Files(_) = self.resources {
            let file = self.file(uri).ok_or_else(|| differs(Violation::Unlisted))?;
            if file.size != bytes.len() as u64 {
                return Err(differs(Violation::Size));
            }
            if file.digest != super::digest(bytes) {
                return Err(differs(Violation::Digest));
            }
        }
        if !self.is_manifest(uri) {
            return Ok(None);
        }
        let unreadable = |why: String| differs(Violation::Frontmatter(vec![why]));
        let text = std::str::from_utf8(bytes).map_err(|_| unreadable("it is not UTF-8".to_owned()))?;
        let text = SkillText::parse(text).map_err(|error| unreadable(error.to_string()))?;
        let fields = differences(&self.frontmatter, &text.frontmatter);
        if fields.is_empty() { Ok(Some(text)) } else { Err(differs(Violation::Frontmatter(fields))) }
    }
}

#[cfg(test)]
mod tests {
    use super::super::{SkillFile, digest};
    use super::*;
    use serde_json::json;

    const TEXT: &str = "---\nname: a\ndescription: A\n---\nBody\n";

    fn skill(resources: SkillResources) -> Skill {
        let frontmatter = json!({"name": "a", "description": "A"}).as_object().cloned().unwrap();
        Skill { uri: "skill://a/SKILL.md".to_owned(), frontmatter, resources, meta: None }
    }

    fn listed(text: &str) -> Skill {
        let file = |uri: &str, bytes: &[u8]| SkillFile {
            uri: uri.to_owned(),
            digest: digest(bytes),
            size: bytes.len() as u64,
        };
        skill(SkillResources::Files(vec![
            file("skill://a/SKILL.md", text.as_bytes()),
            file("skill://a/b.bin", &[0, 255]),
        ]))
    }

    fn word(result: Result<Option<SkillText>, SkillMismatch>) -> &'static str {
        result.map_or_else(|mismatch| mismatch.violation.word(), |_| "fine")
    }

    #[test]
    fn size_digest_and_frontmatter_are_checked_in_that_order() {
        let own = "skill://a/SKILL.md";
        assert_eq!(listed(TEXT).verify(own, TEXT.as_bytes()).unwrap().unwrap().body, "Body\n");
        assert_eq!(word(listed(TEXT).verify(own, b"short")), "size");
        assert_eq!(word(listed(TEXT).verify(own, TEXT.replace("Body", "Evil").as_bytes())), "digest");
        let other = TEXT.replace("description: A", "description: B");
        assert_eq!(word(listed(&other).verify(own, other.as_bytes())), "frontmatter");
        assert_eq!(word(listed("no frontmatter").verify(own, b"no frontmatter")), "frontmatter");
    }

    #[test]
    fn a_file_that_is_not_listed_is_refused_and_spellings_are_not() {
        let skill = listed(TEXT);
        assert_eq!(word(skill.verify("skill://a/c.md", b"")), "unlisted");
        assert_eq!(word(skill.verify("skill://b/b.bin", &[0, 255])), "unlisted");
        assert_eq!(skill.verify("skill://a/%62.bin", &[0, 255]).unwrap(), None);
    }

    #[test]
    fn of_a_dynamic_skill_the_frontmatter_is_checked() {
        let skill = skill(SkillResources::Dynamic);
        assert_eq!(word(skill.verify("skill://a/any.md", b"x")), "fine");
        assert_eq!(word(skill.verify("skill://a/SKILL.md", b"---\nname: b\n---\n")), "frontmatter");
    }

    #[test]
    fn a_nested_manifest_is_an_ordinary_file() {
        let mut skill = listed(TEXT);
        let nested = b"---\nname: other\nallowed-tools: Bash\n---\n";
        if let SkillResources::Files(files) = &mut skill.resources {
            files.push(SkillFile {
                uri: "skill://a/other/SKILL.md".to_owned(),
                digest: digest(nested),
                size: nested.len() as u64,
            });
        }
        assert_eq!(
            skill.verify("skill://a/other/SKILL.md", nested).unwrap(),
            None,
            "nobody acts on its frontmatter"
        );
    }
}
