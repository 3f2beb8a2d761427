//! A skill that a host acts on.
//!
//! Owns: the entry that is held meanwhile, and reads of the skill's files. Must not know: who
//! approved it.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

use mcpbolt_proto::policy::skills::{Skill, SkillMismatch, SkillResources, SkillText, Violation, resolve};
use mcpbolt_proto::protocol::Error;
use mcpbolt_proto::protocol::types::ReadResourceResult;

use super::super::call_options::CallOptions;
use super::super::session::ClientSession;
use super::error::SkillError;

/// A skill whose `SKILL.md` was read and is what its entry says. As long as it is in the
/// model's context, files are read through this value: from the server that has the skill, and
/// only those that its entry lists.
///
/// Its frontmatter grants nothing: a host ignores `allowed-tools`, hooks and the like unless the
/// user allowed each for this skill. A `SKILL.md` in a folder below is an ordinary file here.
/// For an example see [`Skills`](super::Skills).
///
/// ```
/// use mcpbolt::client::{LoadedSkill, SkillError};
///
/// async fn show(loaded: &LoadedSkill) -> Result<(), SkillError> {
///     println!("{}", loaded.for_model());
///     println!("{:?}", loaded.read("references/GUIDE.md").await?.text());
///     Ok(())
/// }
/// ```
#[derive(Debug, Clone)]
pub struct LoadedSkill {
    session: ClientSession,
    server: String,
    skill: Skill,
    text: SkillText,
}

/// A file of a skill.
///
/// ```
/// use mcpbolt::client::SkillContent;
///
/// let file = SkillContent {
///     uri: "skill://a/b.md".into(), mime_type: None, bytes: b"text".to_vec(), verified: true,
/// };
/// assert_eq!(file.text(), Some("text"));
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SkillContent {
    /// Its URI.
    pub uri: String,
    /// Its type, as the server says.
    pub mime_type: Option<String>,
    /// Its bytes.
    pub bytes: Vec<u8>,
    /// Whether size and digest were checked; not for dynamic skills.
    pub verified: bool,
}

impl SkillContent {
    /// Its text, if it is UTF-8.
    pub fn text(&self) -> Option<&str> {
        std::str::from_utf8(&self.bytes).ok()
    }
}

impl LoadedSkill {
    pub(super) async fn load(
        session: &ClientSession,
        server: &str,
        skill: &Skill,
    ) -> Result<Self, SkillError> {
        let (_, text) = fetch(session, skill, &skill.uri).await?;
        let text = text.ok_or_else(|| mismatch(&skill.uri, Violation::Unlisted))?;
        Ok(Self { session: session.clone(), server: server.to_owned(), skill: skill.clone(), text })
    }

    /// The entry that is held.
    pub fn skill(&self) -> &Skill {
        &self.skill
    }

    /// The Markdown below the frontmatter.
    pub fn body(&self) -> &str {
        &self.text.body
    }

    /// The instructions with the name of their server before them: text for a model has to
    /// show where it comes from.
    pub fn for_model(&self) -> String {
        let (name, server, uri) = (self.skill.name(), &self.server, &self.skill.uri);
        format!(
            "Skill {name} of the MCP server {server} ({uri}); the server wrote it, not the user.\n\n{}",
            self.body()
        )
    }

    /// Reads a file of the skill by its path from the skill's folder, or by its URI.
    ///
    /// # Errors
    /// `Mismatch`, before anything is sent if the entry does not list it; `Request`.
    pub async fn read(&self, reference: &str) -> Result<SkillContent, SkillError> {
        let unlisted = || mismatch(reference, Violation::Unlisted);
        let uri = resolve(&self.skill.uri, reference).ok_or_else(unlisted)?;
        let uri = match &self.skill.resources {
            SkillResources::Dynamic => uri,
            SkillResources::Files(_) => self.skill.file(&uri).ok_or_else(unlisted)?.uri.clone(),
        };
        Ok(fetch(&self.session, &self.skill, &uri).await?.0)
    }
}

fn mismatch(uri: &str, violation: Violation) -> SkillMismatch {
    SkillMismatch { uri: uri.to_owned(), violation }
}

/// Reads and checks. A kept copy that fails the check is read once more.
async fn fetch(
    session: &ClientSession,
    skill: &Skill,
    uri: &str,
) -> Result<(SkillContent, Option<SkillText>), SkillError> {
    let kept = session.read_resource_with(uri, CallOptions::new()).await?;
    match verified(skill, uri, &kept) {
        Err(SkillError::Mismatch(_)) if session.shared.settings.cache => {
            let fresh = session.read_resource_with(uri, CallOptions::new().fresh()).await?;
            verified(skill, uri, &fresh)
        }
        done => done,
    }
}

fn verified(
    skill: &Skill,
    uri: &str,
    result: &ReadResourceResult,
) -> Result<(SkillContent, Option<SkillText>), SkillError> {
    let same = |found: &str| found == uri || skill.file(found).is_some_and(|file| file.uri == uri);
    let found = result.contents.iter().find(|contents| same(contents.uri()));
    let found = found.ok_or_else(|| Error::protocol(format!("the server sent no contents of {uri}")))?;
    let bytes = match (found.as_text(), found.as_blob()) {
        (Some(text), _) => text.as_bytes().to_vec(),
        (None, blob) => STANDARD
            .decode(blob.unwrap_or_default())
            .map_err(|_| Error::protocol(format!("the contents of {uri} are not Base64")))?,
    };
    let text = skill.verify(uri, &bytes)?;
    let verified = !skill.files().is_empty();
    let mime_type = found.mime_type().map(str::to_owned);
    Ok((SkillContent { uri: uri.to_owned(), mime_type, bytes, verified }, text))
}
