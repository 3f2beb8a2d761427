//! What is particular to each app: the place of its file, the key of its servers, the words of
//! an entry. From the documentation of its maker.
//!
//! Owns: one row per app. Must not know: how a file is changed.

use std::path::{Path, PathBuf};

use serde_json::{Map, Value};

use crate::args::HostName;
use crate::environment;
use crate::exit::Failure;

/// A server, as it stands in a settings file.
pub(crate) enum Entry {
    /// A program.
    Program { command: String, args: Vec<String>, env: Vec<(String, String)>, cwd: Option<String> },
    /// A URL.
    Url { url: String, headers: Vec<(String, String)> },
}

/// An app.
pub(crate) struct App {
    /// How people call it.
    pub(crate) title: &'static str,
    /// The key that its servers stand under.
    pub(crate) key: &'static str,
    /// Whether `${env:NAME}` is filled in when a server is started.
    pub(crate) fills_in: bool,
    /// What has to be done so that it sees a change.
    pub(crate) then: &'static str,
    /// Under which key a URL stands; `None` where servers are programs.
    url: Option<&'static str>,
    /// Whether an entry says what kind of server it is.
    typed: bool,
    place: Place,
}

/// Where a settings file is.
struct Place {
    macos: Base,
    windows: Base,
    linux: Base,
    /// In a project's folder.
    project: Option<&'static str>,
}

