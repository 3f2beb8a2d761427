//! One exchange from request to final result: the server's questions are answered by
//! the program's handlers, and the request is sent again.
//!
//! Owns: the rounds of one call, their bound, and what is sent again. Must not know: how a
//! question is answered.

use std::sync::Arc;
use std::time::Duration;

use futures_util::future::try_join_all;

use mcpbolt_proto::jsonrpc::{RawJson, RawObject};
use mcpbolt_proto::protocol::meta::Meta;
use mcpbolt_proto::protocol::wire::{self, Question};
use mcpbolt_proto::protocol::{Error, ErrorKind};
use mcpbolt_proto::session::client::Answered;

use crate::handler::BoxFuture;
use crate::observe::CallSpan;

use super::call_options::CallOptions;
use super::extension_result::{ExtensionResult, Requests};
use super::notification::ServerNotification;
use super::session::ClientSession;

/// First wait before a request is repeated that the server only put off; it doubles.
const FIRST_BACKOFF: Duration = Duration::from_millis(100);

/// Params with these members set in their `_meta`.
fn with_meta(params: Option<RawJson>, meta: &Meta) -> Result<Option<RawJson>, Error> {
    if meta.0.is_empty() {
        return Ok(params);
    }
    let wrong = || Error::usage(format!("params, and params._meta, must be {}", RawObject::WANTED));
    let mut members =
        params.as_ref().map_or_else(|| Some(RawObject::new()), RawObject::parse).ok_or_else(wrong)?;
    let mut all =
        members.get("_meta").map_or_else(|| Some(RawObject::new()), RawObject::parse).ok_or_else(wrong)?;
    for (key, value) in meta.0.iter() {
        all.set(key, value.clone());
    }
    members.set("_meta", all.to_raw());
    Ok(Some(members.to_raw()))
}

impl ClientSession {
    /// Sends a request until its result is complete.
    pub(super) async fn exchange(
        &self,
        method: &str,
        params: Option<RawJson>,
        options: CallOptions,
    ) -> Result<RawJson, Error> {
        self.exchange_rounds(method, params, options).await.map(|(result, _)| result)
    }

    /// As above; also says how many rounds of questions it took.
    pub(super) async fn exchange_rounds(
        &self,
        method: &str,
        first: Option<RawJson>,
        options: CallOptions,
    ) -> Result<(RawJson, usize), Error> {
        let connection = self.shared.connection()?;
        let (row, revision) =
            (|| connection.row(method), || connection.agreed().map(|agreed| agreed.revision));
        let span = CallSpan::client(row, first.as_ref(), &options.meta, revision);
        let mut meta = span.inject(&options.meta);
        options.meta.0.iter().for_each(|(key, value)| meta.0.set(key, value.clone()));
        let hooks = &self.shared.settings.extensions;
        let first = hooks.request(method, with_meta(first, &meta)?)?;
        let open = self.shared.asking.nesting.call();
        let outcome = self.rounds(method, first.clone(), options, &span).await;
        drop(open);
        let checks = &self.shared.settings.checks;
        let outcome = outcome.and_then(|(result, rounds)| {
            checks.check(method, first.as_ref(), &result)?;
            hooks.result(method, &result).map(|()| (result, rounds))
        });
        if let Ok((result, _)) = &outcome {
            span.answered(result);
        }
        span.finish(outcome.as_ref().err());
        if let Err(error) = &outcome {
            self.expect_pages(error);
        }
        outcome
    }

