//! Servers: the one that works, and those that newcomers get wrong.

use std::collections::BTreeMap;
use std::io;

use mcpbolt::Error;
use mcpbolt::server::{Context, Failure, Json, Server, ServerBuilder};
use mcpbolt::transport::streamable_http::server::HttpOptions;
use mcpbolt::types::{CreateMessageParams, Prompt, PromptArgument, Resource, SamplingMessage, Tool};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

#[derive(Deserialize, JsonSchema)]
struct Two {
    a: i64,
    b: i64,
}

#[derive(Deserialize, JsonSchema)]
struct Nothing {}

/// JSON has text for keys, and this has pairs.
#[derive(Serialize, JsonSchema)]
struct Basket {
    #[schemars(skip)]
    prices: BTreeMap<(u8, u8), u8>,
}

/// The server of that name, on standard input and output.
pub(crate) fn serve(which: &str) -> io::Result<()> {
    let server =
        match which {
            "crashing" => {
                let price: Result<i64, _> = "three".parse();
                let price = price.expect("SHOP_PRICE holds a number");
                Server::builder("shop", "1.0.0")
                    .tool("price", "Says the price", move |_: Nothing, _: Context| async move {
                        price.to_string()
                    })
                    .build()
            }
            "printing" => printing(),
            _ => shop().build(),
        };
    if which == "idle" {
        return Ok(());
    }
    std::process::exit(server.run_stdio()?)
}

async fn add(args: Two, _: Context) -> String {
    (args.a + args.b).to_string()
}

fn shop() -> ServerBuilder {
    Server::builder("shop", "1.0.0")
        .tool("add", "Adds two numbers", add)
        .tool("divide", "Divides one by another", |args: Two, _: Context| async move {
            (args.a / args.b).to_string()
        })
        .tool("basket", "What is in the basket", |_: Nothing, _: Context| async {
            Json(Basket { prices: BTreeMap::from([((1, 2), 3)]) })
        })
        .tool("wait", "Never answers", |_: Nothing, _: Context| async {
            std::future::pending::<String>().await
        })
        .tool("summarize", "Asks the client's model", |_: Nothing, ctx: Context| summarize(ctx))
        .resource(Resource::new("note://milk", "milk"), |_: Context| async { "buy milk".to_owned() })
        .prompt(
            Prompt::new("greet").argument(PromptArgument::new("name").required(true)),
            |given: mcpbolt::types::IndexMap<String, String>, _: Context| async move {
                format!("Greet {}", given["name"])
            },
        )
}

async fn summarize(ctx: Context) -> Result<String, Failure> {
    let asked = CreateMessageParams::new(vec![SamplingMessage::user("a long story")], 10);
    let answer = ctx.create_message(asked).await?;
    Ok(answer.content.iter().filter_map(|block| block.as_text()).collect())
}

#[expect(clippy::print_stdout, reason = "the mistake")]
fn printing() -> Server {
    let add = |args: Two, _: Context| async move {
        println!("adding {} {}", args.a, args.b);
        (args.a + args.b).to_string()
    };
    Server::builder("shop", "1.0.0").tool("add", "Adds two numbers", add).build()
}

pub(crate) async fn on_port(port: &str) -> io::Result<()> {
    shop().build().run_http(format!("127.0.0.1:{port}"), HttpOptions::default()).await.map(drop)
}

pub(crate) fn duplicate_tool() -> Result<(), Error> {
    shop().tool("add", "Adds two numbers", add).try_build().map(drop)
}

async fn raw(args: Value, _: Context) -> String {
    args["a"].to_string()
}

pub(crate) fn bad_schema() -> Result<(), Error> {
    let schema = json!({ "type": "object", "properties": { "a": { "type": "int" } } });
    Server::builder("shop", "1.0.0").raw_tool(Tool::new("add", schema), raw).try_build().map(drop)
}

pub(crate) fn no_object() -> Result<(), Error> {
    let schema = json!({ "a": "number" });
    Server::builder("shop", "1.0.0").raw_tool(Tool::new("add", schema), raw).try_build().map(drop)
}
