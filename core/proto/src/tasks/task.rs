//! One task: its state, and the steps that change it.
//!
//! Owns: the record that is stored, and which steps are possible. Must not know: the wire, the
//! store, who runs the work.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::jsonrpc::{ErrorObject, RawJson, RawObject};
use crate::protocol::types::{InputRequest, InputRequests};
use crate::protocol::{Error, ErrorKind};

/// Where a task stands.
///
/// ```
/// use mcpbolt_proto::tasks::Status;
/// assert!(Status::Failed.is_final() && !Status::InputRequired.is_final());
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Status {
    /// The work goes on.
    Working,
    /// The work waits for answers of the client.
    InputRequired,
    /// There is a result. A tool that failed has one too.
    Completed,
    /// The request failed with a JSON-RPC error.
    Failed,
    /// It was given up.
    Cancelled,
}

impl Status {
    /// Whether nothing can follow.
    pub const fn is_final(self) -> bool {
        matches!(self, Self::Completed | Self::Failed | Self::Cancelled)
    }
}

/// A moment, as a number to count with and as clients are told.
///
/// ```
/// use mcpbolt_proto::tasks::Stamp;
/// let start = Stamp { millis: 0, text: "1970-01-01T00:00:00.000Z".into() };
/// # let _ = start;
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Stamp {
    /// Milliseconds since 1970.
    pub millis: u64,
    /// The same as ISO 8601 has it.
    pub text: Arc<str>,
}

/// What a client is promised when its task is created.
///
/// ```
/// use mcpbolt_proto::tasks::Terms;
/// let day = Terms { ttl: Some(86_400_000), poll: 5_000 };
/// # let _ = day;
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Terms {
    /// Milliseconds from its creation for which it is kept; `None`: without end.
    pub ttl: Option<u64>,
    /// Milliseconds between two questions how it stands.
    pub poll: u64,
}

/// A task. Stored as JSON, with the number of its form. Members that this engine does not know are
/// passed over: while nodes are replaced one by one, a newer one may have written it.
///
/// ```
/// use mcpbolt_proto::tasks::{Stamp, Task, Terms};
///
/// let now = Stamp { millis: 0, text: "1970-01-01T00:00:00.000Z".into() };
/// let task = Task::new("t1", Some("ann".to_owned()), "run 1", Terms { ttl: None, poll: 1_000 }, &now);
/// assert!(task.belongs_to(Some("ann")) && !task.belongs_to(None));
/// ```
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Task {
    form: u8,
    /// Not stored: who has the id has the task.
    #[serde(skip)]
    pub(super) id: Arc<str>,
    owner: Option<String>,
    #[serde(with = "shared")]
    run: Arc<str>,
    pub(super) status: Status,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) message: Option<String>,
    created: u64,
    #[serde(with = "shared")]
    pub(super) created_text: Arc<str>,
    #[serde(with = "shared")]
    pub(super) updated_text: Arc<str>,
    pub(super) ttl: Option<u64>,
    pub(super) poll: u64,
    #[serde(default, skip_serializing_if = "InputRequests::is_empty")]
    pub(super) requests: InputRequests,
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    used: BTreeSet<String>,
    /// What the client said to questions that are over, for the process that does the work.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    replies: BTreeMap<String, Result<RawJson, ErrorObject>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) result: Option<RawJson>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) error: Option<Box<ErrorObject>>,
}

/// The form that this engine writes.
const FORM: u8 = 1;

impl Task {
    /// A task that begins. `owner`: who may ask for it, where clients are told apart; `run`:
    /// the process that does the work.
    pub fn new(
        id: impl Into<Arc<str>>,
        owner: Option<String>,
        run: impl Into<Arc<str>>,
        terms: Terms,
        now: &Stamp,
    ) -> Self {
        Self {
            form: FORM,
            id: id.into(),
            owner,
            run: run.into(),
            status: Status::Working,
            message: None,
            created: now.millis,
            created_text: now.text.clone(),
            updated_text: now.text.clone(),
            ttl: terms.ttl,
            poll: terms.poll,
            requests: InputRequests::new(),
            used: BTreeSet::new(),
            replies: BTreeMap::new(),
            result: None,
            error: None,
        }
    }

    /// A stored task, which is found by its id.
    ///
    /// # Errors
    /// `Store` if it is not one, or was written by a newer engine.
    pub fn load(id: &str, stored: &[u8]) -> Result<Self, Error> {
        let task = serde_json::from_slice::<Self>(stored).ok().filter(|task| task.form == FORM);
        let task = task.ok_or_else(|| Error::new(ErrorKind::Store, "a stored task cannot be read"))?;
        Ok(Self { id: id.into(), ..task })
    }

