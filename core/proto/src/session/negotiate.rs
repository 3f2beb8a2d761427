//! Which era and revision a client speaks with a server it does not know yet.
//!
//! Owns: the probe, the fallback, the choice of a revision. Must not know: how
//! messages are written or carried, what time it is.
//!
//! ```
//! use mcpbolt_proto::jsonrpc::RawJson;
//! use mcpbolt_proto::protocol::Revision;
//! use mcpbolt_proto::session::negotiate::{Agreed, Negotiator, ProtocolPolicy, Reply, Step};
//!
//! let mut negotiator = Negotiator::new(ProtocolPolicy::Auto, &Revision::ALL, false);
//! assert_eq!(negotiator.start(), Step::Discover(Revision::V2026_07_28));
//! // Over stdio, silence means an old server:
//! assert_eq!(negotiator.next(Reply::Timeout), Step::Initialize(Revision::V2025_11_25));
//! let said = r#"{"protocolVersion":"2025-06-18","capabilities":{},
//!                "serverInfo":{"name":"old","version":"1"}}"#;
//! let Step::Ready(agreed) = negotiator.next(Reply::Result(RawJson::parse(said)?)) else { panic!("no") };
//! let Agreed { revision, .. } = *agreed;
//! assert_eq!(revision, Revision::V2025_06_18);
//! # Ok::<(), mcpbolt_proto::jsonrpc::RawError>(())
//! ```

use crate::jsonrpc::{ErrorCode, ErrorObject, RawJson, RawObject};
use crate::protocol::capabilities::ServerCapabilities;
use crate::protocol::types::{DiscoverResult, Implementation, InitializeResult};
use crate::protocol::{Era, Error, ErrorKind, Revision, meta};

/// Which era a client tries, and in which order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum ProtocolPolicy {
    /// Asks `server/discover` first and falls back to `initialize`.
    #[default]
    Auto,
    /// Opens with `initialize` and falls forward if the server is modern only.
    LegacyFirst,
    /// Speaks modern revisions only.
    ModernOnly,
    /// Speaks this revision only.
    Pinned(Revision),
}

/// What to do next.
#[derive(Debug, Clone, PartialEq)]
pub enum Step {
    /// Send `server/discover` in this revision.
    Discover(Revision),
    /// Send `initialize` with this revision.
    Initialize(Revision),
    /// The process is gone: start another, then send `initialize`.
    Restart(Revision),
    /// Switch to HTTP+SSE (2024-11-05), then send `initialize`.
    LegacySse(Revision),
    /// Settled.
    Ready(Box<Agreed>),
    /// There is no common ground, or the server cannot be reached.
    Fail(Error),
}

/// What client and server agreed on, and what the server said about itself.
#[derive(Debug, Clone, PartialEq)]
pub struct Agreed {
    /// The revision.
    pub revision: Revision,
    /// What the server can do.
    pub capabilities: ServerCapabilities,
    /// Who the server says it is. For display only.
    pub server_info: Option<Implementation>,
    /// How to use the server, for the model.
    pub instructions: Option<String>,
    /// The result of `initialize` or `server/discover`, as it came.
    pub raw: RawJson,
}

impl Agreed {
    /// What an earlier answer to `server/discover` said. Fails with `Protocol` if it is
    /// none.
    pub fn from_discover(revision: Revision, raw: RawJson) -> Result<Self, Error> {
        let result = raw.decode::<DiscoverResult>();
        let result = result.map_err(|_| Error::protocol("this is no answer to server/discover"))?;
        Ok(Self::discovered(revision, result, raw))
    }

    fn discovered(revision: Revision, result: DiscoverResult, raw: RawJson) -> Self {
        let top = RawObject::parse(&raw).unwrap_or_default();
        let named = top.get("serverInfo").and_then(|info| info.decode().ok());
        Self {
            revision,
            server_info: result.meta.as_ref().and_then(|m| m.get(meta::SERVER_INFO)).or(named),
            capabilities: result.capabilities,
            instructions: result.instructions,
            raw,
        }
    }
}

/// What became of the last message.
#[derive(Debug, Clone)]
pub enum Reply {
    /// A result.
    Result(RawJson),
    /// A JSON-RPC error, with any HTTP status.
    Error(ErrorObject),
    /// An HTTP status whose body is not a JSON-RPC message.
    Status(u16, Error),
    /// Nothing came in time.
    Timeout,
    /// The process exited.
    Exited(Error),
    /// The message could not be carried.
    Failed(Error),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Asked {
    Discover(Revision),
    Initialize(Revision),
}

/// The state of one negotiation: [`Negotiator::start`], then [`Negotiator::next`] with
/// each reply until it says `Ready` or `Fail`.
#[derive(Debug, Clone)]
#[allow(clippy::struct_excessive_bools)] // what was tried so far: independent facts
pub struct Negotiator {
    policy: ProtocolPolicy,
    http: bool,
    revisions: Vec<Revision>,
    asked: Option<Asked>,
    version_retried: bool,
    discovered: bool,
    initialized: bool,
    probe_unanswered: bool,
    sse: bool,
    first_failure: Option<Error>,
}

impl Negotiator {
    /// A negotiation for a client that speaks `revisions`.
    pub fn new(policy: ProtocolPolicy, revisions: &[Revision], http: bool) -> Self {
        let may = |r: &Revision| match policy {
            ProtocolPolicy::Pinned(pinned) => *r == pinned,
            ProtocolPolicy::ModernOnly => r.is_modern(),
            ProtocolPolicy::Auto | ProtocolPolicy::LegacyFirst => true,
        };
        let mut revisions: Vec<Revision> = revisions.iter().copied().filter(may).collect();
        revisions.sort_unstable();
        Self {
            policy,
            http,
            revisions,
            asked: None,
            version_retried: false,
            discovered: false,
            initialized: false,
            probe_unanswered: false,
            sse: false,
            first_failure: None,
        }
    }

