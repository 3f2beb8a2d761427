//! What is said of a call, by the names of the semantic conventions.
//!
//! Owns: names and values of attributes. Must not know: what is recorded with them.

use std::borrow::Cow;

use opentelemetry::KeyValue;

use mcpbolt_proto::jsonrpc::{ErrorCode, RawObject};
use mcpbolt_proto::protocol::{Error, Method, methods};

/// Stands for all methods without a row, neither the protocol's nor an extension's: a peer may
/// make up any number of them.
const OTHER: &str = "_OTHER";
/// Failed, by a result that says so to the model.
pub(super) const TOOL_ERROR: &str = "tool_error";

/// What a call is about.
pub(super) struct Subject {
    pub(super) method: &'static str,
    /// The tool or prompt, and the attribute that names it.
    target: Option<(&'static str, String)>,
    uri: Option<String>,
}

impl Subject {
    pub(super) fn of(row: Option<&'static Method>, params: &RawObject) -> Self {
        let method = row.map_or(OTHER, |row| row.name);
        let text = |name| params.get(name)?.as_string();
        let key = match method {
            methods::TOOLS_CALL => Some("gen_ai.tool.name"),
            methods::PROMPTS_GET => Some("gen_ai.prompt.name"),
            _ => None,
        };
        let uri = match method {
            methods::RESOURCES_READ | methods::RESOURCES_SUBSCRIBE | methods::RESOURCES_UNSUBSCRIBE => {
                text("uri")
            }
            _ => None,
        };
        Self { method, target: key.and_then(|key| Some((key, text("name")?))), uri }
    }

    /// The name of its span.
    pub(super) fn name(&self) -> Cow<'static, str> {
        match &self.target {
            Some((_, target)) => format!("{} {target}", self.method).into(),
            None => self.method.into(),
        }
    }

    /// Of its span.
    pub(super) fn attributes(&self) -> Vec<KeyValue> {
        let mut all = self.counted(true);
        all.extend(self.uri.clone().map(|uri| KeyValue::new("mcp.resource.uri", uri)));
        all
    }

    /// Of its duration: what takes few values. `known`: its tool or prompt is one that there is.
    pub(super) fn counted(&self, known: bool) -> Vec<KeyValue> {
        let mut all = vec![KeyValue::new("mcp.method.name", self.method)];
        if self.method == methods::TOOLS_CALL {
            all.push(KeyValue::new("gen_ai.operation.name", "execute_tool"));
        }
        let target = self.target.as_ref().filter(|_| known);
        all.extend(target.map(|(key, name)| KeyValue::new(*key, name.clone())));
        all
    }
}

/// How a call failed.
#[derive(Debug, Clone)]
pub(super) struct Failure {
    pub(super) class: Cow<'static, str>,
    /// The code of the JSON-RPC error, where one went over the wire.
    code: Option<ErrorCode>,
}

impl Failure {
    /// `told`: the peer is told of it, or told us.
    pub(super) fn new(error: &Error, told: bool) -> Self {
        if told {
            return Self { class: error.code.0.to_string().into(), code: Some(error.code) };
        }
        Self { class: error.kind.name().into(), code: None }
    }

    pub(super) fn tool() -> Self {
        Self { class: TOOL_ERROR.into(), code: None }
    }

    /// Whether it may be because there is no such tool or prompt, so that its name is the peer's
    /// invention.
    pub(super) fn names_nothing(&self) -> bool {
        self.code == Some(ErrorCode::INVALID_PARAMS)
    }

    pub(super) fn attributes(&self) -> Vec<KeyValue> {
        let mut all = vec![KeyValue::new("error.type", self.class.clone())];
        all.extend(self.code.map(|code| KeyValue::new("rpc.response.status_code", code.0.to_string())));
        all
    }
}
