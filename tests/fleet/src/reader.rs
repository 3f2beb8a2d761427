//! Our client of Rust: `fleet-reader WHAT URL`, then a line for each read, or for each call of a tool
//! of which the program knows that it may run twice; WHAT is `resource` or `tool`.
//!
//! Owns: asking once for each line. Must not know: nodes, or how a lost request is asked again.

use std::io::Write as _;

use mcpbolt::client::{CallOptions, Client, ClientSession};
use mcpbolt::types::ResourceContents;
use serde_json::json;
use tokio::io::{AsyncBufReadExt as _, BufReader, stdin};

type Failure = Box<dyn std::error::Error>;

async fn read(session: &ClientSession, text: &str) -> Result<String, Failure> {
    let read = session.read_resource(&format!("fleet://look/{text}")).await?;
    match read.contents.first() {
        Some(ResourceContents::Text(said)) => Ok(said.text.clone()),
        other => Err(format!("{other:?}").into()),
    }
}

async fn call(session: &ClientSession, text: &str) -> Result<String, Failure> {
    let arguments = Some(json!({ "text": text }).into());
    let said = session.call_tool_with("look", arguments, CallOptions::new().repeatable(true)).await?;
    Ok(said.content.first().and_then(|block| block.as_text()).unwrap_or_default().to_owned())
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Failure> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [what, url] = &arguments[..] else { return Err("say fleet-reader WHAT URL".into()) };
    let session = Client::builder("fleet", "1.0.0").build().connect(url.as_str()).await?;
    let mut lines = BufReader::new(stdin()).lines();
    while let Some(text) = lines.next_line().await? {
        let said = if what == "tool" { call(&session, &text).await? } else { read(&session, &text).await? };
        writeln!(std::io::stdout(), "{said}")?;
    }
    session.close().await;
    Ok(())
}
