//! The rules of skills for hosts: what a `SKILL.md` says, whether an entry is good, whether a
//! file is the one its entry lists, and the entries of a folder's files.
//!
//! Owns: their arguments and results as JSON text. Must not know: the rules, or who reads files.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::{Value, json};

use mcpbolt_proto::policy::skills::{
    CatalogOptions, FoundFile, FoundSkills, MAX_BYTES, MAX_FILES, Skill, SkillApproval, SkillCatalog,
    SkillText, Violation, digest, resolve,
};
use mcpbolt_proto::protocol::Error;

/// Makes the decision `name`; arguments and result are JSON text.
///
/// | name | arguments | result |
/// |---|---|---|
/// | `text` | `{text}` | `{frontmatter, body}` or `{line, why}` |
/// | `problems` | `{skill}` | sentences |
/// | `resolve` | `{skill, reference}` | `{uri}`, as the entry spells it, or `null` |
/// | `approval` | `{server, skill}` | what to keep, or `null` for a dynamic skill |
/// | `covers` | `{server, skill, approval}` | `true` or `false` |
/// | `catalog` | `{prefix, files, folders, other, manifests, max_files, max_bytes}` | `{skills, files, folders, listed, problems}` |
pub fn decide_skill(name: &str, arguments: &str) -> Result<String, Error> {
    let value = match name {
        "text" => text(&read(name, arguments)?),
        "problems" => problems(read(name, arguments)?),
        "resolve" => resolved(&read(name, arguments)?),
        "approval" => approval(&read(name, arguments)?),
        "covers" => covers(&read(name, arguments)?),
        "catalog" => catalog(read(name, arguments)?),
        _ => return Err(Error::usage(format!("there is no decision {name} about skills"))),
    };
    Ok(value.to_string())
}

/// The digest of a file's bytes.
pub fn skill_digest(bytes: &[u8]) -> String {
    digest(bytes)
}

/// Checks bytes that were read from `uri` against the entry: `{manifest}` with the `SKILL.md`,
/// read, or `null` for other files; `{reason, message, differences}` if they must not be used.
pub fn verify_skill(skill: &str, uri: &str, bytes: &[u8]) -> Result<String, Error> {
    let skill: Skill = read("verify", skill)?;
    let value = match skill.verify(uri, bytes) {
        Ok(text) => json!({ "manifest": text.map(|text| shown(&text)) }),
        Err(mismatch) => {
            let differences = match &mismatch.violation {
                Violation::Frontmatter(fields) => fields.clone(),
                _ => Vec::new(),
            };
            json!({
                "reason": mismatch.violation.word(),
                "message": mismatch.to_string(),
                "differences": differences,
            })
        }
    };
    Ok(value.to_string())
}

fn read<'a, T: Deserialize<'a>>(name: &str, text: &'a str) -> Result<T, Error> {
    serde_json::from_str(text).map_err(|error| Error::usage(format!("{name}: {error}")))
}

fn shown(text: &SkillText) -> Value {
    json!({ "frontmatter": text.frontmatter, "body": text.body })
}

#[derive(Deserialize)]
struct Text {
    text: String,
}

fn text(given: &Text) -> Value {
    match SkillText::parse(&given.text) {
        Ok(text) => shown(&text),
        Err(error) => json!({ "line": error.line, "why": error.to_string() }),
    }
}

#[derive(Deserialize)]
struct Entry {
    skill: Value,
}

fn problems(given: Entry) -> Value {
    match serde_json::from_value::<Skill>(given.skill) {
        Ok(skill) => json!(skill.problems()),
        Err(error) => json!([error.to_string()]),
    }
}

#[derive(Deserialize)]
struct Reference {
    skill: Skill,
    reference: String,
}

fn resolved(given: &Reference) -> Value {
    let uri = resolve(&given.skill.uri, &given.reference);
    let listed = |uri: String| match given.skill.files() {
        [] => Some(uri),
        _ => given.skill.file(&uri).map(|file| file.uri.clone()),
    };
    json!(uri.and_then(listed).map(|uri| json!({ "uri": uri, "manifest": given.skill.is_manifest(&uri) })))
}

#[derive(Deserialize)]
struct Of {
    server: String,
    skill: Skill,
    approval: Option<Value>,
}

fn approval(given: &Of) -> Value {
    json!(SkillApproval::of(&given.server, &given.skill))
}

fn covers(given: &Of) -> Value {
    let kept = given.approval.clone().and_then(|kept| serde_json::from_value::<SkillApproval>(kept).ok());
    json!(kept.is_some_and(|kept| kept.covers(&given.server, &given.skill)))
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Found {
    #[serde(default)]
    prefix: Vec<String>,
    files: Vec<File>,
    folders: Vec<String>,
    other: Vec<String>,
    manifests: BTreeMap<String, String>,
    /// No bound if `null`.
    #[serde(default = "default_files")]
    max_files: Option<usize>,
    #[serde(default = "default_bytes")]
    max_bytes: Option<u64>,
}

#[derive(Deserialize)]
struct File {
    path: String,
    digest: String,
    size: u64,
}

#[allow(clippy::unnecessary_wraps, reason = "the field's type")]
fn default_files() -> Option<usize> {
    Some(MAX_FILES)
}

#[allow(clippy::unnecessary_wraps, reason = "the field's type")]
fn default_bytes() -> Option<u64> {
    Some(MAX_BYTES)
}

fn catalog(given: Found) -> Value {
    let file = |File { path, digest, size }| FoundFile { path, digest, size };
    let found = FoundSkills {
        files: given.files.into_iter().map(file).collect(),
        folders: given.folders,
        other: given.other,
        manifests: given.manifests.into_iter().map(|(path, text)| (path, SkillText::parse(&text))).collect(),
    };
    let options = CatalogOptions {
        prefix: given.prefix,
        max_files: given.max_files.unwrap_or(usize::MAX),
        max_bytes: given.max_bytes.unwrap_or(u64::MAX),
    };
    let (catalog, problems) = SkillCatalog::assemble(&found, &options);
    let problems: Vec<_> =
        problems.iter().map(|problem| json!({ "path": problem.path, "message": problem.message })).collect();
    let files: Vec<_> = catalog
        .files()
        .map(|(uri, file)| {
            json!({ "uri": uri, "path": file.path, "digest": file.digest, "size": file.size, "mimeType": file.mime_type })
        })
        .collect();
    let folders: serde_json::Map<_, _> =
        catalog.folders().map(|(uri, children)| (uri.to_owned(), json!(children))).collect();
    json!({
        "skills": catalog.skills(),
        "files": files,
        "folders": folders,
        "listed": catalog.listed(),
        "problems": problems,
    })
}
