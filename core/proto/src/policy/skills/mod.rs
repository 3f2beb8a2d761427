//! Skills (`io.modelcontextprotocol/skills`): folders with instructions that a server
//! publishes as resources.
//!
//! Owns: what an entry has to be, how files and entries are compared, what an approval
//! covers, and which entries and folders a set of files makes. Must not know: where files
//! lie, who asks for them.
//!
//! ```
//! use mcpbolt_proto::policy::skills::{Skill, SkillResources, digest};
//!
//! let text = "---\nname: tidy\ndescription: Puts things in order\n---\n\nStart with the desk.\n";
//! let skill: Skill = serde_json::from_value(serde_json::json!({
//!     "uri": "skill://tidy/SKILL.md",
//!     "frontmatter": {"name": "tidy", "description": "Puts things in order"},
//!     "resources": [{"uri": "skill://tidy/SKILL.md", "digest": digest(text.as_bytes()), "size": text.len()}],
//! }))?;
//! assert!(skill.problems().is_empty());
//! assert!(skill.verify("skill://tidy/SKILL.md", text.as_bytes()).is_ok());
//! assert!(skill.verify("skill://tidy/SKILL.md", b"---\nname: evil\n---\n").is_err());
//! # Ok::<(), serde_json::Error>(())
//! ```

use crate::protocol::Method;

mod approval;
mod catalog;
mod entry;
mod frontmatter;
mod media;
mod uri;
mod verify;
mod yaml;

pub use approval::SkillApproval;
pub use catalog::{CatalogOptions, FoundFile, FoundSkills, ServedFile, SkillCatalog, SkillProblem};
pub use entry::{Skill, SkillFile, SkillResources, digest};
pub use frontmatter::{Frontmatter, FrontmatterError, SkillText};
pub use media::mime_type_of;
pub use uri::{resolve, root_of};
pub use verify::{SkillMismatch, Violation};

/// The extension's identifier.
pub const EXTENSION: &str = "io.modelcontextprotocol/skills";
/// The method that lists skills.
pub const LIST: &str = "skills/list";
/// The method that gives the entry of one skill.
pub const GET: &str = "skills/get";
/// The method that lists what lies in a folder, for servers that declare it.
pub const READ_DIRECTORY: &str = "resources/directory/read";
/// The rows of these methods, in this order. Clients declare nothing to use them.
pub static METHODS: [Method; 3] = [method(LIST), method(GET), method(READ_DIRECTORY)];

const fn method(name: &'static str) -> Method {
    Method::extension_request(EXTENSION, name).for_undeclared()
}

/// The setting that declares [`READ_DIRECTORY`].
pub const DIRECTORY_READ: &str = "directoryRead";
/// The file that makes a folder a skill.
pub const MANIFEST: &str = "SKILL.md";
/// Files of one skill that every host takes.
pub const MAX_FILES: usize = 512;
/// Bytes of one skill's files together that every host takes: 16 MiB.
pub const MAX_BYTES: u64 = 16 * 1024 * 1024;
