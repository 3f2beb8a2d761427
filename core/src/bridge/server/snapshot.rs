//! What the engine knows of the host's registry, stamped with a generation.
//!
//! Owns: reading a snapshot, and finding what stands in it. Must not know: what is answered
//! from it.
//!
//! The registry itself lives in the host. Where a snapshot is stale the host is asked; the
//! engine never guesses.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;
use std::time::Duration;

use serde::{Deserialize, Deserializer};

use mcpbolt_proto::http::param_headers::ParamHeaders;
use mcpbolt_proto::jsonrpc::{RawJson, RawObject};
use mcpbolt_proto::policy::bounds::Bounds;
use mcpbolt_proto::protocol::capabilities::ServerCapabilities;
use mcpbolt_proto::protocol::types::Implementation;
use mcpbolt_proto::protocol::wire::{CacheHint, CacheScope};
use mcpbolt_proto::protocol::{Error, extensions, methods};
use mcpbolt_proto::session::Change;
use mcpbolt_proto::tasks::{TaskSupport, experimental};
use mcpbolt_proto::uri_template::UriTemplate;

use crate::bridge::options::extension_rows::{self, ExtensionRow, ExtensionRows};
use crate::bridge::options::json::seconds;
use crate::bridge::queue::lane::Lane;
use crate::schema::{LazyValidator, check_arguments};

/// What the server says of itself: snapshot `server`.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct ServerSnapshot {
    pub(crate) server_info: Implementation,
    #[serde(default)]
    pub(crate) capabilities: ServerCapabilities,
    /// What clients of the legacy era are told in place of them.
    #[serde(default)]
    pub(crate) legacy_capabilities: Option<ServerCapabilities>,
    /// Methods that the program handles or sends: what they need is declared too.
    #[serde(default)]
    uses: Vec<String>,
    #[serde(default)]
    pub(crate) instructions: Option<String>,
    #[serde(default)]
    cache_hints: HashMap<String, Hint>,
    /// Bounds of all completions together.
    #[serde(default, deserialize_with = "own_bounds")]
    pub(crate) completion: Bounds,
    /// Methods of extensions that the program answers.
    #[serde(default)]
    extension_methods: Vec<ExtensionRow>,
    #[serde(skip)]
    pub(crate) rows: Arc<ExtensionRows>,
}

#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Hint {
    ttl_ms: u64,
    #[serde(default)]
    public: bool,
}

impl ServerSnapshot {
    pub(crate) fn read(raw: &RawJson) -> Result<Self, Error> {
        let mut about: Self = raw.decode().map_err(|e| Error::usage(format!("snapshot server: {e}")))?;
        extensions::check(about.capabilities.extensions.as_ref())?;
        about.rows = Arc::new(extension_rows::rows(&std::mem::take(&mut about.extension_methods))?);
        let used = about.uses.iter().map(String::as_str);
        about.capabilities = std::mem::take(&mut about.capabilities).with_methods(used.clone());
        about.legacy_capabilities = about.legacy_capabilities.map(|told| told.with_methods(used));
        Ok(about)
    }

    pub(crate) fn cache_hint(&self, method: &str) -> Option<CacheHint> {
        let hint = self.cache_hints.get(method)?;
        let scope = if hint.public { CacheScope::Public } else { CacheScope::Private };
        Some(CacheHint { ttl_ms: hint.ttl_ms, scope })
    }
}

/// The four registries that are listed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum RegistryKind {
    Tools,
    Prompts,
    Resources,
    Templates,
}

impl RegistryKind {
    pub(crate) const ALL: [Self; 4] = [Self::Tools, Self::Prompts, Self::Resources, Self::Templates];

    pub(crate) const fn method(self) -> &'static str {
        match self {
            Self::Tools => methods::TOOLS_LIST,
            Self::Prompts => methods::PROMPTS_LIST,
            Self::Resources => methods::RESOURCES_LIST,
            Self::Templates => methods::RESOURCES_TEMPLATES_LIST,
        }
    }

    pub(crate) const fn member(self) -> &'static str {
        match self {
            Self::Tools => "tools",
            Self::Prompts => "prompts",
            Self::Resources => "resources",
            Self::Templates => "resourceTemplates",
        }
    }

    const fn key(self) -> &'static str {
        match self {
            Self::Tools | Self::Prompts => "name",
            Self::Resources => "uri",
            Self::Templates => "uriTemplate",
        }
    }

    pub(crate) fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.member() == name)
    }

    /// What clients are told of when it changes; templates are resources to them.
    pub(crate) const fn change(self) -> Change {
        match self {
            Self::Tools => Change::Tools,
            Self::Prompts => Change::Prompts,
            Self::Resources | Self::Templates => Change::Resources,
        }
    }

    pub(crate) fn of_method(method: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.method() == method)
    }
}

/// One registry as it was at a generation.
pub(crate) struct RegistrySnapshot {
    pub(crate) generation: u64,
    pub(crate) items: Vec<RawJson>,
    names: HashSet<String>,
    tools: HashMap<String, ToolFacts>,
    bounds: HashMap<String, Bounds>,
    /// For templates: what each matches.
    patterns: Vec<(String, UriTemplate)>,
}