    /// The task as it is stored.
    ///
    /// # Errors
    /// `Store` if it has no JSON form.
    pub fn store(&self) -> Result<Vec<u8>, Error> {
        let failed = |_| Error::new(ErrorKind::Store, "the task cannot be written as JSON");
        let mut stored = serde_json::to_vec(self).map_err(failed)?;
        // There may be many of them in memory.
        stored.shrink_to_fit();
        Ok(stored)
    }

    /// Its id.
    pub fn id(&self) -> &str {
        &self.id
    }

    /// Where it stands.
    pub fn status(&self) -> Status {
        self.status
    }

    /// Whether this client may ask for it.
    pub fn belongs_to(&self, owner: Option<&str>) -> bool {
        self.owner.as_deref() == owner
    }

    /// The process that does its work.
    pub fn run(&self) -> &str {
        &self.run
    }

    /// Whether this process does its work.
    pub fn runs_in(&self, run: &str) -> bool {
        &*self.run == run
    }

    /// Milliseconds it has to live; `None`: without end.
    pub fn time_left(&self, now: &Stamp) -> Option<u64> {
        self.ttl.map(|ttl| self.created.saturating_add(ttl).saturating_sub(now.millis))
    }

    /// What is asked and not answered, by its key.
    pub fn requests(&self) -> &InputRequests {
        &self.requests
    }

    /// The work asks the client. Returns the key of each question: the one wished for, unless
    /// it was used before. Nothing is asked of a task that is over.
    pub fn ask(
        &mut self,
        questions: impl IntoIterator<Item = (String, InputRequest)>,
        now: &Stamp,
    ) -> Vec<String> {
        if self.status.is_final() {
            return Vec::new();
        }
        let mut keys = Vec::new();
        for (wish, request) in questions {
            let key = self.unused(&wish);
            self.used.insert(key.clone());
            self.requests.insert(key.clone(), request);
            keys.push(key);
        }
        if !keys.is_empty() {
            self.enter(Status::InputRequired, now);
        }
        keys
    }

    fn unused(&self, wish: &str) -> String {
        if !self.used.contains(wish) {
            return wish.to_owned();
        }
        // Each key before it is taken, so one of these is free.
        let numbered = (2..=self.used.len() + 2).map(|n| format!("{wish}-{n}"));
        numbered.into_iter().find(|key| !self.used.contains(key)).unwrap_or_default()
    }

    /// The client answers. Returns the answers to open questions; others change nothing.
    pub fn answer(&mut self, answers: &RawObject, now: &Stamp) -> Vec<(String, RawJson)> {
        let mut taken = Vec::new();
        for (key, answer) in answers.iter() {
            if self.requests.shift_remove(key).is_some() {
                taken.push((key.to_owned(), answer.clone()));
            }
        }
        if !taken.is_empty() {
            let next = if self.requests.is_empty() { Status::Working } else { Status::InputRequired };
            self.enter(next, now);
        }
        taken
    }

    /// Leaves what the client said to a question, which is over, for the process that does the
    /// work. Of a task that is over nobody wants it.
    pub fn leave(&mut self, key: impl Into<String>, reply: Result<RawJson, ErrorObject>) {
        if !self.status.is_final() {
            self.replies.insert(key.into(), reply);
        }
    }

    /// What was left, for the process that does the work. It is stored no longer from the next step on.
    pub fn collect(&mut self) -> BTreeMap<String, Result<RawJson, ErrorObject>> {
        std::mem::take(&mut self.replies)
    }

    /// A question is withdrawn.
    pub fn withdraw(&mut self, key: &str, now: &Stamp) -> bool {
        let known = self.requests.shift_remove(key).is_some();
        if known && self.requests.is_empty() {
            self.enter(Status::Working, now);
        }
        known
    }

    /// Says how the work gets on; `false` if it is over.
    pub fn tell(&mut self, message: impl Into<String>, now: &Stamp) -> bool {
        if self.status.is_final() {
            return false;
        }
        self.message = Some(message.into());
        self.enter(self.status, now);
        true
    }

    /// There is a result; `false` if it was over before.
    pub fn complete(&mut self, result: RawJson, now: &Stamp) -> bool {
        self.end(Status::Completed, now).then(|| self.result = Some(result)).is_some()
    }

    /// The request failed with a JSON-RPC error; `false` if it was over before.
    pub fn fail(&mut self, error: ErrorObject, now: &Stamp) -> bool {
        self.end(Status::Failed, now).then(|| self.error = Some(Box::new(error))).is_some()
    }

    /// It is given up; `false` if it was over before.
    pub fn cancel(&mut self, now: &Stamp) -> bool {
        self.end(Status::Cancelled, now)
    }

    fn end(&mut self, status: Status, now: &Stamp) -> bool {
        if self.status.is_final() {
            return false;
        }
        self.requests.clear();
        self.replies.clear();
        self.enter(status, now);
        true
    }

    fn enter(&mut self, status: Status, now: &Stamp) {
        self.status = status;
        self.updated_text.clone_from(&now.text);
    }
}

