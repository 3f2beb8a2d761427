//! Skills of a server, for a host.
//!
//! Owns: asking for entries and files, and refusing what is not what its entry says. Must not
//! know: the rules of that (`policy::skills` has them), users, or how a model is asked.

mod error;
mod loaded;

use serde::Deserialize;
use serde_json::{Value, json};

use mcpbolt_proto::jsonrpc::RawJson;
use mcpbolt_proto::policy::skills::{
    DIRECTORY_READ, EXTENSION, GET, LIST, READ_DIRECTORY, Skill, SkillApproval,
};
use mcpbolt_proto::protocol::Error;
use mcpbolt_proto::protocol::types::Resource;

use super::call_options::CallOptions;
use super::session::ClientSession;

pub use error::SkillError;
pub use loaded::{LoadedSkill, SkillContent};

/// The skills of one server. Nothing is fetched before it is asked for: a `SKILL.md` when its
/// skill is loaded, any other file when it is read; all of them from the server that has the
/// skill, and checked against its entry.
///
/// ```
/// use mcpbolt::client::{ClientSession, SkillError, Skills};
///
/// async fn load(session: &ClientSession) -> Result<(), SkillError> {
///     let Some(skills) = Skills::of(session, "docs-server") else { return Ok(()) };
///     for skill in skills.list().await?.skills {
///         println!("{} of {}: {}", skill.name(), skills.server(), skill.description());
///     }
///     let skill = skills.get("skill://acme/refunds/SKILL.md").await?;
///     // Show it to the user and keep the answer; any change of a file voids it.
///     let approval = skills.approve(&skill)?;
///     let loaded = skills.load(&skill, &approval).await?;
///     println!("{}", loaded.for_model());
///     let form = loaded.read("examples/email.md").await?;
///     println!("{} bytes", form.bytes.len());
///     Ok(())
/// }
/// ```
#[derive(Debug, Clone)]
pub struct Skills {
    session: ClientSession,
    server: String,
    reads_directories: bool,
}

/// What a server lists. An empty or partial list proves nothing: a skill may still be had by its
/// URI.
///
/// ```
/// use mcpbolt::client::SkillListing;
///
/// assert!(SkillListing::default().skills.is_empty());
/// ```
#[derive(Debug, Clone, Default)]
#[non_exhaustive]
pub struct SkillListing {
    /// The good entries. Names may come twice: tell such skills apart by their URIs.
    pub skills: Vec<Skill>,
    /// The others: their URI, if they have one, and what is wrong with them.
    pub refused: Vec<(String, String)>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Page {
    #[serde(alias = "resources")]
    skills: Vec<Value>,
    next_cursor: Option<String>,
}

impl Skills {
    /// The skills of a server that declared them. `server` is the host's own name for it, which
    /// identifies its skills; what the server calls itself does not.
    pub fn of(session: &ClientSession, server: impl Into<String>) -> Option<Self> {
        let settings = session.server_extension(EXTENSION)?;
        let reads_directories = settings.get(DIRECTORY_READ).is_some_and(|value| value.as_str() == "true");
        Some(Self { session: session.clone(), server: server.into(), reads_directories })
    }

    /// The host's name of the server.
    pub fn server(&self) -> &str {
        &self.server
    }

    /// Whether the server lists folders.
    pub fn reads_directories(&self) -> bool {
        self.reads_directories
    }

    /// All entries that the server lists.
    ///
    /// # Errors
    /// `Request` if a page fails or the pages do not end.
    pub async fn list(&self) -> Result<SkillListing, SkillError> {
        let mut listing = SkillListing::default();
        for item in self.pages(LIST, json!({})).await? {
            let uri = item["uri"].as_str().unwrap_or_default().to_owned();
            match checked(item) {
                Ok(skill) if listing.skills.iter().any(|other| other.uri == skill.uri) => {
                    listing.refused.push((uri, "it is listed twice".to_owned()));
                }
                Ok(skill) => listing.skills.push(skill),
                Err(why) => listing.refused.push((uri, why)),
            }
        }
        Ok(listing)
    }

