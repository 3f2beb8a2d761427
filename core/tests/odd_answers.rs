//! Answers that a client cannot read, or that name their call in another way: the call
//! they belong to ends, and no other.
#![cfg(unix)]

use std::sync::mpsc;
use std::time::Duration;

use mcpbolt::client::{Client, ClientSession, Command, ProtocolPolicy};
use mcpbolt::protocol::{Error, ErrorKind};
use serde_json::json;

const BOUND: Duration = Duration::from_mins(1);

/// A legacy server that takes two calls, ids 3 and 4, and answers them as `$answer` says.
const SERVER: &str = r#"
hello='{"protocolVersion":"2025-06-18","capabilities":{"tools":{}},"serverInfo":{"name":"sh","version":"1"}}'
good='{"content":[{"type":"text","text":"good"}]}'
many() { head -c "$1" /dev/zero | tr '\0' "$2"; }
read a; printf '{"jsonrpc":"2.0","id":1,"error":{"code":-32601,"message":"unknown"}}\n'
read b; printf '{"jsonrpc":"2.0","id":2,"result":%s}\n' "$hello"
read c; read d; read e
case "$1" in
  deep) printf '{"jsonrpc":"2.0","id":4,"result":{"content":'; many 100000 '['; many 100000 ']'; printf '}}\n' ;;
  long) printf '{"jsonrpc":"2.0","id":4,"result":{"text":"'; many 104857600 x; printf '"}}\n' ;;
  last) printf '{"jsonrpc":"2.0","result":{"text":"'; many 104857600 x; printf '"},"id":4}\n' ;;
  text) printf '{"jsonrpc":"2.0","id":"4","result":%s}\n' "$good" ;;
esac
printf '{"jsonrpc":"2.0","id":3,"result":%s}\n' "$good"
read f
"#;

async fn soon<T>(future: impl Future<Output = T>) -> T {
    tokio::time::timeout(BOUND, future).await.expect("no end in time")
}

/// What comes of the first call, which is answered well, and of the second.
async fn outcomes(kind: &str) -> (Result<(), Error>, Result<(), Error>, Vec<String>) {
    let (tell, told) = mpsc::channel();
    let client = Client::builder("client", "1")
        .protocol(ProtocolPolicy::Auto)
        .request_timeout(BOUND * 2)
        .on_error(move |problem| drop(tell.send(problem.message.clone())))
        .build();
    let command = Command::new("sh").args(["-c", SERVER, "sh", kind]);
    let session: ClientSession = soon(client.connect(command)).await.expect("connects");
    let first = session.call_tool("first", json!({}));
    let second = session.call_tool("second", json!({}));
    let (first, second) = soon(Box::pin(async { tokio::join!(first, second) })).await;
    soon(session.close()).await;
    (first.map(drop), second.map(drop), told.try_iter().collect())
}

#[tokio::test]
async fn an_answer_that_is_too_deep_or_too_long_fails_its_call_and_no_other() {
    for kind in ["deep", "long", "last"] {
        let (first, second, _) = Box::pin(outcomes(kind)).await;
        first.expect("the other call");
        let error = second.expect_err(kind);
        assert_eq!(error.kind, ErrorKind::Protocol, "{kind}");
        assert!(error.message.starts_with("the answer is malformed: "), "{}", error.message);
    }
}

#[tokio::test]
async fn an_id_that_comes_back_as_a_string_is_understood_and_noted() {
    let (first, second, told) = Box::pin(outcomes("text")).await;
    first.expect("the id as it was sent");
    second.expect("the id as a string");
    assert_eq!(told.len(), 1, "{told:?}");
    assert!(told[0].contains("its id as a string"), "{told:?}");
}
