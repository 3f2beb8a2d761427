//! Clients that reach nothing, or not what they expect.

use mcpbolt::Error;
use mcpbolt::client::{Client, Command};

pub(crate) async fn to_url(url: &str) -> Result<(), Error> {
    let client = Client::builder("example", "1.0.0").build();
    let session = client.connect(url).await?;
    say(&session.list_all_tools().await?);
    Ok(())
}

pub(crate) async fn command_not_found() -> Result<(), Error> {
    let client = Client::builder("example", "1.0.0").build();
    let session = client.connect(Command::new("uvxx").arg("shop-server")).await?;
    say(&session.list_all_tools().await?);
    Ok(())
}

/// One of the servers of this program.
pub(crate) async fn to_own(which: &str) -> Result<(), Error> {
    let client = Client::builder("example", "1.0.0").build();
    let session = client.connect(own(which)).await?;
    say(&session.list_all_tools().await?);
    Ok(())
}

/// The command of one of them.
pub(crate) fn own(which: &str) -> Command {
    Command::new(std::env::current_exe().unwrap_or_default()).args(["serve", which])
}

/// As a program with nothing else to print its results would.
#[expect(clippy::print_stdout, reason = "what a newcomer's program does")]
pub(crate) fn say(what: &impl std::fmt::Debug) {
    println!("{what:?}");
}
