//! Resources, a template, prompts, completion.

use mcpbolt::server::{Context, Failure, Outcome, ServerBuilder, Variables};
use mcpbolt::types::InputRequiredResult;
use mcpbolt::types::{
    CompleteParams, CompleteResult, CompletionRef, ContentBlock, GetPromptResult, IndexMap, Prompt,
    PromptArgument, PromptMessage, Resource, ResourceContents, ResourceTemplate, StringSchema,
};

use crate::rounds::{field, form};
use crate::samples::PNG;

type Arguments = IndexMap<String, String>;

pub(crate) fn all(builder: ServerBuilder) -> ServerBuilder {
    prompts(resources(builder)).completion(|params: CompleteParams, _: Context| async move {
        Ok::<_, Failure>(CompleteResult::new(complete(&params)))
    })
}

fn resources(builder: ServerBuilder) -> ServerBuilder {
    let text = Resource::new("test://static-text", "static-text")
        .description("A text that never changes")
        .mime_type("text/plain");
    let binary = Resource::new("test://static-binary", "static-binary")
        .description("A picture that never changes")
        .mime_type("image/png");
    let watched = Resource::new("test://watched-resource", "watched-resource")
        .description("A text to subscribe to")
        .mime_type("text/plain");
    let template = ResourceTemplate::new("test://template/{id}/data", "template-data")
        .description("Data by number")
        .mime_type("application/json");
    builder
        .resource(text, |_| async { "This is the content of the static text resource.".to_owned() })
        .resource(binary, |_| async { ResourceContents::blob("test://static-binary", "image/png", PNG) })
        .resource(watched, |_| async { "This is a watched resource.".to_owned() })
        .resource_template(template, |_, variables: Variables, _| async move {
            let id = variables.get("id").cloned().unwrap_or_default();
            serde_json::json!({ "id": id, "templateTest": true, "data": format!("Data for ID: {id}") })
                .to_string()
        })
}

fn prompts(builder: ServerBuilder) -> ServerBuilder {
    let needed = |name: &str, what: &str| PromptArgument::new(name).description(what).required(true);
    let arguments = Prompt::new("test_prompt_with_arguments")
        .description("A prompt with two arguments")
        .argument(needed("arg1", "First argument"))
        .argument(needed("arg2", "Second argument"));
    let embedded = Prompt::new("test_prompt_with_embedded_resource")
        .description("A prompt that holds a resource")
        .argument(needed("resourceUri", "URI of the resource"));
    builder
        .prompt(Prompt::new("test_simple_prompt").description("A prompt without arguments"), |_, _| async {
            "This is a simple prompt for testing."
        })
        .prompt(arguments, |given: Arguments, _| async move {
            format!(
                "Prompt with arguments: arg1='{}', arg2='{}'",
                value(&given, "arg1"),
                value(&given, "arg2")
            )
        })
        .prompt(embedded, |given: Arguments, _| async move {
            let text = "Embedded resource content for testing.";
            vec![
                PromptMessage::user(ResourceContents::text(value(&given, "resourceUri"), "text/plain", text)),
                PromptMessage::user("Please process the embedded resource above."),
            ]
        })
        .prompt(
            Prompt::new("test_prompt_with_image").description("A prompt that holds a picture"),
            |_, _| async {
                vec![
                    PromptMessage::user(ContentBlock::image(PNG, "image/png")),
                    PromptMessage::user("Please analyze the image above."),
                ]
            },
        )
        .prompt(
            Prompt::new("test_input_required_result_prompt").description("A prompt that asks first"),
            asking_prompt,
        )
}

async fn asking_prompt(_: Arguments, ctx: Context) -> Result<Outcome<GetPromptResult>, Failure> {
    let Some(context) = field(&ctx, "user_context", "context") else {
        let question = form("What context should the prompt use?", "context", StringSchema::new());
        return Ok(Outcome::Ask(InputRequiredResult::new().ask("user_context", question)));
    };
    let message = PromptMessage::user(format!("Use this context: {context}"));
    Ok(Outcome::Done(GetPromptResult::new(vec![message])))
}

fn value<'a>(given: &'a Arguments, name: &str) -> &'a str {
    given.get(name).map_or("", String::as_str)
}

fn complete(params: &CompleteParams) -> Vec<String> {
    let known: &[&str] = match &params.reference {
        CompletionRef::Prompt { name, .. } if name == "test_prompt_with_arguments" => {
            &["testValue1", "testValue2", "paris", "party"]
        }
        CompletionRef::Resource { uri } if uri == "test://template/{id}/data" => &["123", "456"],
        _ => &[],
    };
    known.iter().filter(|v| v.starts_with(&params.argument.value)).map(|&v| v.to_owned()).collect()
}
