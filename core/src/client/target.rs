//! How a server is reached.
//!
//! Owns: the kinds of target, their defaults, and the name a server is remembered by.
//! Must not know: what is said once a server is reached.

use std::ffi::OsString;
use std::fmt;
use std::path::PathBuf;
use std::sync::{Arc, Weak};

use mcpbolt_proto::protocol::Error;

use crate::handler::Spawner;
use crate::transport::child_client::ChildClient;
use crate::transport::child_process::{ChildOptions, EnvPolicy};
use crate::transport::client_connection::{
    ClientConnection, ClientConnectionOptions, ClientHost, Connector, RestartPolicy,
};
use crate::transport::custom::Transport;
use crate::transport::duplex_client::DuplexClient;
#[cfg(feature = "http-client")]
use crate::transport::streamable_http::client::{self, HttpClientOptions};

use super::era_cache::ServerKey;
use super::start_review::StartRequest;

/// A server program, spoken to over its standard input and output.
///
/// ```
/// use mcpbolt::client::Command;
///
/// let command = Command::new("python3").args(["-m", "my_server"]).env("LANG", "C");
/// assert!(!format!("{command:?}").contains("LANG"));
/// ```
#[derive(Clone)]
pub struct Command {
    program: OsString,
    args: Vec<OsString>,
    env: Vec<(OsString, OsString)>,
    inherit: EnvPolicy,
    cwd: Option<PathBuf>,
    pub(super) restart: RestartPolicy,
}

impl Command {
    /// A program name, looked up in `PATH`, or a path.
    pub fn new(program: impl Into<OsString>) -> Self {
        Self {
            program: program.into(),
            args: Vec::new(),
            env: Vec::new(),
            inherit: EnvPolicy::default(),
            cwd: None,
            restart: RestartPolicy::Never,
        }
    }

    /// Adds an argument.
    #[must_use]
    pub fn arg(mut self, arg: impl Into<OsString>) -> Self {
        self.args.push(arg.into());
        self
    }

    /// Adds arguments.
    #[must_use]
    pub fn args<A: Into<OsString>>(mut self, args: impl IntoIterator<Item = A>) -> Self {
        self.args.extend(args.into_iter().map(Into::into));
        self
    }

    /// Sets an environment variable.
    #[must_use]
    pub fn env(mut self, name: impl Into<OsString>, value: impl Into<OsString>) -> Self {
        self.env.push((name.into(), value.into()));
        self
    }

    /// Sets which of our environment variables it inherits.
    #[must_use]
    pub fn inherit(mut self, policy: EnvPolicy) -> Self {
        self.inherit = policy;
        self
    }

    /// Sets its working directory.
    #[must_use]
    pub fn cwd(mut self, directory: impl Into<PathBuf>) -> Self {
        self.cwd = Some(directory.into());
        self
    }

    /// Starts it again after a crash. Calls in flight that are not known to be
    /// harmless to repeat fail.
    #[must_use]
    pub fn restart(mut self, policy: RestartPolicy) -> Self {
        self.restart = policy;
        self
    }

    fn options(&self) -> ChildOptions {
        let mut options = ChildOptions::new(self.program.clone());
        options.args.clone_from(&self.args);
        options.env = self.env.iter().cloned().collect();
        options.inherit = self.inherit;
        options.cwd.clone_from(&self.cwd);
        options
    }
}

/// Arguments and environment may hold secrets.
impl fmt::Debug for Command {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Command({:?}, {} arguments)", self.program, self.args.len())
    }
}

/// How a server is reached: a [`Command`], a [`Transport`], or a URL.
///
/// ```
/// use mcpbolt::client::{Command, Target};
///
/// let local: Target = Command::new("my-server").into();
/// let remote: Target = "https://example.com/mcp".into();
/// let with_key = Target::Url {
///     url: "https://example.com/mcp".to_owned(),
///     headers: vec![("x-api-key".to_owned(), "s3cret".to_owned())],
/// };
/// assert!(!format!("{local:?} {remote:?} {with_key:?}").contains("s3cret"));
/// ```
#[non_exhaustive]
pub enum Target {
    /// A child process.
    Command(Command),
    /// A transport of the program's own.
    Transport(Arc<dyn Transport>),
    /// An HTTP endpoint, with headers to send along.
    Url {
        /// The endpoint.
        url: String,
        /// Extra headers.
        headers: Vec<(String, String)>,
    },
    /// An HTTP endpoint, with all options.
    #[cfg(feature = "http-client")]
    Http {
        /// The endpoint.
        url: String,
        /// Headers, credentials, certificates, proxies, limits.
        options: Box<HttpClientOptions>,
    },
    /// Any client transport.
    Connector {
        /// Makes it.
        connector: Connector,
        /// Whether it is HTTP.
        http: bool,
    },
}

