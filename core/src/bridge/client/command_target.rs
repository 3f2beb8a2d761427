//! A server that is a child process.
//!
//! Owns: the options of a command by name. Must not know: how a process is run.

use std::collections::BTreeMap;
use std::fs::OpenOptions;
use std::path::PathBuf;
use std::time::Duration;

use serde::Deserialize;

use mcpbolt_proto::jsonrpc::RawJson;
use mcpbolt_proto::protocol::Error;

use crate::bridge::options::json::{read, seconds};
use crate::handler::Spawner;
use crate::transport::child_client::ChildClient;
use crate::transport::child_process::{ChildOptions, EnvPolicy, StderrMode};
use crate::transport::client_connection::{Connector, RestartPolicy};

use super::server_target::ServerTarget;

/// Lines of standard error that go into the failure of a process that ended.
const KEPT_LINES: usize = 20;

/// Reads `{"command": …}`.
///
/// # Errors
/// `Usage`, naming the option that is unknown or has a wrong value.
pub(crate) fn command_target(json: &RawJson) -> Result<ServerTarget, Error> {
    read::<CommandText>("command", json)?.target()
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
    fn target(self) -> Result<ServerTarget, Error> {
        let restart = self.restart()?;
        // Fails now rather than at the first start.
        self.options()?;
        let connector: Connector = Box::new(move |events| {
            let factory =
                Box::new(move || self.options().unwrap_or_else(|_| ChildOptions::new(&self.command)));
            ChildClient::start(factory, events, &Spawner::default()).map(|client| client as _)
        });
        Ok(ServerTarget { connector, http: false, legacy_only: false, restart, kind: "stdio" })
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
