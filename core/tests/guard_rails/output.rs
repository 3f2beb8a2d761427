//! What a tool, prompt or resource answers is seen, checked and bounded before it leaves.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use mcpbolt::RawJson;
use mcpbolt::handler::Call;
use mcpbolt::server::{Context, Json, Sanitizer, Server, ServerBuilder};
use mcpbolt::types::{
    CallToolResult, ContentBlock, EmbeddedResource, Prompt, PromptMessage, Resource, ResourceContents, Tool,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::peer::{Peer, text};

#[derive(Deserialize, JsonSchema)]
struct Nothing {}

#[derive(Serialize, JsonSchema)]
struct Pin {
    pin: String,
}

fn builder() -> ServerBuilder {
    let any = || json!({"type": "object"});
    Server::builder("s", "1")
        .raw_tool(Tool::new("words", any()), |_: Value, _: Context| async {
            CallToolResult::from(vec![
                ContentBlock::text("the pin is 4711"),
                ContentBlock::audio("aGk=", "audio/wav"),
                ContentBlock::embedded(ResourceContents::text("a:b", "text/plain", "4711 again")),
            ])
        })
        .raw_tool(Tool::new("large", any()), |args: Value, _: Context| async move {
            "x".repeat(usize::try_from(args["size"].as_u64().unwrap_or_default()).unwrap_or_default())
        })
        .tool("pin", "Structured", |_: Nothing, _: Context| async { Json(Pin { pin: "4711".to_owned() }) })
        .resource(Resource::new("note:///a", "a"), |_: Context| async { "a 4711".to_owned() })
        .resource(Resource::new("note:///large", "l"), |_: Context| async { "x".repeat(5_000) })
        .prompt(Prompt::new("p"), |_, _| async { vec![PromptMessage::user(ContentBlock::text("say 4711"))] })
}

/// Blots out pins, drops sounds, and counts what it sees.
struct Blot(Arc<AtomicUsize>);

fn blot(text: &str) -> String {
    text.replace("4711", "****")
}

impl Sanitizer for Blot {
    fn block(&self, call: &Call, block: ContentBlock) -> Option<ContentBlock> {
        assert!(!call.method().is_empty());
        self.0.fetch_add(1, Ordering::SeqCst);
        match block {
            ContentBlock::Text(block) => Some(ContentBlock::text(blot(&block.text))),
            ContentBlock::Audio(_) => None,
            ContentBlock::Resource(block) => {
                let text = blot(block.resource.as_text().unwrap_or_default());
                let contents = ResourceContents::text(block.resource.uri(), "text/plain", text);
                Some(ContentBlock::Resource(EmbeddedResource::new(contents)))
            }
            other => Some(other),
        }
    }

    fn structured(&self, _: &Call, value: RawJson) -> RawJson {
        RawJson::parse(blot(value.as_str())).unwrap_or(value)
    }
}

#[tokio::test]
async fn a_sanitizer_sees_every_content_block_before_it_is_sent() {
    let seen = Arc::new(AtomicUsize::new(0));
    let server = builder().sanitize_result(Blot(Arc::clone(&seen))).build();
    let peer = Peer::legacy(&server, "2025-11-25", json!({})).await;
    let requests = [
        ("tools/call", json!({"name": "words", "arguments": {}})),
        ("tools/call", json!({"name": "pin", "arguments": {}})),
        ("resources/read", json!({"uri": "note:///a"})),
        ("prompts/get", json!({"name": "p"})),
    ];
    let mut replies = Vec::new();
    for (id, (method, params)) in (1..).zip(requests) {
        let reply = peer.request(id, method, params).await;
        assert!(!reply.to_string().contains("4711") && reply["result"].is_object(), "{reply}");
        replies.push(reply);
    }
    assert_eq!(text(&replies[0]), "the pin is ****");
    let blocks = replies[0]["result"]["content"].as_array().expect("blocks");
    assert_eq!(blocks.len(), 2, "the sound is left out");
    assert_eq!(blocks[1]["resource"]["text"], "**** again");
    assert_eq!(replies[1]["result"]["structuredContent"]["pin"], "****");
    assert_eq!(replies[2]["result"]["contents"][0]["text"], "a ****");
    assert_eq!(seen.load(Ordering::SeqCst), 6);
}

#[tokio::test]
async fn a_result_over_its_size_cap_is_not_sent_and_the_model_reads_why() {
    let server = builder().max_result_bytes(2_000).build();
    let peer = Peer::legacy(&server, "2025-11-25", json!({})).await;
    let call = |size: usize| json!({"name": "large", "arguments": {"size": size}});
    let fits = peer.request(1, "tools/call", call(1_900)).await;
    assert_eq!(text(&fits).len(), 1_900);
    let large = peer.request(2, "tools/call", call(2_001)).await;
    assert_eq!(large["result"]["isError"], true, "{large}");
    assert!(text(&large).contains("larger than the 2000 that may be sent"), "{large}");
    let read = peer.request(3, "resources/read", json!({"uri": "note:///large"})).await;
    assert_eq!(read["error"]["code"], -32603, "{read}");
}

#[tokio::test]
async fn a_result_that_breaks_its_output_schema_is_not_sent() {
    let schema = json!({"type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"]});
    let mut tool = Tool::new("number", json!({"type": "object"}));
    tool.output_schema = Some(schema.into());
    let server = Server::builder("s", "1")
        .raw_tool(tool, |args: Value, _: Context| async move { CallToolResult::structured(args) })
        .build();
    let peer = Peer::legacy(&server, "2025-11-25", json!({})).await;
    let good = peer.request(1, "tools/call", json!({"name": "number", "arguments": {"n": 1}})).await;
    assert_eq!(good["result"]["structuredContent"]["n"], 1, "{good}");
    let bad = peer.request(2, "tools/call", json!({"name": "number", "arguments": {"n": "one"}})).await;
    assert_eq!(bad["result"]["isError"], true, "{bad}");
    assert!(bad["result"]["structuredContent"].is_null(), "{bad}");
}
