//! An extension of one's own: a method with its row, settings, a hook on the tool calls of others.
//! Serves stdio; with `--` it visits a server that has the extension, in whatever language.

#![allow(clippy::print_stdout, reason = "a program for the terminal")]

use mcpbolt::client::{self, Client};
use mcpbolt::protocol::{Method, methods::NameSource};
use mcpbolt::server::{Context, Extension, Failure, Next, Server};
use mcpbolt::{RawJson, RawObject, handler::BoxFuture, session::Answer, types::Tool};
use serde_json::{Value, json};

const ID: &str = "com.example/colours";
const MIX: Method = Method::extension_request(ID, "com.example/mix").with_name(NameSource::Name);

fn mixing() -> Extension {
    Extension::new(ID)
        .settings(json!({"depth": 8}))
        .method(&MIX, |params: Option<RawJson>, _: Context| async move {
            let wanted: Value = params.unwrap_or_else(RawJson::empty_object).decode()?;
            let purple = wanted["colours"] == json!(["red", "blue"]);
            Ok::<RawJson, Failure>(json!({"mixed": if purple { "purple" } else { "brown" }}).into())
        })
        .hook("tools/call", |ctx: Context, next: Next| -> BoxFuture<'static, Answer> {
            Box::pin(async move {
                match next.run(ctx).await {
                    Answer::Result { value, cache } => {
                        let mut members = RawObject::parse(&value).unwrap_or_default();
                        members.set("_meta", json!({ID: "signed"}).into());
                        Answer::Result { value: members.to_raw(), cache }
                    }
                    other => other,
                }
            })
        })
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let words: Vec<_> = std::env::args_os().skip(1).collect();
    if words.is_empty() {
        let paint = |given: Value, _: Context| async move {
            format!("a {} sky", given["colour"].as_str().unwrap_or_default())
        };
        let tool = Tool::new("paint", json!({"type": "object"}));
        let server = Server::builder("paints", "1.0.0").extension(mixing()).raw_tool(tool, paint).build();
        server.serve_stdio().await?;
        return Ok(());
    }
    let client = Client::builder("mixer", "1.0.0").extension(client::Extension::new(ID).method(&MIX)).build();
    let session = client.connect(mcpbolt_examples::command(&words[1..])?).await?;
    let depth: Option<u32> = session.server_extension(ID).and_then(|known| known.get("depth")?.decode().ok());
    let wanted = json!({"name": "sky", "colours": ["red", "blue"]});
    let mixed: Value = session.request_raw(MIX.name, Some(wanted.into())).await?.decode()?;
    let painted = session.call_tool("paint", json!({"colour": mixed["mixed"]})).await?;
    let signed: String = painted.meta.and_then(|meta| meta.get(ID)).unwrap_or_default();
    let said = mcpbolt_examples::text_of(&painted.content);
    println!("depth {}: {said}, {signed}", depth.unwrap_or_default());
    session.close().await;
    Ok(())
}
