//! Human in the loop, part one: may this tool be called?

use std::sync::Arc;

use mcpbolt_proto::jsonrpc::RawJson;
use mcpbolt_proto::protocol::types::ToolAnnotations;

use crate::handler::BoxFuture;

/// A tool call that has not been sent yet.
#[derive(Debug, Clone)]
pub struct ToolReview {
    /// The tool.
    pub tool: String,
    /// The arguments.
    pub arguments: Option<RawJson>,
    /// What the server says about the tool; only a hint unless `trusted`.
    pub annotations: Option<ToolAnnotations>,
    /// Whether the program trusts this server.
    pub trusted: bool,
}

impl ToolReview {
    /// Whether a trusted server says that the tool changes nothing.
    pub fn is_read_only(&self) -> bool {
        self.trusted && self.annotations.as_ref().is_some_and(|a| a.read_only_hint == Some(true))
    }
}

/// What becomes of a tool call.
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
pub trait ToolReviewer: Send + Sync + 'static {
    /// Decides.
    fn review(&self, call: ToolReview) -> BoxFuture<'_, ToolDecision>;
}

/// Every call is sent.
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
