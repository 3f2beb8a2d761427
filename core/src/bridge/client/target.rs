//! How a server is reached, as a JSON object.

use std::collections::BTreeMap;
use std::fs::OpenOptions;
use std::path::PathBuf;
use std::time::Duration;

use serde::Deserialize;

use mcpbolt_proto::jsonrpc::{RawJson, RawObject};
use mcpbolt_proto::protocol::Error;

use crate::handler::Spawner;
use crate::transport::child_process::{ChildOptions, EnvPolicy, StderrMode};
use crate::transport::client_connection::{Connector, RestartPolicy};
use crate::transport::duplex_client::ChildClient;

use crate::bridge::options::client::{read, seconds};

/// Lines of standard error that go into the failure of a process that ended.
const KEPT_LINES: usize = 20;

/// A way to a server, ready to be opened.
pub(crate) struct Reach {
    pub(crate) connector: Connector,
    pub(crate) http: bool,
    /// Only HTTP+SSE, which has no probe.
    pub(crate) legacy_only: bool,
    pub(crate) restart: RestartPolicy,
    /// One word, for `describe_connection`.
    pub(crate) kind: &'static str,
}

impl Reach {
    /// Reads `{"command": …}` or `{"url": …}`. `service` is what host-written hooks of
    /// the HTTP client are asked with.
    ///
    /// # Errors
    /// `Usage`, naming the option that is unknown or has a wrong value.
    pub(crate) fn read(
        json: &RawJson,
        hooks: &crate::bridge::client::http_target::Hooks,
    ) -> Result<Self, Error> {
        let members = RawObject::parse(json).ok_or_else(|| Error::usage("a target must be an object"))?;
        match (members.contains("command"), members.contains("url")) {
            (true, false) => read::<CommandText>("command", json)?.reach(),
            (false, true) => crate::bridge::client::http_target::reach(json, hooks),
            _ => Err(Error::usage("a target has either command or url")),
        }
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct CommandText {
    command: String,
    #[serde(default)]
    args: Vec<String>,
    #[serde(default)]
    env: BTreeMap<String, String>,
    #[serde(default)]
    inherit: Inherit,
    #[serde(default)]
    cwd: Option<PathBuf>,
    #[serde(default)]
    stderr: Stderr,
    #[serde(default)]
    restart: Option<Restart>,
    #[serde(default, deserialize_with = "seconds")]
    close_grace: Option<Duration>,
    #[serde(default, deserialize_with = "seconds")]
    kill_grace: Option<Duration>,
    #[serde(default)]
    max_message_bytes: Option<usize>,
}

#[derive(Deserialize, Default, Clone, Copy)]
#[serde(rename_all = "snake_case")]
enum Inherit {
    #[default]
    AllowList,
    All,
    Nothing,
}

#[derive(Deserialize, Default, Clone)]
#[serde(rename_all = "snake_case")]
enum Stderr {
    #[default]
    Inherit,
    Null,
    Capture,
    File(PathBuf),
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Restart {
    max: u32,
    #[serde(default)]
    backoff: f64,
}

impl CommandText {
    fn reach(self) -> Result<Reach, Error> {
        let restart = self.restart()?;
        // Fails now rather than at the first start.
        self.options()?;
        let connector: Connector = Box::new(move |events| {
            let factory =
                Box::new(move || self.options().unwrap_or_else(|_| ChildOptions::new(&self.command)));
            ChildClient::start(factory, events, &Spawner::default()).map(|client| client as _)
        });
        Ok(Reach { connector, http: false, legacy_only: false, restart, kind: "stdio" })
    }

    fn restart(&self) -> Result<RestartPolicy, Error> {
        let Some(restart) = &self.restart else { return Ok(RestartPolicy::Never) };
        let backoff = Duration::try_from_secs_f64(restart.backoff);
        let backoff = backoff.map_err(|_| Error::usage("command: restart.backoff is no time"))?;
        Ok(RestartPolicy::Limited { max: restart.max, backoff })
    }

    fn options(&self) -> Result<ChildOptions, Error> {
        let mut options = ChildOptions::new(&self.command);
        options.args = self.args.iter().map(Into::into).collect();
        options.env = self.env.iter().map(|(name, value)| (name.into(), value.into())).collect();
        options.inherit = match self.inherit {
            Inherit::AllowList => EnvPolicy::AllowList,
            Inherit::All => EnvPolicy::All,
            Inherit::Nothing => EnvPolicy::Nothing,
        };
        options.cwd.clone_from(&self.cwd);
        options.stderr = match &self.stderr {
            Stderr::Inherit => StderrMode::Inherit,
            Stderr::Null => StderrMode::Null,
            Stderr::Capture => StderrMode::Capture { lines: KEPT_LINES },
            Stderr::File(path) => {
                let opened = OpenOptions::new().append(true).create(true).open(path);
                StderrMode::File(opened.map_err(|e| Error::usage(format!("command: stderr.file: {e}")))?)
            }
        };
        options.max_line_bytes = self.max_message_bytes.unwrap_or(options.max_line_bytes);
        options.close_grace = self.close_grace.unwrap_or(options.close_grace);
        options.kill_grace = self.kill_grace.unwrap_or(options.kill_grace);
        Ok(options)
    }
}