    /// The first step.
    pub fn start(&mut self) -> Step {
        let (modern, legacy) = (self.newest(Era::Modern), self.newest(Era::Legacy));
        match (self.policy, modern, legacy) {
            (_, None, None) => Step::Fail(Error::new(ErrorKind::Usage, "no revision is left to offer")),
            (ProtocolPolicy::LegacyFirst, _, Some(legacy)) | (_, None, Some(legacy)) => {
                self.initialize(legacy)
            }
            (_, Some(modern), _) => self.discover(modern),
        }
    }

    /// The step after a reply.
    pub fn next(&mut self, reply: Reply) -> Step {
        match self.asked {
            Some(Asked::Discover(asked)) => self.after_discover(asked, reply),
            Some(Asked::Initialize(asked)) => self.after_initialize(asked, reply),
            None => Step::Fail(Error::new(ErrorKind::Usage, "the negotiation has not started")),
        }
    }

    fn after_discover(&mut self, asked: Revision, reply: Reply) -> Step {
        match reply {
            Reply::Result(raw) => self.discovered(raw),
            Reply::Error(error) if is_version_error(&error) && supported(&error).is_some() => {
                self.choose(&supported(&error).unwrap_or_default(), to_error(error, asked))
            }
            // The modern gate of an HTTP server is not a sign of an old one.
            Reply::Error(error) if self.http && is_gate_error(&error) => Step::Fail(to_error(error, asked)),
            Reply::Error(error) => self.fall_back(to_error(error, asked), false),
            Reply::Status(status, error) if is_verdict(status) => match self.newest(Era::Legacy) {
                Some(legacy) if self.initialized && self.http => self.legacy_sse(legacy, error),
                _ => self.fall_back(error, false),
            },
            Reply::Status(_, error) | Reply::Failed(error) => Step::Fail(error),
            // Over HTTP silence is a failure, not a verdict.
            Reply::Timeout if self.http => Step::Fail(timeout("server/discover")),
            Reply::Timeout => {
                self.probe_unanswered = true;
                self.fall_back(timeout("server/discover"), false)
            }
            Reply::Exited(error) => self.fall_back(error, true),
        }
    }

    fn discovered(&mut self, raw: RawJson) -> Step {
        let Some(result) = raw.decode::<DiscoverResult>().ok().filter(|r| !r.supported_versions.is_empty())
        else {
            let error = Error::new(ErrorKind::Protocol, "the answer to server/discover names no revisions");
            return self.fall_back(error, false);
        };
        let Some(revision) = self.newest_of(Era::Modern, &result.supported_versions) else {
            let requested = self.newest(Era::Modern).map(Revision::as_str);
            let data = serde_json::json!({ "supported": result.supported_versions, "requested": requested });
            let error = self.disjoint().with_data(data);
            return self.choose(&result.supported_versions, error);
        };
        Step::Ready(Box::new(Agreed::discovered(revision, result, raw)))
    }

    /// Acts on a list of the server's revisions: a mutual modern one once more, else a
    /// mutual legacy one, else nothing.
    fn choose(&mut self, supported: &[String], error: Error) -> Step {
        let modern = self.newest_of(Era::Modern, supported);
        let legacy = self.newest_of(Era::Legacy, supported);
        match (modern, legacy) {
            (Some(modern), _) if !self.version_retried => {
                self.version_retried = true;
                self.discover(modern)
            }
            (None, Some(legacy)) if !self.initialized => self.initialize(legacy),
            _ => Step::Fail(error),
        }
    }

    fn fall_back(&mut self, error: Error, restart: bool) -> Step {
        let Some(legacy) = self.newest(Era::Legacy).filter(|_| !self.initialized) else {
            return Step::Fail(self.first_failure.take().unwrap_or(error));
        };
        match self.initialize(legacy) {
            Step::Initialize(revision) if restart => {
                self.first_failure.get_or_insert(error);
                Step::Restart(revision)
            }
            step => step,
        }
    }

