//! What handlers may return, and how failures are told.
//!
//! Owns: how each Rust type becomes a result, and the schema that a tool's output has.
//! Must not know: which handler ran, or what a failure says.

use schemars::JsonSchema;
use serde::Serialize;

use mcpbolt_proto::jsonrpc::RawJson;
use mcpbolt_proto::protocol::Error;
use mcpbolt_proto::protocol::types::{
    CallToolResult, ContentBlock, GetPromptResult, InputRequiredResult, PromptMessage, ReadResourceResult,
    ResourceContents,
};

use crate::handler::Call;

use super::finite::not_finite;
use super::outcome::{Failure, Outcome};

/// A structured answer: its type gives the tool's output schema. NaN and infinities, which
/// JSON does not have, end the call with an error that says where they are.
///
/// ```
/// use mcpbolt::server::{Context, Json, Server};
/// use schemars::JsonSchema;
/// use serde::{Deserialize, Serialize};
///
/// #[derive(Deserialize, JsonSchema)]
/// struct Place {
///     city: String,
/// }
///
/// #[derive(Serialize, JsonSchema)]
/// struct Weather {
///     city: String,
///     degrees: f64,
/// }
///
/// let server = Server::builder("weather", "1.0.0")
///     .tool("weather", "The weather of a city", |place: Place, _: Context| async move {
///         Json(Weather { city: place.city, degrees: 6.0 })
///     })
///     .build();
/// assert!(server.tools()[0].output_schema.is_some());
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Json<T>(pub T);

/// What a tool may return.
///
/// ```
/// use mcpbolt::server::{Failure, IntoTool, Outcome};
/// use mcpbolt::types::CallToolResult;
///
/// /// An answer of the program's own.
/// struct Celsius(f64);
///
/// impl IntoTool for Celsius {
///     fn into_tool(self) -> Result<Outcome<CallToolResult>, Failure> {
///         format!("{} °C", self.0).into_tool()
///     }
/// }
/// assert!(Celsius(6.0).into_tool().is_ok());
/// ```
pub trait IntoTool {
    /// The tool's answer.
    fn into_tool(self) -> Result<Outcome<CallToolResult>, Failure>;

    /// The same for a call, whose tool an error may name.
    #[doc(hidden)]
    fn into_tool_of(self, call: &Call) -> Result<Outcome<CallToolResult>, Failure>
    where
        Self: Sized,
    {
        let _ = call;
        self.into_tool()
    }

    /// Schema of the structured content, where the type has one.
    fn output_schema() -> Option<RawJson> {
        None
    }
}

impl IntoTool for CallToolResult {
    fn into_tool(self) -> Result<Outcome<CallToolResult>, Failure> {
        Ok(Outcome::Done(self))
    }
}

impl IntoTool for Outcome<CallToolResult> {
    fn into_tool(self) -> Result<Self, Failure> {
        Ok(self)
    }
}

impl IntoTool for InputRequiredResult {
    fn into_tool(self) -> Result<Outcome<CallToolResult>, Failure> {
        Ok(Outcome::Ask(self))
    }
}

impl IntoTool for String {
    fn into_tool(self) -> Result<Outcome<CallToolResult>, Failure> {
        Ok(Outcome::Done(CallToolResult::text(self)))
    }
}

impl IntoTool for &str {
    fn into_tool(self) -> Result<Outcome<CallToolResult>, Failure> {
        Ok(Outcome::Done(CallToolResult::text(self)))
    }
}

impl IntoTool for () {
    fn into_tool(self) -> Result<Outcome<CallToolResult>, Failure> {
        Ok(Outcome::Done(CallToolResult::default()))
    }
}

impl IntoTool for ContentBlock {
    fn into_tool(self) -> Result<Outcome<CallToolResult>, Failure> {
        Ok(Outcome::Done(self.into()))
    }
}

impl IntoTool for Vec<ContentBlock> {
    fn into_tool(self) -> Result<Outcome<CallToolResult>, Failure> {
        Ok(Outcome::Done(self.into()))
    }
}

impl<T: Serialize + JsonSchema> IntoTool for Json<T> {
    fn into_tool(self) -> Result<Outcome<CallToolResult>, Failure> {
        let value = RawJson::encode(&self.0).map_err(|e| Failure::tool(e.to_string()))?;
        // What reads the structured content relies on every number.
        if let Some(wrong) = not_finite(&self.0, value.as_str()) {
            let error = Error::internal(wrong.to_string());
            // With a reason its words are shown, whatever is masked.
            return Err(Failure::Protocol(error.with_data(serde_json::json!({"reason": "not_finite"}))));
        }
        Ok(Outcome::Done(CallToolResult::structured(value)))
    }

    fn into_tool_of(self, call: &Call) -> Result<Outcome<CallToolResult>, Failure> {
        self.into_tool().map_err(|failure| match failure {
            Failure::Protocol(mut error) => {
                let tool = call.name().unwrap_or_default();
                error.message = format!("the tool {tool} has no result: {}", error.message);
                Failure::Protocol(error)
            }
            other => other,
        })
    }

    fn output_schema() -> Option<RawJson> {
        Some(schema_of::<T>())
    }
}

impl<T: IntoTool, E: Into<Failure>> IntoTool for Result<T, E> {
    fn into_tool(self) -> Result<Outcome<CallToolResult>, Failure> {
        self.map_err(Into::into).and_then(IntoTool::into_tool)
    }

    fn into_tool_of(self, call: &Call) -> Result<Outcome<CallToolResult>, Failure> {
        self.map_err(Into::into).and_then(|value| value.into_tool_of(call))
    }