/// What the engine does for a tool.
pub(crate) struct ToolFacts {
    pub(crate) lane: Lane,
    /// The schema the engine checks arguments against, for tools it validates.
    pub(crate) validator: Option<LazyValidator>,
    pub(crate) headers: Option<Arc<ParamHeaders>>,
    /// Whether its calls become tasks.
    pub(crate) task: TaskSupport,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ToolRow {
    tool: RawJson,
    #[serde(default)]
    validation: Validation,
    #[serde(default)]
    worker: bool,
    #[serde(default)]
    hidden: bool,
    #[serde(default, deserialize_with = "seconds")]
    timeout: Option<Duration>,
    #[serde(default)]
    max_concurrency: Option<usize>,
    #[serde(default, deserialize_with = "task_support")]
    task: TaskSupport,
}

/// `forbidden`, `optional` or `required`.
fn task_support<'de, D: Deserializer<'de>>(deserializer: D) -> Result<TaskSupport, D::Error> {
    let name = String::deserialize(deserializer)?;
    TaskSupport::named(&name)
        .ok_or_else(|| serde::de::Error::custom("task must be forbidden, optional or required"))
}

/// An item with bounds of its own.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ItemRow {
    item: RawJson,
    #[serde(default, deserialize_with = "seconds")]
    timeout: Option<Duration>,
    #[serde(default)]
    max_concurrency: Option<usize>,
}

fn own_bounds<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Bounds, D::Error> {
    #[derive(Deserialize)]
    #[serde(deny_unknown_fields)]
    struct Row {
        #[serde(default, deserialize_with = "seconds")]
        timeout: Option<Duration>,
        #[serde(default)]
        max_concurrency: Option<usize>,
    }
    let row = Row::deserialize(deserializer)?;
    Ok(Bounds { timeout: row.timeout, max_concurrency: row.max_concurrency })
}

/// Who checks a tool's arguments.
#[derive(Deserialize, Default, PartialEq, Eq)]
#[serde(rename_all = "lowercase")]
enum Validation {
    Engine,
    #[default]
    Host,
    None,
}

impl RegistrySnapshot {
    /// An array of items as clients see them; for tools an array of
    /// `{tool, validation, worker, hidden, task}`.
    pub(crate) fn read(kind: RegistryKind, generation: u64, raw: &RawJson) -> Result<Self, Error> {
        let wrong = |e: serde_json::Error| Error::usage(format!("snapshot {}: {e}", kind.member()));
        let mut list = Self {
            generation,
            items: Vec::new(),
            names: HashSet::new(),
            tools: HashMap::new(),
            bounds: HashMap::new(),
            patterns: Vec::new(),
        };
        if kind != RegistryKind::Tools {
            for item in raw.decode::<Vec<RawJson>>().map_err(wrong)? {
                let row =
                    RawObject::parse(&item).filter(|row| row.contains("item") && !row.contains(kind.key()));
                let Some(_) = row else {
                    list.add(kind, item)?;
                    continue;
                };
                let row: ItemRow = item.decode().map_err(wrong)?;
                let name = list.add(kind, row.item)?;
                list.bound(name, row.timeout, row.max_concurrency);
            }
            return Ok(list);
        }
        for row in raw.decode::<Vec<ToolRow>>().map_err(wrong)? {
            // Clients are not to know that a hidden tool exists.
            if row.hidden {
                continue;
            }
            let schema = RawObject::parse(&row.tool).and_then(|t| t.get("inputSchema").cloned());
            let tool = experimental::listed(&row.tool, row.task).unwrap_or(row.tool);
            let name = list.add(kind, tool)?;
            check_arguments(&name, schema.as_ref())?;
            let headers = schema.as_ref().and_then(|s| ParamHeaders::from_schema(s).ok()).map(Arc::new);
            let validator = schema.filter(|_| row.validation == Validation::Engine).map(LazyValidator::new);
            let lane = if row.worker { Lane::Worker } else { Lane::Loop };
            list.bound(name.clone(), row.timeout, row.max_concurrency);
            list.tools.insert(name, ToolFacts { lane, validator, headers, task: row.task });
        }
        Ok(list)
    }

    fn add(&mut self, kind: RegistryKind, item: RawJson) -> Result<String, Error> {
        let missing = || Error::usage(format!("snapshot {}: an item without {}", kind.member(), kind.key()));
        let members = RawObject::parse(&item).ok_or_else(missing)?;
        let name = members.get(kind.key()).and_then(RawJson::as_string).ok_or_else(missing)?;
        self.names.insert(name.clone());
        self.items.push(item);
        Ok(name)
    }

    fn bound(&mut self, name: String, timeout: Option<Duration>, max_concurrency: Option<usize>) {
        let bounds = Bounds { timeout, max_concurrency };
        if bounds.is_empty() {
            return;
        }
        if let Ok(pattern) = UriTemplate::parse(&name) {
            self.patterns.push((name.clone(), pattern));
        }
        self.bounds.insert(name, bounds);
    }

    /// Whether any item has bounds of its own.
    pub(crate) fn is_bounded(&self) -> bool {
        !self.bounds.is_empty()
    }

    /// The bounds of the item with this name.
    pub(crate) fn bounds_of(&self, name: &str) -> Option<Bounds> {
        self.bounds.get(name).copied()
    }

    /// The bounded template that a URI belongs to.
    pub(crate) fn template_of(&self, uri: &str) -> Option<&str> {
        let found = self.patterns.iter().find(|(_, pattern)| pattern.match_uri(uri).is_some());
        found.map(|(name, _)| &**name)
    }

    pub(crate) fn has(&self, name: &str) -> bool {
        self.names.contains(name)
    }

    pub(crate) fn tool(&self, name: &str) -> Option<&ToolFacts> {
        self.tools.get(name)
    }
}
