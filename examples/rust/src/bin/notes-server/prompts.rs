//! Prompts about notes, and completion of their names.

use std::sync::Arc;

use mcpbolt::server::{Context, Failure, ServerBuilder};
use mcpbolt::types::{
    CompleteParams, CompleteResult, IndexMap, Prompt, PromptArgument, PromptMessage, ResourceContents,
};

use crate::{Notes, resources};

pub(crate) fn all(builder: ServerBuilder, notes: &Arc<Notes>) -> ServerBuilder {
    let improve = Prompt::new("improve_note")
        .title("Improve a note")
        .description("Asks for a better wording of a note")
        .argument(PromptArgument::new("name").description("Name of the note").required(true))
        .argument(PromptArgument::new("tone").description("For example friendly or formal"));
    let (for_prompt, for_names) = (Arc::clone(notes), Arc::clone(notes));
    builder.prompt(improve, move |given, _| improved(Arc::clone(&for_prompt), given)).completion(
        move |params: CompleteParams, _: Context| {
            let values = complete(&for_names, &params);
            async { Ok::<_, Failure>(CompleteResult::new(values)) }
        },
    )
}

async fn improved(notes: Arc<Notes>, given: IndexMap<String, String>) -> Result<Vec<PromptMessage>, Failure> {
    let name = given.get("name").map_or("", String::as_str);
    let tone = given.get("tone").map_or("clear", String::as_str);
    let text = notes.folder.read(name).await?;
    Ok(vec![
        PromptMessage::user(format!("Rewrite this note in a {tone} tone. Keep every fact.")),
        PromptMessage::user(ResourceContents::text(resources::uri(name), "text/plain", text)),
    ])
}

/// Names for `name`, of the prompt and of the template; tones for `tone`.
fn complete(notes: &Notes, params: &CompleteParams) -> Vec<String> {
    let known = match params.argument.name.as_str() {
        "name" => notes.folder.names(),
        "tone" => ["clear", "formal", "friendly", "short"].map(String::from).into(),
        _ => Vec::new(),
    };
    let typed = params.argument.value.to_lowercase();
    known.into_iter().filter(|value| value.to_lowercase().starts_with(&typed)).collect()
}
