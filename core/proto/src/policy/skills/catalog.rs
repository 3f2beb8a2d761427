//! The skills among the files of a folder.
//!
//! Owns: which folders are skills, their entries, and what lies in each folder. Must not
//! know: how files are read.

use std::collections::{BTreeMap, BTreeSet};

use crate::policy::media::DIRECTORY;
use crate::protocol::types::Resource;

use super::entry::{Skill, SkillFile, SkillResources};
use super::frontmatter::{FrontmatterError, SkillText};
use super::{MANIFEST, MAX_BYTES, MAX_FILES, media, uri};

/// What was found below a folder. Paths are relative, with `/` between names; names that
/// begin with a dot are left out.
///
/// ```
/// use mcpbolt_proto::policy::skills::{CatalogOptions, FoundSkills, SkillCatalog, SkillText};
///
/// let text = "---\nname: tidy\ndescription: Tidies\n---\n";
/// let mut found = FoundSkills::default();
/// found.file("tidy/SKILL.md", text.as_bytes());
/// found.manifests.insert("tidy/SKILL.md".into(), SkillText::parse(text));
/// let (catalog, problems) = SkillCatalog::assemble(&found, &CatalogOptions::default());
/// assert!(problems.is_empty());
/// assert_eq!(catalog.skills()[0].uri, "skill://tidy/SKILL.md");
/// ```
#[derive(Debug, Clone, Default)]
pub struct FoundSkills {
    /// The files of skills.
    pub files: Vec<FoundFile>,
    /// All folders.
    pub folders: Vec<String>,
    /// Links, pipes and the like: nobody follows them.
    pub other: Vec<String>,
    /// Each `SKILL.md`, read.
    pub manifests: BTreeMap<String, Result<SkillText, FrontmatterError>>,
}

/// One file.
///
/// ```
/// use mcpbolt_proto::policy::skills::{FoundFile, digest};
///
/// let file = FoundFile { path: "tidy/SKILL.md".into(), digest: digest(b""), size: 0 };
/// assert_eq!(file.size, 0);
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FoundFile {
    /// Where it lies.
    pub path: String,
    /// Its digest.
    pub digest: String,
    /// Its length.
    pub size: u64,
}

impl FoundSkills {
    /// Adds a file by its bytes.
    pub fn file(&mut self, path: &str, bytes: &[u8]) {
        let (path, digest) = (path.to_owned(), super::digest(bytes));
        self.files.push(FoundFile { path, digest, size: bytes.len() as u64 });
    }
}

/// How skills are published.
///
/// ```
/// use mcpbolt_proto::policy::skills::CatalogOptions;
///
/// let options = CatalogOptions { prefix: vec!["acme".into()], ..CatalogOptions::default() };
/// assert_eq!(options.max_files, 512);
/// ```
#[derive(Debug, Clone)]
pub struct CatalogOptions {
    /// Names before each skill's path: `acme` makes `skill://acme/tidy/SKILL.md`. Default: none.
    pub prefix: Vec<String>,
    /// A skill with more files is a problem, but published. Default: 512.
    pub max_files: usize,
    /// So is one whose files have more bytes together. Default: 16 MiB.
    pub max_bytes: u64,
}

impl Default for CatalogOptions {
    fn default() -> Self {
        Self { prefix: Vec::new(), max_files: MAX_FILES, max_bytes: MAX_BYTES }
    }
}

/// Why something is not published.
///
/// ```
/// use mcpbolt_proto::policy::skills::SkillProblem;
///
/// let problem = SkillProblem { path: "tidy".into(), message: "it is a link".into() };
/// assert_eq!(problem.to_string(), "tidy: it is a link");
/// ```
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{path}: {message}")]
pub struct SkillProblem {
    /// The file or folder.
    pub path: String,
    /// What is wrong and what to do.
    pub message: String,
}

/// A file that is served.
///
/// ```
/// use mcpbolt_proto::policy::skills::ServedFile;
///
/// let file = ServedFile { path: "tidy/a.md".into(), digest: "sha256:".into(), size: 0, mime_type: "text/markdown" };
/// assert_eq!(file.mime_type, "text/markdown");
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ServedFile {
    /// Where it lies.
    pub path: String,
    /// Its digest as published.
    pub digest: String,
    /// Its length as published.
    pub size: u64,
    /// Its type.
    pub mime_type: &'static str,
}

/// Published skills: their entries, files and folders. For an example see [`FoundSkills`].
///
/// ```
/// use mcpbolt_proto::policy::skills::SkillCatalog;
///
/// assert!(SkillCatalog::default().skill("skill://tidy/SKILL.md").is_none());
/// ```
#[derive(Debug, Clone, Default)]
pub struct SkillCatalog {
    skills: Vec<Skill>,
    files: BTreeMap<String, ServedFile>,
    folders: BTreeMap<String, Vec<Resource>>,
}