    async fn rounds(
        &self,
        method: &str,
        first: Option<RawJson>,
        options: CallOptions,
        span: &CallSpan,
    ) -> Result<(RawJson, usize), Error> {
        let connection = self.shared.connection()?;
        let mut params = first.clone();
        let mut put_off = 0;
        for round in 0..=self.shared.settings.max_rounds {
            let request =
                connection.request(method, params.take(), options.request.clone(), options.hooks())?;
            span.sent_as(request.request());
            let (requests, state) = match request.await? {
                Answered::Complete(result) => return Ok((result, round)),
                Answered::Extension { value, .. } if options.unresolved => return Ok((value, round)),
                Answered::Extension { result_type, value } => {
                    return self.resolved(method, result_type, value).await.map(|result| (result, round));
                }
                Answered::InputRequired { requests, state } => (requests, state),
            };
            if requests.is_empty() {
                self.pause(FIRST_BACKOFF * (1 << put_off)).await;
                put_off += 1;
            }
            // No exchange is open meanwhile: only the session can say that it is over.
            let answers = tokio::select! {
                answers = self.answer_all(requests) => answers?,
                error = self.shared.closed() => return Err(error),
            };
            params = Some(wire::encode_retry(first.as_ref(), &answers, state.as_deref()));
        }
        let rounds = self.shared.settings.max_rounds;
        Err(Error::protocol(format!("the server still had questions after {rounds} rounds")))
    }

    /// What a result of an extension's comes to.
    async fn resolved(&self, method: &str, result_type: String, value: RawJson) -> Result<RawJson, Error> {
        let Some(resolve) = self.shared.settings.extensions.resolvers.get(&result_type) else {
            return Ok(value);
        };
        let result = ExtensionResult { method: method.to_owned(), result_type, value };
        resolve(Arc::new(self.clone()), result).await
    }

    /// All answers, or the first failure: then nothing is sent, and nothing waits.
    async fn answer_all(&self, requests: Vec<Question>) -> Result<Vec<(String, RawJson)>, Error> {
        let capabilities = self.shared.handlers.capabilities();
        let answers = requests.into_iter().map(|(key, method, params)| {
            let declared = capabilities.missing_for(&method, params.as_ref()).is_none();
            async move {
                if !declared {
                    return Err(Error::protocol("the server asked for what this client did not declare"));
                }
                let now = self.shared.connection()?.now();
                let caps = &self.shared.settings.checks.caps;
                let asking = &self.shared.asking;
                let answer = self.shared.handlers.answer(asking, caps, now, &method, params).await;
                answer.map(|answer| (key, answer)).map_err(|error| match error.kind {
                    ErrorKind::MethodNotFound => {
                        Error::protocol("the server asked a question of an unknown kind")
                    }
                    _ => error,
                })
            }
        });
        try_join_all(answers).await
    }

    /// Pages that must be visited first; one may be done by now.
    fn expect_pages(&self, error: &Error) {
        for elicitation_id in error.url_elicitations().into_iter().filter_map(|page| page.elicitation_id) {
            if self.shared.asking.pages.open(&elicitation_id) {
                self.shared.feeds.publish(&ServerNotification::PageCompleted { elicitation_id });
            }
        }
    }

    /// Waits on the connection's runtime, so that any executor can drive the call.
    pub(super) async fn pause(&self, time: Duration) {
        let Ok(connection) = self.shared.connection() else { return };
        let (mut done, over) = tokio::sync::oneshot::channel::<()>();
        connection.spawner().spawn(async move {
            // The caller may not be waiting any more.
            tokio::select! {
                () = tokio::time::sleep(time) => {}
                () = done.closed() => return,
            }
            let _ = done.send(());
        });
        let _ = over.await;
    }
}

impl Requests for ClientSession {
    fn request(&self, method: String, params: Option<RawJson>) -> BoxFuture<'static, Result<RawJson, Error>> {
        let session = self.clone();
        Box::pin(async move { session.exchange(&method, params, CallOptions::new()).await })
    }

    fn answer(&self, questions: Vec<Question>) -> BoxFuture<'static, Result<Vec<(String, RawJson)>, Error>> {
        let session = self.clone();
        Box::pin(async move { session.answer_all(questions).await })
    }

    fn pause(&self, time: Duration) -> BoxFuture<'static, ()> {
        let session = self.clone();
        Box::pin(async move {
            tokio::select! {
                () = ClientSession::pause(&session, time) => {}
                _ = session.shared.closed() => {}
            }
        })
    }
}
