//! Tasks as an extension of a server.
//!
//! Owns: which tools become tasks, and the methods that clients ask for tasks with. Must not
//! know: how a task runs, or where it is kept (`crate::tasks` does).

use std::collections::HashMap;
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use mcpbolt_proto::jsonrpc::{RawJson, RawObject};
use mcpbolt_proto::protocol::{Error, methods};
use mcpbolt_proto::session::Answer;
use mcpbolt_proto::tasks::{self, TaskSupport, experimental};

use crate::handler::BoxFuture;
use crate::tasks::{Desk, Kept, TaskTerms, begins, owner_of};

use super::extension::Extension;
use super::{Context, Next};

/// Tasks: calls of tools whose work goes on after they are answered. The client asks how a task
/// stands, answers what the tool asks meanwhile, and fetches the result. Clients of 2026-07-28
/// have them as an extension (`io.modelcontextprotocol/tasks`), those of 2025-11-25 as its
/// experimental tasks; there a call says itself that it is to become one. Tasks are kept where the server's
/// [`stores`](super::ServerBuilder::stores) are. Clones are the same tasks.
///
/// ```
/// use mcpbolt::server::{Context, Server, TaskSupport, Tasks};
/// use schemars::JsonSchema;
/// use serde::Deserialize;
///
/// #[derive(Deserialize, JsonSchema)]
/// struct Report {
///     year: u32,
/// }
///
/// let server = Server::builder("reports", "1.0.0")
///     .tool("report", "Writes a report", |report: Report, _: Context| async move {
///         format!("the report of {}", report.year)
///     })
///     .extension(Tasks::new().tool("report", TaskSupport::Optional))
///     .build();
/// # let _ = server;
/// ```
#[derive(Clone)]
#[must_use]
pub struct Tasks {
    tools: Arc<HashMap<String, TaskSupport>>,
    kept: Kept,
    poll: Duration,
    desk: Arc<OnceLock<Arc<Desk>>>,
}

impl Default for Tasks {
    fn default() -> Self {
        Self::new()
    }
}

impl Tasks {
    /// No tool becomes a task.
    pub fn new() -> Self {
        Self {
            tools: Arc::default(),
            kept: Kept::AsLimited,
            poll: Duration::from_secs(1),
            desk: Arc::default(),
        }
    }

    /// Says whether calls of a tool become tasks.
    pub fn tool(mut self, name: impl Into<String>, support: TaskSupport) -> Self {
        Arc::make_mut(&mut self.tools).insert(name.into(), support);
        self
    }

    /// How long a task is kept from its creation; `None`: without end. The limit `tasks.ttl`
    /// otherwise.
    pub fn ttl(mut self, ttl: Option<Duration>) -> Self {
        self.kept = ttl.map_or(Kept::WithoutEnd, Kept::For);
        self
    }

    /// How often clients should ask how a task stands. 1 s.
    pub fn poll_interval(mut self, interval: Duration) -> Self {
        self.poll = interval;
        self
    }

    /// Makes a task of the call that is running, for tools that decide by themselves, such as
    /// after a first question. Its client is told at once; what the tool returns is the task's
    /// result. Does nothing where it is a task already. Returns the task's id.
    ///
    /// # Errors
    /// `MissingClientCapability` (-32021) if the client did not declare the extension,
    /// `Overloaded` if too many tasks run, `Store` if the task could not be stored, and
    /// `Cancelled` if the client gave up.
    pub async fn begin(&self, ctx: &Context) -> Result<String, Error> {
        let terms = TaskTerms { kept: self.kept, poll: self.poll };
        self.desk()?.begin(ctx.call(), terms).await
    }

    /// How many tasks run.
    pub fn running(&self) -> usize {
        self.desk.get().map_or(0, |desk| desk.len())
    }

    fn desk(&self) -> Result<&Arc<Desk>, Error> {
        self.desk.get().ok_or_else(|| Error::usage("these tasks were not added to a server that was built"))
    }

