//! What a server offers, as its builder takes it: functions of the program's.
//!
//! Owns: how typed functions become entries. Must not know: what becomes of them when the
//! server is built.

use std::future::Future;
use std::sync::Arc;

use indexmap::IndexMap;
use schemars::JsonSchema;
use serde::de::DeserializeOwned;

use mcpbolt_proto::jsonrpc::RawJson;
use mcpbolt_proto::protocol::types::{
    CompleteParams, CompleteResult, Prompt, Resource, ResourceTemplate, Tool,
};
use mcpbolt_proto::session::Problem;

use super::entries::{PromptFn, RequestFn, ResourceFn, TemplateFn, Variables};
use super::outcome::Failure;
use super::output::{IntoPrompt, IntoResource, IntoTool};
use super::{Context, ServerBuilder, tools};

impl ServerBuilder {
    /// Adds a tool whose arguments' schema comes from their type.
    pub fn tool<A, F, Fut, R>(self, name: impl Into<String>, description: impl Into<String>, run: F) -> Self
    where
        A: DeserializeOwned + JsonSchema + Send + 'static,
        F: Fn(A, Context) -> Fut + Send + Sync + 'static,
        Fut: Future<Output = R> + Send + 'static,
        R: IntoTool,
    {
        self.typed_tool(|schema| Tool::new(name, schema).description(description), run)
    }

    /// As [`ServerBuilder::tool`], with title, annotations and the rest: `describe`
    /// gets the schema and returns the tool.
    pub fn typed_tool<A, F, Fut, R>(mut self, describe: impl FnOnce(RawJson) -> Tool, run: F) -> Self
    where
        A: DeserializeOwned + JsonSchema + Send + 'static,
        F: Fn(A, Context) -> Fut + Send + Sync + 'static,
        Fut: Future<Output = R> + Send + 'static,
        R: IntoTool,
    {
        let (input, output, run) = tools::typed(run);
        let mut tool = describe(input);
        if tool.output_schema.is_none() {
            tool.output_schema = output;
        }
        self.tools.push((tool, run));
        self
    }

    /// Adds a tool with a JSON Schema of its own, kept byte for byte. The arguments are
    /// checked against it and decoded as `A`, for example [`RawJson`] or a
    /// `serde_json::Value`.
    pub fn raw_tool<A, F, Fut, R>(mut self, tool: Tool, run: F) -> Self
    where
        A: DeserializeOwned + Send + 'static,
        F: Fn(A, Context) -> Fut + Send + Sync + 'static,
        Fut: Future<Output = R> + Send + 'static,
        R: IntoTool,
    {
        self.tools.push((tool, tools::erased(run)));
        self
    }

    /// Adds a prompt.
    pub fn prompt<F, Fut, R>(mut self, prompt: Prompt, get: F) -> Self
    where
        F: Fn(IndexMap<String, String>, Context) -> Fut + Send + Sync + 'static,
        Fut: Future<Output = R> + Send + 'static,
        R: IntoPrompt,
    {
        let get: PromptFn = Arc::new(move |arguments, context| {
            let answer = get(arguments, context);
            Box::pin(async move { answer.await.into_prompt() })
        });
        self.prompts.push((prompt, get));
        self
    }

    /// Adds a resource.
    pub fn resource<F, Fut, R>(mut self, resource: Resource, read: F) -> Self
    where
        F: Fn(Context) -> Fut + Send + Sync + 'static,
        Fut: Future<Output = R> + Send + 'static,
        R: IntoResource,
    {
        let mime_type = resource.mime_type.clone();
        let read: ResourceFn = Arc::new(move |uri, context| {
            let (answer, mime_type) = (read(context), mime_type.clone());
            Box::pin(async move { answer.await.into_resource(&uri, mime_type.as_deref()) })
        });
        self.resources.push((resource, read));
        self
    }

    /// Adds a template of resources. `read` gets the URI and the template's variables.
    pub fn resource_template<F, Fut, R>(mut self, template: ResourceTemplate, read: F) -> Self
    where
        F: Fn(String, Variables, Context) -> Fut + Send + Sync + 'static,
        Fut: Future<Output = R> + Send + 'static,
        R: IntoResource,
    {
        let mime_type = template.mime_type.clone();
        let read: TemplateFn = Arc::new(move |uri, variables, context| {
            let (answer, mime_type) = (read(uri.clone(), variables, context), mime_type.clone());
            Box::pin(async move { answer.await.into_resource(&uri, mime_type.as_deref()) })
        });
        self.templates.push((template, read));
        self
    }

    /// Completes arguments of prompts and templates.
    pub fn completion<F, Fut, E>(mut self, complete: F) -> Self
    where
        F: Fn(CompleteParams, Context) -> Fut + Send + Sync + 'static,
        Fut: Future<Output = Result<CompleteResult, E>> + Send + 'static,
        E: Into<Failure>,
    {
        self.completer = Some(Arc::new(move |params, context| {
            let answer = complete(params, context);
            Box::pin(async move { answer.await.map_err(Into::into) })
        }));
        self
    }

    /// Answers a method itself: one of the protocol's, instead of the engine, or one of
    /// the program's own.
    pub fn on_request<F, Fut, E>(mut self, method: impl Into<String>, answer: F) -> Self
    where
        F: Fn(Option<RawJson>, Context) -> Fut + Send + Sync + 'static,
        Fut: Future<Output = Result<RawJson, E>> + Send + 'static,
        E: Into<Failure>,
    {
        let answer: RequestFn = Arc::new(move |params, context| {
            let answer = answer(params, context);
            Box::pin(async move { answer.await.map_err(Into::into) })
        });
        self.requests.insert(method.into(), answer);
        self
    }

    /// Hears a notification of the client.
    pub fn on_notification(
        mut self,
        method: impl Into<String>,
        take: impl Fn(Option<&RawJson>) + Send + Sync + 'static,
    ) -> Self {
        self.notifications.insert(method.into(), Arc::new(take));
        self
    }

    /// Hears when a resource gains (`true`) or loses (`false`) a subscriber.
    pub fn on_subscription(mut self, tell: impl Fn(&str, bool) + Send + Sync + 'static) -> Self {
        self.on_subscription = Some(Arc::new(tell));
        self
    }

    /// Hears of input that belongs to no request.
    pub fn on_error(mut self, tell: impl Fn(&Problem) + Send + Sync + 'static) -> Self {
        self.on_error = Some(Arc::new(tell));
        self
    }
}
