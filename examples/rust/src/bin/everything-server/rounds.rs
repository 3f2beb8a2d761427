//! Tools that take several rounds in the explicit style of 2026-07-28: the handler
//! returns its questions and runs again, from the top, with the answers.
//!
//! Nothing waits on the server between two rounds; what the handler must remember goes
//! into the state, which the engine seals.

use mcpbolt::protocol::Error;
use mcpbolt::server::{Context, Failure, Outcome, ServerBuilder};
use mcpbolt::types::{
    BooleanSchema, CallToolResult, ContentBlock, CreateMessageParams, CreateMessageResult, ElicitParams,
    ElicitResult, FieldSchema, FormSchema, InputRequest, InputRequiredResult, ListRootsResult,
    SamplingMessage, StringSchema,
};

use crate::Nothing;

/// The answer, or questions before it.
type Round = Result<Outcome<CallToolResult>, Failure>;

pub(crate) fn tools(builder: ServerBuilder) -> ServerBuilder {
    builder
        .tool("test_input_required_result_elicitation", "Asks for a name", one_form)
        .tool("test_input_required_result_sampling", "Asks the model", one_sampling)
        .tool("test_input_required_result_list_roots", "Asks for the roots", one_roots)
        .tool("test_input_required_result_request_state", "Asks and keeps state", with_state)
        .tool("test_input_required_result_multiple_inputs", "Asks three things at once", three_at_once)
        .tool("test_input_required_result_multi_round", "Asks twice", two_rounds)
        .tool("test_input_required_result_tampered_state", "Asks with state that is checked", with_state)
        .tool("test_input_required_result_capabilities", "Asks what the client can answer", what_it_can)
}

async fn one_form(_: Nothing, ctx: Context) -> Round {
    match field(&ctx, "user_name", "name") {
        Some(name) => done(format!("Hello, {name}!")),
        None => asking([("user_name", form("What is your name?", "name", StringSchema::new()))]),
    }
}

async fn one_sampling(_: Nothing, ctx: Context) -> Round {
    match ctx.input_response::<CreateMessageResult>("capital_question") {
        Some(answer) => done(format!("The model says: {}", words(&answer.content))),
        None => asking([("capital_question", sampling("What is the capital of France?", 100))]),
    }
}

async fn one_roots(_: Nothing, ctx: Context) -> Round {
    match ctx.input_response::<ListRootsResult>("client_roots") {
        Some(answer) => done(format!("The client has {} roots.", answer.roots.len())),
        None => asking([("client_roots", InputRequest::roots())]),
    }
}

async fn with_state(_: Nothing, ctx: Context) -> Round {
    let answered = ctx.input_response::<ElicitResult>("confirm").is_some();
    match ctx.request_state() {
        Some("asked") if answered => done("Confirmed; state-ok".to_owned()),
        None | Some("asked") => {
            let question = form("Go on?", "ok", BooleanSchema::new());
            Ok(Outcome::Ask(InputRequiredResult::new().ask("confirm", question).request_state("asked")))
        }
        Some(_) => Err(Error::invalid_params("requestState is of another tool").into()),
    }
}

async fn three_at_once(_: Nothing, ctx: Context) -> Round {
    let name = field(&ctx, "user_name", "name");
    let greeting = ctx.input_response::<CreateMessageResult>("greeting");
    let roots_given = ctx.input_response::<ListRootsResult>("client_roots");
    if let (Some(name), Some(greeting), Some(given)) = (name, greeting, roots_given) {
        let said = words(&greeting.content);
        return done(format!("{said} ({name}, {} roots)", given.roots.len()));
    }
    let questions = InputRequiredResult::new()
        .ask("user_name", form("What is your name?", "name", StringSchema::new()))
        .ask("greeting", sampling("Write a short greeting.", 50))
        .ask("client_roots", InputRequest::roots())
        .request_state("three");
    Ok(Outcome::Ask(questions))
}

async fn two_rounds(_: Nothing, ctx: Context) -> Round {
    // The state says which round this is, and what the first one brought.
    let name = ctx.request_state().and_then(|state| state.strip_prefix("name:"));
    if let Some(name) = name {
        if let Some(color) = field(&ctx, "step2", "color") {
            return done(format!("{name} likes {color}."));
        }
        return Ok(Outcome::Ask(second_round(name)));
    }
    if let Some(name) = field(&ctx, "step1", "name") {
        return Ok(Outcome::Ask(second_round(&name)));
    }
    let question = form("What is your name?", "name", StringSchema::new());
    Ok(Outcome::Ask(InputRequiredResult::new().ask("step1", question).request_state("first")))
}

fn second_round(name: &str) -> InputRequiredResult {
    let question = form("What is your favourite colour?", "color", StringSchema::new());
    InputRequiredResult::new().ask("step2", question).request_state(format!("name:{name}"))
}

async fn what_it_can(_: Nothing, ctx: Context) -> Round {
    if !ctx.input_responses().is_empty() {
        return done("The client answered.".to_owned());
    }
    let client = ctx.client_capabilities();
    let mut questions = InputRequiredResult::new();
    if client.sampling.is_some() {
        questions = questions.ask("joke", sampling("Tell a joke.", 100));
    }
    if client.elicits_forms() {
        questions = questions.ask("user_name", form("What is your name?", "name", StringSchema::new()));
    }
    if client.roots.is_some() {
        questions = questions.ask("client_roots", InputRequest::roots());
    }
    if questions.input_requests.is_empty() {
        return done("The client can answer nothing.".to_owned());
    }
    Ok(Outcome::Ask(questions))
}

#[expect(clippy::unnecessary_wraps, reason = "the end of a round, whatever it is")]
fn done(text: String) -> Round {
    Ok(Outcome::Done(CallToolResult::text(text)))
}

#[expect(clippy::unnecessary_wraps, reason = "the end of a round, whatever it is")]
fn asking<const N: usize>(questions: [(&str, InputRequest); N]) -> Round {
    let asked = questions.into_iter().fold(InputRequiredResult::new(), |all, (key, q)| all.ask(key, q));
    Ok(Outcome::Ask(asked))
}

/// A question with a form of one required field.
pub(crate) fn form(message: &str, name: &str, field: impl Into<FieldSchema>) -> InputRequest {
    let params = ElicitParams::form(message, FormSchema::builder().required(name, field));
    InputRequest::elicitation(&params)
}

fn sampling(prompt: &str, max_tokens: u64) -> InputRequest {
    let params = CreateMessageParams::new(vec![SamplingMessage::user(prompt)], max_tokens);
    InputRequest::sampling(&params)
}

/// One text field of an answered form. `None` if there is no usable answer yet, so that
/// the question is asked again.
pub(crate) fn field(ctx: &Context, key: &str, name: &str) -> Option<String> {
    let answer: ElicitResult = ctx.input_response(key)?;
    if !answer.accepted() {
        return Some("nobody".to_owned());
    }
    answer.content?.get(name)?.as_string()
}

fn words(content: &[ContentBlock]) -> String {
    content.iter().filter_map(ContentBlock::as_text).collect::<Vec<_>>().join("\n")
}
