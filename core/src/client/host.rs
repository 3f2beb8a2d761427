//! [`Host`]: many servers under names, one registry of tools.
//!
//! Owns: the names of servers, and their lists of tools. Must not know: how a server is reached
//! or asked, or by which rule tools are told apart (`policy::host_names` has it).

use std::collections::BTreeMap;
use std::sync::{Arc, Weak};
use std::time::Duration;

use indexmap::IndexMap;
use parking_lot::RwLock;
use serde::Deserialize;
use serde_json::Value;

use mcpbolt_proto::jsonrpc::RawJson;
use mcpbolt_proto::policy::host_names::HostNames;
use mcpbolt_proto::policy::trust::Untrusted;
use mcpbolt_proto::protocol::Error;
use mcpbolt_proto::protocol::types::{CallToolResult, SubscriptionFilter, Tool, ToolAnnotations};

use crate::handler::Spawner;

use super::call_options::CallOptions;
use super::connect::Client;
use super::kept_subscription::report;
use super::notification::ServerNotification;
use super::notification_stream::NotificationStream;
use super::refreshes::Refreshes;
use super::sampling_context::{ContextServer, ContextSource};
use super::session::ClientSession;
use super::session_core::SessionCore;
use super::session_state::SessionState;
use super::subscription::KeptSubscription;
use super::target::{Command, Target};

/// Longest wait for a server to agree to tell of changes.
const LISTEN_BOUND: Duration = Duration::from_secs(10);

/// A tool of one of a host's servers.
///
/// ```
/// use mcpbolt::client::{Host, HostTool};
///
/// fn menu(host: &Host) {
///     for HostTool { name, server, tool, annotations } in host.tools() {
///         let safe = annotations.and_then(|a| a.believed()?.read_only_hint) == Some(true);
///         println!("{name} ({server}): {} {safe}", tool.description.unwrap_or_default());
///     }
/// }
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct HostTool {
    /// Its name in the host: its own, or `server_name` if several servers have one of
    /// that name, or another tool is called so for that reason.
    pub name: String,
    /// Its server.
    pub server: String,
    /// The tool as its server describes it, without annotations unless that is trusted.
    pub tool: Tool,
    /// What its server says of it.
    pub annotations: Option<Untrusted<ToolAnnotations>>,
}

/// Many sessions under names. One failing server never holds up the others.
///
/// ```
/// # use mcpbolt::client::{Client, Host};
/// # use mcpbolt::protocol::Error;
/// async fn run(config: &str) -> Result<(), Error> {
///     let host = Host::new(Client::builder("host", "1.0").build());
///     for (server, error) in host.add_config(config).await? {
///         eprintln!("{server}: {error}");
///     }
///     for tool in host.tools() {
///         println!("{} of {}", tool.name, tool.server);
///     }
///     host.call_tool("search", serde_json::json!({"query": "rust"})).await?;
///     host.close().await;
///     Ok(())
/// }
/// ```
#[derive(Debug, Clone)]
pub struct Host {
    inner: Arc<Inner>,
}

#[derive(Debug)]
struct Inner {
    client: Client,
    servers: RwLock<IndexMap<String, Entry>>,
}

#[derive(Debug)]
struct Entry {
    session: ClientSession,
    tools: Vec<Tool>,
}

/// The `mcpServers` file of desktop hosts.
#[derive(Deserialize)]
struct Config {
    #[serde(rename = "mcpServers")]
    servers: IndexMap<String, ServerConfig>,
}

#[derive(Deserialize)]
struct ServerConfig {
    command: Option<String>,
    #[serde(default)]
    args: Vec<String>,
    #[serde(default)]
    env: BTreeMap<String, String>,
    cwd: Option<String>,
    url: Option<String>,
    #[serde(default)]
    headers: BTreeMap<String, String>,
    #[serde(default)]
    trusted: bool,
    #[serde(default)]
    disabled: bool,
}

impl ServerConfig {
    fn target(self) -> Result<Target, Error> {
        match (self.command, self.url) {
            (Some(program), None) => {
                let mut command = Command::new(program).args(self.args);
                for (name, value) in self.env {
                    command = command.env(name, value);
                }
                Ok(Target::Command(match self.cwd {
                    Some(directory) => command.cwd(directory),
                    None => command,
                }))
            }
            (None, Some(url)) => Ok(Target::Url { url, headers: self.headers.into_iter().collect() }),
            _ => Err(Error::usage("a server has either a command or a url")),
        }
    }
}

