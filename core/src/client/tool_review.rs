//! Human in the loop, part one: may this tool be called?
//!
//! Owns: what a reviewer is told of a call, and the reviewers that come ready made.
//! Must not know: how a call is made.

use std::sync::Arc;

use mcpbolt_proto::jsonrpc::RawJson;
use mcpbolt_proto::policy::trust::Untrusted;
use mcpbolt_proto::protocol::types::ToolAnnotations;

use crate::handler::BoxFuture;

/// A tool call that has not been sent yet.
///
/// ```
/// use mcpbolt::client::{ToolDecision, ToolReview};
///
/// fn decide(call: &ToolReview) -> ToolDecision {
///     match call.is_read_only() {
///         true => ToolDecision::Allow,
///         false => ToolDecision::Deny(format!("{} may change something", call.tool)),
///     }
/// }
/// # let call = ToolReview { tool: "rm".into(), arguments: None, annotations: None, trusted: false };
/// # assert_ne!(decide(&call), ToolDecision::Allow);
/// ```
#[derive(Debug, Clone)]
pub struct ToolReview {
    /// The tool.
    pub tool: String,
    /// The arguments.
    pub arguments: Option<RawJson>,
    /// What the server says about the tool.
    pub annotations: Option<Untrusted<ToolAnnotations>>,
    /// Whether the program trusts this server.
    pub trusted: bool,
}

impl ToolReview {
    /// Whether a trusted server says that the tool changes nothing.
    pub fn is_read_only(&self) -> bool {
        let believed = self.annotations.as_ref().and_then(Untrusted::believed);
        self.trusted && believed.is_some_and(|a| a.read_only_hint == Some(true))
    }
}

/// What becomes of a tool call.
///
/// ```
/// use mcpbolt::client::ToolDecision;
/// use serde_json::json;
///
/// let tamed = ToolDecision::Edit(json!({"path": "/srv/project", "recursive": false}).into());
/// assert_ne!(tamed, ToolDecision::Allow);
/// ```
#[derive(Debug, Clone, PartialEq)]
pub enum ToolDecision {
    /// It is sent.
    Allow,
    /// It is sent with these arguments.
    Edit(RawJson),
    /// It fails with `Rejected`, for this reason, and nothing is sent.
    Deny(String),
}

/// Decides about each tool call before anything is sent.
///
/// ```
/// use mcpbolt::client::{Client, ToolDecision, ToolReview, ToolReviewer};
/// use mcpbolt::handler::BoxFuture;
///
/// /// Lets a fixed list of tools pass.
/// struct Listed(&'static [&'static str]);
///
/// impl ToolReviewer for Listed {
///     fn review(&self, call: ToolReview) -> BoxFuture<'_, ToolDecision> {
///         Box::pin(async move {
///             match self.0.contains(&call.tool.as_str()) {
///                 true => ToolDecision::Allow,
///                 false => ToolDecision::Deny("not on the list".to_owned()),
///             }
///         })
///     }
/// }
/// let client = Client::builder("example", "1.0").review_tool_call(Listed(&["search"])).build();
/// # let _ = client;
/// ```
pub trait ToolReviewer: Send + Sync + 'static {
    /// Decides.
    fn review(&self, call: ToolReview) -> BoxFuture<'_, ToolDecision>;
}

/// Every call is sent.
///
/// ```
/// use mcpbolt::client::{AllowAll, Client};
///
/// let client = Client::builder("batch-job", "1.0").review_tool_call(AllowAll).build(); // the default
/// # let _ = client;
/// ```
#[derive(Debug, Clone, Copy, Default)]
pub struct AllowAll;

impl ToolReviewer for AllowAll {
    fn review(&self, _: ToolReview) -> BoxFuture<'_, ToolDecision> {
        Box::pin(std::future::ready(ToolDecision::Allow))
    }
}

type AskFn = Arc<dyn Fn(ToolReview) -> BoxFuture<'static, ToolDecision> + Send + Sync>;

fn boxed<F, R>(ask: F) -> AskFn
where
    F: Fn(ToolReview) -> R + Send + Sync + 'static,
    R: Future<Output = ToolDecision> + Send + 'static,
{
    Arc::new(move |call| Box::pin(ask(call)))
}

/// Asks about every call.
///
/// ```
/// use mcpbolt::client::{AskAlways, Client, ToolDecision};
///
/// let reviewer = AskAlways::new(|call| async move {
///     println!("May {} run?", call.tool); // ask the person here
///     ToolDecision::Deny("nobody is here".to_owned())
/// });
/// let client = Client::builder("example", "1.0").review_tool_call(reviewer).build();
/// # let _ = client;
/// ```
#[derive(Clone)]
pub struct AskAlways(AskFn);

impl AskAlways {
    /// `ask` decides, usually by asking a person.
    pub fn new<F, R>(ask: F) -> Self
    where
        F: Fn(ToolReview) -> R + Send + Sync + 'static,
        R: Future<Output = ToolDecision> + Send + 'static,
    {
        Self(boxed(ask))
    }
}

impl ToolReviewer for AskAlways {
    fn review(&self, call: ToolReview) -> BoxFuture<'_, ToolDecision> {
        (self.0)(call)
    }
}

/// Asks about every call, except tools that a trusted server declares read-only.
///
/// ```
/// use mcpbolt::client::{AskUnlessReadOnly, Client, ToolDecision};
///
/// let reviewer = AskUnlessReadOnly::new(|call| async move {
///     ToolDecision::Deny(format!("{} changes something", call.tool))
/// });
/// let client = Client::builder("example", "1.0").review_tool_call(reviewer).trusted(true).build();
/// # let _ = client;
/// ```
#[derive(Clone)]
pub struct AskUnlessReadOnly(AskFn);

impl AskUnlessReadOnly {
    /// `ask` decides, usually by asking a person.
    pub fn new<F, R>(ask: F) -> Self
    where
        F: Fn(ToolReview) -> R + Send + Sync + 'static,
        R: Future<Output = ToolDecision> + Send + 'static,
    {
        Self(boxed(ask))
    }
}

impl ToolReviewer for AskUnlessReadOnly {
    fn review(&self, call: ToolReview) -> BoxFuture<'_, ToolDecision> {
        if call.is_read_only() {
            return Box::pin(std::future::ready(ToolDecision::Allow));
        }
        (self.0)(call)
    }
}