impl Target {
    /// Whether the server is known to speak nothing but HTTP+SSE, which has no probe.
    pub(super) fn is_legacy_only(&self) -> bool {
        match self {
            #[cfg(feature = "http-client")]
            Self::Http { options, .. } => options.sse_only,
            _ => false,
        }
    }

    /// Names the server for what is remembered of it; `None` where it cannot be reached
    /// twice the same way.
    pub(super) fn key(&self) -> Option<ServerKey> {
        match self {
            Self::Command(command) => {
                let words = std::iter::once(&command.program).chain(&command.args);
                Some(ServerKey::Child(words.cloned().collect()))
            }
            Self::Url { url, .. } => http_key(url),
            #[cfg(feature = "http-client")]
            Self::Http { url, options } if !options.sse_only => http_key(url),
            _ => None,
        }
    }

    /// The same target once more, for programs that connect to a server several times: what
    /// belongs to the server, such as who signs in there, is then one for all connections.
    /// `None` for [`Transport`](Self::Transport) and [`Connector`](Self::Connector), which
    /// reach a server once.
    ///
    /// ```
    /// use mcpbolt::client::Target;
    ///
    /// let server = Target::from("https://example.com/mcp");
    /// assert!(matches!(server.again(), Some(Target::Url { url, .. }) if url == "https://example.com/mcp"));
    ///
    /// let once = Target::Connector { connector: Box::new(|_| unreachable!()), http: false };
    /// assert!(once.again().is_none());
    /// ```
    pub fn again(&self) -> Option<Self> {
        match self {
            Self::Command(command) => Some(Self::Command(command.clone())),
            Self::Url { url, headers } => Some(Self::Url { url: url.clone(), headers: headers.clone() }),
            #[cfg(feature = "http-client")]
            Self::Http { url, options } => Some(Self::Http { url: url.clone(), options: options.clone() }),
            _ => None,
        }
    }

    /// The same target, known to speak HTTP+SSE.
    #[cfg(feature = "http-client")]
    pub(super) fn over_sse(self) -> Result<Self, Error> {
        Ok(match self {
            Self::Url { url, headers } => {
                let headers = header_map(&headers)?;
                let options = HttpClientOptions { headers, sse_only: true, ..HttpClientOptions::default() };
                Self::Http { url, options: Box::new(options) }
            }
            Self::Http { url, mut options } => {
                options.sse_only = true;
                Self::Http { url, options }
            }
            other => other,
        })
    }

    /// What a person is asked before it is started; `None` if nothing is.
    pub(super) fn start_request(&self) -> Option<StartRequest> {
        let Self::Command(command) = self else { return None };
        Some(StartRequest {
            program: command.program.clone(),
            args: command.args.clone(),
            env: command.env.iter().map(|(name, _)| name.clone()).collect(),
            cwd: command.cwd.clone(),
        })
    }

