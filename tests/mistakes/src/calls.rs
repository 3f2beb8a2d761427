//! Clients that reach a server that works, and ask it for what it has not.

use std::time::Duration;

use mcpbolt::Error;
use mcpbolt::client::{CallOptions, Client, ClientSession};
use mcpbolt::types::{CallToolResult, ContentBlock, GetPromptParams};
use serde_json::{Value, json};

use crate::connects::{own, say};

async fn connect(which: &str) -> Result<ClientSession, Error> {
    Client::builder("example", "1.0.0").build().connect(own(which)).await
}

fn print(result: &CallToolResult) {
    say(&result.content.first().and_then(ContentBlock::as_text));
}

pub(crate) async fn tool(name: &str, arguments: Value) -> Result<(), Error> {
    let session = connect("shop").await?;
    print(&session.call_tool(name, arguments).await?);
    session.close().await;
    Ok(())
}

pub(crate) async fn stray_print() -> Result<(), Error> {
    let session = connect("printing").await?;
    print(&session.call_tool("add", json!({ "a": 1, "b": 2 })).await?);
    session.close().await;
    Ok(())
}

pub(crate) async fn used_after_close() -> Result<(), Error> {
    let session = connect("shop").await?;
    session.close().await;
    print(&session.call_tool("add", json!({ "a": 1, "b": 2 })).await?);
    Ok(())
}

pub(crate) async fn unknown_resource() -> Result<(), Error> {
    let session = connect("shop").await?;
    say(&session.read_resource("note://mlik").await?.contents[0].as_text());
    Ok(())
}

pub(crate) async fn prompt(name: &str) -> Result<(), Error> {
    let session = connect("shop").await?;
    say(&session.get_prompt(GetPromptParams::new(name)).await?.messages[0].content.as_text());
    Ok(())
}

pub(crate) async fn tool_too_slow() -> Result<(), Error> {
    let session = connect("shop").await?;
    let options = CallOptions::new().timeout(Duration::from_secs(1));
    print(&session.call_tool_with("wait", Some(json!({}).into()), options).await?);
    Ok(())
}
