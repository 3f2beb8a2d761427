//! Clients of child processes, scripted in the shell.
#![cfg(unix)]

use std::sync::Arc;
use std::time::Duration;

use mcpbolt::client::{Client, Command, KeepAlive, ProtocolPolicy, RestartPolicy, SessionState};
use mcpbolt::handler::ManualClock;
use mcpbolt::protocol::{ErrorKind, Revision};
use mcpbolt::transport::child_client::finish_closing;
use rustix::process::{Pid, test_kill_process};

/// A server of the legacy era that follows a script.
fn script(text: &str) -> Command {
    let prelude = r#"
hello='{"protocolVersion":"2025-06-18","capabilities":{"tools":{}},"serverInfo":{"name":"sh","version":"1"}}'
id() { x=${1#*\"id\":}; printf %s "${x%%[,\}]*}"; }
reply() { printf '{"jsonrpc":"2.0","id":%s,"result":%s}\n' "$1" "$2"; }
refuse() { printf '{"jsonrpc":"2.0","id":%s,"error":{"code":-32601,"message":"unknown"}}\n' "$1"; }
"#;
    Command::new("sh").args(["-c".to_owned(), format!("{prelude}{text}")])
}

async fn soon<T>(future: impl Future<Output = T>) -> T {
    tokio::time::timeout(Duration::from_secs(5), future).await.expect("no answer within 5 s")
}

fn client() -> Client {
    Client::builder("client", "1").build()
}

#[tokio::test]
async fn a_legacy_server_is_found_by_its_refusal() {
    let command = script(
        "read a; refuse 1; read b; reply 2 \"$hello\"; read c; read d; reply 3 '{\"tools\":[]}'; read e",
    );
    let session = soon(client().connect(command)).await.expect("connects");
    assert_eq!(session.revision(), Revision::V2025_06_18);
    assert!(soon(session.list_all_tools()).await.expect("tools").is_empty());
    soon(session.close()).await;
    assert!(matches!(session.state(), SessionState::Closed(_)));
}

#[tokio::test]
async fn a_server_that_exits_on_the_probe_is_started_again() {
    let command =
        script("read a; case \"$a\" in *discover*) exit 1;; esac; reply 2 \"$hello\"; read b; read c");
    let session = soon(client().connect(command)).await.expect("connects");
    assert_eq!(session.revision(), Revision::V2025_06_18);
    soon(session.close()).await;
}

#[cfg(target_os = "linux")]
#[tokio::test]
async fn a_server_that_ends_without_reading_is_started_once() {
    let folder = tempfile::tempdir().expect("a folder");
    let starts = folder.path().join("starts");
    let command = script(&format!("echo started >> '{}'; exit 3", starts.display()));
    let error = soon(client().connect(command)).await.expect_err("ends");
    assert!(error.message.contains("exit status: 3"), "{}", error.message);
    assert_eq!(std::fs::read_to_string(starts).expect("it was started"), "started\n");
}

#[tokio::test]
async fn a_server_that_cannot_start_or_dies_is_a_clear_error() {
    let missing = soon(client().connect(Command::new("/no/such/program"))).await.expect_err("missing");
    assert_eq!(missing.kind, ErrorKind::Transport);
    let dying = soon(client().connect(script("exit 3"))).await.expect_err("dies");
    assert_eq!(dying.kind, ErrorKind::Closed);
}

#[tokio::test]
async fn a_crashed_server_is_started_again_on_request() {
    let text = "read a; refuse 1; read b; reply 2 \"$hello\"; read c; read d; exit 9";
    let second = "case \"$a\" in *initialize*) id=${a##*\\\"id\\\":}; reply ${id%%,*} \"$hello\"; read b; read c; id=${c##*\\\"id\\\":}; reply ${id%%,*} '{\"tools\":[]}'; read d; exit;; esac";
    let command = script(&format!("read a; {second}; {}", text.trim_start_matches("read a; ")));
    let policy = RestartPolicy::Limited { max: 3, backoff: Duration::from_millis(1) };
    let session = soon(client().connect(command.restart(policy))).await.expect("connects");
    // The crash takes the first attempt; a list can be repeated.
    assert!(soon(session.list_all_tools()).await.expect("tools").is_empty());
    soon(session.close()).await;
}

#[tokio::test]
async fn a_server_that_cuts_its_pipe_and_lives_on_fails_what_waits() {
    let command = script("read a; refuse 1; read b; reply 2 \"$hello\"; read c; read d; exec sleep 60 >&-");
    let session = soon(client().connect(command)).await.expect("connects");
    let error = soon(session.list_all_tools()).await.expect_err("nobody can answer");
    assert_eq!(error.kind, ErrorKind::Closed);
    assert!(error.message.contains("closed a pipe"), "{}", error.message);
    soon(session.close()).await;
    assert!(matches!(session.state(), SessionState::Closed(_)));
}

#[tokio::test]
async fn what_was_sent_before_the_last_handle_goes_still_arrives() {
    let folder = tempfile::tempdir().expect("a folder");
    let told = folder.path().join("told");
    assert!(std::process::Command::new("mkfifo").arg(&told).status().expect("mkfifo").success());
    let pipe = told.clone();
    let heard = tokio::task::spawn_blocking(move || std::fs::read_to_string(pipe));
    // What it reads, and that its input ended, goes into the pipe.
    let text = format!(
        "exec 3>'{}'; read a; refuse 1; read b; reply 2 \"$hello\"; read c; cat >&3; echo ended >&3",
        told.display()
    );
    let session = soon(client().connect(script(&text))).await.expect("connects");
    for n in 0..3 {
        let params = serde_json::json!({"n": n}).into();
        session.notify_raw("notifications/acme", Some(&params)).expect("sent");
    }
    drop(session);
    let heard = soon(heard).await.expect("a thread").expect("a pipe");
    let lines: Vec<_> = heard.lines().collect();
    assert_eq!(lines.len(), 4, "{heard}");
    assert!((0..3).all(|n| lines[n].contains(&format!("\"n\":{n}"))), "{heard}");
    assert_eq!(lines[3], "ended", "it was asked to end, not killed");
}

#[tokio::test]
async fn a_server_that_is_given_up_at_its_start_has_ended_when_that_is_waited_for() {
    let folder = tempfile::tempdir().expect("a folder");
    let told = folder.path().join("told");
    assert!(std::process::Command::new("mkfifo").arg(&told).status().expect("mkfifo").success());
    let pipe = told.clone();
    let started = tokio::task::spawn_blocking(move || std::fs::read_to_string(pipe));
    let command = script(&format!("echo $$ > '{}'; exec sleep 60", told.display()));
    let connecting = tokio::spawn(async move { client().connect(command).await.map(drop) });
    let number = soon(started).await.expect("a thread").expect("a pipe");
    let server = number.trim().parse().ok().and_then(Pid::from_raw).expect("a number");
    connecting.abort();
    assert!(connecting.await.is_err_and(|ended| ended.is_cancelled()));
    let ended = tokio::task::spawn_blocking(|| finish_closing(Duration::from_secs(10))).await;
    assert!(ended.expect("a thread"), "it is still being ended");
    assert!(test_kill_process(server).is_err(), "it still runs");
}

/// Ends at a notification, and answers everything once it was started again.
const ENDS_WHEN_TOLD: &str = r#"
while read -r line; do
  case "$line" in
    *server/discover*) refuse $(id "$line") ;;
    *\"initialize\"*) reply $(id "$line") "$hello" ;;
    *notifications/end*) exit 9 ;;
    *tools/call*) reply $(id "$line") '{"content":[]}' ;;
  esac