    fn after_initialize(&mut self, asked: Revision, reply: Reply) -> Step {
        match reply {
            Reply::Result(raw) => self.agreed(raw),
            Reply::Error(error) => {
                let mutual = supported(&error).and_then(|list| self.newest_of(Era::Legacy, &list));
                if let Some(mutual) = mutual.filter(|m| *m != asked && !self.version_retried) {
                    self.version_retried = true;
                    return self.initialize(mutual);
                }
                self.fall_forward(to_error(error, asked))
            }
            Reply::Status(status, error) if self.http && is_verdict(status) => {
                if !self.discovered && self.newest(Era::Modern).is_some() {
                    return self.fall_forward(error);
                }
                self.legacy_sse(asked, error)
            }
            Reply::Status(_, error) | Reply::Failed(error) | Reply::Exited(error) => {
                Step::Fail(self.first_failure.take().filter(|_| self.sse).unwrap_or(error))
            }
            Reply::Timeout => Step::Fail(timeout("initialize")),
        }
    }

    /// The server refused the handshake: perhaps it is modern only, and was not asked
    /// yet or was too slow to say so.
    fn fall_forward(&mut self, error: Error) -> Step {
        match self.newest(Era::Modern) {
            Some(modern) if !self.discovered || self.probe_unanswered => {
                self.probe_unanswered = false;
                self.first_failure = Some(error);
                self.discover(modern)
            }
            _ => Step::Fail(error),
        }
    }

    fn legacy_sse(&mut self, revision: Revision, error: Error) -> Step {
        if std::mem::replace(&mut self.sse, true) {
            return Step::Fail(error);
        }
        self.asked = Some(Asked::Initialize(revision));
        self.initialized = true;
        self.first_failure.get_or_insert(error);
        Step::LegacySse(revision)
    }

    /// Why the server was tried in another way: what to say if that does not work either.
    pub fn first_failure(&mut self) -> Option<Error> {
        self.first_failure.take()
    }

    fn agreed(&mut self, raw: RawJson) -> Step {
        let Ok(result) = raw.decode::<InitializeResult>() else {
            return Step::Fail(Error::new(ErrorKind::Protocol, "the answer to initialize is malformed"));
        };
        let revision = Revision::parse(&result.protocol_version)
            .filter(|r| r.era() == Era::Legacy && self.revisions.contains(r));
        match revision {
            None => {
                let requested = self.newest(Era::Legacy).map(Revision::as_str);
                let data =
                    serde_json::json!({ "supported": [result.protocol_version], "requested": requested });
                Step::Fail(self.disjoint().with_data(data))
            }
            Some(revision) => Step::Ready(Box::new(Agreed {
                revision,
                capabilities: result.capabilities,
                server_info: Some(result.server_info),
                instructions: result.instructions,
                raw,
            })),
        }
    }

    fn discover(&mut self, revision: Revision) -> Step {
        self.discovered = true;
        self.asked = Some(Asked::Discover(revision));
        Step::Discover(revision)
    }

    fn initialize(&mut self, revision: Revision) -> Step {
        self.initialized = true;
        self.asked = Some(Asked::Initialize(revision));
        Step::Initialize(revision)
    }

    fn newest(&self, era: Era) -> Option<Revision> {
        self.revisions.iter().rev().copied().find(|r| r.era() == era)
    }

    fn newest_of(&self, era: Era, names: &[String]) -> Option<Revision> {
        let mutual = |r: &Revision| r.era() == era && names.iter().any(|name| name == r.as_str());
        self.revisions.iter().rev().copied().find(mutual)
    }

    fn disjoint(&self) -> Error {
        let ours: Vec<&str> = self.revisions.iter().map(|r| r.as_str()).collect();
        let message = format!("the server speaks none of the revisions {}", ours.join(", "));
        Error::new(ErrorKind::UnsupportedProtocolVersion, message)
    }
}

fn to_error(error: ErrorObject, asked: Revision) -> Error {
    Error::from_peer(error, asked)
}

fn timeout(method: &str) -> Error {
    Error::new(ErrorKind::Timeout, format!("{method} was not answered in time"))
}

fn is_version_error(error: &ErrorObject) -> bool {
    error.code == ErrorKind::UnsupportedProtocolVersion.code()
}

fn is_gate_error(error: &ErrorObject) -> bool {
    let gate: [ErrorCode; 3] = [
        ErrorKind::HeaderMismatch.code(),
        ErrorKind::MissingClientCapability.code(),
        ErrorKind::UnsupportedProtocolVersion.code(),
    ];
    gate.contains(&error.code)
}

/// Whether an HTTP status says something about the era: not credentials, not load, not
/// a broken server.
fn is_verdict(status: u16) -> bool {
    (400..500).contains(&status) && ![401, 403, 407, 408, 429].contains(&status)
}

/// `data.supported`, when it is a list with at least one name.
fn supported(error: &ErrorObject) -> Option<Vec<String>> {
    let data = RawObject::parse(error.data.as_ref()?)?;
    data.get("supported")?.decode::<Vec<String>>().ok().filter(|list| !list.is_empty())
}
