//! The typed calls of a session.
//!
//! Owns: the verbs of the protocol with their types, and what each does about caches, paging
//! and reviews. Must not know: how a request is sent, or who answers the server's questions
//! meanwhile.

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use mcpbolt_proto::jsonrpc::RawJson;
use mcpbolt_proto::protocol::types::{
    CallToolParams, CallToolResult, CompleteParams, CompleteResult, GetPromptParams, GetPromptResult,
    ListPromptsResult, ListResourceTemplatesResult, ListResourcesResult, ListToolsResult, LoggingLevel,
    PaginatedParams, Prompt, ReadResourceParams, ReadResourceResult, Resource, ResourceTemplate,
    SetLevelParams, SubscribeParams, SubscriptionFilter, Tool, UnsubscribeParams,
};
use mcpbolt_proto::protocol::{Error, ErrorKind, methods};

use super::call_options::CallOptions;
use super::session::ClientSession;
use super::tool_review::{ToolDecision, ToolReview};

impl ClientSession {
    async fn call<R: DeserializeOwned>(
        &self,
        method: &str,
        params: &impl Serialize,
        options: CallOptions,
    ) -> Result<R, Error> {
        let params = RawJson::encode(params).map_err(|error| Error::usage(error.to_string()))?;
        let raw = self.cached(method, (params.as_str() != "{}").then_some(params), options).await?;
        raw.decode().map_err(|_| Error::protocol(format!("the result of {method} is malformed")))
    }

    /// A kept result if it is still good, else the server's.
    async fn cached(
        &self,
        method: &str,
        params: Option<RawJson>,
        options: CallOptions,
    ) -> Result<RawJson, Error> {
        let keeps = self.shared.settings.cache && methods::lookup(method).is_some_and(|spec| spec.cacheable);
        if !keeps {
            return self.exchange(method, params, options).await;
        }
        let now = self.shared.connection()?.now();
        let kept = || self.shared.cache.get(method, params.as_ref(), now);
        if let Some(kept) = (!options.fresh).then(kept).flatten() {
            return Ok(kept);
        }
        let asked = self.shared.cache.asked(now);
        let (result, rounds) = self.exchange_rounds(method, params.clone(), options).await?;
        // What took questions belongs to their answers.
        if rounds == 0 {
            self.shared.cache.put(method, params.as_ref(), asked, &result);
        }
        Ok(result)
    }

    /// One page of the tools. Over HTTP tools with invalid header annotations are left
    /// out.
    pub async fn list_tools(&self, cursor: Option<&str>) -> Result<ListToolsResult, Error> {
        self.list_tools_with(cursor, CallOptions::new()).await
    }

    async fn list_tools_with(
        &self,
        cursor: Option<&str>,
        options: CallOptions,
    ) -> Result<ListToolsResult, Error> {
        let mut page: ListToolsResult = self.call(methods::TOOLS_LIST, &page_after(cursor), options).await?;
        self.shared.settings.checks.list(page.tools.len())?;
        let headers = self.shared.http && self.revision().features().standard_headers;
        for name in self.shared.tools.learn(cursor, &mut page, headers) {
            tracing::warn!(target: "mcpbolt::protocol", tool = %name, "hidden: its x-mcp-header is invalid");
        }
        Ok(page)
    }

    /// All tools.
    pub async fn list_all_tools(&self) -> Result<Vec<Tool>, Error> {
        let mut all = Vec::new();
        let mut cursor = None;
        for _ in 0..self.shared.settings.checks.caps.max_pages {
            let page = self.list_tools(cursor.as_deref()).await?;
            all.extend(page.tools);
            self.shared.settings.checks.list(all.len())?;
            match next_cursor(cursor.as_deref(), page.next_cursor)? {
                None => return Ok(all),
                next => cursor = next,
            }
        }
        Err(too_many_pages())
    }

    /// Calls a tool. Its own failure is a result with `is_error`.
    pub async fn call_tool(&self, name: &str, arguments: Value) -> Result<CallToolResult, Error> {
        self.call_tool_with(name, Some(arguments.into()), CallOptions::new()).await
    }

    /// Calls a tool with raw arguments and options. The review of the client comes
    /// first; a denied call fails with `Rejected` and nothing is sent.
    pub async fn call_tool_with(
        &self,
        name: &str,
        arguments: Option<RawJson>,
        options: CallOptions,
    ) -> Result<CallToolResult, Error> {
        let result = self.call_tool_raw(name, arguments, options).await?;
        let malformed = |_| Error::protocol("the result of tools/call is malformed");
        let result: CallToolResult = result.decode().map_err(malformed)?;
        // What a tool promised is checked where its promise is known.
        self.shared.tools.check_output(name, &result)?;
        Ok(result)
    }