    /// The entry of one skill as it is now, listed or not.
    ///
    /// # Errors
    /// `Request` if the server has none there, `Entry` if it is not good or of another skill.
    pub async fn get(&self, uri: &str) -> Result<Skill, SkillError> {
        let raw = self.session.request_raw(GET, Some(json!({ "uri": uri }).into())).await?;
        let bad = |why: &str| SkillError::Entry { uri: uri.to_owned(), why: why.to_owned() };
        let mut result: Value = raw.decode().map_err(|_| bad("it is malformed"))?;
        let skill = checked(result["skill"].take()).map_err(|why| bad(&why))?;
        if skill.is_manifest(uri) { Ok(skill) } else { Err(bad("it is the entry of another skill")) }
    }

    /// An approval of the entry as the user has just seen it, to be kept.
    ///
    /// # Errors
    /// `Dynamic`.
    pub fn approve(&self, skill: &Skill) -> Result<SkillApproval, SkillError> {
        SkillApproval::of(&self.server, skill).ok_or_else(|| SkillError::Dynamic { uri: skill.uri.clone() })
    }

    /// Reads the `SKILL.md` of a skill that the user approved, and checks it.
    ///
    /// # Errors
    /// `NotApproved` before anything is read, `Entry`, `Mismatch`, `Request`.
    pub async fn load(&self, skill: &Skill, approval: &SkillApproval) -> Result<LoadedSkill, SkillError> {
        if !approval.covers(&self.server, skill) {
            return Err(SkillError::NotApproved { uri: skill.uri.clone() });
        }
        self.load_once(skill).await
    }

    /// The same for hosts that ask the user each time, and for dynamic skills. Never call it
    /// for an answer that was kept.
    ///
    /// # Errors
    /// `Entry`, `Mismatch`, `Request`.
    pub async fn load_once(&self, skill: &Skill) -> Result<LoadedSkill, SkillError> {
        let wrong: Vec<String> = skill.problems().into_iter().chain(skill.excess()).collect();
        if !wrong.is_empty() {
            return Err(SkillError::Entry { uri: skill.uri.clone(), why: wrong.join("; ") });
        }
        LoadedSkill::load(&self.session, &self.server, skill).await
    }

    /// What lies in a folder of the server as it is now. This neither belongs to a loaded skill
    /// nor extends what may be read of it.
    ///
    /// # Errors
    /// `Request`, of kind `Usage` and before anything is sent if the server does not list
    /// folders.
    pub async fn read_directory(&self, uri: &str) -> Result<Vec<Resource>, SkillError> {
        if !self.reads_directories {
            let why = format!("the server {} does not declare {DIRECTORY_READ}", self.server);
            return Err(Error::usage(why).into());
        }
        let items = self.pages(READ_DIRECTORY, json!({ "uri": uri })).await?;
        let read = |item| serde_json::from_value(item).map_err(|_| malformed(READ_DIRECTORY).into());
        items.into_iter().map(read).collect()
    }

    async fn pages(&self, method: &str, mut params: Value) -> Result<Vec<Value>, SkillError> {
        let caps = &self.session.shared.settings.checks.caps;
        let mut all = Vec::new();
        for _ in 0..caps.max_pages {
            let asked = (params != json!({})).then(|| RawJson::from(params.clone()));
            let raw = self.session.request_raw_with(method, asked, CallOptions::new()).await?;
            let page: Page = raw.decode().map_err(|_| malformed(method))?;
            all.extend(page.skills);
            self.session.shared.settings.checks.list(all.len())?;
            match page.next_cursor {
                None => return Ok(all),
                Some(next) if params["cursor"] == next.as_str() => {
                    return Err(Error::protocol("the server repeats the cursor of the last page").into());
                }
                Some(next) => params["cursor"] = next.into(),
            }
        }
        Err(Error::protocol("the list has too many pages").into())
    }
}

fn checked(item: Value) -> Result<Skill, String> {
    let skill: Skill = serde_json::from_value(item).map_err(|error| error.to_string())?;
    let problems = skill.problems();
    if problems.is_empty() { Ok(skill) } else { Err(problems.join("; ")) }
}

fn malformed(method: &str) -> Error {
    Error::protocol(format!("the result of {method} is malformed"))
}
