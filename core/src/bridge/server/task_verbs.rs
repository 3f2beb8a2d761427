//! Verbs about tasks of a host's server.
//!
//! Owns: making a task of a call that the host has. Must not know: which tools become tasks by
//! themselves, or how a task runs.

use std::sync::Arc;

use mcpbolt_proto::protocol::Error;

use crate::bridge::queue::inbox::Inbox;
use crate::bridge::queue::numbers::own_number;
use crate::bridge::requests::addressee::Addressee;

use super::host_handler::HostHandler;

impl Inbox {
    /// Makes a task of a call that the host has, for tools that decide by themselves. Its client is
    /// told at once, and what the call is completed with is the task's result. Returns the number
    /// of the `Response`: `{"taskId"}`, the same for a call that is a task already.
    ///
    /// It fails with `MissingClientCapability` if the client did not declare the extension,
    /// `Overloaded` if too many tasks run, `Store` if the task could not be stored, `Cancelled` if
    /// the client gave up, and `Usage` for a server without tasks.
    pub fn begin_task(self: &Arc<Self>, call: u64) -> u64 {
        let id = own_number();
        self.request_begun(id);
        let Some(Addressee::Call(call)) = self.addressee(call) else {
            self.refuse(id, Error::closed());
            return id;
        };
        let host = Arc::clone(call.handler()).as_any().downcast::<HostHandler>().ok();
        let Some((desk, terms)) = host.and_then(|host| host.task_desk()) else {
            self.refuse(id, Error::usage("the server has no tasks: set tasks.poll_interval"));
            return id;
        };
        let inbox = Arc::downgrade(self);
        call.engine().spawner.spawn({
            let call = Arc::clone(&call);
            async move {
                let begun = desk.begin(&call, terms).await;
                let said = begun.map(|task| serde_json::json!({ "taskId": task }).into());
                if let Some(inbox) = inbox.upgrade() {
                    inbox.answered(id, Some(&call), said);
                }
            }
        });
        id
    }
}
