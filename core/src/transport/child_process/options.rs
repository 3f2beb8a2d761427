//! What to start and how.
//!
//! Owns: the environment a child gets, where its standard error goes, errors that name
//! the command but never its arguments or environment. Must not know: running children.

use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::fmt;
use std::fs::File;
use std::io;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

/// The variables a child gets unless asked otherwise, as in the official SDKs.
#[cfg(not(windows))]
const INHERITED: &[&str] = &["HOME", "LOGNAME", "PATH", "SHELL", "TERM", "USER"];
#[cfg(windows)]
const INHERITED: &[&str] = &[
    "APPDATA",
    "HOMEDRIVE",
    "HOMEPATH",
    "LOCALAPPDATA",
    "PATH",
    "PATHEXT",
    "PROCESSOR_ARCHITECTURE",
    "PROGRAMFILES",
    "SYSTEMDRIVE",
    "SYSTEMROOT",
    "TEMP",
    "USERNAME",
    "USERPROFILE",
];

/// Which of our environment variables a child inherits.
///
/// ```
/// use mcpbolt::transport::child_process::{ChildOptions, EnvPolicy};
///
/// let mut options = ChildOptions::new("server");
/// assert_eq!(options.inherit, EnvPolicy::AllowList);
/// options.inherit = EnvPolicy::All;
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum EnvPolicy {
    /// `HOME LOGNAME PATH SHELL TERM USER` on Unix and their like on Windows; never
    /// secrets that happen to be in our environment. Values that start with `()`, which
    /// some shells run as code, are left out.
    #[default]
    AllowList,
    /// All of them.
    All,
    /// None.
    Nothing,
}

/// Where the standard error of a child goes.
///
/// ```
/// use mcpbolt::transport::child_process::{ChildOptions, StderrMode};
///
/// let mut options = ChildOptions::new("server");
/// options.stderr = StderrMode::Capture { lines: 20 };
/// ```
#[derive(Debug, Default)]
pub enum StderrMode {
    /// To our own standard error.
    #[default]
    Inherit,
    /// Nowhere.
    Null,
    /// To a file.
    File(File),
    /// To events; the last lines are kept for [`ChildExit::stderr`](super::ChildExit).
    Capture {
        /// How many lines are kept.
        lines: usize,
    },
}

/// What to start and how.
///
/// ```
/// use mcpbolt::transport::child_process::ChildOptions;
///
/// let mut options = ChildOptions::new("python3");
/// options.args = vec!["-m".into(), "server".into()];
/// options.env.insert("API_KEY".into(), "secret".into());
/// assert!(!format!("{options:?}").contains("secret"));
/// ```
pub struct ChildOptions {
    /// A program name, looked up in the child's `PATH`, or a path.
    pub command: OsString,
    /// Its arguments.
    pub args: Vec<OsString>,
    /// Variables set on top of the inherited ones.
    pub env: BTreeMap<OsString, OsString>,
    /// Which variables are inherited.
    pub inherit: EnvPolicy,
    /// Its working directory; ours when not set.
    pub cwd: Option<PathBuf>,
    /// Where its standard error goes.
    pub stderr: StderrMode,
    /// The longest line taken from it, in bytes. 64 MiB.
    pub max_line_bytes: usize,
    /// How many bytes may wait for it to read before writes are `Full`. 16 MiB.
    pub max_queued_bytes: usize,
    /// How long it may take to exit after its standard input was closed. 2 s.
    pub close_grace: Duration,
    /// How long it may take to exit after SIGTERM. 2 s.
    pub kill_grace: Duration,
}

impl ChildOptions {
    /// Starts `command` with no arguments and the defaults above.
    pub fn new(command: impl Into<OsString>) -> Self {
        Self {
            command: command.into(),
            args: Vec::new(),
            env: BTreeMap::new(),
            inherit: EnvPolicy::default(),
            cwd: None,
            stderr: StderrMode::default(),
            max_line_bytes: 64 * 1024 * 1024,
            max_queued_bytes: 16 * 1024 * 1024,
            close_grace: Duration::from_secs(2),
            kill_grace: Duration::from_secs(2),
        }
    }