/// A folder, and a path in it.
enum Base {
    /// The user's home.
    Home(&'static str),
    /// `%APPDATA%`.
    AppData(&'static str),
    /// `$XDG_CONFIG_HOME`, or `~/.config`.
    Config(&'static str),
}

impl App {
    pub(crate) const fn of(name: HostName) -> Self {
        match name {
            HostName::Claude => CLAUDE,
            HostName::Vscode => VSCODE,
            HostName::Cursor => CURSOR,
            HostName::Windsurf => WINDSURF,
            HostName::Zed => ZED,
        }
    }

    /// The user's settings, or those of a project.
    pub(crate) fn file(&self, project: Option<&Path>) -> Result<PathBuf, Failure> {
        if let Some(folder) = project {
            let inside = self.place.project.ok_or_else(|| {
                Failure::usage(format!("{} has no settings for single projects", self.title))
                    .remedy("leave --project out")
            })?;
            return Ok(folder.join(inside));
        }
        let base = if cfg!(windows) {
            &self.place.windows
        } else if cfg!(target_os = "macos") {
            &self.place.macos
        } else {
            &self.place.linux
        };
        base.path()
    }

    /// The entry of a server, over one that may be there already: what that has besides stays.
    pub(crate) fn entry(&self, server: &Entry, before: Option<&Value>) -> Result<Value, Failure> {
        let mut entry = before.and_then(Value::as_object).cloned().unwrap_or_default();
        match server {
            Entry::Program { command, args, env, cwd } => {
                for other in ["url", "serverUrl", "headers"] {
                    entry.shift_remove(other);
                }
                self.say_kind(&mut entry, "stdio");
                entry.insert("command".to_owned(), command.as_str().into());
                entry.insert("args".to_owned(), args.clone().into());
                if let Some(cwd) = cwd {
                    entry.insert("cwd".to_owned(), cwd.as_str().into());
                }
                merge(&mut entry, "env", env);
            }
            Entry::Url { url, headers } => {
                let key = self.url.ok_or_else(|| {
                    Failure::usage(format!("{} starts programs, and reaches no URL", self.title))
                        .remedy(format!("-- mcpbolt bridge {url}"))
                })?;
                for other in ["command", "args", "env", "cwd"] {
                    entry.shift_remove(other);
                }
                self.say_kind(&mut entry, "http");
                entry.insert(key.to_owned(), url.as_str().into());
                merge(&mut entry, "headers", headers);
            }
        }
        Ok(entry.into())
    }

    fn say_kind(&self, entry: &mut Map<String, Value>, kind: &str) {
        if self.typed {
            entry.insert("type".to_owned(), kind.into());
        }
    }

    /// Whether a URL can stand in its settings.
    pub(crate) fn takes_urls(&self) -> bool {
        self.url.is_some()
    }
}

/// Names that are there keep their values unless they are given others.
fn merge(entry: &mut Map<String, Value>, key: &str, given: &[(String, String)]) {
    let mut all = entry.get(key).and_then(Value::as_object).cloned().unwrap_or_default();
    all.extend(given.iter().map(|(name, value)| (name.clone(), Value::from(value.as_str()))));
    if !all.is_empty() {
        entry.insert(key.to_owned(), all.into());
    }
}

impl Base {
    fn path(&self) -> Result<PathBuf, Failure> {
        let home = || {
            std::env::home_dir()
                .ok_or_else(|| Failure::usage("there is no home folder").remedy("--file names the settings"))
        };
        Ok(match self {
            Self::Home(path) => home()?.join(path),
            Self::AppData(path) => match environment::folder("APPDATA") {
                Some(folder) => folder.join(path),
                None => home()?.join("AppData/Roaming").join(path),
            },
            Self::Config(path) => match environment::folder("XDG_CONFIG_HOME") {
                Some(folder) => folder.join(path),
                None => home()?.join(".config").join(path),
            },
        })
    }
}

const CLAUDE: App = App {
    title: "Claude Desktop",
    key: "mcpServers",
    fills_in: false,
    then: "quit Claude Desktop and start it again",
    url: None,
    typed: false,
    place: Place {
        macos: Base::Home("Library/Application Support/Claude/claude_desktop_config.json"),
        windows: Base::AppData("Claude/claude_desktop_config.json"),
        linux: Base::Config("Claude/claude_desktop_config.json"),
        project: None,
    },
};

const VSCODE: App = App {
    title: "VS Code",
    key: "servers",
    fills_in: true,
    then: "start the server with MCP: List Servers",
    url: Some("url"),
    typed: true,
    place: Place {
        macos: Base::Home("Library/Application Support/Code/User/mcp.json"),
        windows: Base::AppData("Code/User/mcp.json"),
        linux: Base::Config("Code/User/mcp.json"),
        project: Some(".vscode/mcp.json"),
    },
};

const CURSOR: App = App {
    title: "Cursor",
    key: "mcpServers",
    fills_in: true,
    then: "switch the server on under Customize, MCPs",
    url: Some("url"),
    typed: false,
    place: Place {
        macos: Base::Home(".cursor/mcp.json"),
        windows: Base::Home(".cursor/mcp.json"),
        linux: Base::Home(".cursor/mcp.json"),
        project: Some(".cursor/mcp.json"),
    },
};

const WINDSURF: App = App {
    title: "Windsurf",
    key: "mcpServers",
    fills_in: true,
    then: "press Refresh in the list of MCP servers",
    url: Some("serverUrl"),
    typed: false,
    place: Place {
        macos: Base::Home(".codeium/windsurf/mcp_config.json"),
        windows: Base::Home(".codeium/windsurf/mcp_config.json"),
        linux: Base::Home(".codeium/windsurf/mcp_config.json"),
        project: None,
    },
};

const ZED: App = App {
    title: "Zed",
    key: "context_servers",
    fills_in: false,
    then: "Zed starts the server by itself",
    url: Some("url"),
    typed: false,
    place: Place {
        macos: Base::Home(".config/zed/settings.json"),
        windows: Base::AppData("Zed/settings.json"),
        linux: Base::Config("zed/settings.json"),
        project: Some(".zed/settings.json"),
    },
};

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn url() -> Entry {
        Entry::Url { url: "https://example.com/mcp".to_owned(), headers: Vec::new() }
    }

    #[test]
    fn each_app_has_its_own_words_for_a_url() {
        let of = |name| App::of(name).entry(&url(), None);
        let url = "https://example.com/mcp";
        assert_eq!(of(HostName::Vscode).ok(), Some(json!({"type": "http", "url": url})));
        assert_eq!(of(HostName::Windsurf).ok(), Some(json!({"serverUrl": url})));
        assert_eq!(of(HostName::Cursor).ok(), Some(json!({"url": url})));
        let refused = of(HostName::Claude).expect_err("it starts programs");
        assert!(
            refused.remedy.is_some_and(|remedy| remedy.contains("mcpbolt bridge https://example.com/mcp"))
        );
    }

    #[test]
    fn what_an_entry_has_besides_stays() {
        let before = json!({
            "url": "https://example.com", "disabled": true, "env": {"A": "1", "B": "2"}, "headers": {},
        });
        let env = vec![("B".to_owned(), "3".to_owned())];
        let server = Entry::Program { command: "server".to_owned(), args: vec![], env, cwd: None };
        let after = App::of(HostName::Cursor).entry(&server, Some(&before)).expect("a program");
        let expected =
            json!({"disabled": true, "env": {"A": "1", "B": "3"}, "command": "server", "args": []});
        assert_eq!(after, expected);
    }
}