    /// Calls a tool after its review; the result as it came.
    pub(super) async fn call_tool_raw(
        &self,
        name: &str,
        arguments: Option<RawJson>,
        mut options: CallOptions,
    ) -> Result<RawJson, Error> {
        let arguments = self.review(name, arguments).await?;
        let mut params = CallToolParams::new(name);
        params.arguments.clone_from(&arguments);
        options.request.headers = self.param_headers(name, arguments.as_ref());
        self.shared.tools.allow_repeats(name, &mut options.request);
        let first = self.call(methods::TOOLS_CALL, &params, options.clone()).await;
        match first {
            // The headers we know may be of an older schema.
            Err(error) if error.kind == ErrorKind::HeaderMismatch && self.shared.http => {
                self.shared.cache.forget(methods::TOOLS_LIST);
                self.list_all_tools().await?;
                options.request.headers = self.param_headers(name, arguments.as_ref());
                self.call(methods::TOOLS_CALL, &params, options).await
            }
            first => first,
        }
    }

    fn param_headers(&self, tool: &str, arguments: Option<&RawJson>) -> Vec<(String, String)> {
        if self.shared.http { self.shared.tools.headers(tool, arguments) } else { Vec::new() }
    }

    async fn review(&self, name: &str, arguments: Option<RawJson>) -> Result<Option<RawJson>, Error> {
        let call = ToolReview {
            tool: name.to_owned(),
            arguments: arguments.clone(),
            annotations: self.annotations(name),
            trusted: self.shared.settings.trusted,
        };
        match self.shared.settings.reviewer.review(call).await {
            ToolDecision::Allow => Ok(arguments),
            ToolDecision::Edit(edited) => Ok(Some(edited)),
            ToolDecision::Deny(reason) => {
                Err(Error::new(ErrorKind::Rejected, format!("the tool call was denied: {reason}")))
            }
        }
    }

    /// One page of the resources.
    pub async fn list_resources(&self, cursor: Option<&str>) -> Result<ListResourcesResult, Error> {
        let page: ListResourcesResult =
            self.call(methods::RESOURCES_LIST, &page_after(cursor), CallOptions::new()).await?;
        self.shared.settings.checks.list(page.resources.len())?;
        Ok(page)
    }

    /// All resources.
    pub async fn list_all_resources(&self) -> Result<Vec<Resource>, Error> {
        let mut all = Vec::new();
        let mut cursor = None;
        for _ in 0..self.shared.settings.checks.caps.max_pages {
            let page = self.list_resources(cursor.as_deref()).await?;
            all.extend(page.resources);
            self.shared.settings.checks.list(all.len())?;
            match next_cursor(cursor.as_deref(), page.next_cursor)? {
                None => return Ok(all),
                next => cursor = next,
            }
        }
        Err(too_many_pages())
    }

    /// One page of the resource templates.
    pub async fn list_resource_templates(
        &self,
        cursor: Option<&str>,
    ) -> Result<ListResourceTemplatesResult, Error> {
        let page: ListResourceTemplatesResult =
            self.call(methods::RESOURCES_TEMPLATES_LIST, &page_after(cursor), CallOptions::new()).await?;
        self.shared.settings.checks.list(page.resource_templates.len())?;
        Ok(page)
    }

    /// All resource templates.
    pub async fn list_all_resource_templates(&self) -> Result<Vec<ResourceTemplate>, Error> {
        let mut all = Vec::new();
        let mut cursor = None;
        for _ in 0..self.shared.settings.checks.caps.max_pages {
            let page = self.list_resource_templates(cursor.as_deref()).await?;
            all.extend(page.resource_templates);
            self.shared.settings.checks.list(all.len())?;
            match next_cursor(cursor.as_deref(), page.next_cursor)? {
                None => return Ok(all),
                next => cursor = next,
            }
        }
        Err(too_many_pages())
    }

    /// Reads a resource. Fails with `ResourceNotFound` if the server does not have it.
    pub async fn read_resource(&self, uri: &str) -> Result<ReadResourceResult, Error> {
        self.read_resource_with(uri, CallOptions::new()).await
    }

    /// Reads a resource, with options.
    pub async fn read_resource_with(
        &self,
        uri: &str,
        options: CallOptions,
    ) -> Result<ReadResourceResult, Error> {
        let params = ReadResourceParams { uri: uri.to_owned(), ..ReadResourceParams::default() };
        self.call(methods::RESOURCES_READ, &params, options).await
    }