impl ContextSource for Inner {
    fn servers(&self) -> Vec<ContextServer> {
        let servers = self.servers.read();
        let context = |(name, entry): (&String, &Entry)| ContextServer {
            name: name.clone(),
            instructions: entry.session.instructions(),
            tools: entry.tools.clone(),
        };
        servers.iter().map(context).collect()
    }
}

impl Host {
    /// A host without servers; all its sessions are the client's.
    pub fn new(client: Client) -> Self {
        Self { inner: Arc::new(Inner { client, servers: RwLock::default() }) }
    }

    /// Connects to a server under a name and learns its tools. A server of the same name
    /// is replaced.
    pub async fn add(
        &self,
        name: impl Into<String>,
        target: impl Into<Target>,
    ) -> Result<ClientSession, Error> {
        self.join(&self.inner.client, name.into(), target.into()).await
    }

    /// As [`Host::add`], for a server whose word about its tools the program believes.
    pub async fn add_trusted(
        &self,
        name: impl Into<String>,
        target: impl Into<Target>,
    ) -> Result<ClientSession, Error> {
        self.join(&self.inner.client.trusting(), name.into(), target.into()).await
    }

    async fn join(&self, client: &Client, name: String, target: Target) -> Result<ClientSession, Error> {
        let session = client.connect(target).await?;
        // Before they are listed, so that no change is missed.
        let notifications = session.notifications();
        let listening = listen(&session).await;
        let tools = if session.capabilities().tools.is_some() {
            session.list_all_tools().await
        } else {
            Ok(Vec::new())
        };
        let tools = match tools {
            Ok(tools) => tools,
            Err(error) => {
                session.close().await;
                return Err(error);
            }
        };
        let source: Weak<dyn ContextSource> = Arc::downgrade(&self.inner) as _;
        session.shared.asking.context.join(&name, source);
        let entry = Entry { session: session.clone(), tools };
        let old = self.inner.servers.write().insert(name.clone(), entry);
        if let Some(old) = old {
            old.session.close().await;
        }
        let shared = Arc::downgrade(&session.shared);
        let follow = follow(Arc::downgrade(&self.inner), name, shared, notifications);
        Spawner::current().spawn(async move {
            follow.await;
            drop(listening);
        });
        Ok(session)
    }

    /// Connects to all servers of an `mcpServers` object at once (those with
    /// `"trusted": true` as [`Host::add_trusted`] does), and returns those that
    /// failed. Fails itself only if the text is not such an object.
    pub async fn add_config(&self, config: &str) -> Result<Vec<(String, Error)>, Error> {
        let config: Config = serde_json::from_str(config)
            .map_err(|error| Error::usage(format!("no mcpServers object at line {}", error.line())))?;
        let all = config.servers.into_iter().filter(|(_, server)| !server.disabled).map(
            |(name, server)| async move {
                let trusted = server.trusted;
                let outcome = match server.target() {
                    Ok(target) if trusted => self.add_trusted(name.clone(), target).await,
                    Ok(target) => self.add(name.clone(), target).await,
                    Err(error) => Err(error),
                };
                outcome.err().map(|error| (name, error))
            },
        );
        Ok(futures_util::future::join_all(all).await.into_iter().flatten().collect())
    }

    /// The names of the servers, in the order they were added.
    pub fn servers(&self) -> Vec<String> {
        self.inner.servers.read().keys().cloned().collect()
    }

    /// The session of a server.
    pub fn session(&self, server: &str) -> Option<ClientSession> {
        self.inner.servers.read().get(server).map(|entry| entry.session.clone())
    }

    /// All tools of all live servers, each under a name that no other has. Names that several
    /// servers use get their server's name in front, and so does a name that another tool gets
    /// in this way: no server can take the place of another's tool. Tools whose names are the
    /// same even then are left out (`c` of a server `a_b`, `b_c` of a server `a`, where others
    /// have both), and [`Host::call_tool`] says so.
    pub fn tools(&self) -> Vec<HostTool> {
        Merged::of(&self.inner.servers.read()).tools().map(|(name, at)| at.shown(name)).collect()
    }

    /// The tool of that name in the host.
    pub fn find(&self, name: &str) -> Option<HostTool> {
        Merged::of(&self.inner.servers.read()).find(name).map(|at| at.shown(name))
    }

