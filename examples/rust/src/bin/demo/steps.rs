//! What the demonstration does with a server, step by step. Each step says what it saw,
//! or why it does not hold.

use std::future::Future;
use std::path::Path;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use mcpbolt::client::{CallOptions, ClientSession, ServerNotification};
use mcpbolt::protocol::{Error, ErrorKind, Revision};
use mcpbolt::types::{CallToolResult, CompleteParams, CompletionRef, GetPromptParams};
use mcpbolt_examples::text_of;
use serde_json::{Value, json};

/// The note the steps work on, and its text.
const NOTE: &str = "demo.txt";
const URI: &str = "note:///demo.txt";
const TEXT: &str = "Buy green tea.";
/// Longest wait for a notification.
const SOON: Duration = Duration::from_secs(10);

/// How many calls are timed.
pub(crate) const CALLS: usize = 20;

/// What a step saw, or what is wrong.
pub(crate) type Checked = Result<String, String>;

/// One step.
pub(crate) struct Step {
    pub(crate) name: &'static str,
    pub(crate) run: for<'a> fn(&'a Visit) -> Pin<Box<dyn Future<Output = Checked> + Send + 'a>>,
}

/// One connection and where the notes are.
pub(crate) struct Visit {
    pub(crate) session: ClientSession,
    folder: String,
    revision: Revision,
}

impl Visit {
    /// `revision` is what the session is expected to speak.
    pub(crate) fn new(session: ClientSession, folder: &Path, revision: Revision) -> Self {
        Self { session, folder: folder.display().to_string(), revision }
    }

    async fn call(&self, tool: &str, arguments: Value) -> Result<CallToolResult, String> {
        self.session.call_tool(tool, arguments).await.map_err(|error| said(&error))
    }

    /// The words of an answer that must not be a failure.
    async fn words(&self, tool: &str, arguments: Value) -> Checked {
        let result = self.call(tool, arguments).await?;
        let words = text_of(&result.content);
        if result.failed() { Err(words) } else { Ok(words) }
    }
}

macro_rules! steps {
    ($($name:literal => $run:ident,)*) => {
        &[$(Step { name: $name, run: |visit| Box::pin($run(visit)) },)*]
    };
}

/// All of them, in order; later ones use what earlier ones wrote.
pub(crate) const ALL: &[Step] = steps! {
    "who is there" => greet,
    "list the tools" => tools,
    "write a note" => write,
    "structured answer" => structured,
    "list and read resources" => read,
    "subscribe and be told" => subscribe,
    "progress" => progress,
    "prompt" => prompt,
    "completion" => complete,
    "sampling" => sample,
    "roots" => roots,
    "refuse other folders" => refuse,
    "refuse unknown tools" => unknown,
    "elicitation" => delete,
};

fn said(error: &Error) -> String {
    format!("{error} ({:?})", error.kind)
}

/// `seen` if the condition holds.
fn holds(condition: bool, seen: impl Into<String>) -> Checked {
    let seen = seen.into();
    if condition { Ok(seen) } else { Err(format!("unexpected: {seen}")) }
}

async fn greet(visit: &Visit) -> Checked {
    let info = visit.session.server_info().ok_or("the server has no name")?;
    visit.session.ping().await.map_err(|error| said(&error))?;
    let revision = visit.session.revision();
    let expected = info.name == "mcpbolt-notes" && revision == visit.revision;
    holds(expected, format!("{}, revision {revision}", info.name))
}

async fn tools(visit: &Visit) -> Checked {
    let tools = visit.session.list_all_tools().await.map_err(|error| said(&error))?;
    let names: Vec<_> = tools.iter().map(|tool| tool.name.as_str()).collect();
    holds(names.contains(&"write_note") && names.len() == 7, names.join(", "))
}

async fn write(visit: &Visit) -> Checked {
    let words = visit.words("write_note", json!({ "name": NOTE, "text": TEXT })).await?;
    holds(words == "Wrote a new note.", words)
}

async fn structured(visit: &Visit) -> Checked {
    let result = visit.call("list_notes", json!({})).await?;
    let value = result.structured_content.ok_or("no structured content")?;
    let listing: Value = value.decode().map_err(|error| error.to_string())?;
    holds(listing == json!({ "notes": [NOTE] }), listing.to_string())
}

