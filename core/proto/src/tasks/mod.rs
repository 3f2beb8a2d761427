//! Tasks: work that goes on after its request is answered. For clients of 2026-07-28 they are an
//! extension (`io.modelcontextprotocol/tasks`), for those of 2025-11-25 an experimental part of
//! the protocol.
//!
//! Owns: what a task is, which step leads to which state, and its forms on the wire, of which it
//! has two. Must not
//! know: who runs a task, where it is kept, what time it is.
//!
//! ```
//! use mcpbolt_proto::jsonrpc::RawJson;
//! use mcpbolt_proto::protocol::types::InputRequest;
//! use mcpbolt_proto::tasks::{self, Stamp, Status, Task, Terms};
//!
//! let at = |millis: u64| Stamp { millis, text: format!("{millis} ms after 1970").into() };
//! let terms = Terms { ttl: Some(60_000), poll: 1_000 };
//! let mut task = Task::new("t1", None, "run 1", terms, &at(0));
//! assert!(tasks::created(&task).as_str().starts_with(r#"{"resultType":"task","taskId":"t1""#));
//!
//! // A key is used once in the life of a task, whatever the work asks.
//! let keys = task.ask([("name".to_owned(), InputRequest::roots())], &at(10));
//! let answers = RawJson::parse(r#"{"name":{"roots":[]},"other":{}}"#)?.decode()?;
//! assert_eq!(task.answer(&answers, &at(20))[0].0, "name");
//! let again = task.ask([("name".to_owned(), InputRequest::roots())], &at(30));
//! assert_eq!((keys[0].as_str(), again[0].as_str()), ("name", "name-2"));
//!
//! // The end is final.
//! assert!(task.complete(RawJson::empty_object(), &at(40)) && !task.cancel(&at(50)));
//! assert_eq!(task.status(), Status::Completed);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod experimental;
mod state;
mod step;
mod support;
mod task;
mod wire;

pub use state::TaskState;
pub use step::{TaskStep, about_task, answering};
pub use support::{TaskSupport, TaskWish, must_be_declared};
pub use task::{Stamp, Status, Task, Terms};
pub use wire::{EXTENSION, RESULT_TYPE, TOPIC, acknowledged, created, detailed, told, unknown};
