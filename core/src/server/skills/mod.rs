//! Skills in a folder, published by a server.
//!
//! Owns: what a program says of such a folder, and when it is read again. Must not know: how
//! a request is answered (`offer` does), or what makes a good skill.

mod folder;
mod offer;

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use arc_swap::ArcSwap;

use mcpbolt_proto::policy::skills::{CatalogOptions, Skill, SkillCatalog, SkillProblem};
use mcpbolt_proto::protocol::Error;
use mcpbolt_proto::protocol::wire::CacheHint;

use super::{SafeRoot, Server};

/// A folder of skills: each folder in it that holds a `SKILL.md` is one, with all files below
/// it. Published by [`ServerBuilder::skills`](super::ServerBuilder::skills): `skills/list`,
/// `skills/get`, `resources/read` of each file and, unless switched off,
/// `resources/directory/read`. Names that begin with a dot are left out, links are not followed.
/// A file that was changed since is not served until [`SkillFolder::reload`].
///
/// ```
/// use mcpbolt::server::{Server, SkillFolder};
///
/// # let dir = tempfile::tempdir()?;
/// # std::fs::create_dir(dir.path().join("tidy"))?;
/// # std::fs::write(dir.path().join("tidy/SKILL.md"), "---\nname: tidy\ndescription: Tidies\n---\n")?;
/// # let folder = dir.path();
/// let skills = SkillFolder::open(folder)?;
/// assert_eq!(skills.skills()[0].uri, "skill://tidy/SKILL.md");
/// let server = Server::builder("notes", "1.0.0").skills(&skills).build();
/// assert_eq!(server.resources()[0].name, "tidy");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
pub struct SkillFolder {
    inner: Arc<Inner>,
}

struct Inner {
    root: SafeRoot,
    options: CatalogOptions,
    reads_directories: bool,
    cache: CacheHint,
    now: ArcSwap<Published>,
}

/// What is published, and what is not.
#[derive(Default)]
struct Published {
    catalog: SkillCatalog,
    problems: Vec<SkillProblem>,
}

/// What [`SkillFolder::reload`] changed: URIs of `SKILL.md` files.
///
/// ```
/// use mcpbolt::server::SkillChanges;
///
/// assert!(SkillChanges::default().added.is_empty());
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct SkillChanges {
    /// Skills that were not there.
    pub added: Vec<String>,
    /// Skills that are no longer there.
    pub removed: Vec<String>,
    /// Skills with other files or another frontmatter.
    pub changed: Vec<String>,
}

impl SkillFolder {
    /// Reads the skills below `dir`. What cannot be published is left out, logged and listed
    /// by [`SkillFolder::problems`].
    ///
    /// # Errors
    /// `Usage` when the folder or a file in it cannot be read.
    pub fn open(dir: impl AsRef<Path>) -> Result<Self, Error> {
        let dir = dir.as_ref();
        let unreadable = |error| Error::usage(format!("skills in {} cannot be read: {error}", dir.display()));
        let root = SafeRoot::open(dir).map_err(unreadable)?;
        Self::with(root, CatalogOptions::default(), true, CacheHint::default())
    }

    fn with(
        root: SafeRoot,
        options: CatalogOptions,
        reads_directories: bool,
        cache: CacheHint,
    ) -> Result<Self, Error> {
        let now = ArcSwap::from_pointee(read(&root, &options)?);
        Ok(Self { inner: Arc::new(Inner { root, options, reads_directories, cache, now }) })
    }

    /// Puts names before each skill's path: `acme/billing` makes
    /// `skill://acme/billing/refunds/SKILL.md`.
    ///
    /// # Errors
    /// As [`SkillFolder::open`].
    pub fn prefix(self, prefix: &str) -> Result<Self, Error> {
        let names = prefix.split('/').filter(|name| !name.is_empty()).map(str::to_owned).collect();
        let Inner { root, reads_directories, cache, .. } = &*self.inner;
        Self::with(
            root.clone(),
            CatalogOptions { prefix: names, ..self.inner.options.clone() },
            *reads_directories,
            *cache,
        )
    }

    /// Whether `resources/directory/read` is declared and answered. Default: yes.
    #[must_use]
    pub fn directory_read(self, on: bool) -> Self {
        self.changed(|inner| inner.reads_directories = on)
    }

    /// How long clients may keep lists and entries (2026-07-28). Default: not at all.
    #[must_use]
    pub fn cache_hint(self, hint: CacheHint) -> Self {
        self.changed(|inner| inner.cache = hint)
    }

    fn changed(self, change: impl FnOnce(&mut Inner)) -> Self {
        let Inner { root, options, reads_directories, cache, now } = &*self.inner;
        let (root, options) = (root.clone(), options.clone());
        let now = ArcSwap::new(now.load_full());
        let mut inner = Inner { root, options, reads_directories: *reads_directories, cache: *cache, now };
        change(&mut inner);
        Self { inner: Arc::new(inner) }
    }

    /// The entries that are published.
    pub fn skills(&self) -> Vec<Skill> {
        self.inner.now.load().catalog.skills().to_vec()
    }

    /// What is not published or larger than every host takes, and why.
    pub fn problems(&self) -> Vec<SkillProblem> {
        self.inner.now.load().problems.clone()
    }

    /// Reads the folder again and, if that succeeds, publishes what is there now. `server`, to
    /// which the folder was added, tells its clients if skills came or went.
    ///
    /// # Errors
    /// As [`SkillFolder::open`]; what was published stays.
    pub fn reload(&self, server: &Server) -> Result<SkillChanges, Error> {
        let next = read(&self.inner.root, &self.inner.options)?;
        let last = self.inner.now.swap(Arc::new(next));
        let now = self.inner.now.load();
        let changes = differences(last.catalog.skills(), now.catalog.skills());
        for uri in &changes.removed {
            server.remove_resource(uri);
        }
        for resource in now.catalog.listed() {
            let news = changes.added.contains(&resource.uri) || changes.changed.contains(&resource.uri);
            if news {
                server.add_resource(resource, self.reader())?;
            }
        }
        Ok(changes)
    }
}

impl std::fmt::Debug for SkillFolder {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("SkillFolder")
            .field("root", &self.inner.root)
            .field("skills", &self.inner.now.load().catalog.skills().len())
            .finish_non_exhaustive()
    }
}

fn read(root: &SafeRoot, options: &CatalogOptions) -> Result<Published, Error> {
    let found = folder::find(root).map_err(|error| {
        Error::usage(format!("skills in {} cannot be read: {error}", root.path().display()))
    })?;
    let (catalog, problems) = SkillCatalog::assemble(&found, options);
    for problem in &problems {
        tracing::warn!(target: "mcpbolt::protocol", %problem, "a skill has a problem");
    }
    Ok(Published { catalog, problems })
}

fn differences(last: &[Skill], now: &[Skill]) -> SkillChanges {
    let by_uri = |skills: &[Skill]| -> BTreeMap<String, Skill> {
        skills.iter().map(|skill| (skill.uri.clone(), skill.clone())).collect()
    };
    let (last, now) = (by_uri(last), by_uri(now));
    let keys = |from: &BTreeMap<String, Skill>, keep: &dyn Fn(&str) -> bool| {
        from.keys().filter(|uri| keep(uri)).cloned().collect::<Vec<_>>()
    };
    SkillChanges {
        added: keys(&now, &|uri| !last.contains_key(uri)),
        removed: keys(&last, &|uri| !now.contains_key(uri)),
        changed: keys(&now, &|uri| last.get(uri).is_some_and(|was| Some(was) != now.get(uri))),
    }
}
