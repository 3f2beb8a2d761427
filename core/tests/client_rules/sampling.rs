//! A server asks our model: five arrows, each of which a person may cut.

use std::sync::Arc;
use std::time::Duration;

use mcpbolt::client::{
    Client, ContextServer, Host, Model, Review, Sampler, SamplingBudget, SamplingContext, SamplingTotals,
    choose_model,
};
use mcpbolt::handler::{BoxFuture, ManualClock};
use mcpbolt::protocol::types::{
    CreateMessageParams, CreateMessageResult, IncludeContext, ModelHint, ModelPreferences,
};
use mcpbolt::protocol::{Error, ErrorKind};
use mcpbolt::server::{Context, Failure, Server};
use mcpbolt::transport::memory::MemoryTransport;
use parking_lot::Mutex;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

use super::support::{ERAS, Script, client, connect, soon, text};

#[derive(Deserialize, JsonSchema)]
struct Nothing {}

/// What happened, in order.
type Steps = Arc<Mutex<Vec<String>>>;

/// A sampler that can stop at each of its steps.
struct Staged {
    steps: Steps,
    reject_request: bool,
    reject_result: bool,
    edit: fn(CreateMessageParams) -> CreateMessageParams,
}

impl Staged {
    fn new(steps: &Steps) -> Self {
        Self { steps: Arc::clone(steps), reject_request: false, reject_result: false, edit: |params| params }
    }

    fn step(&self, what: impl Into<String>) {
        self.steps.lock().push(what.into());
    }
}

impl Sampler for Staged {
    fn review_request(&self, params: CreateMessageParams) -> BoxFuture<'_, Review<CreateMessageParams>> {
        self.step(format!("request {}", params.max_tokens));
        let review = if self.reject_request { Review::Reject } else { Review::Allow((self.edit)(params)) };
        Box::pin(std::future::ready(review))
    }

    fn models(&self) -> Vec<Model> {
        vec![
            Model { name: "small".into(), ..Model::default() },
            Model { name: "large".into(), ..Model::default() },
        ]
    }

    fn create_message_in(
        &self,
        params: CreateMessageParams,
        model: Option<String>,
        context: SamplingContext,
    ) -> BoxFuture<'_, Result<CreateMessageResult, Error>> {
        let servers: Vec<&str> = context.servers.iter().map(|server| server.name.as_str()).collect();
        self.step(format!(
            "model {} {} {:?} {servers:?}",
            model.clone().unwrap_or_default(),
            params.max_tokens,
            params.system_prompt
        ));
        self.create_message(params, model)
    }

    fn create_message(
        &self,
        _: CreateMessageParams,
        model: Option<String>,
    ) -> BoxFuture<'_, Result<CreateMessageResult, Error>> {
        let model = model.unwrap_or_default();
        Box::pin(std::future::ready(Ok(CreateMessageResult::text(model, "the secret answer"))))
    }

    fn review_result(&self, mut result: CreateMessageResult) -> BoxFuture<'_, Review<CreateMessageResult>> {
        self.step("result");
        if self.reject_result {
            return Box::pin(std::future::ready(Review::Reject));
        }
        result.model.push_str(", reviewed");
        Box::pin(std::future::ready(Review::Allow(result)))
    }
}

/// A server whose tool asks the client's model.
fn asking(params: CreateMessageParams) -> Server {
    Server::builder("asking", "1")
        .instructions("ask nicely")
        .tool("sample", "Asks the model", move |_: Nothing, ctx: Context| {
            let params = params.clone();
            async move { Ok::<_, Failure>(ctx.create_message(params).await?.model) }
        })
        .build()
}

fn params(max_tokens: u64) -> CreateMessageParams {
    let mut params = CreateMessageParams::new(Vec::new(), max_tokens);
    params.system_prompt = Some("be brief".into());
    params
}

fn hinted(names: &[&str]) -> ModelPreferences {
    let hint = |name: &&str| ModelHint { name: Some((*name).to_owned()) };
    ModelPreferences { hints: Some(names.iter().map(hint).collect()), ..ModelPreferences::default() }
}

#[tokio::test]
async fn all_five_arrows_in_order_and_the_server_gets_the_reviewed_answer() {
    for policy in ERAS {
        let steps = Steps::default();
        let mut asked = params(50);
        asked.model_preferences = Some(hinted(&["nobody", "LARGE"]));
        let session = connect(&asking(asked), client().sampler(Staged::new(&steps)), policy).await;
        let answer = soon(session.call_tool("sample", json!({}))).await.expect("answered");
        assert_eq!(text(&answer), "large, reviewed");
        assert_eq!(*steps.lock(), ["request 50", "model large 50 Some(\"be brief\") []", "result"]);
        assert_eq!(session.sampling_spent(), SamplingTotals { requests: 1, tokens: 50 });
    }
}

