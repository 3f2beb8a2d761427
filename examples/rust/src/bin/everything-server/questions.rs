//! Tools that ask the client and wait for the answer inside the handler.
//!
//! The same code works on every revision: on the legacy era the question is a request to
//! the client, on 2026-07-28 the call is parked until the client calls again.

use mcpbolt::server::{Context, Failure, ServerBuilder};
use mcpbolt::types::{
    BooleanSchema, ContentBlock, CreateMessageParams, ElicitParams, ElicitResult, FormBuilder, FormSchema,
    LegacyTitledEnumSchema, NumberSchema, SamplingMessage, StringFormat, StringSchema,
    TitledMultiSelectEnumSchema, TitledSingleSelectEnumSchema, UntitledMultiSelectEnumSchema,
    UntitledSingleSelectEnumSchema,
};
use schemars::JsonSchema;
use serde::Deserialize;

use crate::Nothing;

#[derive(Deserialize, JsonSchema)]
struct Sample {
    /// What the model is told.
    prompt: String,
}

#[derive(Deserialize, JsonSchema)]
struct Elicit {
    /// What the person is asked.
    message: String,
}

pub(crate) fn tools(builder: ServerBuilder) -> ServerBuilder {
    builder
        .tool("test_sampling", "Asks the client's model", |args: Sample, ctx: Context| async move {
            let asked = CreateMessageParams::new(vec![SamplingMessage::user(args.prompt)], 100);
            let answer = ctx.create_message(asked).await?;
            let said: Vec<&str> = answer.content.iter().filter_map(ContentBlock::as_text).collect();
            Ok::<_, Failure>(format!("LLM response: {}", said.join("\n")))
        })
        .tool("test_elicitation", "Asks the person for name and address", |args: Elicit, ctx: Context| {
            asking(ctx, args.message, contact())
        })
        .tool(
            "test_elicitation_sep1034_defaults",
            "Asks with a form whose fields have defaults",
            |_: Nothing, ctx: Context| asking(ctx, "Please review your details".to_owned(), defaults()),
        )
        .tool("test_elicitation_sep1330_enums", "Asks with a form of choices", |_: Nothing, ctx: Context| {
            asking(ctx, "Please choose".to_owned(), choices())
        })
        .tool("test_streaming_elicitation", "Logs, then asks the person", |_: Nothing, ctx: Context| {
            ctx.info("about to ask");
            asking(
                ctx,
                "Please confirm".to_owned(),
                FormSchema::builder().optional("ok", BooleanSchema::new()),
            )
        })
}

async fn asking(ctx: Context, message: String, form: FormBuilder) -> Result<String, Failure> {
    let answer = ctx.elicit(ElicitParams::form(message, form)).await?;
    Ok(tell(&answer))
}

fn tell(answer: &ElicitResult) -> String {
    let given = answer.content.as_ref().map_or_else(|| "{}".to_owned(), |c| c.to_raw().as_str().to_owned());
    format!("Elicitation completed: action={}, content={given}", answer.action.as_str())
}

fn contact() -> FormBuilder {
    FormSchema::builder()
        .required("username", StringSchema::new().description("Your name"))
        .required("email", StringSchema::new().format(StringFormat::Email).description("Your address"))
}

fn defaults() -> FormBuilder {
    let status =
        UntitledSingleSelectEnumSchema::new(["active", "inactive", "pending"]).default_value("active");
    FormSchema::builder()
        .optional("name", StringSchema::new().default_value("John Doe"))
        .optional("age", NumberSchema::integer().default_value(30.0))
        .optional("score", NumberSchema::new().default_value(95.5))
        .optional("status", status)
        .optional("verified", BooleanSchema::new().default_value(true))
}

fn choices() -> FormBuilder {
    let plain = ["option1", "option2", "option3"];
    let titled = [("value1", "First option"), ("value2", "Second option"), ("value3", "Third option")];
    FormSchema::builder()
        .optional("untitledSingle", UntitledSingleSelectEnumSchema::new(plain))
        .optional("titledSingle", TitledSingleSelectEnumSchema::new(titled))
        .optional("legacyEnum", LegacyTitledEnumSchema::new(titled))
        .optional("untitledMulti", UntitledMultiSelectEnumSchema::new(plain))
        .optional("titledMulti", TitledMultiSelectEnumSchema::new(titled))
}
