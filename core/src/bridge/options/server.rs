//! What a server can be told, by the names of the limits table.
//!
//! Owns: names and defaults of a server's options. Must not know: handlers, or how a limit
//! is enforced.

use std::time::Duration;

use serde_json::{Map, Value};

use mcpbolt_proto::jsonrpc::RawJson;
use mcpbolt_proto::limits::{LimitValue, Limits};
use mcpbolt_proto::policy::norm::Norm;
use mcpbolt_proto::protocol::{Error, Revision};

use crate::bridge::queue::limits::InboxLimits;
use crate::handler::{EngineOptions, InputMode};
use crate::seal::Sealer;

use super::guard_rails::{self, Hidden};
use super::outgoing_options::{self, AuditText};

/// How a call of a tool that does not exist is answered.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum UnknownTool {
    /// -32602.
    #[default]
    Error,
    /// A result with `isError`.
    Result,
    /// By the host.
    Host,
}

/// Everything a server can be told at its start.
#[derive(Clone)]
pub struct Options {
    /// Sessions, caps, how questions are asked.
    pub engine: EngineOptions,
    /// Caps of what waits for the host, where they are named; otherwise those its inboxes
    /// were made with. If only one of the two is named, the other is the default.
    pub inbox: Option<InboxLimits>,
    /// Most items of one list result; no paging when absent.
    pub page_size: Option<usize>,
    /// How a call of a tool that does not exist is answered.
    pub unknown_tool: UnknownTool,
    /// Whether the engine answers anything itself.
    pub fast_path: bool,
    /// Where audit records go, if anywhere.
    pub audit: Option<AuditText>,
    /// The service that decides what clients may do and see, if one does.
    pub authorize: Option<String>,
    /// The host's own messages for items that do not exist, said of hidden ones too, so that
    /// the two cannot be told apart.
    pub hidden: Hidden,
    /// Where what outlasts a call is kept.
    pub stores: String,
    /// Whether the engine has tasks, and how often clients should ask for one.
    pub tasks: Option<Duration>,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            engine: EngineOptions { outlet: outgoing_options::outlet(), ..EngineOptions::default() },
            inbox: None,
            page_size: None,
            unknown_tool: UnknownTool::default(),
            fast_path: true,
            audit: None,
            authorize: None,
            hidden: Hidden::default(),
            stores: "memory".to_owned(),
            tasks: None,
        }
    }
}

impl Options {
    /// Reads an object such as `{"max_in_flight": 100, "parked": {"ttl": 5},
    /// "page_size": 50}`. Groups may be nested or dotted; times are seconds.
    ///
    /// Beside the limits: `inbox.max_items`, `inbox.max_bytes`, `page_size`,
    /// `unknown_tool` (`error`, `result`, `host`), `fast_path`, `input` (`park`,
    /// `replay`), `revisions`, `node`, `state_keys` (secrets of at least 32 bytes, or `file:` and
    /// the path of a file that has them line by line: servers that share them open each other's
    /// `requestState`; the first one seals),
    /// `host_seals_state` (states that handlers return leave and come back as they are),
    /// `norm` (whose order and words clients meet: `own`, `python-1`, `python-2`, `typescript`,
    /// `typescript-1`),
    /// `ask_undeclared` (questions that handlers return are sent to clients that did not declare
    /// that they answer them), `hides_logging` (clients are not told that the server sends log
    /// messages),
    /// `reusable_state` (a state is taken as often as it comes, instead of once),
    /// `stores` (`memory`, `file:` and a path for tasks, or the URL of a Redis or Valkey server for
    /// tasks and legacy sessions of all nodes that name it),
    /// `tasks.poll_interval` (the engine has tasks, and clients should ask for one so often),
    /// `error_detail` (`message`, `masked`), `check_media`, `max_result_bytes`,
    /// `sanitize_result` (true asks `result.sanitize`, a text the service it names),
    /// `audit` (`path` or `service`, `queue`),
    /// `rate_limit` (`[{methods, per, rate, burst}]`), `timeout`, `max_concurrency`,
    /// `authorize` (true asks `server.authorize`, a text the service it names),
    /// `hidden_tool`, `hidden_tool_error`, `hidden_resource`, `hidden_prompt` (the host's
    /// words for what does not exist, with `{name}` in them).
    ///
    /// # Errors
    /// `Usage`, naming the option that is unknown or has a wrong value.
    pub fn parse(json: &RawJson) -> Result<Self, Error> {
        let members: Map<String, Value> =
            json.decode().map_err(|_| Error::usage("options must be an object"))?;
        let mut options = Self::default();
        options.read("", &members)?;
        options.engine.session.limit(&options.engine.limits);
        Ok(options)
    }