#[tokio::test]
async fn a_request_rejected_in_review_reaches_no_model_and_costs_no_tokens() {
    for policy in ERAS {
        let steps = Steps::default();
        let sampler = Staged { reject_request: true, ..Staged::new(&steps) };
        let session = connect(&asking(params(50)), client().sampler(sampler), policy).await;
        let outcome = soon(session.call_tool("sample", json!({}))).await;
        // Legacy: the server hears of it. Modern: the call fails here, nothing is retried.
        assert!(outcome.map_or_else(|e| e.kind == ErrorKind::Rejected, |r| r.failed()));
        assert_eq!(*steps.lock(), ["request 50"]);
        assert_eq!(session.sampling_spent(), SamplingTotals { requests: 1, tokens: 0 });
    }
}

#[tokio::test]
async fn an_answer_rejected_in_review_never_reaches_the_server() {
    let steps = Steps::default();
    let sampler = Staged { reject_result: true, ..Staged::new(&steps) };
    let (script, _session) = Script::legacy(client().sampler(sampler)).await;
    let answer = script.ask("sampling/createMessage", json!({"messages": [], "maxTokens": 5})).await;
    assert_eq!(answer["error"]["code"], -1);
    assert_eq!(answer["error"]["message"], "User rejected sampling request");
    assert!(!answer.to_string().contains("secret"), "{answer}");
    assert_eq!(steps.lock().last().map(String::as_str), Some("result"));
}

#[tokio::test]
async fn a_review_may_take_away_and_never_add() {
    let steps = Steps::default();
    let greedy = |mut params: CreateMessageParams| {
        params.max_tokens = 9_999;
        params.system_prompt = Some("be brief, and do what I say instead".into());
        params.include_context = Some(IncludeContext::AllServers);
        params
    };
    let sampler = Staged { edit: greedy, ..Staged::new(&steps) };
    let session = connect(&asking(params(50)), client().sampling_context().sampler(sampler), ERAS[0]).await;
    soon(session.call_tool("sample", json!({}))).await.expect("answered");
    assert_eq!(steps.lock()[1], "model small 50 Some(\"be brief\") []");

    let steps = Steps::default();
    let modest = |mut params: CreateMessageParams| {
        params.max_tokens = 7;
        params.system_prompt = None;
        params
    };
    let sampler = Staged { edit: modest, ..Staged::new(&steps) };
    let session = connect(&asking(params(50)), client().sampler(sampler), ERAS[0]).await;
    soon(session.call_tool("sample", json!({}))).await.expect("answered");
    assert_eq!(steps.lock()[1], "model small 7 None []");
    assert_eq!(session.sampling_spent().tokens, 7, "what the review took away is not spent");
}

#[tokio::test]
async fn the_host_provides_the_context_that_was_asked_for() {
    for (level, expected) in [
        (None, "[]"),
        (Some(IncludeContext::None), "[]"),
        (Some(IncludeContext::ThisServer), "[\"one\"]"),
        (Some(IncludeContext::AllServers), "[\"one\", \"two\"]"),
    ] {
        let steps = Steps::default();
        let host = Host::new(client().sampling_context().sampler(Staged::new(&steps)).build());
        let mut asked = params(50);
        asked.include_context = level;
        for (name, server) in [("one", asking(asked)), ("two", asking(params(1)))] {
            let (ours, theirs) = MemoryTransport::pair();
            tokio::spawn(async move { server.serve(Arc::new(theirs)).await });
            soon(host.add(name, ours)).await.expect("added");
        }
        soon(host.call_tool("one_sample", json!({}))).await.expect("answered");
        assert!(steps.lock()[1].ends_with(expected), "{:?}", steps.lock());
        soon(host.close()).await;
    }
}

#[test]
fn context_is_attached_to_the_system_prompt_under_its_servers_name() {
    let server =
        ContextServer { name: "notes".into(), instructions: Some("search first".into()), tools: vec![] };
    let attached = SamplingContext { servers: vec![server] }.attach(params(1));
    assert_eq!(
        attached.system_prompt.as_deref(),
        Some("be brief\n\nInstructions of the server notes:\nsearch first")
    );
}

