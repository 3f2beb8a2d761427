//! A request whose server made a task of it, or that asks for one, until the task is over.
//!
//! Owns: asking for the task and telling it answers, and the end of the caller's patience. Must not
//! know: what comes next for a task (`tasks::TaskStep` does), or how its questions reach the host.

use std::collections::HashSet;
use std::future::pending;
use std::sync::{Arc, Weak};
use std::time::Duration;

use mcpbolt_proto::jsonrpc::{RawJson, RawObject};
use mcpbolt_proto::protocol::{Error, methods};
use mcpbolt_proto::session::Time;
use mcpbolt_proto::session::client::RequestOptions;
use mcpbolt_proto::tasks::{TaskState, TaskStep, about_task, answering};

use crate::bridge::options::request::RequestPlan;
use crate::handler::timer::{Appointment, Due, within};

use super::pending_request::{Followed, PendingRequest};
use super::session::HostSession;

/// The end of the caller's patience with a task.
struct Patience {
    session: Weak<HostSession>,
    id: u64,
}

impl Due for Patience {
    fn due(self: Arc<Self>) {
        let session = self.session.upgrade();
        let Some((session, connection)) =
            session.and_then(|s| Some((s.clone(), s.connection().ok()?.clone())))
        else {
            return;
        };
        // Not on the thread that all deadlines share.
        connection.spawner().spawn(async move { session.run_out(self.id) });
    }
}

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
        let now = self.now();
        let mut state = self.state.lock();
        let request = state.pending.get_mut(&id)?;
        if request.task.is_none() {
            let (name, patience) = (task.task_id.clone(), self.patience(id, request, now));
            request.task =
                Some(Followed { id: name, answered: HashSet::new(), updating: false, _patience: patience });
        }
        request.task.as_ref().map(|followed| task.next(&followed.answered))
    }

    /// When the caller's patience with all rounds together ends, if it said how long that is.
    fn patience(&self, id: u64, request: &PendingRequest, now: Time) -> Option<(Appointment, Arc<dyn Due>)> {
        let left = limit(&request.plan.request)?.saturating_sub(now.saturating_sub(request.started));
        let due: Arc<dyn Due> = Arc::new(Patience { session: self.me.clone(), id });
        Some((Appointment::new(Time::ZERO, left, Arc::downgrade(&due)), due))
    }

    /// The caller's patience is over before the task is, which goes on as where its caller gives up.
    fn run_out(&self, id: u64) {
        let wire = {
            let mut state = self.state.lock();
            let Some(request) = state.pending.get_mut(&id).filter(|request| request.task.is_some()) else {
                return;
            };
            let wire = request.on_wire.take();
            wire.and_then(|wire| state.numbers.remove(&wire));
            wire
        };
        self.finish(id, Err(Error::timeout()));
        if let (Some(wire), Ok(connection)) = (wire, self.connection()) {
            connection.cancel(wire, None);
        }
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
            let headers = request.headers();
            let (timeout, max, fixed) = (plan.timeout, plan.max, plan.fixed);
            (method, params, RequestOptions { timeout, max, fixed, headers, ..RequestOptions::default() })
        };
        self.send_round(id, method, Some(params), options);
    }
}

/// How long all rounds of a request may take together, if its caller said so: until a timeout that progress
/// does not put off, or a longest time that is more than what one answer may take.
fn limit(request: &RequestOptions) -> Option<Time> {
    let fixed = request.timeout.filter(|_| request.fixed);
    let max = request.max.filter(|max| request.timeout.is_none_or(|timeout| timeout < *max));
    fixed.or(max).filter(|limit| *limit < Time::MAX)
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
