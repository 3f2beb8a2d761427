//! What observers are told of requests and sessions, by OpenTelemetry's semantic conventions for MCP.
//!
//! Owns: names of spans, attributes and histograms, and what of a request may be in each. Must not
//! know: what records them; who sends or answers a request.

use std::borrow::Cow;

use mcpbolt_proto::jsonrpc::ErrorCode;
use mcpbolt_proto::protocol::methods;

/// A name, and what is said under it.
pub(crate) type Attribute = (&'static str, Cow<'static, str>);

/// Stands for all methods that neither the protocol nor a declared extension has: a peer may make
/// up any number of them.
const OTHER: &str = "_OTHER";
/// Failed, by a result that says so to the model.
const TOOL_ERROR: &str = "tool_error";
const ERROR_TYPE: &str = "error.type";
const PROTOCOL_VERSION: &str = "mcp.protocol.version";
/// Of spans only: each request has another one.
pub(crate) const REQUEST_ID: &str = "jsonrpc.request.id";

/// Upper bounds of the buckets of all histograms, in seconds.
pub(crate) const BOUNDS: [f64; 14] =
    [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0, 30.0, 60.0, 120.0, 300.0];

/// A histogram of durations: its name, and what it measures.
pub(crate) type Histogram = (&'static str, &'static str);

pub(crate) const CLIENT_OPERATION: Histogram =
    ("mcp.client.operation.duration", "From when a request is sent until its answer is there");
pub(crate) const SERVER_OPERATION: Histogram =
    ("mcp.server.operation.duration", "From when a request is received until its answer is sent");
pub(crate) const CLIENT_SESSION: Histogram =
    ("mcp.client.session.duration", "How long a session lasted, at its client");
pub(crate) const SERVER_SESSION: Histogram =
    ("mcp.server.session.duration", "How long a session lasted, at its server");

/// What a request is about.
pub(crate) struct Subject {
    method: Cow<'static, str>,
    /// The tool or prompt, and the attribute that names it.
    target: Option<(&'static str, String)>,
    uri: Option<String>,
}

impl Subject {
    /// `method`: `None` if neither the protocol nor a declared extension has it. `member`: a text
    /// among the params.
    pub(crate) fn new(method: Option<Cow<'static, str>>, member: impl Fn(&str) -> Option<String>) -> Self {
        let method = method.unwrap_or(Cow::Borrowed(OTHER));
        let key = match &*method {
            methods::TOOLS_CALL => Some("gen_ai.tool.name"),
            methods::PROMPTS_GET => Some("gen_ai.prompt.name"),
            _ => None,
        };
        let uri = match &*method {
            methods::RESOURCES_READ | methods::RESOURCES_SUBSCRIBE | methods::RESOURCES_UNSUBSCRIBE => {
                member("uri")
            }
            _ => None,
        };
        Self { method, target: key.and_then(|key| Some((key, member("name")?))), uri }
    }

    /// Whether it calls a tool, whose result may say that it failed.
    pub(crate) fn is_tool_call(&self) -> bool {
        self.method == methods::TOOLS_CALL
    }

    /// The name of its span.
    pub(crate) fn name(&self) -> Cow<'static, str> {
        match &self.target {
            Some((_, target)) => format!("{} {target}", self.method).into(),
            None => self.method.clone(),
        }
    }

    /// Of its span.
    pub(crate) fn attributes(&self) -> Vec<Attribute> {
        let mut all = self.described(true);
        all.extend(self.uri.clone().map(|uri| ("mcp.resource.uri", uri.into())));
        all
    }

    /// Of its duration: what takes few values.
    pub(crate) fn counted(&self, failure: Option<&Failure>) -> Vec<Attribute> {
        let mut all = self.described(failure.is_none_or(|failure| !failure.names_nothing()));
        all.extend(failure.into_iter().flat_map(Failure::attributes));
        all
    }

    /// `known`: its tool or prompt is one that there is.
    fn described(&self, known: bool) -> Vec<Attribute> {
        let mut all = vec![("mcp.method.name", self.method.clone())];
        if self.is_tool_call() {
            all.push(("gen_ai.operation.name", "execute_tool".into()));
        }
        let target = self.target.as_ref().filter(|_| known);
        all.extend(target.map(|(key, name)| (*key, name.clone().into())));
        all
    }
}

/// The revision that is spoken.
pub(crate) fn revision(revision: impl Into<Cow<'static, str>>) -> Attribute {
    (PROTOCOL_VERSION, revision.into())
}

/// How a request or a session failed.
#[derive(Debug, Clone)]
pub(crate) struct Failure {
    class: Cow<'static, str>,
    /// The code of the JSON-RPC error, where one went over the wire.
    code: Option<ErrorCode>,
}

impl Failure {
    /// The other side is told a code, or has told one.
    pub(crate) fn coded(code: ErrorCode) -> Self {
        Self { class: code.0.to_string().into(), code: Some(code) }
    }

    /// By a kind of error or a class; `code` is what the other side is told of it.
    pub(crate) fn named(class: impl Into<Cow<'static, str>>, code: Option<ErrorCode>) -> Self {
        Self { class: class.into(), code }
    }

    /// By a result that says so.
    pub(crate) fn tool() -> Self {
        Self::named(TOOL_ERROR, None)
    }

    /// Whether it may be because there is no such tool or prompt, so that its name is the peer's
    /// invention.
    fn names_nothing(&self) -> bool {
        self.code == Some(ErrorCode::INVALID_PARAMS)
    }

    pub(crate) fn attributes(&self) -> Vec<Attribute> {
        let mut all = vec![(ERROR_TYPE, self.class.clone())];
        all.extend(self.code.map(|code| ("rpc.response.status_code", code.0.to_string().into())));
        all
    }
}