#[tokio::test]
async fn a_budget_bounds_requests_and_tokens() {
    let clock = Arc::new(ManualClock::default());
    let budget =
        SamplingBudget { requests_per_minute: Some(2), tokens_per_session: Some(100), max_tokens: Some(40) };
    let steps = Steps::default();
    let client = client().sampler(Staged::new(&steps)).sampling_budget(budget).clock(clock.clone());
    let (script, session) = Script::legacy(client).await;
    let ask = async |tokens: u64| -> Value {
        script.ask("sampling/createMessage", json!({"messages": [], "maxTokens": tokens})).await
    };
    assert!(ask(1_000).await["result"].is_object());
    assert!(ask(40).await["result"].is_object());
    let third = ask(10).await;
    assert_eq!(third["error"]["code"], -1, "the third within a minute: {third}");
    clock.advance(Duration::from_mins(1));
    assert!(ask(40).await["result"].is_object());
    assert_eq!(ask(1).await["error"]["code"], -1, "a hundred tokens are used up");
    let asked: Vec<String> =
        steps.lock().iter().filter(|step| step.starts_with("request")).cloned().collect();
    assert_eq!(
        asked,
        ["request 40", "request 40", "request 20"],
        "cut to the request's cap, then to what is left"
    );
    assert_eq!(session.sampling_spent(), SamplingTotals { requests: 3, tokens: 100 });
}

#[test]
fn hints_are_tried_in_order_and_priorities_decide_without_a_match() {
    let model = |name: &str, cheapness, speed, intelligence| Model {
        name: name.into(),
        cheapness,
        speed,
        intelligence,
    };
    let models = [
        model("swift-mini", 0.9, 0.9, 0.2),
        model("deep-max", 0.1, 0.2, 0.95),
        model("deep-mid", 0.5, 0.5, 0.6),
    ];
    let chosen = |preferences: &ModelPreferences| {
        choose_model(Some(preferences), &models).map(|model| model.name.as_str())
    };
    assert_eq!(choose_model(None, &models).map(|m| m.name.as_str()), Some("swift-mini"));
    assert_eq!(chosen(&hinted(&["absent", "DEEP"])), Some("deep-max"), "second hint, first match");
    assert_eq!(chosen(&hinted(&["mid", "swift"])), Some("deep-mid"), "hints in order, not models");
    assert_eq!(chosen(&hinted(&[""])), Some("swift-mini"), "an empty hint says nothing");
    let priorities = |cost, speed, intelligence| ModelPreferences {
        cost_priority: Some(cost),
        speed_priority: Some(speed),
        intelligence_priority: Some(intelligence),
        ..hinted(&["absent"])
    };
    assert_eq!(chosen(&priorities(0.0, 0.0, 1.0)), Some("deep-max"));
    assert_eq!(chosen(&priorities(1.0, 0.0, 0.0)), Some("swift-mini"));
    assert_eq!(chosen(&priorities(9.0, 0.0, 1.0)), Some("swift-mini"), "a priority is at most 1");
    assert_eq!(choose_model(Some(&hinted(&["x"])), &[]), None);
}

#[tokio::test]
async fn tool_results_answer_tool_uses_one_for_one_and_alone() {
    let steps = Steps::default();
    let client = client().sampling_tools().sampler(Staged::new(&steps));
    let (script, _session) = Script::legacy(client).await;
    let usage = |id: &str| json!({"type": "tool_use", "id": id, "name": "w", "input": {}});
    let result = |id: &str| json!({"type": "tool_result", "toolUseId": id, "content": []});
    let words = json!({"type": "text", "text": "hm"});
    let says = |role: &str, content: Value| json!({"role": role, "content": content});
    let ask = async |messages: Value| -> Value {
        script.ask("sampling/createMessage", json!({"messages": messages, "maxTokens": 5})).await
    };
    let used = says("assistant", json!([usage("a"), usage("b")]));
    for good in [
        json!([used, says("user", json!([result("b"), result("a")]))]),
        json!([says("assistant", usage("a")), says("user", result("a")), says("assistant", words.clone())]),
    ] {
        assert!(ask(good.clone()).await["result"].is_object(), "{good}");
    }
    for bad in [
        json!([used, says("user", json!([result("a")]))]),
        json!([used, says("user", json!([result("a"), result("b"), words]))]),
        json!([used, says("user", json!([result("a"), result("a")]))]),
        json!([used, says("user", json!([result("a"), result("c")]))]),
        json!([used, says("assistant", json!([result("a"), result("b")]))]),
        json!([used, says("user", words.clone()), says("user", json!([result("a"), result("b")]))]),
        json!([says("user", result("a"))]),
        json!([used]),
    ] {
        assert_eq!(ask(bad.clone()).await["error"]["code"], -32602, "{bad}");
    }
    assert_eq!(steps.lock().iter().filter(|step| step.starts_with("model")).count(), 2);
}

#[tokio::test]
async fn context_is_left_out_unless_declared() {
    let steps = Steps::default();
    let (script, _session) = Script::legacy(Client::builder("c", "1").sampler(Staged::new(&steps))).await;
    let asked = json!({"messages": [], "maxTokens": 5, "includeContext": "allServers"});
    let answer = script.ask("sampling/createMessage", asked).await;
    assert!(answer["result"].is_object(), "{answer}");
    assert!(steps.lock()[1].ends_with("[]"), "{:?}", steps.lock());
}
