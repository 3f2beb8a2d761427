//! Why a host does not use a skill.
//!
//! Owns: the reasons. Must not know: how a skill is read.

use mcpbolt_proto::policy::skills::SkillMismatch;
use mcpbolt_proto::protocol::Error;

/// Why a skill or a file of one cannot be used.
///
/// ```
/// use mcpbolt::client::SkillError;
///
/// fn explain(error: &SkillError) -> &'static str {
///     match error {
///         SkillError::Mismatch(_) => "ask for the entry again, and the user too",
///         SkillError::NotApproved { .. } => "ask the user",
///         _ => "not now",
///     }
/// }
/// # let error = SkillError::NotApproved { uri: "skill://a/SKILL.md".into() };
/// # assert_eq!(explain(&error), "ask the user");
/// ```
#[derive(Debug, Clone, thiserror::Error)]
#[non_exhaustive]
pub enum SkillError {
    /// The request failed, or the server's answer is malformed.
    #[error(transparent)]
    Request(#[from] Error),
    /// What was read is not what the entry says.
    #[error(transparent)]
    Mismatch(#[from] SkillMismatch),
    /// The entry itself is not good.
    #[error("the entry of the skill {uri} is not valid: {why}")]
    Entry {
        /// The URI that was asked for.
        uri: String,
        /// What is wrong with it.
        why: String,
    },
    /// The approval is of another server, another skill or other files.
    #[error("the skill {uri} is not the one that was approved: ask the user again")]
    NotApproved {
        /// The skill.
        uri: String,
    },
    /// A dynamic skill: nothing binds an approval to what it says.
    #[error("the skill {uri} is dynamic: an approval of it cannot be kept")]
    Dynamic {
        /// The skill.
        uri: String,
    },
}
