//! `call`: one call of a tool.
//!
//! Owns: arguments by the tool's schema, and how a result is shown. Must not know: who answers
//! the server's questions meanwhile.

use std::collections::VecDeque;

use mcpbolt::client::ClientSession;
use mcpbolt::types::CallToolResult;
use mcpbolt::{Error, RawJson};
use serde_json::Value;

use super::{no_more, unknown, word};
use crate::args::Call;
use crate::arguments;
use crate::connection::{Connection, Setup};
use crate::exit::{Exit, Failure};
use crate::output::content::{self, Structured};
use crate::output::{self, BAD, Output, safe};
use crate::target::Place;

pub(super) async fn run(setup: &Setup<'_>, call: Call) -> Result<Exit, Failure> {
    let (place, mut words) = Place::of(call.reach, setup.program)?;
    let tool = word(&mut words, "the name of the tool")?;
    let given = call.arguments.as_deref().map(arguments::whole).transpose()?;
    if given.is_some() {
        no_more(&words)?;
    }
    setup
        .with(&place, async |connection: &Connection| {
            let session = &connection.session;
            let arguments = match given {
                Some(given) => given,
                None => by_schema(session, &tool, &words).await?,
            };
            connection.progress.say(&safe(&tool));
            let result = session.call_tool_with(&tool, Some(arguments), connection.options()).await?;
            connection.progress.clear();
            print(setup.output, &result)?;
            Ok(if result.failed() { Exit::Failed } else { Exit::Done })
        })
        .await
}

/// The words as the tool's input schema has them.
pub(super) async fn by_schema(
    session: &ClientSession,
    tool: &str,
    words: &VecDeque<String>,
) -> Result<RawJson, Failure> {
    let tools = session.list_all_tools().await?;
    let Some(found) = tools.iter().find(|known| known.name == tool) else {
        return Err(unknown("tool", tool, tools.iter().map(|tool| tool.name.as_str())));
    };
    let schema: Value =
        found.input_schema.decode().map_err(|_| Error::protocol("the tool's schema cannot be read"))?;
    arguments::read(words, &schema)
}

fn print(output: &Output, result: &CallToolResult) -> Result<(), Failure> {
    if output.is_json() {
        return output.answer(result);
    }
    if result.failed() {
        output.note(&output.paint_note(BAD, "The tool says that it failed."));
    }
    let structured = result.structured_content.as_ref();
    let adds = structured
        .and_then(|raw| raw.decode().ok())
        .map(|value: Value| Structured::beside(&result.content, &value));
    // What is said twice is shown once: laid out where a person reads it, else as it came.
    let laid_out = adds == Some(Structured::Same) && output.is_rich();
    if !laid_out && !result.content.is_empty() {
        output.print(&content::blocks(output, &result.content))?;
    }
    match structured {
        Some(raw) if output.is_rich() && adds != Some(Structured::Wrapped) => {
            output.print(&safe(&output::laid_out(raw)))
        }
        Some(raw) if adds == Some(Structured::More) => output.answer(raw),
        _ => Ok(()),
    }
}
