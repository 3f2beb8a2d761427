//! A node of a fleet: `fleet-node NAME PORT STORES`.
//!
//! Owns: two tools, one that says which node answers and one that takes its time, and a line for each
//! run of the first in the file that `FLEET_RUNS` names. Must not know: which other nodes there are.

use std::fs::{File, OpenOptions};
use std::io::Write as _;
use std::sync::Arc;
use std::time::Duration;

use mcpbolt::server::{Context, Server};
use mcpbolt::transport::streamable_http::server::HttpOptions;
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

type Failure = Box<dyn std::error::Error>;

/// The file of runs. A node that is killed has written what it ran.
fn runs() -> Result<Arc<File>, Failure> {
    let path = std::env::var("FLEET_RUNS")?;
    Ok(Arc::new(OpenOptions::new().append(true).create(true).open(path)?))
}

fn server(name: &str, stores: &str) -> Result<Server, Failure> {
    let (name, runs) = (name.to_owned(), runs()?);
    let server = Server::builder("fleet", "1.0.0")
        .stores(stores)
        .tool("echo", "Says it again, and who says it", move |echo: Echo, _: Context| {
            let said = format!("{name}:{}", echo.text);
            let noted = (&*runs).write_all(format!("{}\n", echo.text).as_bytes());
            async move { noted.map(|()| said) }
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
