//! Notes as resources: one per note, and a template for names not listed yet.

use std::sync::Arc;

use mcpbolt::protocol::Error;
use mcpbolt::server::{Context, Failure, Outcome, ResourceFn, ServerBuilder, Variables};
use mcpbolt::types::{ReadResourceResult, ResourceContents, ResourceTemplate};

use crate::Notes;

/// All notes' URIs begin with this.
const PREFIX: &str = "note:///";

/// The URI of a note.
pub(crate) fn uri(name: &str) -> String {
    format!("{PREFIX}{}", name.replace('%', "%25").replace(' ', "%20"))
}

pub(crate) fn all(builder: ServerBuilder, notes: &Arc<Notes>) -> ServerBuilder {
    let template = ResourceTemplate::new(format!("{PREFIX}{{name}}"), "note")
        .description("A note by its name")
        .mime_type("text/plain");
    let notes = Arc::clone(notes);
    builder
        .resource_template(template, move |uri: String, variables: Variables, _: Context| {
            let notes = Arc::clone(&notes);
            async move {
                let name = variables.get("name").cloned().unwrap_or_default();
                read(&notes, &uri, &name).await
            }
        })
        .on_subscription(|uri, on| {
            eprintln!("{uri}: {} subscriber", if on { "one more" } else { "one less" });
        })
}

/// Reads one listed note.
pub(crate) fn reader(notes: &Arc<Notes>, name: &str) -> ResourceFn {
    let (notes, name) = (Arc::clone(notes), name.to_owned());
    Arc::new(move |uri, _| {
        let (notes, name) = (Arc::clone(&notes), name.clone());
        Box::pin(async move { read(&notes, &uri, &name).await.map(Outcome::Done) })
    })
}

async fn read(notes: &Notes, uri: &str, name: &str) -> Result<ReadResourceResult, Failure> {
    // What is no note is not there, whatever the reason: names outside tell nothing.
    let text = notes.folder.read(name).await.map_err(|_| Error::resource_not_found(uri))?;
    Ok(ReadResourceResult::new(vec![ResourceContents::text(uri, "text/plain", text)]))
}