    /// How it is called in events.
    fn kind(&self) -> &'static str {
        match self {
            Self::Command(_) => "stdio",
            Self::Transport(_) | Self::Connector { http: false, .. } => "custom",
            _ => "http",
        }
    }

    pub(super) fn is_http(&self) -> bool {
        self.kind() == "http"
    }

    fn restart(&self) -> RestartPolicy {
        match self {
            Self::Command(command) => command.restart,
            _ => RestartPolicy::Never,
        }
    }

    /// Opens a connection to it, for programs that pass on what others say: what the server
    /// asks and tells goes to `host` as it came. Most programs connect with
    /// [`Client::connect`](super::Client::connect). To be called on a runtime.
    ///
    /// ```
    /// use mcpbolt::client::{Command, Target};
    /// use mcpbolt::protocol::{Error, types::Implementation};
    /// use mcpbolt::session::client::ClientSettings;
    /// use mcpbolt::transport::client_connection::{ClientConnection, ClientConnectionOptions, ClientHost};
    /// use std::sync::{Arc, Weak};
    ///
    /// fn reach(host: Weak<dyn ClientHost>) -> Result<Arc<ClientConnection>, Error> {
    ///     let settings = ClientSettings::new(Implementation::new("gateway", "1.0"), Default::default());
    ///     let server = Target::from(Command::new("my-server"));
    ///     server.open(ClientConnectionOptions::new(settings), host)
    /// }
    /// ```
    ///
    /// # Errors
    /// When a program cannot be started, or a URL or header is none.
    pub fn open(
        self,
        mut options: ClientConnectionOptions,
        host: Weak<dyn ClientHost>,
    ) -> Result<Arc<ClientConnection>, Error> {
        options.restart = self.restart();
        options.kind = self.kind();
        let (connector, http) = self.into_connector(options.spawner.clone())?;
        ClientConnection::open(options, http, host, connector)
    }

    /// The connector, and whether it is HTTP.
    fn into_connector(self, spawner: Spawner) -> Result<(Connector, bool), Error> {
        match self {
            Self::Command(command) => {
                let connector: Connector = Box::new(move |events| {
                    let factory = Box::new(move || command.options());
                    ChildClient::start(factory, events, &spawner).map(|client| client as _)
                });
                Ok((connector, false))
            }
            Self::Transport(transport) => {
                let connector: Connector =
                    Box::new(move |events| Ok(DuplexClient::start(transport, events, &spawner) as _));
                Ok((connector, false))
            }
            #[cfg(not(feature = "http-client"))]
            Self::Url { .. } => Err(Error::usage("this build has no HTTP client")),
            #[cfg(feature = "http-client")]
            Self::Url { url, headers } => {
                let mut options = HttpClientOptions { spawner, ..HttpClientOptions::default() };
                options.headers = header_map(&headers)?;
                Ok((http(url, options), true))
            }
            #[cfg(feature = "http-client")]
            Self::Http { url, options } => Ok((http(url, *options), true)),
            Self::Connector { connector, http } => Ok((connector, http)),
        }
    }
}

fn http_key(url: &str) -> Option<ServerKey> {
    let url = url::Url::parse(url).ok()?;
    Some(ServerKey::Http(format!("{}{}", url.origin().ascii_serialization(), url.path())))
}

#[cfg(feature = "http-client")]
fn http(url: String, options: HttpClientOptions) -> Connector {
    Box::new(move |events| client::connect(&url, options, events))
}

#[cfg(feature = "http-client")]
fn header_map(headers: &[(String, String)]) -> Result<http::HeaderMap, Error> {
    let mut map = http::HeaderMap::new();
    for (name, value) in headers {
        let wrong = || Error::usage("a header name or value is not allowed in HTTP");
        let name = http::HeaderName::try_from(name).map_err(|_| wrong())?;
        map.append(name, http::HeaderValue::try_from(value).map_err(|_| wrong())?);
    }
    Ok(map)
}

impl From<Command> for Target {
    fn from(command: Command) -> Self {
        Self::Command(command)
    }
}

impl From<&str> for Target {
    fn from(url: &str) -> Self {
        Self::Url { url: url.to_owned(), headers: Vec::new() }
    }
}

impl From<String> for Target {
    fn from(url: String) -> Self {
        Self::Url { url, headers: Vec::new() }
    }
}

#[cfg(feature = "http-client")]
impl From<(&str, HttpClientOptions)> for Target {
    fn from((url, options): (&str, HttpClientOptions)) -> Self {
        Self::Http { url: url.to_owned(), options: Box::new(options) }
    }
}

impl<T: Transport> From<T> for Target {
    fn from(transport: T) -> Self {
        Self::Transport(Arc::new(transport))
    }
}

impl fmt::Debug for Target {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Command(_) => "Target::Command",
            Self::Transport(_) => "Target::Transport",
            Self::Url { .. } => "Target::Url",
            #[cfg(feature = "http-client")]
            Self::Http { .. } => "Target::Http",
            Self::Connector { .. } => "Target::Connector",
        })
    }
}
