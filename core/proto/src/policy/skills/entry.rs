//! The entry of a skill, as `skills/list` and `skills/get` carry it.
//!
//! Owns: its shape, and which entries are good. Must not know: where it came from.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use sha2::{Digest as _, Sha256};

use super::frontmatter::Frontmatter;
use super::uri::{canonical, is_inside, key, last_name, root_of};
use super::{MAX_BYTES, MAX_FILES};

/// One skill: where its `SKILL.md` is, what its frontmatter says, and all of its files.
///
/// ```
/// use mcpbolt_proto::policy::skills::{Skill, SkillResources};
///
/// let skill: Skill = serde_json::from_str(
///     r#"{"uri": "skill://acme/daily/SKILL.md", "resources": "dynamic",
///         "frontmatter": {"name": "daily", "description": "Today's report"}}"#,
/// )?;
/// assert_eq!((skill.name(), skill.description()), ("daily", "Today's report"));
/// assert_eq!(skill.resources, SkillResources::Dynamic);
/// assert!(skill.problems().is_empty());
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Skill {
    /// URI of its `SKILL.md`. Together with the server it identifies the skill; a name does
    /// not.
    pub uri: String,
    /// The frontmatter of its `SKILL.md`, as the author wrote it.
    pub frontmatter: Frontmatter,
    /// Its files.
    pub resources: SkillResources,
    /// Notes of servers and programs on the way.
    #[serde(rename = "_meta", default, skip_serializing_if = "Option::is_none")]
    pub meta: Option<Map<String, Value>>,
}

/// The files of a skill.
///
/// ```
/// use mcpbolt_proto::policy::skills::SkillResources;
///
/// assert_eq!(serde_json::to_string(&SkillResources::Dynamic)?, r#""dynamic""#);
/// assert!(serde_json::from_str::<SkillResources>(r#""some""#).is_err());
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "OnWire", into = "OnWire")]
pub enum SkillResources {
    /// All of them, `SKILL.md` too.
    Files(Vec<SkillFile>),
    /// Made when they are asked for: nothing about them can be checked.
    Dynamic,
}

#[derive(Serialize, Deserialize)]
#[serde(untagged)]
enum OnWire {
    Files(Vec<SkillFile>),
    Word(String),
}

impl TryFrom<OnWire> for SkillResources {
    type Error = &'static str;

    fn try_from(wire: OnWire) -> Result<Self, Self::Error> {
        match wire {
            OnWire::Files(files) => Ok(Self::Files(files)),
            OnWire::Word(word) if word == "dynamic" => Ok(Self::Dynamic),
            OnWire::Word(_) => Err("resources must be a list of files or \"dynamic\""),
        }
    }
}

impl From<SkillResources> for OnWire {
    fn from(resources: SkillResources) -> Self {
        match resources {
            SkillResources::Files(files) => Self::Files(files),
            SkillResources::Dynamic => Self::Word("dynamic".to_owned()),
        }
    }
}

/// One file of a skill.
///
/// ```
/// use mcpbolt_proto::policy::skills::{SkillFile, digest};
///
/// let file = SkillFile { uri: "skill://tidy/SKILL.md".into(), digest: digest(b"text"), size: 4 };
/// assert!(file.digest.starts_with("sha256:982d9e3eb996f559"));
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SkillFile {
    /// Its URI.
    pub uri: String,
    /// `sha256:` and 64 lowercase hexadecimal digits, over its bytes.
    pub digest: String,
    /// How many bytes it has.
    pub size: u64,
}

/// The digest of a file's bytes.
///
/// ```
/// use mcpbolt_proto::policy::skills::digest;
///
/// assert_eq!(digest(b"").len(), "sha256:".len() + 64);
/// ```
pub fn digest(bytes: &[u8]) -> String {
    let mut text = String::from("sha256:");
    for byte in Sha256::digest(bytes) {
        let _ = write!(text, "{byte:02x}");
    }
    text
}

