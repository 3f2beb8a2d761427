//! MIME types and base64 are checked when they leave and when they arrive.

use mcpbolt::client::Client;
use mcpbolt::server::{Context, Failure, Server};
use mcpbolt::types::{
    ContentBlock, CreateMessageParams, CreateMessageResult, Prompt, PromptMessage, Resource,
    ResourceContents, Tool,
};
use mcpbolt::{ErrorKind, RawJson};
use serde_json::{Value, json};

use super::peer::{Peer, text};
use super::soon;
use super::untrusted::{connect, says};

fn server(check: bool) -> Server {
    let any = || json!({"type": "object"});
    Server::builder("s", "1")
        .check_media(check)
        .raw_tool(Tool::new("image", any()), |args: Value, _: Context| async move {
            let part = |name: &str| args[name].as_str().unwrap_or_default().to_owned();
            ContentBlock::image(part("data"), part("mime"))
        })
        .resource(Resource::new("bad:///blob", "blob"), |_: Context| async {
            ResourceContents::blob("bad:///blob", "image/png", "no base64")
        })
        .resource(Resource::new("bad:///mime", "mime"), |_: Context| async {
            ResourceContents::text("bad:///mime", "plain text", "hi")
        })
        .prompt(Prompt::new("bad"), |_, _| async {
            vec![PromptMessage::user(ContentBlock::audio("aGk", "audio/wav"))]
        })
        .build()
}

#[tokio::test]
async fn what_is_no_base64_or_no_mime_type_does_not_leave() {
    let peer = Peer::legacy(&server(true), "2025-11-25", json!({})).await;
    let image = |data: &str, mime: &str| json!({"name": "image", "arguments": {"data": data, "mime": mime}});
    let good = peer.request(1, "tools/call", image("aGk=", "image/png")).await;
    assert_eq!(good["result"]["content"][0]["type"], "image", "{good}");
    for (id, (data, mime, why)) in (2..).zip([
        ("a", "image/png", "data is no base64"),
        ("aGk=\n", "image/png", "data is no base64"),
        ("aGk=", "png", "mimeType is no MIME type"),
        ("aGk=", "image/png\r\nx: y", "mimeType is no MIME type"),
    ]) {
        let bad = peer.request(id, "tools/call", image(data, mime)).await;
        assert_eq!(bad["result"]["isError"], true, "{bad}");
        assert!(text(&bad).ends_with(why), "{bad}");
    }
    for (id, (method, params)) in (20..).zip([
        ("resources/read", json!({"uri": "bad:///blob"})),
        ("resources/read", json!({"uri": "bad:///mime"})),
        ("prompts/get", json!({"name": "bad"})),
    ]) {
        let bad = peer.request(id, method, params).await;
        assert_eq!(bad["error"]["code"], -32603, "{bad}");
        assert!(bad["error"]["message"].as_str().is_some_and(|m| m.contains("content 0")), "{bad}");
    }
    let lax = Peer::legacy(&server(false), "2025-11-25", json!({})).await;
    let sent = lax.request(1, "tools/call", image("a", "png")).await;
    assert_eq!(sent["result"]["content"][0]["data"], "a", "the check can be turned off: {sent}");
}

#[tokio::test]
async fn what_is_no_base64_is_refused_when_it_arrives_at_a_client() {
    let session = connect(&server(false), Client::builder("c", "1")).await;
    let refused = soon(session.call_tool("image", json!({"data": "a", "mime": "image/png"}))).await;
    let error = refused.expect_err("no base64");
    assert_eq!(error.kind, ErrorKind::Protocol);
    assert!(error.message.contains("data is no base64"), "{}", error.message);
    soon(session.read_resource("bad:///blob")).await.expect_err("no base64");
    let lax = connect(&server(false), Client::builder("c", "1").check_media(false)).await;
    soon(lax.call_tool("image", json!({"data": "a", "mime": "png"}))).await.expect("nothing is checked");
}

#[tokio::test]
async fn what_is_no_base64_is_refused_when_it_arrives_at_a_server() {
    let server = Server::builder("s", "1")
        .raw_tool(Tool::new("draw", json!({"type": "object"})), |_: Value, ctx: Context| async move {
            match ctx.create_message(CreateMessageParams::default()).await {
                Ok(_) => Ok("drawn".to_owned()),
                Err(error) => Err(Failure::tool(error.message)),
            }
        })
        .build();
    for (data, told) in [("aGk=", "drawn"), ("?", "the client's answer: content 0: data is no base64")] {
        let client = Client::builder("c", "1").on_sampling(move |_| async move {
            Ok(CreateMessageResult::new("m", vec![ContentBlock::image(data, "image/png")]))
        });
        let session = connect(&server, client).await;
        let result = soon(session.call_tool("draw", json!({}))).await.expect("a result");
        assert_eq!(says(&RawJson::encode(&result).expect("JSON")), told);
    }
}