    fn output_schema() -> Option<RawJson> {
        T::output_schema()
    }
}

/// What reading a resource may return.
///
/// ```
/// use mcpbolt::server::{IntoResource, Outcome};
///
/// // Text, bytes, contents and results of them may be returned.
/// let Ok(Outcome::Done(read)) = b"\x89PNG".to_vec().into_resource("pic:///a", Some("image/png")) else {
///     panic!("bytes always fit")
/// };
/// assert_eq!(read.contents[0].mime_type(), Some("image/png"));
/// ```
pub trait IntoResource {
    /// The contents of `uri`, of this type where the value says none.
    fn into_resource(
        self,
        uri: &str,
        mime_type: Option<&str>,
    ) -> Result<Outcome<ReadResourceResult>, Failure>;
}

impl IntoResource for ReadResourceResult {
    fn into_resource(self, _: &str, _: Option<&str>) -> Result<Outcome<ReadResourceResult>, Failure> {
        Ok(Outcome::Done(self))
    }
}

impl IntoResource for Outcome<ReadResourceResult> {
    fn into_resource(self, _: &str, _: Option<&str>) -> Result<Self, Failure> {
        Ok(self)
    }
}

impl IntoResource for ResourceContents {
    fn into_resource(self, _: &str, _: Option<&str>) -> Result<Outcome<ReadResourceResult>, Failure> {
        Ok(Outcome::Done(ReadResourceResult::new(vec![self])))
    }
}

impl IntoResource for Vec<ResourceContents> {
    fn into_resource(self, _: &str, _: Option<&str>) -> Result<Outcome<ReadResourceResult>, Failure> {
        Ok(Outcome::Done(ReadResourceResult::new(self)))
    }
}

impl IntoResource for String {
    fn into_resource(
        self,
        uri: &str,
        mime_type: Option<&str>,
    ) -> Result<Outcome<ReadResourceResult>, Failure> {
        ResourceContents::text(uri, mime_type.unwrap_or("text/plain"), self).into_resource(uri, mime_type)
    }
}

impl IntoResource for Vec<u8> {
    fn into_resource(
        self,
        uri: &str,
        mime_type: Option<&str>,
    ) -> Result<Outcome<ReadResourceResult>, Failure> {
        ResourceContents::bytes(uri, mime_type.unwrap_or("application/octet-stream"), self)
            .into_resource(uri, mime_type)
    }
}

impl<T: IntoResource, E: Into<Failure>> IntoResource for Result<T, E> {
    fn into_resource(
        self,
        uri: &str,
        mime_type: Option<&str>,
    ) -> Result<Outcome<ReadResourceResult>, Failure> {
        self.map_err(Into::into).and_then(|value| value.into_resource(uri, mime_type))
    }
}

/// What a prompt may return.
///
/// ```
/// use mcpbolt::server::{IntoPrompt, Outcome};
/// use mcpbolt::types::Role;
///
/// // A text, messages, or a whole result may be returned.
/// let Ok(Outcome::Done(prompt)) = "Review this code.".into_prompt() else { panic!("text always fits") };
/// assert_eq!(prompt.messages[0].role, Role::User);
/// ```
pub trait IntoPrompt {
    /// The prompt's messages.
    fn into_prompt(self) -> Result<Outcome<GetPromptResult>, Failure>;
}

impl IntoPrompt for GetPromptResult {
    fn into_prompt(self) -> Result<Outcome<GetPromptResult>, Failure> {
        Ok(Outcome::Done(self))
    }
}

impl IntoPrompt for Outcome<GetPromptResult> {
    fn into_prompt(self) -> Result<Self, Failure> {
        Ok(self)
    }
}

impl IntoPrompt for InputRequiredResult {
    fn into_prompt(self) -> Result<Outcome<GetPromptResult>, Failure> {
        Ok(Outcome::Ask(self))
    }
}

impl IntoPrompt for Vec<PromptMessage> {
    fn into_prompt(self) -> Result<Outcome<GetPromptResult>, Failure> {
        Ok(Outcome::Done(GetPromptResult::new(self)))
    }
}

impl IntoPrompt for String {
    fn into_prompt(self) -> Result<Outcome<GetPromptResult>, Failure> {
        vec![PromptMessage::user(self)].into_prompt()
    }
}

impl IntoPrompt for &str {
    fn into_prompt(self) -> Result<Outcome<GetPromptResult>, Failure> {
        self.to_owned().into_prompt()
    }
}

impl<T: IntoPrompt, E: Into<Failure>> IntoPrompt for Result<T, E> {
    fn into_prompt(self) -> Result<Outcome<GetPromptResult>, Failure> {
        self.map_err(Into::into).and_then(IntoPrompt::into_prompt)
    }
}

/// The JSON Schema of a type, without the type's name as its title.
pub(super) fn schema_of<T: JsonSchema>() -> RawJson {
    let mut schema =
        schemars::generate::SchemaSettings::draft2020_12().into_generator().into_root_schema_for::<T>();
    schema.remove("title");
    RawJson::from(schema.to_value())
}

/// The arguments' schema: as [`schema_of`], with the `type: object` every tool needs.
pub(super) fn arguments_schema<T: JsonSchema>() -> RawJson {
    let mut schema =
        schemars::generate::SchemaSettings::draft2020_12().into_generator().into_root_schema_for::<T>();
    schema.remove("title");
    let object = |of: &serde_json::Value| of.as_array().is_some_and(|all| all.contains(&"object".into()));
    // What can be no object stays as it is, and is refused when the tool is registered.
    if schema.get("type").is_none_or(object) {
        schema.insert("type".to_owned(), "object".into());
    }
    RawJson::from(schema.to_value())
}
