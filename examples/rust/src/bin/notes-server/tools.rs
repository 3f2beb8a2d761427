//! What can be done with notes.

use std::sync::Arc;

use mcpbolt::server::{Context, Failure, Json, RootFolder, ServerBuilder};
use mcpbolt::types::{
    BooleanSchema, CallToolResult, ContentBlock, CreateMessageParams, ElicitParams, FormSchema, ResourceLink,
    SamplingMessage, Tool, ToolAnnotations,
};
use mcpbolt_examples::text_of;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{Notes, resources};

#[derive(Deserialize, JsonSchema)]
struct Nothing {}

#[derive(Deserialize, JsonSchema)]
struct Named {
    /// Name of the note.
    name: String,
}

#[derive(Deserialize, JsonSchema)]
struct Write {
    /// Name of the note.
    name: String,
    /// Its new text.
    text: String,
}

#[derive(Deserialize, JsonSchema)]
struct Search {
    /// Text to look for; upper and lower case are the same.
    query: String,
}

#[derive(Serialize, JsonSchema)]
struct Listing {
    /// Names of all notes.
    notes: Vec<String>,
}

#[derive(Serialize, JsonSchema)]
struct Found {
    /// Names of the notes that hold the text.
    notes: Vec<String>,
    /// How many notes were read.
    searched: usize,
}

pub(crate) fn all(builder: ServerBuilder, notes: &Arc<Notes>) -> ServerBuilder {
    asking(changing(reading(builder, notes), notes), notes)
}

/// A handler that gets its own handle on the notes.
macro_rules! with {
    ($notes:expr, $run:ident) => {{
        let notes = Arc::clone($notes);
        move |args, ctx| $run(Arc::clone(&notes), args, ctx)
    }};
}

fn reading(builder: ServerBuilder, notes: &Arc<Notes>) -> ServerBuilder {
    let for_list = Arc::clone(notes);
    let safe = || ToolAnnotations::new().read_only_hint(true).open_world_hint(false);
    builder
        .typed_tool(
            move |schema| Tool::new("list_notes", schema).description("Lists all notes").annotations(safe()),
            move |_: Nothing, _: Context| {
                let notes = for_list.folder.names();
                async { Json(Listing { notes }) }
            },
        )
        .typed_tool(
            move |schema| Tool::new("read_note", schema).description("Reads a note").annotations(safe()),
            with!(notes, read_note),
        )
        .typed_tool(
            move |schema| {
                Tool::new("search_notes", schema)
                    .description("Finds the notes that hold a text, with progress")
                    .annotations(safe())
            },
            with!(notes, search_notes),
        )
}

fn changing(builder: ServerBuilder, notes: &Arc<Notes>) -> ServerBuilder {
    let rewrites = ToolAnnotations::new().destructive_hint(true).idempotent_hint(true).open_world_hint(false);
    let deletes = ToolAnnotations::new().destructive_hint(true).open_world_hint(false);
    builder
        .typed_tool(
            |schema| {
                Tool::new("write_note", schema).description("Writes a note, new or not").annotations(rewrites)
            },
            with!(notes, write_note),
        )
        .typed_tool(
            |schema| {
                Tool::new("delete_note", schema)
                    .description("Deletes a note after asking the person")
                    .annotations(deletes)
            },
            with!(notes, delete_note),
        )
}

fn asking(builder: ServerBuilder, notes: &Arc<Notes>) -> ServerBuilder {
    builder
        .tool("summarize_note", "Summarizes a note with the client's model", with!(notes, summarize_note))
        .tool(
            "check_roots",
            "Says whether the notes lie in one of the client's roots",
            with!(notes, check_roots),
        )
}

async fn read_note(notes: Arc<Notes>, args: Named, _: Context) -> Result<String, Failure> {
    notes.folder.read(&args.name).await
}

async fn search_notes(notes: Arc<Notes>, args: Search, ctx: Context) -> Result<Json<Found>, Failure> {
    let wanted = args.query.to_lowercase();
    let names = notes.folder.names();
    let total = names.len();
    let mut found = Vec::new();
    for (done, name) in names.into_iter().enumerate() {
        if ctx.is_cancelled() {
            return Err(Failure::tool("cancelled"));
        }
        if notes.folder.read(&name).await?.to_lowercase().contains(&wanted) {
            found.push(name.clone());
        }
        ctx.progress(count(done + 1), Some(count(total)), Some(&name)).await;
    }
    Ok(Json(Found { notes: found, searched: total }))
}

async fn write_note(notes: Arc<Notes>, args: Write, ctx: Context) -> Result<CallToolResult, Failure> {
    let new = !notes.folder.has(&args.name);
    notes.folder.write(&args.name, &args.text).await?;
    if new {
        notes.offer(&args.name);
    }
    notes.changed(&args.name);
    ctx.info(format!("wrote {} ({} bytes)", args.name, args.text.len()));
    let link = ResourceLink::new(resources::uri(&args.name), &args.name);
    let said = if new { "Wrote a new note." } else { "Replaced the note." };
    Ok(vec![ContentBlock::text(said), ContentBlock::resource_link(link)].into())
}

async fn delete_note(notes: Arc<Notes>, args: Named, ctx: Context) -> Result<String, Failure> {
    if !notes.folder.has(&args.name) {
        return Err(Failure::tool(format!("there is no note {:?}", args.name)));
    }
    let form = FormSchema::builder().required("delete", BooleanSchema::new().title("Delete it for good"));
    let answer = ctx.elicit(ElicitParams::form(format!("Delete the note {}?", args.name), form)).await?;
    let agreed = answer.content.as_ref().and_then(|given| given.get("delete")?.decode::<bool>().ok());
    if !answer.accepted() || agreed != Some(true) {
        return Ok("Nothing was deleted.".to_owned());
    }
    notes.folder.delete(&args.name)?;
    notes.withdraw(&args.name);
    Ok(format!("Deleted {}.", args.name))
}

async fn summarize_note(notes: Arc<Notes>, args: Named, ctx: Context) -> Result<String, Failure> {
    let text = notes.folder.read(&args.name).await?;
    let asked = CreateMessageParams::new(vec![SamplingMessage::user(text)], 200)
        .system_prompt("Summarize the note in one sentence.");
    let answer = ctx.create_message(asked).await?;
    Ok(text_of(&answer.content))
}

async fn check_roots(notes: Arc<Notes>, _: Nothing, ctx: Context) -> Result<String, Failure> {
    let roots = ctx.roots().await?;
    let here = notes.folder.path();
    for RootFolder { root, folder } in roots.folders() {
        match folder {
            Ok(folder) if here.starts_with(folder.path()) => {
                return Ok(format!("The notes lie in {}.", root.uri));
            }
            Ok(_) => {}
            // No reason to fail: the next one may be the one.
            Err(error) => ctx.warning(format!("The root {} cannot be reached: {}", root.uri, error.kind())),
        }
    }
    Ok(format!("The notes lie in none of the client's {} roots.", roots.list().len()))
}

/// Numbers of notes are far from where doubles get coarse.
#[allow(clippy::cast_precision_loss)]
fn count(notes: usize) -> f64 {
    notes as f64
}
