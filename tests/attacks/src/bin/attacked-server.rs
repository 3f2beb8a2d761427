//! The server that is attacked, in Rust: `attacked-server stdio | http PORT`.

use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use mcpbolt::server::{Context, Failure, Outcome, Server};
use mcpbolt::transport::streamable_http::server::{HttpOptions, LegacyPaths, Sessions, TrustedProxies};
use mcpbolt::types::{
    BooleanSchema, CallToolResult, ElicitParams, ElicitResult, FormSchema, InputRequest, InputRequiredResult,
};
use mcpbolt_attacks::{limits, told};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Map, Value, json};

#[derive(Deserialize, JsonSchema)]
struct Nothing {}

#[derive(Deserialize, JsonSchema)]
struct Echo {
    text: String,
}

#[derive(Deserialize, JsonSchema)]
struct Big {
    size: usize,
}

#[derive(Deserialize, JsonSchema)]
struct Hold {
    seconds: f64,
}

/// What ran.
#[derive(Default)]
struct Counts {
    now: AtomicUsize,
    most: AtomicUsize,
    confirmed: AtomicUsize,
}

fn main() -> ExitCode {
    let told = told();
    let words: Vec<String> = std::env::args().skip(1).collect();
    let runtime = tokio::runtime::Runtime::new().expect("a runtime");
    let _inside = runtime.enter();
    let server = server(&told);
    let ended = match words.get(1) {
        Some(port) => runtime.block_on(server.run_http(format!("127.0.0.1:{port}"), options(&told))),
        None => server.run_stdio(),
    };
    ended.ok().and_then(|code| u8::try_from(code).ok()).map_or(ExitCode::FAILURE, ExitCode::from)
}

fn options(told: &Map<String, Value>) -> HttpOptions {
    let sessionless = told.get("sessions").is_some_and(|sessions| sessions == "none");
    let proxies = told.get("trusted_proxies").and_then(Value::as_array).into_iter().flatten();
    HttpOptions {
        trusted_proxies: TrustedProxies::new(proxies.filter_map(Value::as_str)).expect("addresses"),
        legacy_sse: Some(LegacyPaths::default()),
        sessions: if sessionless { Sessions::None } else { Sessions::Stateful },
        ..HttpOptions::default()
    }
}

fn server(told: &Map<String, Value>) -> Server {
    let counts = Arc::new(Counts::default());
    let (held, shown, asked) = (counts.clone(), counts.clone(), counts);
    Server::builder("attacked", "1.0.0")
        .limits(limits(told))
        .tool("echo", "Says it again", |args: Echo, _: Context| async move { args.text })
        .tool("big", "Says much", |args: Big, _: Context| async move { "x".repeat(args.size) })
        .tool("hold", "Works for a while", move |args: Hold, _: Context| {
            let counts = held.clone();
            hold(counts, args.seconds)
        })
        .tool("counted", "Says what ran", move |_: Nothing, _: Context| {
            let counts = shown.clone();
            async move {
                let of = |count: &AtomicUsize| count.load(Ordering::SeqCst);
                let (now, most) = (of(&counts.now), of(&counts.most));
                json!({"now": now, "most": most, "confirmed": of(&counts.confirmed)}).to_string()
            }
        })
        .tool("confirm", "Does something once it was confirmed", move |_: Nothing, ctx: Context| {
            let counts = asked.clone();
            async move { Ok::<_, Failure>(confirm(&counts, &ctx)) }
        })
        .build()
}

/// One that runs, until its future is gone.
struct Running(Arc<Counts>);

impl Drop for Running {
    fn drop(&mut self) {
        self.0.now.fetch_sub(1, Ordering::SeqCst);
    }
}

async fn hold(counts: Arc<Counts>, seconds: f64) -> &'static str {
    let now = counts.now.fetch_add(1, Ordering::SeqCst) + 1;
    counts.most.fetch_max(now, Ordering::SeqCst);
    let _running = Running(counts);
    tokio::time::sleep(Duration::from_secs_f64(seconds)).await;
    "held"
}

fn confirm(counts: &Counts, ctx: &Context) -> Outcome<CallToolResult> {
    if ctx.input_response::<ElicitResult>("pay").is_some() {
        counts.confirmed.fetch_add(1, Ordering::SeqCst);
        return Outcome::Done(CallToolResult::text("done"));
    }
    let form = FormSchema::builder().required("ok", BooleanSchema::new());
    let question = InputRequest::elicitation(&ElicitParams::form("Pay?", form));
    Outcome::Ask(InputRequiredResult::new().ask("pay", question).request_state("asked"))
}