impl SkillCatalog {
    /// The skills among what was found, and why others are not.
    pub fn assemble(found: &FoundSkills, options: &CatalogOptions) -> (Self, Vec<SkillProblem>) {
        let mut catalog = Self::default();
        let mut problems = Vec::new();
        for (path, text) in &found.manifests {
            match entry_of(found, options, path, text) {
                Ok(skill) => {
                    if let Some(message) = skill.excess_over(options.max_files, options.max_bytes) {
                        problems.push(SkillProblem { path: parent(path).to_owned(), message });
                    }
                    catalog.publish(found, options, parent(path), skill);
                }
                Err(problem) => problems.push(problem),
            }
        }
        catalog.skills.sort_by(|a, b| a.uri.cmp(&b.uri));
        for children in catalog.folders.values_mut() {
            children.sort_by(|a, b| a.uri.cmp(&b.uri));
            children.dedup_by(|a, b| a.uri == b.uri);
        }
        (catalog, problems)
    }

    /// All entries, by URI.
    pub fn skills(&self) -> &[Skill] {
        &self.skills
    }

    /// The entry whose `SKILL.md` is at `uri`.
    pub fn skill(&self, uri: &str) -> Option<&Skill> {
        let uri = uri::canonical(uri)?;
        self.skills.iter().find(|skill| skill.uri == uri)
    }

    /// The file at `uri`.
    pub fn file(&self, uri: &str) -> Option<&ServedFile> {
        self.files.get(&uri::canonical(uri)?)
    }

    /// What lies in the folder at `uri`; `None` if it is no folder.
    pub fn folder(&self, uri: &str) -> Option<&[Resource]> {
        self.folders.get(&uri::canonical(uri)?).map(Vec::as_slice)
    }

    /// All files, by URI.
    pub fn files(&self) -> impl Iterator<Item = (&str, &ServedFile)> {
        self.files.iter().map(|(uri, file)| (uri.as_str(), file))
    }

    /// All folders, by URI, each with what lies in it.
    pub fn folders(&self) -> impl Iterator<Item = (&str, &[Resource])> {
        self.folders.iter().map(|(uri, children)| (uri.as_str(), children.as_slice()))
    }

    /// What `resources/list` shows: each skill's `SKILL.md`, by the skill's name.
    pub fn listed(&self) -> Vec<Resource> {
        let resource = |skill: &Skill| {
            let size = self.files.get(&skill.uri).map_or(0, |file| file.size);
            Resource::new(skill.uri.clone(), skill.name())
                .description(skill.description())
                .mime_type(media::mime_type_of(MANIFEST))
                .size(size)
        };
        self.skills.iter().map(resource).collect()
    }

    /// Which of `paths` lie in a folder that has a `SKILL.md`, however deep: only these need
    /// to be read.
    pub fn files_of_skills<'a>(paths: &[&'a str]) -> Vec<&'a str> {
        let folders: BTreeSet<&str> =
            paths.iter().filter(|path| last(path) == MANIFEST).map(|path| parent(path)).collect();
        let of_a_skill = |path: &&&str| {
            std::iter::successors(Some(parent(path)), |folder| (!folder.is_empty()).then(|| parent(folder)))
                .any(|folder| folders.contains(folder))
        };
        paths.iter().filter(of_a_skill).copied().collect()
    }

    fn publish(&mut self, found: &FoundSkills, options: &CatalogOptions, folder: &str, skill: Skill) {
        let folders = found.folders.iter().filter(|path| *path == folder || is_below(path, folder));
        for path in folders {
            if let Some(uri) = uri_of(options, path) {
                self.folders.entry(uri).or_default();
            }
        }
        for file in found.files.iter().filter(|file| is_below(&file.path, folder)) {
            let Some(uri) = uri_of(options, &file.path) else { continue };
            let mime_type = media::mime_type_of(last(&file.path));
            let served = ServedFile {
                path: file.path.clone(),
                digest: file.digest.clone(),
                size: file.size,
                mime_type,
            };
            let resource = Resource::new(uri.clone(), last(&file.path)).mime_type(mime_type).size(file.size);
            self.put_into(options, parent(&file.path), resource);
            self.files.insert(uri, served);
        }
        for path in found.folders.iter().filter(|path| is_below(path, folder)) {
            let Some(uri) = uri_of(options, path) else { continue };
            self.put_into(options, parent(path), Resource::new(uri, last(path)).mime_type(DIRECTORY));
        }
        self.skills.push(skill);
    }

    fn put_into(&mut self, options: &CatalogOptions, folder: &str, child: Resource) {
        if let Some(children) = uri_of(options, folder).and_then(|uri| self.folders.get_mut(&uri)) {
            children.push(child);
        }
    }
}

