//! What a user said yes to.
//!
//! Owns: which entry an approval covers. Must not know: who was asked, or where it is kept.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::entry::{Skill, SkillResources};

/// An approval of one skill of one server, bound to the digest of each of its files. It can be
/// kept (it is plain JSON); a file that is changed, added or taken away voids it.
///
/// ```
/// use mcpbolt_proto::policy::skills::{Skill, SkillApproval};
///
/// let skill: Skill = serde_json::from_str(
///     r#"{"uri": "skill://a/SKILL.md", "frontmatter": {"name": "a"},
///         "resources": [{"uri": "skill://a/SKILL.md", "digest": "sha256:00", "size": 1}]}"#,
/// )?;
/// let approval = SkillApproval::of("docs-server", &skill).expect("it is not dynamic");
/// assert!(approval.covers("docs-server", &skill));
/// assert!(!approval.covers("other-server", &skill));
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SkillApproval {
    server: String,
    uri: String,
    files: BTreeMap<String, String>,
}

impl SkillApproval {
    /// An approval of the entry as it is now. `server` is the host's own name for the server,
    /// never what the server says of itself. `None` for a dynamic skill: nothing binds it, so
    /// an approval of it must not be kept.
    pub fn of(server: &str, skill: &Skill) -> Option<Self> {
        let SkillResources::Files(files) = &skill.resources else { return None };
        let files = files.iter().map(|file| (file.uri.clone(), file.digest.clone())).collect();
        Some(Self { server: server.to_owned(), uri: skill.uri.clone(), files })
    }

    /// The host's name of the server.
    pub fn server(&self) -> &str {
        &self.server
    }

    /// URI of the skill's `SKILL.md`.
    pub fn uri(&self) -> &str {
        &self.uri
    }

    /// Whether the user said yes to just this entry of just this server. If not, ask again
    /// before the skill is loaded.
    pub fn covers(&self, server: &str, skill: &Skill) -> bool {
        Self::of(server, skill).as_ref() == Some(self)
    }
}

#[cfg(test)]
mod tests {
    use super::super::{SkillFile, digest};
    use super::*;

    fn skill(files: &[(&str, &str)]) -> Skill {
        let files = files
            .iter()
            .map(|(uri, text)| SkillFile { uri: (*uri).to_owned(), digest: digest(text.as_bytes()), size: 0 })
            .collect();
        Skill {
            uri: "skill://a/SKILL.md".to_owned(),
            frontmatter: serde_json::Map::new(),
            resources: SkillResources::Files(files),
            meta: None,
        }
    }

    #[test]
    fn any_change_of_the_files_voids_it() {
        let seen = skill(&[("skill://a/SKILL.md", "1"), ("skill://a/x", "2")]);
        let approval = SkillApproval::of("s", &seen).unwrap();
        assert!(
            approval.covers("s", &skill(&[("skill://a/x", "2"), ("skill://a/SKILL.md", "1")])),
            "in any order"
        );
        for changed in [
            skill(&[("skill://a/SKILL.md", "1"), ("skill://a/x", "3")]),
            skill(&[("skill://a/SKILL.md", "1")]),
            skill(&[("skill://a/SKILL.md", "1"), ("skill://a/x", "2"), ("skill://a/y", "2")]),
            skill(&[("skill://a/SKILL.md", "1"), ("skill://a/y", "2")]),
        ] {
            assert!(!approval.covers("s", &changed));
        }
        let dynamic = Skill { resources: SkillResources::Dynamic, ..seen };
        assert!(!approval.covers("s", &dynamic));
        assert_eq!(SkillApproval::of("s", &dynamic), None);
    }
}
