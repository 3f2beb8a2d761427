//! Answering `tasks/result` (2025-11-25): it waits for the end of a task, and carries what the
//! task asks meanwhile.
//!
//! Owns: which of the clients that wait is asked, and what becomes of its answer. Must not know:
//! how a task changes, or where it is kept.

use std::future::pending;
use std::sync::Arc;
use std::time::Duration;

use futures_util::StreamExt as _;
use futures_util::stream::FuturesUnordered;

use mcpbolt_proto::jsonrpc::RawJson;
use mcpbolt_proto::protocol::Error;
use mcpbolt_proto::protocol::types::InputRequest;
use mcpbolt_proto::tasks::experimental;

use crate::handler::Call;
use crate::handler::timer::within;

use super::desk::Desk;
use super::running::Running;

/// How often a task is looked at whose work another process does.
const LOOK: Duration = Duration::from_secs(1);

/// What came of a task, once it is over.
///
/// # Errors
/// What the task failed with, -32602 for one that this client does not have; `Store`.
pub(super) async fn payload(
    desk: &Desk,
    call: &Arc<Call>,
    id: &str,
    owner: Option<&str>,
) -> Result<RawJson, Error> {
    let mut asked = FuturesUnordered::new();
    loop {
        let running = desk.find(id);
        // Before the task is read, so that no change is missed.
        let changed = running.as_ref().map(|running| running.changed.notified());
        let task = desk.get(id, owner).await?;
        if let Some(outcome) = experimental::payload(&task, call.revision()) {
            return outcome;
        }
        for (key, request) in task.requests() {
            if let Some(question) = running.as_ref().and_then(|running| Question::claim(running, key)) {
                asked.push(ask(Arc::clone(call), question, request.clone()));
            }
        }
        let changed = async {
            match changed {
                Some(changed) => changed.await,
                None => drop(within(LOOK, pending::<()>()).await),
            }
        };
        tokio::select! {
            () = changed => {}
            Some(()) = asked.next() => {}
        }
    }
}

/// Asks the client that waits, unless the question is over before it answers.
async fn ask(call: Arc<Call>, question: Question, request: InputRequest) {
    let params = experimental::related(request.params.as_ref(), &question.running.id);
    let mut asking = call.ask(&request.method, Some(params), None);
    loop {
        let changed = question.running.changed.notified();
        if !question.running.asks(&question.key) {
            return;
        }
        tokio::select! {
            outcome = &mut asking => return question.settle(&request.method, outcome).await,
            () = changed => {}
        }
    }
}

/// A question that one client is asked. If it goes without an answer, another one can be asked.
struct Question {
    running: Arc<Running>,
    key: String,
}

impl Question {
    /// `None` if it is not open, or another client is being asked.
    fn claim(running: &Arc<Running>, key: &str) -> Option<Self> {
        running.claim(key).then(|| Self { running: Arc::clone(running), key: key.to_owned() })
    }

    async fn settle(self, method: &str, outcome: Result<RawJson, Error>) {
        match outcome {
            Ok(answer) => self.running.replied(&self.key, method, answer).await,
            Err(error) => self.running.refused(&self.key, error).await,
        }
    }
}

impl Drop for Question {
    fn drop(&mut self) {
        self.running.release(&self.key);
    }
}
