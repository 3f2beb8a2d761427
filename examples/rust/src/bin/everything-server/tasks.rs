//! Tools whose work goes on as a task, for clients that declared the tasks extension.

use std::time::Duration;

use mcpbolt::protocol::Error;
use mcpbolt::server::{Context, Failure, Outcome, ServerBuilder, TaskSupport, Tasks};
use mcpbolt::types::{
    BooleanSchema, CallToolResult, ElicitParams, ElicitResult, FormSchema, InputRequiredResult, StringSchema,
};
use schemars::JsonSchema;
use serde::Deserialize;

use crate::Nothing;
use crate::rounds::{field, form};

#[derive(Deserialize, JsonSchema)]
struct Compute {
    /// How long it takes.
    #[serde(default)]
    seconds: f64,
    /// What to call the result.
    #[serde(default)]
    label: String,
}

#[derive(Deserialize, JsonSchema)]
struct Delete {
    filename: String,
}

pub(crate) fn tools(builder: ServerBuilder) -> ServerBuilder {
    let tasks = Tasks::new()
        .tool("slow_compute", TaskSupport::Optional)
        .tool("failing_job", TaskSupport::Required)
        .tool("protocol_error_job", TaskSupport::Required)
        .tool("confirm_delete", TaskSupport::Required)
        .tool("multi_input", TaskSupport::Required)
        .poll_interval(Duration::from_millis(100));
    let own = tasks.clone();
    builder
        .tool("slow_compute", "Computes for a while", slow_compute)
        .tool("failing_job", "A task whose tool fails", |_: Nothing, _: Context| async {
            Err::<String, _>(Failure::tool("The job failed."))
        })
        .tool(
            "protocol_error_job",
            "A task that ends with a JSON-RPC error",
            |_: Nothing, _: Context| async {
                Err::<String, Failure>(Error::internal("The job broke.").into())
            },
        )
        .tool("confirm_delete", "Asks before it deletes", confirm_delete)
        .tool("multi_input", "Asks two things at once", two_questions)
        .tool("test_tool_with_task", "Asks first, and goes on as a task", move |_: Nothing, ctx: Context| {
            ask_first(own.clone(), ctx)
        })
        .extension(tasks)
}

async fn slow_compute(args: Compute, ctx: Context) -> Result<String, Failure> {
    let time = Duration::try_from_secs_f64(args.seconds).map_err(|_| Failure::tool("Give a time."))?;
    tokio::select! {
        () = tokio::time::sleep(time) => Ok(format!("Computed {} in {time:?}.", args.label)),
        () = ctx.cancelled() => Err(Failure::tool("cancelled")),
    }
}

async fn confirm_delete(args: Delete, ctx: Context) -> Result<String, Failure> {
    let question = FormSchema::builder().required("confirm", BooleanSchema::new().title("Delete it"));
    let answer = ctx.elicit(ElicitParams::form(format!("Delete {}?", args.filename), question)).await?;
    let yes = answer.accepted() && answer.content.is_some_and(|form| form.get("confirm").is_some());
    Ok(if yes { format!("Deleted {}.", args.filename) } else { "Nothing was deleted.".to_owned() })
}

async fn two_questions(_: Nothing, ctx: Context) -> Outcome<CallToolResult> {
    match (field(&ctx, "name", "name"), field(&ctx, "color", "name")) {
        (Some(name), Some(color)) => Outcome::Done(CallToolResult::text(format!("{name} likes {color}."))),
        _ => Outcome::Ask(
            InputRequiredResult::new()
                .ask("name", form("What is your name?", "name", StringSchema::new()))
                .ask(
                    "color",
                    form("What is the name of your favourite colour?", "name", StringSchema::new()),
                ),
        ),
    }
}

/// Nothing is a task before the client has answered.
async fn ask_first(tasks: Tasks, ctx: Context) -> Result<Outcome<CallToolResult>, Failure> {
    ctx.require_extension("io.modelcontextprotocol/tasks")?;
    if ctx.input_response::<ElicitResult>("user_name").is_none() {
        let question = form("What is your name?", "name", StringSchema::new());
        return Ok(Outcome::Ask(InputRequiredResult::new().ask("user_name", question)));
    }
    let name = field(&ctx, "user_name", "name").unwrap_or_default();
    tasks.begin(&ctx).await?;
    Ok(Outcome::Done(CallToolResult::text(format!("Hello, {name}, from a task."))))
}
