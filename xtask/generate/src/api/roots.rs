//! Which Rust types the surface is made of; what they use comes along by itself.
//!
//! `api::checked` fails when a method names a type that is missing here.

use super::tasks;
use mcpbolt_proto::jsonrpc::{ErrorObject, Id};
use mcpbolt_proto::protocol::capabilities::{ClientCapabilities, ServerCapabilities};
use mcpbolt_proto::protocol::types;
use schemars::SchemaGenerator;

macro_rules! roots {
    ($($root:ty,)*) => {
        |generator: &mut SchemaGenerator| {
            $(generator.subschema_for::<$root>();)*
        }
    };
}

/// The engine's types.
pub(super) fn core() -> impl FnOnce(&mut SchemaGenerator) {
    roots! {
        ErrorObject, Id, ClientCapabilities, ServerCapabilities,
        types::EmptyParams, types::EmptyResult, types::PaginatedParams,
        types::InitializeParams, types::InitializeResult, types::DiscoverResult,
        types::ProgressParams, types::CancelledParams,
        types::ListToolsResult, types::CallToolParams, types::CallToolResult,
        types::ListResourcesResult, types::ListResourceTemplatesResult,
        types::ReadResourceParams, types::ReadResourceResult,
        types::SubscribeParams, types::UnsubscribeParams, types::ResourceUpdatedParams,
        types::ListPromptsResult, types::GetPromptParams, types::GetPromptResult,
        types::CompleteParams, types::CompleteResult,
        types::SetLevelParams, types::LoggingMessageParams,
        types::CreateMessageParams, types::CreateMessageResult,
        types::ListRootsResult,
        types::ElicitParams, types::ElicitResult, types::ElicitationCompleteParams,
        types::UrlElicitationRequiredData, types::FieldSchema,
        types::InputRequiredResult, types::InputRequest,
        types::ListenParams,
    }
}

/// What is not in the engine yet.
pub(super) fn tasks() -> impl FnOnce(&mut SchemaGenerator) {
    roots! {
        tasks::ClientTasksCapability, tasks::ServerTasksCapability, tasks::RelatedTaskMetadata,
        tasks::CreateTaskResult, tasks::GetTaskParams, tasks::GetTaskResult,
        tasks::GetTaskPayloadParams, tasks::GetTaskPayloadResult,
        tasks::CancelTaskParams, tasks::CancelTaskResult,
        tasks::ListTasksResult, tasks::TaskStatusParams,
        tasks::UpdateTaskParams, tasks::UpdateTaskResult, tasks::TaskParams,
    }
}