fn is_digest(text: &str) -> bool {
    let hex = |b: u8| matches!(b, b'0'..=b'9' | b'a'..=b'f');
    text.strip_prefix("sha256:").is_some_and(|rest| rest.len() == 64 && rest.bytes().all(hex))
}

impl Skill {
    /// Its name: a label for people, not an identifier.
    pub fn name(&self) -> &str {
        self.field("name")
    }

    /// What it is for.
    pub fn description(&self) -> &str {
        self.field("description")
    }

    fn field(&self, name: &str) -> &str {
        self.frontmatter.get(name).and_then(Value::as_str).unwrap_or_default()
    }

    /// Its files; none for a dynamic one.
    pub fn files(&self) -> &[SkillFile] {
        match &self.resources {
            SkillResources::Files(files) => files,
            SkillResources::Dynamic => &[],
        }
    }

    /// What is wrong with the entry, one sentence each. An entry with a problem must not be
    /// published and not be loaded.
    pub fn problems(&self) -> Vec<String> {
        let Some(root) = root_of(&self.uri) else {
            return vec![format!("uri {:?} must end in /SKILL.md, in a folder with a name", self.uri)];
        };
        let mut problems = Vec::new();
        self.check_fields(&root, &mut problems);
        if matches!(self.resources, SkillResources::Files(_)) {
            self.check_files(&root, &mut problems);
        }
        problems
    }

    fn check_fields(&self, root: &str, problems: &mut Vec<String>) {
        let name = self.name();
        if !is_name(name) {
            problems.push(format!(
                "frontmatter name {name:?} must be 1 to 64 lowercase letters, digits and single hyphens"
            ));
        } else if last_name(root).as_deref() != Some(name) {
            problems.push(format!("frontmatter name {name:?} must be the last name of the folder {root}"));
        }
        if !has_length(self.description(), 1024) {
            problems.push("frontmatter description must be a text of 1 to 1024 characters".to_owned());
        }
        if self
            .frontmatter
            .get("compatibility")
            .is_some_and(|value| !value.as_str().is_some_and(|text| has_length(text, 500)))
        {
            problems.push("frontmatter compatibility must be a text of 1 to 500 characters".to_owned());
        }
        let texts = |value: &Value| value.as_object().is_some_and(|map| map.values().all(Value::is_string));
        if self.frontmatter.get("metadata").is_some_and(|value| !texts(value)) {
            problems.push("frontmatter metadata must map names to texts: quote its values".to_owned());
        }
    }

    fn check_files(&self, root: &str, problems: &mut Vec<String>) {
        let own = canonical(&self.uri);
        let mut seen = BTreeSet::new();
        for file in self.files() {
            let uri = &file.uri;
            if !is_digest(&file.digest) {
                problems
                    .push(format!("digest of {uri:?} must be sha256: and 64 lowercase hexadecimal digits"));
            }
            if !is_inside(root, uri) {
                problems.push(format!("resource {uri:?} is no file of the folder {root}"));
            } else if !seen.insert(key(root, uri)) {
                problems.push(format!("resource {uri:?} is listed twice"));
            }
        }
        if !self.files().iter().any(|file| canonical(&file.uri) == own) {
            problems.push(format!("resources must list {}", self.uri));
        }
    }

    /// Why a host need not take the skill, from its entry alone: more than 512 files or 16 MiB.
    pub fn excess(&self) -> Option<String> {
        self.excess_over(MAX_FILES, MAX_BYTES)
    }

    pub(super) fn excess_over(&self, max_files: usize, max_bytes: u64) -> Option<String> {
        let files = self.files();
        let bytes = files.iter().fold(0_u64, |sum, file| sum.saturating_add(file.size));
        (files.len() > max_files || bytes > max_bytes).then(|| {
            let count = files.len();
            format!(
                "{count} files of {bytes} bytes are more than {max_files} files and {max_bytes} bytes: \
                 some hosts will not load the skill"
            )
        })
    }
}