    /// A tool is called: the call becomes a task first, where it must.
    fn call(&self, ctx: Context, next: Next) -> BoxFuture<'static, Answer> {
        let name = ctx.call().name().unwrap_or_default();
        let support = self.tools.get(&name).copied().unwrap_or_default();
        match begins(ctx.call(), support) {
            Ok(true) => {}
            Ok(false) => return next.run(ctx),
            Err(error) => return Box::pin(std::future::ready(Answer::error(error))),
        }
        // In a box of its own, which is gone while the work goes on.
        let (tasks, asked) = (self.clone(), ctx.clone());
        let begins = Box::pin(async move { tasks.begin(&asked).await });
        Box::pin(async move {
            match begins.await {
                Ok(_) => next.run(ctx).await,
                Err(error) => Answer::error(error),
            }
        })
    }

    /// Tools are listed: those that become tasks say so, where a client can read it.
    fn list(&self, ctx: Context, next: Next) -> BoxFuture<'static, Answer> {
        if !ctx.revision().features().tool_execution {
            return Box::pin(next.run(ctx));
        }
        let tools = Arc::clone(&self.tools);
        Box::pin(async move {
            match next.run(ctx).await {
                Answer::Result { value, cache } => Answer::Result { value: listed(value, &tools), cache },
                Answer::Shaped(value) => Answer::Shaped(listed(value, &tools)),
                other => other,
            }
        })
    }

    /// One of the methods that clients ask for tasks with.
    async fn answer(self, ctx: Context) -> Result<RawJson, Error> {
        crate::tasks::answer(self.desk()?, ctx.call()).await
    }

    async fn granted(self, ids: Vec<String>, ctx: Context) -> Result<Vec<String>, Error> {
        self.desk()?.granted(ids, owner_of(ctx.call()).as_deref()).await
    }
}

/// A list of tools with what each says of tasks.
fn listed(list: RawJson, support: &HashMap<String, TaskSupport>) -> RawJson {
    let Some(mut members) = RawObject::parse(&list) else { return list };
    let Some(tools) = members.get("tools").and_then(|tools| tools.decode::<Vec<RawJson>>().ok()) else {
        return list;
    };
    let shown = |tool: RawJson| {
        let name = RawObject::parse(&tool).and_then(|tool| tool.get("name")?.as_string());
        let support = name.and_then(|name| support.get(&name)).copied().unwrap_or_default();
        experimental::listed(&tool, support).unwrap_or(tool)
    };
    let tools: Vec<_> = tools.into_iter().map(shown).collect();
    // What was JSON is JSON.
    let _ = members.put("tools", &tools);
    members.to_raw()
}

impl std::fmt::Debug for Tasks {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Tasks").field("running", &self.running()).finish_non_exhaustive()
    }
}

impl From<Tasks> for Extension {
    fn from(tasks: Tasks) -> Self {
        let (granted, call, list) = (tasks.clone(), tasks.clone(), tasks.clone());
        let desk = Arc::clone(&tasks.desk);
        let extension = Self::new(tasks::EXTENSION)
            .topic(&tasks::TOPIC, move |ids, ctx| granted.clone().granted(ids, ctx))
            .hook(methods::TOOLS_CALL, move |ctx: Context, next: Next| call.call(ctx, next))
            .hook(methods::TOOLS_LIST, move |ctx: Context, next: Next| list.list(ctx, next))
            .legacy_tasks(experimental::capability())
            .starting(move |start| {
                let fresh = desk.set(Desk::new(start.engine, start.stores)).is_ok();
                if fresh { Ok(()) } else { Err(Error::usage("these tasks belong to another server")) }
            });
        let own = [methods::TASKS_GET, methods::TASKS_UPDATE, methods::TASKS_CANCEL, methods::TASKS_RESULT];
        own.into_iter().filter_map(methods::lookup).fold(extension, |extension, row| {
            let tasks = tasks.clone();
            extension.method(row, move |_, ctx| tasks.clone().answer(ctx))
        })
    }
}
