//! The server under test, and the same in a process of its own.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::SocketAddr;
use std::process::{Child, Command, Stdio};
use std::sync::Arc;

use mcpbolt::handler::BoxFuture;
use mcpbolt::protocol::ErrorKind;
use mcpbolt::protocol::types::{ElicitParams, FormSchema};
use mcpbolt::server::{Context, Failure, Next, Server};
use mcpbolt::session::Answer;
use mcpbolt::transport::streamable_http::server::{HttpOptions, LegacyPaths, Sessions};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;
use tokio::sync::Notify;

use crate::census::Census;
use crate::hangs::Ended;

/// Tells a process of this program that it is a server, and of what kind.
pub(crate) const ROLE: &str = "MCPBOLT_ENDURANCE_ROLE";
/// What a server tells on the stream of a call that will wait.
pub(crate) const STARTED: &str = "notifications/test/started";

#[derive(Deserialize, JsonSchema)]
struct Nothing {}

#[derive(Deserialize, JsonSchema)]
struct Say {
    text: String,
}

/// Waits until the client no longer wants the answer, or `release` was called.
async fn hang(context: &Context, released: &Notify) {
    let _ = context.notify(STARTED, json!({}));
    tokio::select! {
        () = context.cancelled() => {}
        () = released.notified() => {}
    }
}

/// Keeps the second page of the tools back.
fn second_page(
    released: Arc<Notify>,
) -> impl Fn(Context, Next) -> BoxFuture<'static, Answer> + Send + Sync + 'static {
    move |context, next| {
        let call = context.call();
        if call.method() != "tools/list" || call.param("cursor").is_none() {
            return next.run(context);
        }
        let released = Arc::clone(&released);
        Box::pin(async move {
            hang(&context, &released).await;
            next.run(context).await
        })
    }
}

/// Hears how a handler that had to wait came to its end.
pub(crate) type Report = Arc<dyn Fn(Ended) + Send + Sync>;

/// Reports that a handler was dropped, unless it said something better before.
struct Reporting(Report, bool);

impl Reporting {
    fn say(&mut self, ended: Ended) {
        if !std::mem::replace(&mut self.1, true) {
            (self.0)(ended);
        }
    }
}

impl Drop for Reporting {
    fn drop(&mut self) {
        self.say(Ended::As(ErrorKind::Cancelled));
    }
}

/// Tools: `echo`; `hang`, until cancelled or released; `release`; `ask`, the client's user;
/// `exit` the process; `census` of the process. Two pages of them.
pub(crate) fn server(report: Report) -> Server {
    let (of_hang, of_ask) = (Arc::clone(&report), report);
    let released = Arc::new(Notify::new());
    let (hanging, releasing) = (Arc::clone(&released), Arc::clone(&released));
    Server::builder("endurance", "1.0.0")
        .capabilities(|c| c.tools.get_or_insert_default().list_changed = Some(true))
        .page_size(3)
        .middleware(second_page(released))
        .tool("echo", "Says it again", |args: Say, _: Context| async move { args.text })
        .tool("hang", "Never answers", move |_: Nothing, ctx: Context| {
            let (reporting, hanging) = (Reporting(Arc::clone(&of_hang), false), Arc::clone(&hanging));
            async move {
                hang(&ctx, &hanging).await;
                drop(reporting);
                "released"
            }
        })
        .tool("release", "Ends one wait", move |_: Nothing, _: Context| {
            releasing.notify_one();
            async { "released" }
        })
        .tool("ask", "Asks the user", move |_: Nothing, ctx: Context| {
            let mut reporting = Reporting(Arc::clone(&of_ask), false);
            async move {
                let answer = ctx.elicit(ElicitParams::form("Sure?", FormSchema::builder().build())).await;
                reporting.say(answer.clone().into());
                Ok::<_, Failure>(answer?.action.as_str().to_owned())
            }
        })
        .tool("exit", "Ends the process", |_: Nothing, _: Context| async { exit() })
        .tool("census", "Counts what is open", |_: Nothing, _: Context| async {
            serde_json::to_string(&(std::process::id(), Census::of_this_process())).expect("JSON")
        })
        .build()
}

