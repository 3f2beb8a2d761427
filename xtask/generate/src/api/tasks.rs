//! Types the engine does not have yet: tasks as 2025-11-25 has them, and what is
//! different in the extension of 2026-07-28.
//!
//! Written by hand so that the bindings' types are complete; a type the engine gets
//! later replaces the one of the same name here.

use mcpbolt_proto::jsonrpc::RawObject;
use schemars::JsonSchema;

/// Declares types of which only the schema is used.
macro_rules! objects {
    ($($(#[doc = $doc:literal])* $name:ident { $($(#[doc = $field_doc:literal])* $field:ident: $kind:ty,)* })*) => {
        $(
            $(#[doc = $doc])*
            #[derive(JsonSchema)]
            #[schemars(rename_all = "camelCase")]
            #[allow(dead_code, reason = "only its schema is used; some have no fields")]
            pub(super) struct $name {
                $($(#[doc = $field_doc])* $field: $kind,)*
            }
        )*
    };
}

/// The status of a task. 2025-11-25 only.
#[derive(JsonSchema)]
#[schemars(rename_all = "snake_case")]
#[expect(dead_code, reason = "only its schema is used")]
pub(super) enum TaskStatus {
    /// It runs.
    Working,
    /// It waits for an answer of the requestor's.
    InputRequired,
    /// It has a result.
    Completed,
    /// It failed.
    Failed,
    /// It was given up.
    Cancelled,
}

/// The types that are a task and something around it.
macro_rules! tasks {
    ($($(#[doc = $doc:literal])* $name:ident,)*) => {
        objects! {
            $(
                $(#[doc = $doc])*
                $name {
                /// The id of the task.
                task_id: String,
                /// The status of the task.
                status: TaskStatus,
                /// A text about the status, for people.
                status_message: Option<String>,
                /// When it was created, in ISO 8601.
                created_at: String,
                /// When it last changed, in ISO 8601.
                last_updated_at: String,
                /// How long it is kept once created, in milliseconds; `null` is for ever.
                ttl: Option<u64>,
                /// How long to wait between two polls, in milliseconds.
                poll_interval: Option<u64>,
                }
            )*
        }
    };
}

tasks! {
    /// A request that runs on its own. 2025-11-25 only.
    Task,
    /// Result of `tasks/get`.
    GetTaskResult,
    /// Result of `tasks/cancel`.
    CancelTaskResult,
    /// Params of `notifications/tasks/status`. 2025-11-25 only.
    TaskStatusParams,
    /// Params of `notifications/tasks`. Since 2026-07-28.
    TaskParams,
}

objects! {
    /// Lists of tasks. 2025-11-25 only.
    TasksListCapability {}
    /// Cancelling tasks. 2025-11-25 only.
    TasksCancelCapability {}
    /// Sampling as a task. 2025-11-25 only.
    TasksCreateMessageCapability {}
    /// Which sampling requests may be tasks. 2025-11-25 only.
    TasksSamplingCapability {
        /// `sampling/createMessage`.
        create_message: Option<TasksCreateMessageCapability>,
    }
    /// Elicitation as a task. 2025-11-25 only.
    TasksCreateElicitationCapability {}
    /// Which elicitations may be tasks. 2025-11-25 only.
    TasksElicitationCapability {
        /// `elicitation/create`.
        create: Option<TasksCreateElicitationCapability>,
    }
    /// Which requests to the client may be tasks. 2025-11-25 only.
    ClientTasksRequestsCapability {
        /// Sampling.
        sampling: Option<TasksSamplingCapability>,
        /// Elicitation.
        elicitation: Option<TasksElicitationCapability>,
    }
    /// What the client can do with tasks. 2025-11-25 only.
    ClientTasksCapability {
        /// It answers `tasks/list`.
        list: Option<TasksListCapability>,
        /// It answers `tasks/cancel`.
        cancel: Option<TasksCancelCapability>,
        /// What may be a task.
        requests: Option<ClientTasksRequestsCapability>,
    }
    /// Tool calls as tasks. 2025-11-25 only.
    TasksCallCapability {}
    /// Which tool requests may be tasks. 2025-11-25 only.
    TasksToolsCapability {
        /// `tools/call`.
        call: Option<TasksCallCapability>,
    }
    /// Which requests to the server may be tasks. 2025-11-25 only.
    ServerTasksRequestsCapability {
        /// Tools.
        tools: Option<TasksToolsCapability>,
    }
    /// What the server can do with tasks. 2025-11-25 only.
    ServerTasksCapability {
        /// It answers `tasks/list`.
        list: Option<TasksListCapability>,
        /// It answers `tasks/cancel`.
        cancel: Option<TasksCancelCapability>,
        /// What may be a task.
        requests: Option<ServerTasksRequestsCapability>,
    }
    /// Says in `_meta` which task a message belongs to. 2025-11-25 only.
    RelatedTaskMetadata {
        /// The task.
        task_id: String,
    }
    /// Answer to a request that became a task. 2025-11-25 only.
    CreateTaskResult {
        /// The task.
        task: Task,
    }
    /// Params of `tasks/get`.
    GetTaskParams {
        /// The task.
        task_id: String,
    }
    /// Params of `tasks/result`. 2025-11-25 only.
    GetTaskPayloadParams {
        /// The task.
        task_id: String,
    }
    /// Result of `tasks/result`: what the request would have been answered. 2025-11-25 only.
    GetTaskPayloadResult {}
    /// Params of `tasks/cancel`.
    CancelTaskParams {
        /// The task.
        task_id: String,
    }
    /// Result of `tasks/list`. 2025-11-25 only.
    ListTasksResult {
        /// The tasks of this page.
        tasks: Vec<Task>,
        /// Where the next page starts; absent on the last.
        next_cursor: Option<String>,
    }
    /// Params of `tasks/update`. Since 2026-07-28.
    UpdateTaskParams {
        /// The task.
        task_id: String,
        /// Answers to what the task asked.
        input_responses: Option<RawObject>,
    }
    /// Result of `tasks/update`. Since 2026-07-28.
    UpdateTaskResult {}
}
