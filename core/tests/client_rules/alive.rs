//! Keep-alive: pings on a clock that the test moves.

use std::sync::Arc;
use std::time::Duration;

use mcpbolt::client::{KeepAlive, SessionState};
use mcpbolt::handler::ManualClock;
use mcpbolt::protocol::ErrorKind;
use serde_json::json;
use tokio::sync::oneshot;

use super::support::{Script, client, soon};

#[tokio::test]
async fn a_server_that_answers_pings_stays_and_one_that_does_not_is_lost() {
    let clock = Arc::new(ManualClock::default());
    let keep_alive = KeepAlive { interval: Duration::from_secs(30), timeout: Duration::from_secs(5) };
    let (script, session) = Script::legacy(client().keep_alive(keep_alive).clock(clock.clone())).await;
    for _ in 0..3 {
        clock.advance(Duration::from_secs(30));
        let ping = script.next().await;
        assert_eq!(ping["method"], "ping");
        script.reply(&ping, json!({})).await;
        // The answer is read before time goes on.
        assert!(script.ask("ping", json!({})).await["result"].is_object());
        clock.advance(Duration::from_secs(5));
        assert_eq!(session.state(), SessionState::Ready);
        clock.advance(Duration::from_secs(20));
        clock.advance(Duration::from_secs(5));
        let next = script.next().await;
        assert_eq!(next["method"], "ping", "thirty seconds after the last");
        script.reply(&next, json!({})).await;
        assert!(script.ask("ping", json!({})).await["result"].is_object());
    }
    clock.advance(Duration::from_secs(30));
    assert_eq!(script.next().await["method"], "ping");
    clock.advance(Duration::from_secs(4));
    assert_eq!(session.state(), SessionState::Ready, "not yet");
    clock.advance(Duration::from_secs(1));
    let mut state = session.watch_state();
    let closed =
        soon(state.wait_for(|state| matches!(state, SessionState::Closed(_)))).await.expect("told").clone();
    assert!(matches!(closed, SessionState::Closed(error) if error.kind == ErrorKind::Closed));
    // Nothing is due any more, though a handle is held. On a thread of its own, which a clock that
    // finds no end does not leave.
    let (done, passed) = oneshot::channel();
    std::thread::spawn(move || {
        clock.advance(Duration::from_mins(1));
        let _ = done.send(());
    });
    soon(passed).await.expect("time goes on");
    assert!(matches!(session.state(), SessionState::Closed(_)));
}