fn entry_of(
    found: &FoundSkills,
    options: &CatalogOptions,
    path: &str,
    text: &Result<SkillText, FrontmatterError>,
) -> Result<Skill, SkillProblem> {
    let problem = |path: &str, message: String| SkillProblem { path: path.to_owned(), message };
    let folder = parent(path);
    if folder.is_empty() {
        let remedy = "a SKILL.md needs a folder with the skill's name: name the folder above";
        return Err(problem(path, remedy.to_owned()));
    }
    if let Some(other) = found.other.iter().find(|other| is_below(other, folder)) {
        return Err(problem(
            other,
            "links and special files are not followed: copy the file (the skill is left out)".to_owned(),
        ));
    }
    let text = text.as_ref().map_err(|error| problem(path, format!("{error} (the skill is left out)")))?;
    let unspeakable =
        |path: &str| problem(path, "a URI cannot say this name (the skill is left out)".to_owned());
    let own = uri_of(options, path).ok_or_else(|| unspeakable(path))?;
    let mut files = Vec::new();
    for file in found.files.iter().filter(|file| is_below(&file.path, folder)) {
        let uri = uri_of(options, &file.path).ok_or_else(|| unspeakable(&file.path))?;
        files.push(SkillFile { uri, digest: file.digest.clone(), size: file.size });
    }
    files.sort_by(|a, b| a.uri.cmp(&b.uri));
    let frontmatter = text.frontmatter.clone();
    let skill = Skill { uri: own, frontmatter, resources: SkillResources::Files(files), meta: None };
    let wrong = skill.problems();
    if wrong.is_empty() {
        Ok(skill)
    } else {
        Err(problem(path, format!("{} (the skill is left out)", wrong.join("; "))))
    }
}

fn uri_of(options: &CatalogOptions, path: &str) -> Option<String> {
    uri::of_names(options.prefix.iter().map(String::as_str).chain(path.split('/')))
}

fn parent(path: &str) -> &str {
    path.rsplit_once('/').map_or("", |(parent, _)| parent)
}

fn last(path: &str) -> &str {
    path.rsplit_once('/').map_or(path, |(_, last)| last)
}

fn is_below(path: &str, folder: &str) -> bool {
    path.strip_prefix(folder).is_some_and(|rest| rest.starts_with('/'))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(files: &[(&str, &str)], folders: &[&str]) -> FoundSkills {
        let mut found = FoundSkills {
            folders: folders.iter().map(|f| (*f).to_owned()).collect(),
            ..FoundSkills::default()
        };
        for (path, text) in files {
            found.file(path, text.as_bytes());
            if last(path) == MANIFEST {
                found.manifests.insert((*path).to_owned(), SkillText::parse(text));
            }
        }
        found
    }

    const TIDY: &str = "---\nname: tidy\ndescription: Tidies\n---\n";
    const DESK: &str = "---\nname: desk\ndescription: The desk\n---\n";

    #[test]
    fn a_nested_skill_belongs_to_the_one_around_it_and_stands_alone() {
        let found = found(
            &[("tidy/SKILL.md", TIDY), ("tidy/refs/a.md", "a"), ("tidy/desk/SKILL.md", DESK)],
            &["tidy", "tidy/refs", "tidy/desk", "tidy/empty"],
        );
        let options = CatalogOptions { prefix: vec!["acme".to_owned()], ..CatalogOptions::default() };
        let (catalog, problems) = SkillCatalog::assemble(&found, &options);
        assert_eq!(problems, []);
        let uris: Vec<_> = catalog.skills().iter().map(|skill| skill.uri.as_str()).collect();
        assert_eq!(uris, ["skill://acme/tidy/SKILL.md", "skill://acme/tidy/desk/SKILL.md"]);
        assert_eq!(catalog.skills()[0].files().len(), 3, "complete, with the nested skill");
        assert_eq!(catalog.skills()[1].files().len(), 1);
        let names =
            |uri| catalog.folder(uri).map(|all| all.iter().map(|r| r.name.clone()).collect::<Vec<_>>());
        assert_eq!(names("skill://acme/tidy").unwrap(), ["SKILL.md", "desk", "empty", "refs"]);
        assert_eq!(names("skill://acme/tidy/empty").unwrap(), Vec::<String>::new());
        assert_eq!(names("skill://acme"), None, "above the skills");
        assert_eq!(names("skill://acme/tidy/SKILL.md"), None);
        assert_eq!(catalog.listed()[0].name, "tidy");
    }

    #[test]
    fn what_cannot_be_published_is_named() {
        let mut found = found(
            &[
                ("SKILL.md", TIDY),
                ("other/SKILL.md", TIDY),
                ("broken/SKILL.md", "text"),
                ("desk/SKILL.md", DESK),
            ],
            &["other", "broken", "desk"],
        );
        found.other.push("desk/link".to_owned());
        let (catalog, problems) = SkillCatalog::assemble(&found, &CatalogOptions::default());
        assert!(catalog.skills().is_empty());
        let named: Vec<_> = problems.iter().map(|problem| problem.path.as_str()).collect();
        assert_eq!(named, ["SKILL.md", "broken/SKILL.md", "desk/link", "other/SKILL.md"]);
    }
}
