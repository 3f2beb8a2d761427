//! Tools that answer with each kind of content.

use mcpbolt::server::{Context, ServerBuilder};
use mcpbolt::types::{CallToolResult, ContentBlock, ResourceContents};
use schemars::JsonSchema;
use serde::Deserialize;

use crate::Nothing;
use crate::samples::{PNG, WAV};

#[derive(Deserialize, JsonSchema)]
struct Greet {
    /// Who is greeted.
    name: String,
}

pub(crate) fn tools(builder: ServerBuilder) -> ServerBuilder {
    builder
        .tool("test_simple_text", "Answers with text", |_: Nothing, _: Context| async {
            "This is a simple text response for testing."
        })
        .tool("test_image_content", "Answers with a picture", |_: Nothing, _: Context| async {
            ContentBlock::image(PNG, "image/png")
        })
        .tool("test_audio_content", "Answers with sound", |_: Nothing, _: Context| async {
            ContentBlock::audio(WAV, "audio/wav")
        })
        .tool("test_embedded_resource", "Answers with a resource", |_: Nothing, _: Context| async {
            ContentBlock::embedded(ResourceContents::text(
                "test://embedded-resource",
                "text/plain",
                "This is an embedded resource content.",
            ))
        })
        .tool("test_multiple_content_types", "Answers with three kinds", |_: Nothing, _: Context| async {
            vec![
                ContentBlock::text("Multiple content types test:"),
                ContentBlock::image(PNG, "image/png"),
                ContentBlock::embedded(ResourceContents::text(
                    "test://mixed-content-resource",
                    "application/json",
                    r#"{"test":"data","value":123}"#,
                )),
            ]
        })
        .tool(
            "test_error_handling",
            "Always fails, in a way the model sees",
            |_: Nothing, _: Context| async {
                CallToolResult::error("This tool intentionally returns an error for testing")
            },
        )
        .tool("greet", "Greets", |args: Greet, _: Context| async move { format!("Hello, {}!", args.name) })
}
