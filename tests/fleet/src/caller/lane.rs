//! Calls one after the other, as a plain HTTP client makes them: nothing is repeated.
//!
//! Owns: a session or none, the bytes of a call, reading its answer. Must not know: which node
//! answers, how often it is called.

use std::time::{Duration, Instant};

use reqwest::{Client, RequestBuilder, Response, StatusCode};
use serde_json::{Value, json};

use crate::Failure;
use crate::seen::{End, Failed, now};

const LEGACY: &str = "2025-11-25";
const MODERN: &str = "2026-07-28";
/// Statuses of balancers whose node went, and of nodes that miss their store.
const AWAY: [StatusCode; 3] =
    [StatusCode::BAD_GATEWAY, StatusCode::SERVICE_UNAVAILABLE, StatusCode::GATEWAY_TIMEOUT];

/// Which revision a lane speaks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Era {
    /// 2025-11-25, in a session.
    Legacy,
    /// 2026-07-28.
    Modern,
}

/// Calls one after the other.
pub(crate) struct Lane {
    client: Client,
    url: String,
    /// Of a session; none by 2026-07-28.
    session: Option<String>,
    patience: Duration,
}

impl Lane {
    /// Begins a session where there are sessions.
    pub(crate) async fn open(
        client: Client,
        port: u16,
        era: Era,
        patience: Duration,
    ) -> Result<Self, Failure> {
        let mut lane = Self { client, url: format!("http://127.0.0.1:{port}/mcp"), session: None, patience };
        if era == Era::Legacy {
            lane.session = Some(lane.begin().await?);
        }
        Ok(lane)
    }

    async fn begin(&self) -> Result<String, Failure> {
        let params = json!({
            "protocolVersion": LEGACY, "capabilities": {}, "clientInfo": {"name": "fleet", "version": "1"},
        });
        let hello = json!({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": params});
        let end = Instant::now() + self.patience;
        // The fleet may miss a node, or its store.
        let answer = loop {
            match self.post(&hello).send().await {
                Ok(answer) if answer.status().is_success() => break answer,
                other if Instant::now() > end => return Err(format!("no session: {other:?}").into()),
                _ => tokio::time::sleep(Duration::from_millis(100)).await,
            }
        };
        let session = answer.headers().get("mcp-session-id").ok_or("a session has no id")?;
        let session = session.to_str()?.to_owned();
        answer.bytes().await?;
        let ready = json!({"jsonrpc": "2.0", "method": "notifications/initialized"});
        let ready = self.post(&ready).header("mcp-session-id", &session);
        ready.send().await?.error_for_status()?;
        Ok(session)
    }

    fn post(&self, message: &Value) -> RequestBuilder {
        let post = self.client.post(&self.url).timeout(self.patience);
        let post = post.header("accept", "application/json, text/event-stream");
        post.header("content-type", "application/json").body(message.to_string())
    }

    fn message(&self, number: u64) -> RequestBuilder {
        let mut params = json!({"name": "echo", "arguments": {"text": number.to_string()}});
        if self.session.is_none() {
            params["_meta"] = json!({
                "io.modelcontextprotocol/protocolVersion": MODERN,
                "io.modelcontextprotocol/clientCapabilities": {},
                "io.modelcontextprotocol/clientInfo": {"name": "fleet", "version": "1"},
            });
        }
        let call = json!({"jsonrpc": "2.0", "id": number, "method": "tools/call", "params": params});
        let post = self.post(&call);
        match &self.session {
            Some(session) => post.header("mcp-protocol-version", LEGACY).header("mcp-session-id", session),
            None => post
                .header("mcp-protocol-version", MODERN)
                .header("mcp-method", "tools/call")
                .header("mcp-name", "echo"),
        }
    }

    /// Calls with a number, once.
    pub(crate) async fn call(&mut self, number: u64) -> End {
        let from = now();
        let failed = |what: String| End::Failed(Failed { number, what, from, to: now() });
        let answer = match self.message(number).send().await {
            Ok(answer) => answer,
            Err(error) if error.is_timeout() => return End::Wrong(format!("{number} has no answer")),
            Err(_) => return failed("cut off".to_owned()),
        };
        let status = answer.status();
        if AWAY.contains(&status) {
            return failed(format!("status {}", status.as_u16()));
        }
        match read(answer).await {
            Ok(_) if !status.is_success() => End::Wrong(format!("{number} has status {status}")),
            Ok(answer) => judged(number, &answer).unwrap_or_else(failed),
            Err(error) if error.is_timeout() => End::Wrong(format!("{number} has half an answer")),
            Err(_) => failed("cut off in the answer".to_owned()),
        }
    }
}

/// The message of an answer, which is a stream of events where the node took its time.
async fn read(answer: Response) -> Result<Value, reqwest::Error> {
    let kind = answer.headers().get("content-type").and_then(|kind| kind.to_str().ok());
    let streams = kind.is_some_and(|kind| kind.starts_with("text/event-stream"));
    let text = answer.text().await?;
    let message =
        if streams { text.lines().rev().find_map(|line| line.strip_prefix("data: ")) } else { Some(&*text) };
    Ok(message.and_then(|message| serde_json::from_str(message).ok()).unwrap_or(Value::String(text)))
}

/// Whether it is the answer to this call; what failed, if it is an error.
fn judged(number: u64, answer: &Value) -> Result<End, String> {
    if let Some(error) = answer.get("error") {
        return Err(format!("error {}", error["code"]));
    }
    let said = answer["result"]["content"][0]["text"].as_str().unwrap_or_default();
    let own = said.split_once(':').is_some_and(|(_, text)| text == number.to_string());
    if own && answer["id"] == number {
        return Ok(End::Right);
    }
    Ok(End::Wrong(format!("{number} is answered {answer}")))
}