    /// Calls a tool by its name in the host. Fails with `Usage` if there is none, or if it would
    /// be a tool of several servers.
    pub async fn call_tool(&self, name: &str, arguments: Value) -> Result<CallToolResult, Error> {
        let (session, tool) = self.callee(name)?;
        session.call_tool_with(&tool, Some(RawJson::from(arguments)), CallOptions::new()).await
    }

    fn callee(&self, name: &str) -> Result<(ClientSession, String), Error> {
        let servers = self.inner.servers.read();
        let merged = Merged::of(&servers);
        match merged.find(name) {
            Some(Place { session, tool, .. }) => Ok((session.clone(), tool.name.clone())),
            None => Err(Error::usage(
                merged.names.refusal(name).unwrap_or_else(|| "no server has a tool of this name".to_owned()),
            )),
        }
    }

    /// Closes the session of a server and forgets it.
    pub async fn remove(&self, server: &str) {
        let entry = self.inner.servers.write().shift_remove(server);
        if let Some(entry) = entry {
            entry.session.close().await;
        }
    }

    /// Closes all sessions.
    pub async fn close(&self) {
        let all: Vec<Entry> = self.inner.servers.write().drain(..).map(|(_, entry)| entry).collect();
        futures_util::future::join_all(all.iter().map(|entry| entry.session.close())).await;
    }
}

/// The tools of all live servers, and their names.
struct Merged<'a> {
    servers: Vec<(&'a String, &'a Entry)>,
    names: HostNames,
}

/// Where a tool is.
struct Place<'a> {
    server: &'a str,
    session: &'a ClientSession,
    tool: &'a Tool,
}

impl<'a> Merged<'a> {
    fn of(servers: &'a IndexMap<String, Entry>) -> Self {
        let is_live = |entry: &Entry| !matches!(entry.session.state(), SessionState::Closed(_));
        let servers: Vec<_> = servers.iter().filter(|(_, entry)| is_live(entry)).collect();
        let names = HostNames::of(servers.iter().map(|(server, entry)| {
            (server.as_str(), entry.tools.iter().map(|tool| tool.name.as_str()).collect())
        }));
        Self { servers, names }
    }

    fn tools(&self) -> impl Iterator<Item = (&str, Place<'a>)> {
        self.servers.iter().enumerate().flat_map(|(at, &(server, Entry { session, tools }))| {
            let named = self.names.of_server(at).iter().zip(tools);
            named.filter_map(move |(name, tool)| Some((name.as_deref()?, Place { server, session, tool })))
        })
    }

    fn find(&self, name: &str) -> Option<Place<'a>> {
        self.tools().find(|(of, _)| *of == name).map(|(_, at)| at)
    }
}

impl Place<'_> {
    fn shown(&self, name: &str) -> HostTool {
        let mut tool = self.tool.clone();
        let annotations = tool.annotations.take().map(|a| self.session.shared.settings.claim(a));
        tool.annotations = annotations.as_ref().and_then(Untrusted::believed).cloned();
        HostTool { name: name.to_owned(), server: self.server.to_owned(), tool, annotations }
    }
}

/// Has a modern server tell of changed tools: it tells only those who listen. The tools of one that
/// does not agree, or not soon, are there without that.
async fn listen(session: &ClientSession) -> Option<KeptSubscription> {
    let tells = session.capabilities().tools.and_then(|tools| tools.list_changed) == Some(true);
    if !tells || !session.revision().features().subscriptions_listen {
        return None;
    }
    let filter = SubscriptionFilter { tools_list_changed: Some(true), ..Default::default() };
    let agreed = tokio::select! {
        agreed = session.keep_listening(filter) => agreed,
        () = session.pause(LISTEN_BOUND) => Err(Error::timeout()),
    };
    agreed.inspect_err(|error| report(&session.shared, error)).ok()
}

/// Keeps the tools of one server up to date until its session ends. Holds the session
/// only while it talks to it.
async fn follow(
    host: Weak<Inner>,
    name: String,
    shared: Weak<SessionCore>,
    mut notifications: NotificationStream,
) {
    let mut refreshes = Refreshes::default();
    while refreshes.due(&mut notifications, &ServerNotification::ToolsChanged).await {
        let Some(session) = shared.upgrade().map(ClientSession::new) else { break };
        let tools = session.list_all_tools().await;
        refreshes.done();
        let Ok(tools) = tools else { continue };
        let Some(host) = host.upgrade() else { break };
        // Another may have its name by now.
        if let Some(entry) = host.servers.write().get_mut(&name)
            && Arc::ptr_eq(&entry.session.shared, &session.shared)
        {
            entry.tools = tools;
        }
    }
}