    pub(super) fn start(self) -> Result<Child, SpawnError> {
        if let Some(directory) = self.cwd.as_ref().filter(|directory| !directory.is_dir()) {
            return Err(SpawnError::NoDirectory { directory: directory.clone() });
        }
        let mut command = Command::new(&self.command);
        command.args(&self.args).stdin(Stdio::piped()).stdout(Stdio::piped());
        command.stderr(match self.stderr {
            StderrMode::Inherit => Stdio::inherit(),
            StderrMode::Null => Stdio::null(),
            StderrMode::File(file) => Stdio::from(file),
            StderrMode::Capture { .. } => Stdio::piped(),
        });
        if self.inherit != EnvPolicy::All {
            command.env_clear();
        }
        if self.inherit == EnvPolicy::AllowList {
            command.envs(allowed(std::env::vars_os()));
        }
        command.envs(&self.env);
        if let Some(directory) = &self.cwd {
            command.current_dir(directory);
        }
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        command.spawn().map_err(|source| SpawnError::from_io(&self.command, source))
    }
}

fn allowed(all: impl Iterator<Item = (OsString, OsString)>) -> impl Iterator<Item = (OsString, OsString)> {
    all.filter(|(name, value)| {
        let listed = |listed: &&str| {
            if cfg!(windows) {
                name.eq_ignore_ascii_case(listed)
            } else {
                name.as_os_str() == OsStr::new(listed)
            }
        };
        INHERITED.iter().any(listed) && !value.as_encoded_bytes().starts_with(b"()")
    })
}

impl fmt::Debug for ChildOptions {
    /// Arguments and variables may be secrets: only counted.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ChildOptions")
            .field("command", &self.command)
            .field("args", &self.args.len())
            .field("env", &self.env.len())
            .field("inherit", &self.inherit)
            .field("cwd", &self.cwd)
            .field("stderr", &self.stderr)
            .field("close_grace", &self.close_grace)
            .field("kill_grace", &self.kill_grace)
            .finish_non_exhaustive()
    }
}

/// Why a child process could not be started.
///
/// ```
/// use mcpbolt::transport::child_process::{ChildOptions, ChildProcess};
///
/// let error = ChildProcess::spawn(ChildOptions::new("no-such-server"), |_| {}).unwrap_err();
/// assert_eq!(error.to_string(), "command not found: \"no-such-server\"");
/// ```
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SpawnError {
    /// There is no such program, or the interpreter a script names is missing.
    #[error("command not found: {command:?}")]
    NotFound {
        /// The command as given.
        command: String,
    },
    /// The working directory does not exist.
    #[error("working directory not found: {directory:?}")]
    NoDirectory {
        /// The directory as given.
        directory: PathBuf,
    },
    /// Anything else, such as a file that may not be executed.
    #[error("cannot start {command:?}: {source}")]
    Failed {
        /// The command as given.
        command: String,
        /// What the system said.
        source: io::Error,
    },
}

impl SpawnError {
    fn from_io(command: &OsStr, source: io::Error) -> Self {
        let command = command.to_string_lossy().into_owned();
        match source.kind() {
            io::ErrorKind::NotFound => Self::NotFound { command },
            _ => Self::Failed { command, source },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[cfg(not(windows))]
    fn only_listed_variables_without_shell_code_are_inherited() {
        let all =
            [("PATH", "/bin"), ("HOME", "() { :; }"), ("TOKEN", "secret"), ("path", "/x"), ("USER", "u")];
        let all = all.map(|(name, value)| (name.into(), value.into()));
        let names: Vec<OsString> = allowed(all.into_iter()).map(|(name, _)| name).collect();
        assert_eq!(names, ["PATH", "USER"]);
    }

    #[test]
    fn debug_shows_no_arguments_and_no_variables() {
        let mut options = ChildOptions::new("server");
        options.args.push("--token=canary".into());
        options.env.insert("TOKEN".into(), "canary".into());
        let shown = format!("{options:?}");
        assert!(shown.contains("server") && !shown.contains("canary"));
    }
}
