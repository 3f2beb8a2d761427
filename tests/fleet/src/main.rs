//! A node of a fleet: `fleet-node NAME PORT STORES`.
//!
//! Owns: a tool that says which node answers, one that takes its time, and something to look at, as a
//! tool and as a resource; lines about what it runs in the file that `FLEET_RUNS` names. Must not
//! know: which other nodes there are.

use std::fs::{File, OpenOptions};
use std::io::Write as _;
use std::sync::Arc;
use std::time::Duration;

use mcpbolt::server::{Context, Server};
use mcpbolt::transport::streamable_http::server::HttpOptions;
use mcpbolt::types::{ResourceTemplate, Tool, ToolAnnotations};
use schemars::JsonSchema;
use serde::Deserialize;

#[derive(Deserialize, JsonSchema)]
struct Echo {
    text: String,
}

#[derive(Deserialize, JsonSchema)]
struct Count {
    to: u32,
    pause_ms: u64,
}

/// How long a look takes: so long that a node can be killed meanwhile.
const LOOK: Duration = Duration::from_millis(500);

type Failure = Box<dyn std::error::Error>;

/// The file of runs.
fn runs() -> Result<File, Failure> {
    let path = std::env::var("FLEET_RUNS")?;
    Ok(OpenOptions::new().append(true).create(true).open(path)?)
}

struct Node {
    name: String,
    runs: File,
}

impl Node {
    /// Writes down what is run: it stays there when the node is killed.
    fn note(&self, what: &str) -> std::io::Result<()> {
        (&self.runs).write_all(format!("{what}\n").as_bytes())
    }
}

/// Says what it was asked, and who says it, after a while.
async fn look(node: Arc<Node>, text: String) -> std::io::Result<String> {
    node.note(&format!("{} looks at {text}", node.name))?;
    tokio::time::sleep(LOOK).await;
    Ok(format!("{}:{text}", node.name))
}

fn server(name: &str, stores: &str) -> Result<Server, Failure> {
    let node = Arc::new(Node { name: name.to_owned(), runs: runs()? });
    let (looked, read) = (Arc::clone(&node), Arc::clone(&node));
    let server = Server::builder("fleet", "1.0.0")
        .stores(stores)
        .tool("echo", "Says it again, and who says it", move |echo: Echo, _: Context| {
            let noted = node.note(&echo.text).map(|()| format!("{}:{}", node.name, echo.text));
            async move { noted }
        })
        .typed_tool(
            |schema| {
                let annotations = ToolAnnotations::new().read_only_hint(true);
                Tool::new("look", schema).description("Looks at it for a while").annotations(annotations)
            },
            move |echo: Echo, _: Context| look(Arc::clone(&looked), echo.text),
        )
        .resource_template(ResourceTemplate::new("fleet://look/{text}", "look"), move |_, variables, _| {
            look(Arc::clone(&read), variables["text"].clone())
        })
        .tool("count", "Counts slowly", |count: Count, context: Context| async move {
            for step in 1..=count.to {
                tokio::time::sleep(Duration::from_millis(count.pause_ms)).await;
                context.progress(f64::from(step), Some(f64::from(count.to)), None::<&str>).await;
            }
            format!("counted to {}", count.to)
        });
    Ok(server.try_build()?)
}

#[tokio::main]
async fn main() -> Result<(), Failure> {
    tracing_subscriber::fmt().with_writer(std::io::stderr).with_ansi(false).init();
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [name, port, stores] = &arguments[..] else { return Err("say fleet-node NAME PORT STORES".into()) };
    let options = HttpOptions { health: Some("/healthz".to_owned()), ..HttpOptions::default() };
    server(name, stores)?.run_http(&format!("127.0.0.1:{port}"), options).await?;
    Ok(())
}
