//! `prompt`: the messages of a prompt.
//!
//! Owns: arguments of prompts, and how messages are shown. Must not know: models.

use mcpbolt::types::{GetPromptParams, GetPromptResult};

use super::word;
use crate::args::Prompt;
use crate::arguments;
use crate::connection::{Connection, Setup};
use crate::exit::{Exit, Failure};
use crate::output::{BOLD, DIM, Output, content, safe};
use crate::target::Place;

pub(super) async fn run(setup: &Setup<'_>, arguments: Prompt) -> Result<Exit, Failure> {
    let (place, mut words) = Place::of(arguments.reach, setup.program)?;
    let name = word(&mut words, "the name of the prompt")?;
    let mut params = GetPromptParams::new(name);
    for (name, value) in arguments::read_texts(&words)? {
        params = params.argument(name, value);
    }
    setup
        .with(&place, async |connection: &Connection| {
            let result = connection.session.get_prompt_with(params, connection.options()).await?;
            connection.progress.clear();
            print(setup.output, &result)?;
            Ok(Exit::Done)
        })
        .await
}

fn print(output: &Output, result: &GetPromptResult) -> Result<(), Failure> {
    if output.is_json() {
        return output.answer(result);
    }
    if output.is_rich()
        && let Some(description) = &result.description
    {
        output.print(&output.paint(DIM, &safe(description)))?;
    }
    for message in &result.messages {
        let role = output.paint(BOLD, &format!("{}:", message.role.as_str()));
        output
            .print(&format!("{role} {}", content::blocks(output, std::slice::from_ref(&message.content))))?;
    }
    Ok(())
}
