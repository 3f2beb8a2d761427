//! The frontmatter of a `SKILL.md`.
//!
//! Owns: where it begins and ends, and how two are compared. Must not know: which fields a
//! skill must have.

use std::cmp::Ordering;

use serde_json::{Map, Value};

use super::yaml;

/// The fields of a frontmatter, in the order of the file.
pub type Frontmatter = Map<String, Value>;

/// A `SKILL.md`: its frontmatter and what follows it.
///
/// ```
/// use mcpbolt_proto::policy::skills::SkillText;
///
/// let file = SkillText::parse("---\nname: tidy\n---\nStart with the desk.\n")?;
/// assert_eq!(file.frontmatter["name"], "tidy");
/// assert_eq!(file.body, "Start with the desk.\n");
/// # Ok::<(), mcpbolt_proto::policy::skills::FrontmatterError>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct SkillText {
    /// The fields.
    pub frontmatter: Frontmatter,
    /// The Markdown below, its lines ending in line feeds.
    pub body: String,
}

/// Why a frontmatter cannot be read.
///
/// ```
/// use mcpbolt_proto::policy::skills::SkillText;
///
/// let error = SkillText::parse("---\nname: tidy\nname: again\n---\n").unwrap_err();
/// assert_eq!(error.line, Some(3));
/// ```
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("the frontmatter cannot be read{}: {why}", self.place())]
pub struct FrontmatterError {
    /// Line of the file, from 1, where it is known.
    pub line: Option<usize>,
    /// What is wrong.
    pub why: String,
}

impl FrontmatterError {
    fn place(&self) -> String {
        self.line.map_or_else(String::new, |line| format!(" (line {line})"))
    }
}

impl SkillText {
    /// Reads a `SKILL.md`. Of YAML it takes what all readers understand alike: no anchors,
    /// aliases or tags, no key twice, at most 64 KiB and 32 levels.
    ///
    /// # Errors
    /// When there is no frontmatter, or it is not such YAML.
    pub fn parse(markdown: &str) -> Result<Self, FrontmatterError> {
        let text = markdown.strip_prefix('\u{feff}').unwrap_or(markdown).replace("\r\n", "\n");
        let at = |line, why: &str| FrontmatterError { line, why: why.to_owned() };
        let rest = text.strip_prefix("---\n").ok_or_else(|| at(Some(1), "the first line must be ---"))?;
        let mut end = 0;
        for line in rest.split_inclusive('\n') {
            if line
                .strip_prefix("---")
                .is_some_and(|more| more.chars().all(|c| matches!(c, ' ' | '\t' | '\n')))
            {
                let frontmatter = yaml::mapping(&rest[..end]).map_err(|(line, why)| FrontmatterError {
                    // Counted from the first line of the file.
                    line: line.map(|line| line + 1),
                    why,
                })?;
                return Ok(Self { frontmatter, body: rest[end + line.len()..].to_owned() });
            }
            end += line.len();
        }
        Err(at(None, "no line --- ends it"))
    }
}

/// How `found` differs from what the entry says, one sentence per field.
pub(super) fn differences(entry: &Frontmatter, found: &Frontmatter) -> Vec<String> {
    let mut all: Vec<String> = entry
        .iter()
        .filter_map(|(name, value)| match found.get(name) {
            None => Some(format!("{name} is not in the file")),
            Some(other) if !same(value, other) => Some(format!("{name} is another one in the file")),
            Some(_) => None,
        })
        .collect();
    all.extend(
        found
            .keys()
            .filter(|name| !entry.contains_key(*name))
            .map(|name| format!("{name} is not in the entry")),
    );
    all
}

/// Equal as JSON: 1 and 1.0 are one number, the order of members means nothing.
fn same(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::Number(a), Value::Number(b)) => {
            a == b
                || a.as_f64()
                    .zip(b.as_f64())
                    .is_some_and(|(a, b)| a.partial_cmp(&b).is_some_and(Ordering::is_eq))
        }
        (Value::Array(a), Value::Array(b)) => a.len() == b.len() && a.iter().zip(b).all(|(a, b)| same(a, b)),
        (Value::Object(a), Value::Object(b)) => {
            a.len() == b.len() && a.iter().all(|(name, a)| b.get(name).is_some_and(|b| same(a, b)))
        }
        _ => a == b,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn fields(value: &Value) -> Frontmatter {
        value.as_object().cloned().unwrap()
    }

    #[test]
    fn a_file_of_any_system_is_read_alike() {
        let unix = SkillText::parse("---\nname: a\n---  \nBody\n").unwrap();
        assert_eq!(SkillText::parse("\u{feff}---\r\nname: a\r\n---  \r\nBody\r\n").unwrap(), unix);
        assert_eq!(SkillText::parse("---\nname: a\n---").unwrap().body, "");
        for text in ["", "name: a", "---\nname: a\n", " ---\nname: a\n---\n", "---\n---\n", "---\nx\n---\n"] {
            assert!(SkillText::parse(text).is_err(), "{text:?}");
        }
    }

    #[test]
    fn lines_of_errors_are_those_of_the_file() {
        assert_eq!(SkillText::parse("---\na: 1\nb: *x\n---\n").unwrap_err().line, Some(3));
    }

    #[test]
    fn every_field_counts_and_nothing_but_fields() {
        let entry = fields(&json!({"name": "a", "metadata": {"x": 1, "y": [2]}}));
        assert!(
            differences(&entry, &fields(&json!({"metadata": {"y": [2.0], "x": 1.0}, "name": "a"})))
                .is_empty()
        );
        for other in [
            json!({"name": "a"}),
            json!({"name": "a", "metadata": {"x": 1, "y": [3]}}),
            json!({"name": "a", "metadata": {"x": 1, "y": [2]}, "allowed-tools": "Bash"}),
            json!({"name": "A", "metadata": {"x": 1, "y": [2]}}),
        ] {
            assert_eq!(differences(&entry, &fields(&other)).len(), 1);
        }
    }
}
