//! Tasks: calls whose work goes on after their request is answered.
//!
//! Owns: the way of a call into a task, the tasks that run in this process, their place in the
//! store, and who may ask for them. Must not know: tools, or how bytes travel.
//!
//! What a task is, and how clients see it, is in [`mcpbolt_proto::tasks`]; servers offer tasks
//! by an extension of [`server`](crate::server).

mod answers;
mod desk;
mod link;
mod nodes;
mod payload;
mod places;
mod rest;
mod running;
mod shelf;
mod time;
mod waiters;

pub(crate) use answers::answer;
pub(crate) use desk::{Desk, Kept, TaskTerms, begins, owner_of};
