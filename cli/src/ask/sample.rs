//! A request for a model, which the person answers in its place.
//!
//! Owns: how such a request is shown. Must not know: models.

use std::io;

use dialoguer::Input;
use mcpbolt::Error;
use mcpbolt::types::{CreateMessageParams, CreateMessageResult};

use super::{Desk, io_error, refused, texts};
use crate::output::{content, safe};

pub(super) fn ask(
    desk: &Desk,
    params: &CreateMessageParams,
) -> io::Result<Result<CreateMessageResult, Error>> {
    desk.heading("The server asks a model, and you answer in its place:", "")?;
    if let Some(system) = &params.system_prompt {
        desk.say(&format!("  system: {}", safe(system)))?;
    }
    for message in &params.messages {
        let said = safe(&content::blocks(&desk.output.plain(), &message.content));
        desk.say(&format!("  {}: {said}", message.role.as_str()))?;
    }
    if desk.choose("Answer?", &texts(&["Answer", "Refuse"]), 0)? == 1 {
        return Ok(refused());
    }
    let input = Input::<String>::with_theme(&desk.theme).with_prompt("assistant");
    let text = input.interact_text_on(&desk.term).map_err(io_error)?;
    Ok(Ok(CreateMessageResult::text("a person", text)))
}