done
"#;

#[tokio::test]
async fn a_call_that_is_made_while_the_server_is_away_waits_for_it() {
    // Long enough for the call to be made meanwhile.
    let restart = RestartPolicy::Limited { max: 1, backoff: Duration::from_millis(200) };
    let command = script(ENDS_WHEN_TOLD).restart(restart);
    let session = soon(client().connect(command)).await.expect("connects");
    let mut states = session.watch_state();
    states.mark_unchanged();
    session.notify_raw("notifications/end", None).expect("sent");
    soon(states.changed()).await.expect("it is told");
    soon(session.call_tool("any", serde_json::json!({}))).await.expect("the second life answers");
    soon(session.close()).await;
}

/// Answers no ping in its first life.
const HANGS_ONCE: &str = r#"
again=
if [ -e "$STARTED" ]; then again=1; fi
echo $$ > "$STARTED"
while read -r line; do
  case "$line" in
    *\"initialize\"*) reply $(id "$line") "$hello" ;;
    *\"ping\"*) if [ $again ]; then reply $(id "$line") '{}'; fi ;;
    *tools/call*) if [ $again ]; then reply $(id "$line") '{"content":[]}'; fi ;;
  esac
done
"#;

#[tokio::test]
async fn a_server_that_answers_no_ping_is_ended_and_started_again() {
    let folder = tempfile::tempdir().expect("a folder");
    let started = folder.path().join("started");
    let process = || {
        let number = std::fs::read_to_string(&started).expect("it was started");
        number.trim().parse().ok().and_then(Pid::from_raw).expect("a number")
    };
    let restart = RestartPolicy::Limited { max: 1, backoff: Duration::from_millis(1) };
    let command = script(HANGS_ONCE).env("STARTED", &started).restart(restart);
    let clock = Arc::new(ManualClock::default());
    let keep_alive = KeepAlive { interval: Duration::from_secs(30), timeout: Duration::from_secs(5) };
    let client = Client::builder("client", "1")
        .protocol(ProtocolPolicy::LegacyFirst)
        .keep_alive(keep_alive)
        .clock(clock.clone())
        .build();
    let session = soon(client.connect(command)).await.expect("connects");
    let hung = process();
    clock.advance(Duration::from_secs(35));
    assert_eq!(session.state(), SessionState::Reconnecting);
    let waiting = session.call_tool("any", serde_json::json!({}));
    soon(waiting).await.expect("the second life answers");
    assert_eq!(session.state(), SessionState::Ready);
    assert_ne!(process(), hung);
    soon(async {
        while test_kill_process(hung).is_ok() {
            tokio::task::yield_now().await;
        }
    })
    .await;
    clock.advance(Duration::from_secs(30));
    soon(session.ping()).await.expect("it answers");
    soon(session.close()).await;
}
