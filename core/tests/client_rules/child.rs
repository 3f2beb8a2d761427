//! Child processes: no shell, and a crash that nobody has to notice.

use std::time::Duration;

use mcpbolt::client::{Command, RestartPolicy, ServerNotification, SessionState};
use mcpbolt::protocol::types::SubscriptionFilter;
use mcpbolt::protocol::{ErrorKind, Revision};

use super::support::{ERAS, client, kind, soon};

#[tokio::test]
async fn starting_a_server_never_goes_through_a_shell() {
    let folder = tempfile::tempdir().expect("folder");
    let marker = folder.path().join("injected");
    let injected = format!("; touch {}", marker.display());
    // A shell would run this; without one there is no program of that name.
    let named = Command::new(format!("true{injected}")).cwd(folder.path());
    assert_eq!(kind(soon(client().build().connect(named)).await), Some(ErrorKind::Transport));

    // The arguments of a program arrive as they are, one for one.
    let seen = folder.path().join("arguments");
    let words = [
        injected.clone(),
        "$(touch injected)".into(),
        "`touch injected`".into(),
        "* | > x".into(),
        "a b".into(),
    ];
    let script = "out=$1; shift; printf '%s\\n' \"$@\" > \"$out\"";
    let command =
        Command::new("sh").args(["-c", script, "sh"]).arg(&seen).args(words.clone()).cwd(folder.path());
    assert_eq!(kind(soon(client().build().connect(command)).await), Some(ErrorKind::Closed));
    let arrived = std::fs::read_to_string(&seen).expect("written");
    assert_eq!(arrived.lines().collect::<Vec<_>>(), words);
    assert!(!marker.exists(), "a shell ran the argument");
}

/// A modern server in the shell. Its first life answers discover, listens, and dies at
/// the call; the second one answers all.
const TWO_LIVES: &str = r#"
id() { x=${1#*\"id\":}; printf %s "${x%%[,\}]*}"; }
discover='{"resultType":"complete","supportedVersions":["2026-07-28"],"capabilities":{"tools":{"listChanged":true}},"ttlMs":0,"cacheScope":"private"}'
while read -r line; do
  n=$(id "$line")
  case "$line" in
    *server/discover*) printf '{"jsonrpc":"2.0","id":%s,"result":%s}\n' "$n" "$discover" ;;
    *subscriptions/listen*)
      tag="\"_meta\":{\"io.modelcontextprotocol/subscriptionId\":$n}"
      printf '{"jsonrpc":"2.0","method":"notifications/subscriptions/acknowledged","params":{%s,"notifications":{"toolsListChanged":true}}}\n' "$tag"
      if [ -e "$1" ]; then printf '{"jsonrpc":"2.0","method":"notifications/tools/list_changed","params":{%s}}\n' "$tag"; fi ;;
    *tools/call*) if [ ! -e "$1" ]; then : > "$1"; exit 9; fi
      printf '{"jsonrpc":"2.0","id":%s,"result":{"resultType":"complete","content":[]}}\n' "$n" ;;
    *tools/list*) printf '{"jsonrpc":"2.0","id":%s,"result":{"resultType":"complete","tools":[],"ttlMs":0,"cacheScope":"private"}}\n' "$n" ;;
  esac
done
"#;

#[tokio::test]
async fn after_a_crash_the_server_is_started_again_and_listens_are_sent_again() {
    let folder = tempfile::tempdir().expect("folder");
    let died = folder.path().join("died");
    let restart = RestartPolicy::Limited { max: 3, backoff: Duration::from_millis(1) };
    let command = Command::new("sh").args(["-c", TWO_LIVES, "sh"]).arg(&died).restart(restart);
    let session = soon(client().build().connect(command)).await.expect("connects");
    assert_eq!(session.revision(), Revision::LATEST_MODERN);
    let mut states = session.watch_state();
    let filter = SubscriptionFilter { tools_list_changed: Some(true), ..SubscriptionFilter::default() };
    let mut subscription = soon(session.listen(filter)).await.expect("agreed");

    let crashed = soon(session.call_tool("anything", serde_json::json!({}))).await;
    assert_eq!(kind(crashed), Some(ErrorKind::Closed), "a call that may have had an effect is not repeated");
    assert!(died.exists());
    // Only the second life announces a change, and only to a listen it has heard.
    assert_eq!(soon(subscription.next()).await, Some(ServerNotification::ToolsChanged));
    soon(states.wait_for(|state| *state == SessionState::Ready)).await.expect("open");
    assert!(soon(session.list_all_tools()).await.expect("tools").is_empty());
    soon(session.call_tool("anything", serde_json::json!({}))).await.expect("the second life answers");
    soon(session.close()).await;
}

/// Ends at each call, and twice as soon as it is started again.
const FALLS_TWICE: &str = r#"
echo started >> "$1"
case $(wc -l < "$1") in 2|3) exit 9 ;; esac
id() { x=${1#*\"id\":}; printf %s "${x%%[,\}]*}"; }
while read -r line; do
  n=$(id "$line")
  case "$line" in
    *server/discover*) printf '{"jsonrpc":"2.0","id":%s,"result":{"resultType":"complete","supportedVersions":["2026-07-28"],"capabilities":{"tools":{}},"ttlMs":0,"cacheScope":"private"}}\n' "$n" ;;
    *\"initialize\"*) printf '{"jsonrpc":"2.0","id":%s,"result":{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":{"name":"s","version":"1"}}}\n' "$n" ;;
    *tools/call*) exit 9 ;;
    *tools/list*) printf '{"jsonrpc":"2.0","id":%s,"result":{"resultType":"complete","tools":[],"ttlMs":0,"cacheScope":"private"}}\n' "$n" ;;
  esac
done
"#;

#[tokio::test]
async fn a_server_that_ends_again_at_its_start_is_started_as_often_as_allowed() {
    for protocol in ERAS {
        let folder = tempfile::tempdir().expect("folder");
        let starts = folder.path().join("starts");
        let restart = RestartPolicy::Limited { max: 3, backoff: Duration::from_millis(1) };
        let command = Command::new("sh").args(["-c", FALLS_TWICE, "sh"]).arg(&starts).restart(restart);
        let session = soon(client().protocol(protocol).build().connect(command)).await.expect("connects");
        let crashed = soon(session.call_tool("anything", serde_json::json!({}))).await;
        assert_eq!(kind(crashed), Some(ErrorKind::Closed));
        assert!(soon(session.list_all_tools()).await.expect("the fourth answers").is_empty());
        assert_eq!(std::fs::read_to_string(&starts).expect("written").lines().count(), 4);
        soon(session.close()).await;
    }
}
