//! Servers in a host's file: `FILE.json:NAME`.
//!
//! Owns: how a server is found in such a file. Must not know: where hosts keep theirs.

use std::collections::BTreeMap;
use std::path::Path;

use serde::Deserialize;
use serde_json::{Map, Value};

use super::Place;
use crate::exit::Failure;
use crate::hosts::MARK;

/// Under which key hosts keep their servers: most of them, and VS Code.
const KEYS: [&str; 2] = ["mcpServers", "servers"];

#[derive(Deserialize)]
struct Entry {
    command: Option<String>,
    #[serde(default)]
    args: Vec<String>,
    #[serde(default)]
    env: BTreeMap<String, String>,
    cwd: Option<String>,
    url: Option<String>,
    #[serde(default)]
    headers: BTreeMap<String, String>,
}

/// File and name, if the word is of that form.
pub(super) fn split(word: &str) -> Option<(&str, Option<&str>)> {
    let is_config = |file: &str| Path::new(file).extension().is_some_and(|extension| extension == "json");
    match word.rsplit_once(':') {
        Some((file, name)) if is_config(file) => Some((file, Some(name))),
        _ => is_config(word).then_some((word, None)),
    }
}

/// The server of that name, or the only one.
pub(super) fn find(file: &Path, name: Option<&str>) -> Result<Place, Failure> {
    let shown = file.display();
    let text = std::fs::read_to_string(file).map_err(|why| Failure::usage(format!("{shown}: {why}")))?;
    let whole: Value = serde_json::from_str(text.strip_prefix(MARK).unwrap_or(&text))
        .map_err(|why| Failure::usage(format!("{shown}: no JSON at line {}", why.line())))?;
    let servers = KEYS.iter().find_map(|key| whole.get(key)?.as_object());
    let servers = servers.ok_or_else(|| Failure::usage(format!("{shown} has no object mcpServers")))?;
    let entry = choose(servers, name).map_err(|why| {
        Failure::usage(format!("{shown}: {why}"))
            .remedy(format!("write {shown}:NAME with one of {}", names(servers)))
    })?;
    let wrong = |why: &str| Failure::usage(format!("{shown}: {}: {why}", name.unwrap_or("the server")));
    let entry = Entry::deserialize(entry).map_err(|why| wrong(&why.to_string()))?;
    match (entry.command, entry.url) {
        (Some(command), None) => {
            let words = std::iter::once(command).chain(entry.args).map(Into::into).collect();
            Ok(Place::Program { words, env: entry.env.into_iter().collect(), cwd: entry.cwd, ours: false })
        }
        // As they are: they are filled in when the server is reached.
        (None, Some(url)) => Ok(Place::Url { url, headers: entry.headers.into_iter().collect() }),
        _ => Err(wrong("it needs either a command or a url")),
    }
}

fn choose<'a>(servers: &'a Map<String, Value>, name: Option<&str>) -> Result<&'a Value, String> {
    match name {
        Some(name) => servers.get(name).ok_or_else(|| format!("no server is called {name}")),
        None if servers.len() == 1 => servers.values().next().ok_or_else(String::new),
        None => Err(format!("it has {} servers", servers.len())),
    }
}

fn names(servers: &Map<String, Value>) -> String {
    servers.keys().map(String::as_str).collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_drive_letter_is_no_file() {
        assert_eq!(split("a.json"), Some(("a.json", None)));
        assert_eq!(split("a.json:b"), Some(("a.json", Some("b"))));
        assert_eq!(split("C:\\a.json"), Some(("C:\\a.json", None)));
        assert_eq!(split("server.py"), None);
    }
}