/// Texts of which many tasks may share one.
mod shared {
    use std::sync::Arc;

    use serde::{Deserialize, Deserializer, Serializer};

    pub(super) fn serialize<S: Serializer>(text: &Arc<str>, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(text)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Arc<str>, D::Error> {
        String::deserialize(deserializer).map(Into::into)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(millis: u64) -> Stamp {
        Stamp { millis, text: millis.to_string().into() }
    }

    fn task() -> Task {
        Task::new("t", None, "r", Terms { ttl: Some(100), poll: 1 }, &at(10))
    }

    fn roots(key: &str) -> (String, InputRequest) {
        (key.to_owned(), InputRequest::roots())
    }

    fn answers(text: &str) -> RawObject {
        RawObject::parse(&RawJson::parse(text.to_owned()).unwrap()).unwrap()
    }

    #[test]
    fn a_partial_answer_leaves_the_rest_open() {
        let mut task = task();
        task.ask([roots("a"), roots("b")], &at(1));
        assert_eq!(task.answer(&answers(r#"{"b":{},"c":{}}"#), &at(2)).len(), 1);
        assert_eq!(task.status(), Status::InputRequired);
        assert_eq!(task.requests().keys().collect::<Vec<_>>(), ["a"]);
        assert!(task.answer(&answers(r#"{"b":{}}"#), &at(3)).is_empty(), "answered before");
        task.answer(&answers(r#"{"a":{}}"#), &at(4));
        assert_eq!(task.status(), Status::Working);
    }

    #[test]
    fn keys_are_used_once_in_a_life() {
        let mut task = task();
        let mut seen = BTreeSet::new();
        for _ in 0..5 {
            let keys = task.ask([roots("a"), roots("a-2"), roots("a")], &at(1));
            assert!(keys.into_iter().all(|key| seen.insert(key)));
            let all = task.requests().keys().map(|key| (key.clone(), RawJson::empty_object())).collect();
            task.answer(&all, &at(2));
        }
        assert_eq!(seen.len(), 15);
    }

    #[test]
    fn what_is_over_stays_as_it_is() {
        let ends: [fn(&mut Task) -> bool; 3] = [
            |task| task.complete(RawJson::empty_object(), &at(5)),
            |task| task.fail(ErrorObject::new(crate::jsonrpc::ErrorCode(1), "no"), &at(5)),
            |task| task.cancel(&at(5)),
        ];
        for (which, end) in ends.iter().enumerate() {
            let mut task = task();
            task.ask([roots("a")], &at(1));
            assert!(end(&mut task) && task.requests().is_empty());
            let over = task.clone();
            assert!(ends.iter().all(|again| !again(&mut task)), "{which}");
            assert!(task.ask([roots("b")], &at(6)).is_empty());
            assert!(task.answer(&answers(r#"{"a":{}}"#), &at(7)).is_empty() && !task.tell("x", &at(8)));
            assert_eq!(task, over);
        }
    }

    #[test]
    fn what_is_left_for_the_work_is_stored_until_it_is_collected_or_the_task_is_over() {
        let mut task = task();
        task.ask([roots("a"), roots("b")], &at(1));
        let taken = task.answer(&answers(r#"{"a":{"roots":[]}}"#), &at(2));
        for (key, answer) in taken {
            task.leave(key, Ok(answer));
        }
        assert!(task.withdraw("b", &at(3)));
        task.leave("b", Err(ErrorObject::new(crate::jsonrpc::ErrorCode(-1), "not now")));
        let mut stored = Task::load("t", &task.store().unwrap()).unwrap();
        assert_eq!(stored, task);
        assert!(task.complete(RawJson::empty_object(), &at(4)) && task.collect().is_empty());
        let replies = stored.collect();
        assert_eq!(replies["a"].as_ref().unwrap().as_str(), r#"{"roots":[]}"#);
        assert_eq!(replies["b"].as_ref().unwrap_err().message, "not now");
        assert!(!String::from_utf8_lossy(&stored.store().unwrap()).contains("not now"));
    }

    #[test]
    fn a_stored_task_is_the_same_task() {
        let mut task = task();
        task.ask([roots("a")], &at(1));
        let stored = task.store().unwrap();
        assert_eq!(Task::load("t", &stored).unwrap(), task);
        assert!(!String::from_utf8_lossy(&stored).contains("\"t\""), "the id is a secret");
        assert!(Task::load("t", b"{}").is_err());
        let newer =
            String::from_utf8_lossy(&stored).replacen('{', r#"{"colour":{"of":"a newer engine"},"#, 1);
        assert_eq!(Task::load("t", newer.as_bytes()).unwrap(), task);
        assert_eq!((task.time_left(&at(50)), task.time_left(&at(500))), (Some(60), Some(0)));
    }
}
