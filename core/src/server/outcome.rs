//! What a handler comes to: a result, questions, or a failure.
//!
//! Owns: which words of a failure its client may read. Must not know: what a result is made
//! of (`output` does).

use std::any::Any;

use mcpbolt_proto::protocol::types::InputRequiredResult;
use mcpbolt_proto::protocol::{Error, ErrorKind};

/// A result, or questions the client must answer before there is one.
///
/// ```
/// use mcpbolt::RawJson;
/// use mcpbolt::server::{Context, Failure, Outcome, Server};
/// use mcpbolt::types::*;
///
/// /// Runs twice: first to ask, then with the answer.
/// async fn greet(_: serde_json::Value, ctx: Context) -> Result<Outcome<CallToolResult>, Failure> {
///     if let Some(answer) = ctx.input_response::<ElicitResult>("who") {
///         return Ok(Outcome::Done(CallToolResult::text(if answer.accepted() { "Hello!" } else { "Bye." })));
///     }
///     let form = FormSchema::builder().required("name", StringSchema::new());
///     let question = RawJson::encode(&ElicitParams::form("Who are you?", form))?;
///     let ask = InputRequiredResult::new().ask("who", InputRequest::new("elicitation/create", question));
///     Ok(Outcome::Ask(ask))
/// }
/// let tool = Tool::new("greet", serde_json::json!({"type": "object"}));
/// let server = Server::builder("greeter", "1.0.0").raw_tool(tool, greet).build();
/// # assert_eq!(server.tools().len(), 1);
/// ```
#[derive(Debug, Clone)]
pub enum Outcome<T> {
    /// The result.
    Done(T),
    /// The client is asked and the handler runs again with the answers.
    Ask(InputRequiredResult),
}

impl<T> From<InputRequiredResult> for Outcome<T> {
    fn from(questions: InputRequiredResult) -> Self {
        Self::Ask(questions)
    }
}

/// Why a handler failed. Any error type converts; [`Error`] keeps its kind.
///
/// ```
/// use mcpbolt::server::Failure;
/// use mcpbolt::{Error, ErrorKind};
///
/// fn read(name: &str) -> Result<String, Failure> {
///     if name.is_empty() {
///         return Err(Failure::tool("Give the name of a note.")); // the model sees this and tries again
///     }
///     if name == "secret" {
///         return Err(Error::new(ErrorKind::InvalidParams, "not for you").into()); // a JSON-RPC error
///     }
///     Ok(std::fs::read_to_string(name)?) // any other error: the client learns that there was one
/// }
/// assert!(matches!(read(""), Err(Failure::Tool(_))));
/// assert!(matches!(read("secret"), Err(Failure::Protocol(_))));
/// assert!(matches!(read("/no/such/file"), Err(Failure::Unexpected(_))));
/// ```
#[derive(Debug, Clone)]
pub enum Failure {
    /// The tool itself failed: the model sees the text. Outside tools an internal
    /// error.
    Tool(String),
    /// The request failed: a JSON-RPC error.
    Protocol(Error),
    /// An error of another library, not written for clients: what they learn of it is
    /// for [`ServerBuilder::error_detail`](super::ServerBuilder::error_detail) to say.
    Unexpected(String),
}

impl Failure {
    /// The tool failed, in words for the model.
    pub fn tool(message: impl Into<String>) -> Self {
        Self::Tool(message.into())
    }

    /// The failure as a JSON-RPC error.
    pub fn into_error(self) -> Error {
        match self {
            Self::Tool(message) | Self::Unexpected(message) => Error::new(ErrorKind::Internal, message),
            Self::Protocol(error) => error,
        }
    }
}

impl<E: std::error::Error + Send + Sync + 'static> From<E> for Failure {
    fn from(error: E) -> Self {
        match (&error as &dyn Any).downcast_ref::<Error>() {
            Some(error) => Self::Protocol(error.clone()),
            None => Self::Unexpected(error.to_string()),
        }
    }
}
