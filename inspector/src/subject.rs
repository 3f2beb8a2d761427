//! What pages and the program behind them say to each other about the server.
//!
//! Owns: which server it is, why there is no session, a page's wish for one. Must not know:
//! sessions.

use mcpbolt::Error;
use serde::Serialize;

/// A page wants the server to be reached anew.
///
/// ```
/// let again = mcpbolt_inspector::Connect { token: None };
/// # let _ = again;
/// ```
#[derive(Clone, Default)]
pub struct Connect {
    /// A token that its person gave, to be sent to the server.
    pub token: Option<String>,
}

/// Why there is no session, as pages say it.
///
/// ```
/// let failed = mcpbolt_inspector::Failed {
///     message: "the server wants a token".to_owned(),
///     remedy: None,
///     wants_token: true, // the page asks its person for one
/// };
/// # let _ = failed;
/// ```
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Failed {
    /// One sentence.
    pub message: String,
    /// What to do about it.
    pub remedy: Option<String>,
    /// Whether a token might help.
    pub wants_token: bool,
}

/// Puts an error of the session into the program's words.
pub type Explain = fn(Error) -> Failed;

/// Which server pages show.
///
/// ```
/// let subject = mcpbolt_inspector::Subject::Url("https://example.com/mcp".to_owned());
/// # let _ = subject;
/// ```
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Subject {
    /// One that is reached by its URL.
    Url(String),
    /// One that is started: the program and its arguments.
    Command(Vec<String>),
}