fn is_name(name: &str) -> bool {
    (1..=64).contains(&name.len())
        && name.split('-').all(|part| {
            !part.is_empty() && part.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit())
        })
}

fn has_length(text: &str, most: usize) -> bool {
    (1..=most).contains(&text.chars().count())
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn entry(change: impl FnOnce(&mut Value)) -> Skill {
        let mut value = json!({
            "uri": "skill://acme/tidy/SKILL.md",
            "frontmatter": {"name": "tidy", "description": "Tidies", "license": "MIT"},
            "resources": [
                {"uri": "skill://acme/tidy/SKILL.md", "digest": digest(b"a"), "size": 1},
                {"uri": "skill://acme/tidy/refs/a%20b.md", "digest": digest(b"b"), "size": 1}
            ]
        });
        change(&mut value);
        serde_json::from_value(value).unwrap()
    }

    #[test]
    fn a_good_entry_has_no_problem() {
        assert_eq!(entry(|_| ()).problems(), Vec::<String>::new());
        assert!(entry(|e| e["resources"] = json!("dynamic")).problems().is_empty());
    }

    #[test]
    fn each_rule_has_its_problem() {
        let file = |uri: &str| json!({"uri": uri, "digest": digest(b"a"), "size": 1});
        let broken: [(&str, &str, Value); 12] = [
            ("/uri", "/SKILL.md", json!("skill://acme/tidy/README.md")),
            ("/uri", "last name", json!("skill://acme/other/SKILL.md")),
            ("/frontmatter/name", "lowercase", json!("Tidy")),
            ("/frontmatter/name", "lowercase", json!("ti--dy")),
            ("/frontmatter/description", "description", json!("")),
            ("/frontmatter/license", "", json!("any")),
            ("/resources/0/digest", "digest", json!("sha256:ABC")),
            ("/resources/0", "must list", file("skill://acme/tidy/x.md")),
            ("/resources/1", "no file of", file("skill://acme/tidy/../other/x.md")),
            ("/resources/1", "no file of", file("skill://acme/tidy/x.md?y")),
            ("/resources/1", "twice", file("skill://acme/tidy/SKILL%2Emd")),
            ("/resources/1", "no file of", file("not a uri")),
        ];
        for (at, expected, value) in broken {
            let skill = entry(|e| *e.pointer_mut(at).unwrap() = value.clone());
            let problems = skill.problems().join("; ");
            assert!(
                problems.contains(expected) && problems.is_empty() == expected.is_empty(),
                "{at} {value}: {problems}"
            );
        }
        for (field, value) in [("metadata", json!({"version": 1})), ("compatibility", json!(""))] {
            let skill = entry(|e| e["frontmatter"][field] = value.clone());
            assert!(skill.problems().join("").contains(field));
        }
    }

    #[test]
    fn resources_are_a_list_or_the_word_dynamic() {
        for wrong in [json!(null), json!("all"), json!({}), json!([{"uri": "skill://a/SKILL.md"}])] {
            let mut value = json!({"uri": "skill://a/SKILL.md", "frontmatter": {}});
            value["resources"] = wrong.clone();
            assert!(serde_json::from_value::<Skill>(value).is_err(), "{wrong}");
        }
        assert!(
            serde_json::from_value::<Skill>(json!({"uri": "skill://a/SKILL.md", "frontmatter": {}})).is_err()
        );
    }

    #[test]
    fn what_no_host_need_take_is_known_from_the_entry() {
        assert_eq!(entry(|_| ()).excess(), None);
        assert!(entry(|e| e["resources"][1]["size"] = json!(MAX_BYTES)).excess().is_some());
        assert!(entry(|e| e["resources"][1]["size"] = json!(u64::MAX)).excess().is_some());
    }
}
