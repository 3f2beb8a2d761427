//! What one request of the host can be told.
//!
//! Owns: names and defaults of a request's options. Must not know: who is asked.

use std::time::Duration;

use serde::Deserialize;

use mcpbolt_proto::jsonrpc::RawJson;
use mcpbolt_proto::protocol::Error;
use mcpbolt_proto::protocol::types::LoggingLevel;
use mcpbolt_proto::session::client::{RequestOptions, Resumption};

use super::client::{InputText, TaskText};
use super::json::{read, seconds};

/// How one request of the host's is made.
#[derive(Debug, Clone, Default)]
#[allow(clippy::struct_excessive_bools, reason = "switches of a request, each by itself")]
pub struct RequestPlan {
    /// Timeouts, progress, log level, whether it may be repeated.
    pub request: RequestOptions,
    /// Asks the server even if a kept result is still good.
    pub fresh: bool,
    /// Whether `input_required` is handed over as it is; the client's choice if absent.
    pub raw_input: Option<bool>,
    /// Whether a task is waited for, so that the answer is what came of it. For `tools/call`;
    /// the client's choice if absent. For `tasks/get` it is not unless this says so.
    pub waits: Option<bool>,
    /// The server's request that the host serves when it makes this one.
    pub inside: Option<u64>,
    /// Whether the host hears under which JSON-RPC id it is sent, as items `sent`. On a client's
    /// connection.
    pub told: bool,
    /// A subscription that is kept: see [`RequestPlan::parse`].
    pub renews: bool,
    /// A notification to a server: its `Response` says that the server took it.
    pub notification: bool,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
#[allow(clippy::struct_excessive_bools, reason = "switches of an options object")]
struct PlanText {
    #[serde(default, deserialize_with = "seconds")]
    timeout: Option<Duration>,
    #[serde(default, deserialize_with = "seconds")]
    max: Option<Duration>,
    #[serde(default)]
    reset_on_progress: Option<bool>,
    #[serde(default)]
    progress: bool,
    #[serde(default)]
    log_level: Option<LoggingLevel>,
    #[serde(default)]
    repeatable: Option<bool>,
    #[serde(default)]
    fresh: bool,
    #[serde(default)]
    input: Option<InputText>,
    #[serde(default)]
    task: Option<TaskText>,
    #[serde(default)]
    inside: Option<u64>,
    #[serde(default)]
    notification: bool,
    #[serde(default)]
    headers: Vec<(String, String)>,
    #[serde(default)]
    resume_after: Option<String>,
    #[serde(default)]
    event_ids: bool,
    #[serde(default)]
    sent: bool,
    #[serde(default)]
    renew: bool,
}

impl RequestPlan {
    /// A plan with this much patience, whatever progress says.
    pub fn within(timeout: Option<Duration>) -> Self {
        let request = RequestOptions { timeout, max: timeout, ..RequestOptions::default() };
        Self { request, ..Self::default() }
    }

    /// Reads `{"timeout": 5, "max": 60, "reset_on_progress": true, "progress": true,
    /// "log_level": "info", "repeatable": false, "fresh": true, "input": "raw", "task": "wait",
    /// "inside": 7, "headers": [["x-trace", "one"]]}`, where 7 is a request of a server that the
    /// host serves (a model that calls tools; `max_nested_sampling` counts these), and the
    /// headers go with the request over HTTP; those of the protocol stay as they are. Over HTTP, with
    /// `"resume_after": "e-7"` it is not sent: the stream of an earlier request is opened again after
    /// that event, and the answer there is its answer; `"event_ids": true` reports after which events
    /// its own stream can be resumed, as items `event_id`. With `"sent": true` items `sent` say under which
    /// JSON-RPC id it goes to the server, each round of questions under another one. With `"task": "wait"` a `tools/call` that
    /// becomes a task, or a `tasks/get`, is answered when the task is over, with what came of it;
    /// what the task asks comes as `Request` items; with `"raw"` the answer is the task. A
    /// `subscriptions/listen` with `"renew": true` that the server has agreed to is asked for again
    /// whenever it ends, under the same number; what it agrees to then counts as changed, and is told
    /// as notifications on it. Its `Response` says that it is over: the server will not have it. Times are seconds, `null` means no limit; an absent member is as the client's options say. `reset_on_progress: false` makes
    /// the timeout, the client's where there is no `timeout`, the longest time in all. With `notification: true` it is one, on a client's
    /// connection: the `Response` is null once the server took it, or once it was sent where the
    /// transport cannot tell, and the other options mean nothing.
    ///
    /// # Errors
    /// `Usage`, naming the option that is unknown or has a wrong value.
    pub fn parse(json: &RawJson) -> Result<Self, Error> {
        let text: PlanText = read("request options", json)?;
        let resumes = text.resume_after.is_some();
        let request = RequestOptions {
            timeout: text.timeout,
            max: text.max,
            fixed: text.reset_on_progress == Some(false),
            progress: text.progress,
            log_level: text.log_level,
            // What was asked before is not asked anew.
            repeatable: if resumes { Some(false) } else { text.repeatable },
            headers: text.headers,
            resumption: Resumption { after: text.resume_after, told: text.event_ids },
            ..RequestOptions::default()
        };
        let raw_input = text.input.map(|input| input == InputText::Raw);
        let waits = text.task.map(|task| task == TaskText::Wait);
        let (fresh, inside, notification) = (text.fresh || resumes, text.inside, text.notification);
        let (told, renews) = (text.sent, text.renew);
        Ok(Self { request, fresh, raw_input, waits, inside, told, renews, notification })
    }
}