async fn read(visit: &Visit) -> Checked {
    let listed = visit.session.list_all_resources().await.map_err(|error| said(&error))?;
    if !listed.iter().any(|resource| resource.uri == URI) {
        return Err(format!("{URI} is not listed"));
    }
    let read = visit.session.read_resource(URI).await.map_err(|error| said(&error))?;
    let text = read.contents.first().and_then(|part| part.as_text()).unwrap_or_default();
    holds(text == TEXT, format!("{URI}: {text}"))
}

async fn subscribe(visit: &Visit) -> Checked {
    let mut notes = visit.session.notifications();
    visit.session.subscribe(URI).await.map_err(|error| said(&error))?;
    visit.words("write_note", json!({ "name": NOTE, "text": TEXT })).await?;
    let told = tokio::time::timeout(SOON, async {
        while let Some(note) = notes.next().await {
            if let ServerNotification::ResourceUpdated { uri } = note {
                return Ok(uri);
            }
        }
        Err("the notifications ended".to_owned())
    });
    let uri = told.await.map_err(|_| "nothing was told".to_owned())??;
    visit.session.unsubscribe(URI).await.map_err(|error| said(&error))?;
    holds(uri == URI, format!("{uri} changed"))
}

async fn progress(visit: &Visit) -> Checked {
    let seen = Arc::new(AtomicUsize::new(0));
    let count = Arc::clone(&seen);
    let options = CallOptions::new().on_progress(move |_| {
        count.fetch_add(1, Ordering::SeqCst);
    });
    let arguments = json!({ "query": "TEA" }).into();
    let result = visit.session.call_tool_with("search_notes", Some(arguments), options).await;
    let result = result.map_err(|error| said(&error))?;
    let seen = seen.load(Ordering::SeqCst);
    let words = text_of(&result.content);
    holds(seen == 1 && words.contains(NOTE), format!("{seen} report, then {words}"))
}

async fn prompt(visit: &Visit) -> Checked {
    let wanted = GetPromptParams::new("improve_note").argument("name", NOTE).argument("tone", "formal");
    let prompt = visit.session.get_prompt(wanted).await.map_err(|error| said(&error))?;
    let first = prompt.messages.first().and_then(|message| message.content.as_text()).unwrap_or_default();
    holds(prompt.messages.len() == 2 && first.contains("formal"), first)
}

async fn complete(visit: &Visit) -> Checked {
    let asked = CompleteParams::new(CompletionRef::prompt("improve_note"), "name", "de");
    let answer = visit.session.complete(asked).await.map_err(|error| said(&error))?;
    holds(answer.completion.values == [NOTE], format!("de → {}", answer.completion.values.join(", ")))
}

async fn sample(visit: &Visit) -> Checked {
    let words = visit.words("summarize_note", json!({ "name": NOTE })).await?;
    holds(words == format!("In short: {TEXT}"), words)
}

async fn roots(visit: &Visit) -> Checked {
    let words = visit.words("check_roots", json!({})).await?;
    holds(words == format!("The notes lie in file://{}.", visit.folder), words)
}

async fn refuse(visit: &Visit) -> Checked {
    let result = visit.call("read_note", json!({ "name": "../secret" })).await?;
    let words = text_of(&result.content);
    if !result.failed() {
        return Err(format!("it was read: {words}"));
    }
    match visit.session.read_resource("note:///..%2Fsecret").await {
        Err(error) if error.kind == ErrorKind::ResourceNotFound => Ok(words),
        Err(error) if error.kind == ErrorKind::InvalidParams => Ok(words),
        Err(error) => Err(said(&error)),
        Ok(_) => Err("a resource outside the folder was read".to_owned()),
    }
}

async fn unknown(visit: &Visit) -> Checked {
    match visit.session.call_tool("no_such_tool", json!({})).await {
        Err(error) => holds(error.kind == ErrorKind::InvalidParams, said(&error)),
        Ok(_) => Err("it was called".to_owned()),
    }
}

async fn delete(visit: &Visit) -> Checked {
    let words = visit.words("delete_note", json!({ "name": NOTE })).await?;
    holds(words == format!("Deleted {NOTE}."), words)
}

/// How long a call takes: the median of some, one after the other.
pub(crate) async fn call_time(visit: &Visit) -> Result<Duration, String> {
    let mut took = Vec::with_capacity(CALLS);
    for _ in 0..CALLS {
        let begun = Instant::now();
        visit.words("list_notes", json!({})).await?;
        took.push(begun.elapsed());
    }
    took.sort();
    Ok(took[CALLS / 2])
}
