//! A server for notes: text files in one folder, and nothing outside it.
//!
//! Shows: tools with structured answers, resources that come and go, a template,
//! subscriptions, prompts, completion, progress, and asking the client: a person
//! (elicitation), its model (sampling), its roots.
//!
//! ```sh
//! cargo run --release -p mcpbolt-examples --bin notes-server -- ./notes
//! cargo run --release -p mcpbolt-examples --bin notes-server -- --http 127.0.0.1:3000 ./notes
//! ```

mod folder;
mod prompts;
mod resources;
mod tools;

use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::{Arc, OnceLock};

use clap::Parser;
use mcpbolt::server::Server;
use mcpbolt::types::Resource;

use folder::Folder;

/// A server for notes: text files in one folder.
#[derive(Parser)]
#[command(version)]
struct Args {
    #[command(flatten)]
    listen: mcpbolt_examples::Listen,
    /// Where the notes are; made if it is not there.
    #[arg(default_value = "notes")]
    folder: PathBuf,
}

/// What the handlers share.
struct Notes {
    folder: Folder,
    /// Set once the server is built: handlers announce changes through it.
    server: OnceLock<Server>,
}

fn main() -> ExitCode {
    let args = Args::parse();
    let folder = match Folder::open(&args.folder) {
        Ok(folder) => folder,
        Err(error) => {
            eprintln!("cannot use {}: {error}", args.folder.display());
            return ExitCode::FAILURE;
        }
    };
    mcpbolt_examples::serve(&args.listen, || server(folder))
}

fn server(folder: Folder) -> Server {
    let notes = Arc::new(Notes { folder, server: OnceLock::new() });
    let builder = Server::builder("mcpbolt-notes", env!("CARGO_PKG_VERSION"))
        .title("Notes")
        .description("Text notes in a folder")
        .instructions("Notes are plain text, one file each. List them before you read or change one.");
    let builder = tools::all(builder, &notes);
    let builder = resources::all(builder, &notes);
    let server = prompts::all(builder, &notes).build();
    let _ = notes.server.set(server.clone());
    for name in notes.folder.names() {
        notes.offer(&name);
    }
    server
}

impl Notes {
    /// Lists a note among the resources. Clients are told.
    fn offer(self: &Arc<Self>, name: &str) {
        if let Some(server) = self.server.get() {
            let resource = Resource::new(resources::uri(name), name)
                .description(format!("The note {name}"))
                .mime_type("text/plain");
            if let Err(error) = server.add_resource(resource, resources::reader(self, name)) {
                eprintln!("the note {name:?} is not listed: {error}");
            }
        }
    }

    /// Takes it off the list. Clients are told.
    fn withdraw(&self, name: &str) {
        if let Some(server) = self.server.get() {
            server.remove_resource(&resources::uri(name));
            server.resource_updated(resources::uri(name));
        }
    }

    /// Tells subscribers that a note has another text.
    fn changed(&self, name: &str) {
        if let Some(server) = self.server.get() {
            server.resource_updated(resources::uri(name));
        }
    }
}
