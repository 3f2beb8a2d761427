//! A request whose server made a task of it, or that asks for one, until the task is over.
//!
//! Owns: asking for the task and telling it answers. Must not know: what comes next for a task
//! (`tasks::TaskStep` does), or how its questions reach the host.

use std::collections::HashSet;
use std::future::pending;
use std::time::Duration;

use mcpbolt_proto::jsonrpc::{RawJson, RawObject};
use mcpbolt_proto::protocol::methods;
use mcpbolt_proto::session::client::RequestOptions;
use mcpbolt_proto::tasks::{TaskState, TaskStep, about_task, answering};

use crate::bridge::options::request::RequestPlan;
use crate::handler::timer::within;

use super::pending_request::Followed;
use super::session::HostSession;

impl HostSession {
    /// Whether the host wants what came of the task that a request may become.
    pub(super) fn waits_for_task(&self, method: &str, plan: &RequestPlan) -> bool {
        match method {
            methods::TOOLS_CALL => plan.waits.unwrap_or(self.options.waits),
            methods::TASKS_GET => plan.waits.unwrap_or(false),
            _ => false,
        }
    }

    /// A round about the task is over.
    pub(super) fn go_on(&self, id: u64, said: &RawJson) {
        let told = {
            let mut state = self.state.lock();
            let Some(request) = state.pending.get_mut(&id) else { return };
            request.task.as_mut().is_some_and(|task| std::mem::take(&mut task.updating))
        };
        if told {
            return self.ask_for_task(id);
        }
        let task = match TaskState::read(said) {
            Ok(task) => task,
            Err(error) => return self.finish(id, Err(error)),
        };
        match self.next_step(id, &task) {
            None => {}
            Some(TaskStep::Over(outcome)) => self.finish(id, outcome.map(completed)),
            Some(TaskStep::Ask(questions)) => self.questions(id, questions, None),
            Some(TaskStep::Wait(time)) => self.ask_for_task_after(id, time),
        }
    }

    fn next_step(&self, id: u64, task: &TaskState) -> Option<TaskStep> {
        let mut state = self.state.lock();
        let request = state.pending.get_mut(&id)?;
        let new = || Followed { id: task.task_id.clone(), answered: HashSet::new(), updating: false };
        Some(task.next(&request.task.get_or_insert_with(new).answered))
    }

    fn ask_for_task_after(&self, id: u64, time: Duration) {
        let (me, Ok(connection)) = (self.me.clone(), self.connection()) else { return };
        connection.spawner().spawn(async move {
            within(time, pending::<()>()).await;
            if let Some(me) = me.upgrade() {
                me.ask_for_task(id);
            }
        });
    }

    fn ask_for_task(&self, id: u64) {
        self.about_task(id, |task| (methods::TASKS_GET, about_task(&task.id)));
    }

    /// Hands the host's answers to the task.
    pub(super) fn answer_task(&self, id: u64, answers: Vec<(String, RawJson)>) {
        self.about_task(id, |task| {
            task.answered.extend(answers.iter().map(|(key, _)| key.clone()));
            task.updating = true;
            (methods::TASKS_UPDATE, answering(&task.id, &answers.into_iter().collect()))
        });
    }

    /// Sends the next round, which is about the task. The host may have given up meanwhile.
    fn about_task(&self, id: u64, round: impl FnOnce(&mut Followed) -> (&'static str, RawJson)) {
        let (method, params, options) = {
            let mut state = self.state.lock();
            let Some(request) = state.pending.get_mut(&id) else { return };
            let Some(task) = &mut request.task else { return };
            let (method, params) = round(task);
            let plan = &request.plan.request;
            let headers = plan.headers.iter().take(request.own_headers).cloned().collect();
            let (timeout, max, fixed) = (plan.timeout, plan.max, plan.fixed);
            (method, params, RequestOptions { timeout, max, fixed, headers, ..RequestOptions::default() })
        };
        self.send_round(id, method, Some(params), options);
    }
}

/// What came of a task, as the answer to its call: what a task holds need not say that it is whole.
fn completed(result: RawJson) -> RawJson {
    match RawObject::parse(&result) {
        Some(mut members) if !members.contains("resultType") => {
            // A text has a JSON form.
            let _ = members.put("resultType", "complete");
            members.to_raw()
        }
        _ => result,
    }
}