    /// Asks to be told when a resource changes; see
    /// [`notifications`](ClientSession::notifications). On the modern era this opens a
    /// subscription that lives until [`unsubscribe`](ClientSession::unsubscribe): one that breaks
    /// off is asked for again, and then the resource counts as changed. If that fails,
    /// [`on_error`](super::ClientBuilder::on_error) hears of it.
    pub async fn subscribe(&self, uri: &str) -> Result<(), Error> {
        if self.revision().features().subscriptions_listen {
            let filter = SubscriptionFilter {
                resource_subscriptions: Some(vec![uri.to_owned()]),
                ..Default::default()
            };
            let subscription = self.keep_listening(filter).await?;
            self.shared.subscribed.lock().insert(uri.to_owned(), subscription);
            return Ok(());
        }
        let params = SubscribeParams { uri: uri.to_owned(), meta: None };
        self.call::<Value>(methods::RESOURCES_SUBSCRIBE, &params, CallOptions::new()).await.map(drop)
    }

    /// Asks not to be told any more.
    pub async fn unsubscribe(&self, uri: &str) -> Result<(), Error> {
        if self.revision().features().subscriptions_listen {
            self.shared.subscribed.lock().remove(uri);
            return Ok(());
        }
        let params = UnsubscribeParams { uri: uri.to_owned(), meta: None };
        self.call::<Value>(methods::RESOURCES_UNSUBSCRIBE, &params, CallOptions::new()).await.map(drop)
    }

    /// One page of the prompts.
    pub async fn list_prompts(&self, cursor: Option<&str>) -> Result<ListPromptsResult, Error> {
        let page: ListPromptsResult =
            self.call(methods::PROMPTS_LIST, &page_after(cursor), CallOptions::new()).await?;
        self.shared.settings.checks.list(page.prompts.len())?;
        Ok(page)
    }

    /// All prompts.
    pub async fn list_all_prompts(&self) -> Result<Vec<Prompt>, Error> {
        let mut all = Vec::new();
        let mut cursor = None;
        for _ in 0..self.shared.settings.checks.caps.max_pages {
            let page = self.list_prompts(cursor.as_deref()).await?;
            all.extend(page.prompts);
            self.shared.settings.checks.list(all.len())?;
            match next_cursor(cursor.as_deref(), page.next_cursor)? {
                None => return Ok(all),
                next => cursor = next,
            }
        }
        Err(too_many_pages())
    }

    /// Gets a prompt.
    pub async fn get_prompt(&self, params: GetPromptParams) -> Result<GetPromptResult, Error> {
        self.get_prompt_with(params, CallOptions::new()).await
    }

    /// Gets a prompt, with options.
    pub async fn get_prompt_with(
        &self,
        params: GetPromptParams,
        options: CallOptions,
    ) -> Result<GetPromptResult, Error> {
        self.call(methods::PROMPTS_GET, &params, options).await
    }

    /// Asks how an argument may go on.
    pub async fn complete(&self, params: CompleteParams) -> Result<CompleteResult, Error> {
        self.call(methods::COMPLETION_COMPLETE, &params, CallOptions::new()).await
    }

    /// Sets the lowest level of log messages (legacy era; the modern one asks per call,
    /// see [`CallOptions::log_level`]).
    pub async fn set_log_level(&self, level: LoggingLevel) -> Result<(), Error> {
        let params = SetLevelParams { level, meta: None };
        self.call::<Value>(methods::LOGGING_SET_LEVEL, &params, CallOptions::new()).await.map(drop)
    }

    /// Waits for a sign of life: `ping` on the legacy era, `server/discover` on the
    /// modern one, which has no ping.
    pub async fn ping(&self) -> Result<(), Error> {
        let method =
            if self.revision().features().handshake { methods::PING } else { methods::SERVER_DISCOVER };
        self.exchange(method, None, CallOptions::new()).await.map(drop)
    }

    /// Tells the server that the roots changed. Modern servers ask each time they need
    /// them: there this does nothing.
    pub fn send_roots_changed(&self) -> Result<(), Error> {
        if !self.revision().features().roots_list_changed {
            return Ok(());
        }
        self.notify_raw(methods::ROOTS_LIST_CHANGED, None)
    }
}

fn page_after(cursor: Option<&str>) -> PaginatedParams {
    cursor.map_or_else(PaginatedParams::first, PaginatedParams::after)
}

/// The list ends when there is no cursor; an empty one is a cursor. A server that
/// repeats itself would never end.
fn next_cursor(last: Option<&str>, next: Option<String>) -> Result<Option<String>, Error> {
    if next.is_some() && next.as_deref() == last {
        return Err(Error::protocol("the server repeats the cursor of the last page"));
    }
    Ok(next)
}

fn too_many_pages() -> Error {
    Error::protocol("the list has too many pages")
}