fn exit() -> &'static str {
    std::process::exit(0)
}

/// The reader of our output sees its end; this process lives on.
fn cut_output() {
    let null = std::fs::OpenOptions::new().write(true).open("/dev/null").expect("/dev/null");
    rustix::stdio::dup2_stdout(&null).expect("replaces standard output");
}

/// For rows that do not listen to handlers.
pub(crate) fn silent() -> Report {
    Arc::new(|_| ())
}

/// How the server of an HTTP row is set up.
pub(crate) fn http_options(sessions: Sessions) -> HttpOptions {
    HttpOptions { sessions, legacy_sse: Some(LegacyPaths::default()), ..HttpOptions::default() }
}

/// Plays the part that the environment names; `false` if it names none.
pub(crate) fn played() -> bool {
    let Some(role) = std::env::var_os(ROLE) else { return false };
    match role.to_str().unwrap_or_default() {
        "stdio" => drop(server(silent()).run_stdio()),
        "stdio, cut" => cut_at_word(),
        "http" => serve_http(),
        "leak" => crate::leaks::play(),
        "mute" => wait_for_end(),
        "mute, exits" => drop(first_line()),
        "mute, cuts" => {
            first_line();
            cut_output();
            wait_for_end();
        }
        other => panic!("no such part: {other}"),
    }
    true
}

/// A stdio server behind this process, which closes its output when the client says `cut`.
/// The engine keeps its own copy of standard output, so a server cannot do that to itself.
fn cut_at_word() {
    let mut server = stdio_process();
    let mut input = server.stdin.take().expect("piped");
    let mut output = server.stdout.take().expect("piped");
    std::thread::spawn(move || std::io::copy(&mut output, &mut std::io::stdout()));
    for line in std::io::stdin().lock().lines().map_while(Result::ok) {
        if line.contains(r#""name":"cut""#) {
            cut_output();
        } else {
            writeln!(input, "{line}").expect("the server reads");
        }
    }
    drop(input);
    let _ = server.wait();
}

fn first_line() -> String {
    let mut line = String::new();
    let _ = std::io::stdin().lock().read_line(&mut line);
    line
}

fn wait_for_end() {
    let _ = std::io::stdin().lock().read_to_end(&mut Vec::new());
}

/// Serves until standard input ends; the address is the first line of output.
fn serve_http() {
    let runtime = tokio::runtime::Runtime::new().expect("a runtime");
    let options = http_options(Sessions::Stateful);
    let http = runtime.block_on(server(silent()).serve_http("127.0.0.1:0", options)).expect("binds");
    let mut out = std::io::stdout().lock();
    let _ = writeln!(out, "{}", http.local_addr());
    let _ = out.flush();
    wait_for_end();
}

/// How to start this program in that part.
pub(crate) fn command(role: &str) -> mcpbolt::client::Command {
    let program = std::env::current_exe().expect("our own path");
    mcpbolt::client::Command::new(program).env(ROLE, role)
}

/// An HTTP server in a process of its own. Dropped, it is killed.
pub(crate) struct HttpProcess {
    child: Child,
    pub(crate) address: SocketAddr,
}

impl HttpProcess {
    pub(crate) fn start() -> Self {
        let program = std::env::current_exe().expect("our own path");
        let mut child = Command::new(program)
            .env(ROLE, "http")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("starts");
        let mut line = String::new();
        let mut output = BufReader::new(child.stdout.take().expect("piped"));
        output.read_line(&mut line).expect("an address");
        let address = line.trim().parse().expect("an address");
        Self { child, address }
    }

    pub(crate) fn kill(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Drop for HttpProcess {
    fn drop(&mut self) {
        self.kill();
    }
}

/// A stdio server in a process of its own, for a client that is played line by line.
pub(crate) fn stdio_process() -> Child {
    let program = std::env::current_exe().expect("our own path");
    let (input, output) = (Stdio::piped(), Stdio::piped());
    let mut command = Command::new(program);
    command.env(ROLE, "stdio").stdin(input).stdout(output);
    command.spawn().expect("starts")
}
