//! What the server says of its own accord: questions, notifications, its end.
//!
//! Owns: to whom each of them goes. Must not know: how a question reaches a person.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use mcpbolt::handler::{AskPlan, Link};
use mcpbolt::protocol::Era;
use mcpbolt::session::client::ClientRequest;
use mcpbolt::session::negotiate::Agreed;
use mcpbolt::session::{CancelReason, ExchangeId, OutgoingId, Problem};
use mcpbolt::transport::client_connection::{ClientConnection, ClientHost};
use mcpbolt::types::LoggingMessageParams;
use mcpbolt::{Error, RawJson, methods};
use tokio::sync::oneshot;

use super::outbox::Hearer;
use super::upstream::{End, Stage, Upstream, lock};

impl ClientHost for Upstream {
    fn ready(&self, _: &Arc<Agreed>) {
        self.stage.send_if_modified(|stage| {
            let open = !matches!(stage, Stage::Closed(_));
            if open {
                *stage = Stage::Ready;
            }
            open
        });
    }

    fn request(&self, connection: &Arc<ClientConnection>, request: ClientRequest) {
        let Some(this) = self.me.upgrade() else { return };
        let (exchange, connection) = (request.exchange, Arc::clone(connection));
        // Held until the task is in the table, which it leaves at its end.
        let mut asked = lock(&self.asked);
        let task = self.runtime.spawn(async move {
            let answer = this.answer_to(request).await;
            lock(&this.asked).remove(&exchange);
            connection.answer(exchange, answer);
        });
        asked.insert(exchange, task.abort_handle());
    }

    fn cancelled(&self, exchange: ExchangeId, _: &CancelReason) {
        if let Some(task) = lock(&self.asked).remove(&exchange) {
            task.abort();
        }
    }

    fn notification(&self, method: &str, params: Option<&RawJson>, subscription: Option<OutgoingId>) {
        if subscription.is_some() {
            // Who listened has left meanwhile.
            return;
        }
        for listener in lock(&self.listeners).values() {
            listener(method, params);
        }
        if is_of_the_connection(method) {
            if let Some(client) = &self.client {
                self.outbox.tell(Hearer::Client(Arc::clone(client)), method, params.cloned());
            }
            return;
        }
        match self.hearer(method) {
            Some(Hearer::Call(call))
                if method == methods::MESSAGE && call.revision().era() == Era::Modern =>
            {
                // Only clients who ask for log messages get them.
                if let Some(message) = params.and_then(|params| params.decode::<LoggingMessageParams>().ok())
                {
                    let _ = call.log(message.level, message.logger.as_deref(), message.data);
                }
            }
            Some(hearer) => self.outbox.tell(hearer, method, params.cloned()),
            // It may belong to any of several clients, so that none is told.
            None => (self.tell)(&format!(
                "{method} of the server's was not passed on: whose it is cannot be told"
            )),
        }
    }

    fn problem(&self, problem: &Problem) {
        (self.tell)(&problem.message);
    }

    fn closed(&self, error: &Error) {
        let by_us = self.closing.load(Ordering::Acquire);
        self.stage.send_replace(Stage::Closed(End { why: error.clone(), by_us }));
        for (_, task) in lock(&self.asked).drain() {
            task.abort();
        }
    }
}

/// Whether a notification says something of the server rather than of a call.
fn is_of_the_connection(method: &str) -> bool {
    const ALL: [&str; 5] = [
        methods::TOOLS_LIST_CHANGED,
        methods::PROMPTS_LIST_CHANGED,
        methods::RESOURCES_LIST_CHANGED,
        methods::RESOURCES_UPDATED,
        methods::ELICITATION_COMPLETE,
    ];
    ALL.contains(&method)
}

impl Upstream {
    /// Who hears a notification. Of several clients' calls, a log message concerns the only one that
    /// asked for any.
    fn hearer(&self, method: &str) -> Option<Hearer> {
        if method == methods::MESSAGE && self.client.is_none() {
            let wanting = self.calls_that(|call| call.meta().log_level.is_some());
            return <[_; 1]>::try_from(wanting).ok().map(|[call]| Hearer::Call(call));
        }
        self.concerned(None)
    }

    /// Has the client answer what the server asks.
    async fn answer_to(&self, request: ClientRequest) -> Result<RawJson, Error> {
        match self.concerned(request.related) {
            Some(Hearer::Call(call)) => {
                let answer = call.ask(&request.method, request.params, None);
                call.flush_questions();
                answer.await
            }
            Some(Hearer::Client(link)) => {
                // The handshake with the server is over before the client hears of it. One that never
                // finishes its own keeps only this question waiting, until that is withdrawn.
                let _ = self.greeted.subscribe().wait_for(|greeted| *greeted).await;
                ask(&link, &request.method, request.params.as_ref()).await
            }
            None => Err(Error::invalid_request(
                "several clients share this connection, and it is not known whose call this is about",
            )),
        }
    }
}

/// A question that is withdrawn when nobody waits for the answer any more.
struct Open(Arc<dyn Link>, Option<OutgoingId>);

impl Drop for Open {
    fn drop(&mut self) {
        if let Some(request) = self.1 {
            self.0.give_up(request);
        }
    }
}

/// Asks a client something that belongs to no call.
async fn ask(link: &Arc<dyn Link>, method: &str, params: Option<&RawJson>) -> Result<RawJson, Error> {
    let (tell, told) = oneshot::channel();
    let reply = Box::new(move |answer| drop(tell.send(answer)));
    let request = link.ask(None, method, params, AskPlan::default(), reply)?;
    let mut open = Open(Arc::clone(link), Some(request));
    let answer = told.await.unwrap_or_else(|_| Err(Error::closed()));
    open.1 = None;
    answer
}