    fn read(&mut self, group: &str, members: &Map<String, Value>) -> Result<(), Error> {
        for (name, value) in members {
            let name = if group.is_empty() { name.clone() } else { format!("{group}.{name}") };
            match value {
                Value::Object(inner) if name == "audit" => self.audit = Some(outgoing_options::audit(inner)?),
                Value::Object(inner) => self.read(&name, inner)?,
                value => self.set(&name, value)?,
            }
        }
        Ok(())
    }

    fn set(&mut self, name: &str, value: &Value) -> Result<(), Error> {
        let wrong = || Error::usage(format!("option {name} has a wrong value"));
        let count = || value.as_u64().and_then(|n| usize::try_from(n).ok()).ok_or_else(wrong);
        let word = || value.as_str().ok_or_else(wrong);
        if name == "page_size" && value.as_u64() == Some(0) {
            return Err(wrong());
        }
        if let Some(set) = outgoing_options::set(&mut self.engine, name, value) {
            return set;
        }
        let (authorize, hidden) = (&mut self.authorize, &mut self.hidden);
        if let Some(set) = guard_rails::set(&mut self.engine, authorize, hidden, name, value) {
            return set;
        }
        match name {
            "inbox.max_items" => self.inbox.get_or_insert_default().max_items = count()?,
            "inbox.max_bytes" => self.inbox.get_or_insert_default().max_bytes = count()?,
            "page_size" => self.page_size = Some(count()?),
            "stores" => word()?.clone_into(&mut self.stores),
            "tasks.poll_interval" => {
                let poll = value.as_f64().and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
                self.tasks = Some(poll.ok_or_else(wrong)?);
            }
            "fast_path" => self.fast_path = value.as_bool().ok_or_else(wrong)?,
            "node" => self.engine.session.node = Some(word()?.to_owned()),
            "unknown_tool" => {
                self.unknown_tool = match word()? {
                    "error" => UnknownTool::Error,
                    "result" => UnknownTool::Result,
                    "host" => UnknownTool::Host,
                    _ => return Err(wrong()),
                }
            }
            "input" => {
                self.engine.input = match word()? {
                    "park" => InputMode::Park,
                    "replay" => InputMode::Replay,
                    _ => return Err(wrong()),
                }
            }
            "host_seals_state" => {
                self.engine.host_seals_state = value.as_bool().ok_or_else(wrong)?;
            }
            "norm" => self.engine.session.norm = Norm::named(word()?).ok_or_else(wrong)?,
            "ask_undeclared" => self.engine.asks_undeclared = value.as_bool().ok_or_else(wrong)?,
            "hides_logging" => {
                self.engine.session.hides_logging = value.as_bool().ok_or_else(wrong)?;
            }
            "reusable_state" => self.engine.reusable_state = value.as_bool().ok_or_else(wrong)?,
            "state_keys" => self.engine.sealer = Some(sealer(value).unwrap_or_else(|| Err(wrong()))?),
            "revisions" => self.engine.session.revisions = revisions(value).ok_or_else(wrong)?,
            _ => return self.set_limit(name, value),
        }
        Ok(())
    }

    fn set_limit(&mut self, name: &str, value: &Value) -> Result<(), Error> {
        let Some(row) = Limits::rows().iter().find(|row| row.name == name) else {
            return Err(Error::usage(format!("there is no option {name}")));
        };
        let given = match row.default {
            LimitValue::Bytes(_) => value.as_u64().map(LimitValue::Bytes),
            LimitValue::Count(_) => {
                value.as_u64().and_then(|n| usize::try_from(n).ok()).map(LimitValue::Count)
            }
            LimitValue::Time(_) if value.is_null() => Some(LimitValue::Time(None)),
            LimitValue::Time(_) => value
                .as_f64()
                .and_then(|seconds| Duration::try_from_secs_f64(seconds).ok())
                .map(|time| LimitValue::Time(Some(time))),
        };
        if given.is_some_and(|given| self.engine.limits.set(name, given)) {
            Ok(())
        } else {
            Err(Error::usage(format!("option {name} has a wrong value")))
        }
    }
}

/// A list of revisions, oldest first.
fn revisions(value: &Value) -> Option<Vec<Revision>> {
    let names = value.as_array()?;
    let mut revisions =
        names.iter().map(|name| Revision::parse(name.as_str()?)).collect::<Option<Vec<_>>>()?;
    revisions.sort_unstable();
    revisions.dedup();
    (!revisions.is_empty()).then_some(revisions)
}

/// A sealer from secrets: it opens states that others with the same secrets sealed.
fn sealer(value: &Value) -> Option<Result<Sealer, Error>> {
    if let Some(path) = value.as_str().and_then(|text| text.strip_prefix("file:")) {
        return Some(Sealer::from_file(path));
    }
    let secrets = value.as_array()?.iter().map(Value::as_str).collect::<Option<Vec<_>>>()?;
    Sealer::from_secrets(secrets).ok().map(Ok)
}

impl std::fmt::Debug for Options {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Options").field("inbox", &self.inbox).finish_non_exhaustive()
    }
}
