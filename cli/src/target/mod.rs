//! Which server is meant, from the words of the command line.
//!
//! Owns: what a word is taken for. Must not know: what is said to the server.

mod config;
mod headers;
mod variables;

use std::collections::VecDeque;
use std::ffi::OsString;
use std::path::Path;

use mcpbolt::auth::{FileStore, Loopback, OAuth};
use mcpbolt::client::{Command, Target};
use mcpbolt::transport::child_process::EnvPolicy;
use mcpbolt::transport::streamable_http::client::{HttpClientOptions, shown_url};

use crate::args::{Auth, Common, Reach};
use crate::environment;
use crate::exit::Failure;
use crate::program::Program;

pub(crate) use headers::split as header;
pub(crate) use variables::in_env;

/// The variable of a token for `--auth token`.
pub(crate) const TOKEN: &str = "MCPBOLT_TOKEN";
const FORMS: &str = "a server is a URL, FILE.json:NAME, a .py or .js file, or a command after --";

/// A server, not reached yet.
#[derive(Debug, PartialEq)]
pub(crate) enum Place {
    /// A URL, with headers as its file gives them: variables in them are not filled in.
    Url { url: String, headers: Vec<(String, String)> },
    /// A program; whether it inherits all of our environment.
    Program { words: Vec<OsString>, env: Vec<(String, String)>, cwd: Option<String>, ours: bool },
}

impl Place {
    /// The server, and the words that are left for the verb.
    pub(crate) fn of(reach: Reach, program: &Program) -> Result<(Self, VecDeque<String>), Failure> {
        let mut words = VecDeque::from(reach.words);
        if !reach.command.is_empty() {
            return Ok((Self::program(reach.command), words));
        }
        let word = words.pop_front().ok_or_else(|| Failure::usage("no server is given").remedy(FORMS))?;
        Ok((Self::of_word(&word, program)?, words))
    }

    fn of_word(word: &str, program: &Program) -> Result<Self, Failure> {
        if word.starts_with("http://") || word.starts_with("https://") {
            url::Url::parse(word).map_err(|why| Failure::usage(format!("{word}: {why}")))?;
            return Ok(Self::Url { url: word.to_owned(), headers: Vec::new() });
        }
        if let Some((file, name)) = config::split(word) {
            return config::find(Path::new(file), name);
        }
        if let Some(words) = program.runs_object(word) {
            return Ok(Self::program(words));
        }
        let interpreter =
            program.runs(word).ok_or_else(|| Failure::usage(format!("{word} is no server")).remedy(FORMS))?;
        if !Path::new(word).is_file() {
            return Err(Failure::usage(format!("there is no file {word}")));
        }
        Ok(Self::program(vec![interpreter.into(), word.into()]))
    }

    fn program(words: Vec<OsString>) -> Self {
        Self::Program { words, env: Vec::new(), cwd: None, ours: false }
    }

    /// The same, for a program that is started in the place of ours: whoever starts us means it.
    #[must_use]
    pub(crate) fn with_our_environment(mut self) -> Self {
        if let Self::Program { ours, .. } = &mut self {
            *ours = true;
        }
        self
    }

    /// How it is called in messages, which others may read: without what may be a secret.
    pub(crate) fn name(&self) -> String {
        match self {
            Self::Url { url, .. } => {
                url.parse().map_or_else(|_| "the server's URL".to_owned(), |url| shown_url(&url))
            }
            Self::Program { words, .. } => {
                words.first().map_or_else(String::new, |word| word.to_string_lossy().into_owned())
            }
        }
    }

    /// The URL; `None` for a program.
    pub(crate) fn url(&self) -> Option<&str> {
        match self {
            Self::Url { url, .. } => Some(url),
            Self::Program { .. } => None,
        }
    }

    /// What the engine connects to.
    pub(crate) fn target(&self, common: &Common) -> Result<Target, Failure> {
        match self {
            Self::Program { words, env, cwd, ours } => {
                if !common.header.is_empty() || common.auth != Auth::None {
                    return Err(Failure::usage("--header and --auth are for servers with a URL"));
                }
                let (program, args) =
                    words.split_first().ok_or_else(|| Failure::usage("no command after --"))?;
                let mut command = Command::new(program).args(args);
                if *ours {
                    command = command.inherit(EnvPolicy::All);
                }
                for (name, value) in env {
                    command = command.env(name, in_env(value)?);
                }
                Ok(match cwd {
                    Some(folder) => command.cwd(folder),
                    None => command,
                }
                .into())
            }
            Self::Url { url, headers } => {
                let mut options = HttpClientOptions::default();
                let own =
                    common.header.iter().map(|text| headers::parse(text)).collect::<Result<Vec<_>, _>>()?;
                let theirs =
                    headers.iter().map(|(name, value)| Ok((name.clone(), variables::in_header(value)?)));
                let theirs = theirs.collect::<Result<Vec<_>, Failure>>()?;
                for (name, value) in theirs.iter().chain(&own) {
                    options = options.header(name, value).map_err(|_| {
                        Failure::usage(format!(
                            "the header {name} has a name or value that HTTP does not allow"
                        ))
                    })?;
                }
                match common.auth {
                    Auth::None => {}
                    Auth::Oauth => {
                        let oauth =
                            OAuth::new("mcpbolt").redirect(browser()).store(FileStore::new(credentials()?));
                        options = options.oauth(oauth);
                    }
                    Auth::Token => {
                        let value = format!("Bearer {}", token()?);
                        options = options.header("authorization", &value).map_err(|_| {
                            Failure::usage(format!("{TOKEN} has characters that no token has"))
                        })?;
                    }
                }
                Ok(Target::Http { url: url.clone(), options: Box::new(options) })
            }
        }
    }
}

/// The browser of this machine, or, where there is none, whichever a person has.
fn browser() -> Loopback {
    Loopback::new().open_with(|url| {
        if open::that_detached(url).is_err() {
            eprintln!("mcpbolt: no browser can be opened here. Sign in at\n{url}");
        }
        Ok(())
    })
}

/// The token that a person has.
fn token() -> Result<String, Failure> {
    environment::text(TOKEN).ok_or_else(|| {
        Failure::usage(format!("--auth token: the variable {TOKEN} is not set"))
            .remedy(format!("export {TOKEN}=…"))
    })
}

/// Where tokens are kept for the next time: a folder that only the user reads.
fn credentials() -> Result<std::path::PathBuf, Failure> {
    let home =
        || std::env::home_dir().ok_or_else(|| Failure::usage("there is no home folder to keep tokens in"));
    let base = if cfg!(windows) {
        environment::folder("LOCALAPPDATA").map_or_else(home, Ok)?
    } else if cfg!(target_os = "macos") {
        home()?.join("Library/Application Support")
    } else {
        match environment::folder("XDG_STATE_HOME") {
            Some(folder) => folder,
            None => home()?.join(".local/state"),
        }
    };
    Ok(base.join("mcpbolt").join("credentials"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(words: &[&str], command: &[&str]) -> Result<(Place, VecDeque<String>), Failure> {
        let words = words.iter().map(|word| (*word).to_owned()).collect();
        Place::of(Reach { words, command: command.iter().map(Into::into).collect() }, &Program::default())
    }

    #[test]
    fn a_command_leaves_all_words_to_the_verb() {
        let (place, rest) = of(&["add", "a=1"], &["server", "--stdio"]).expect("a command");
        assert_eq!((place.name(), rest.len()), ("server".to_owned(), 2));
        let (place, rest) = of(&["https://example.com/mcp", "add"], &[]).expect("a URL");
        assert_eq!((place.url(), rest.len()), (Some("https://example.com/mcp"), 1));
    }

    #[test]
    fn what_is_no_server_is_told_what_would_be() {
        for words in [&[][..], &["python"], &["https://"]] {
            assert_eq!(of(words, &[]).expect_err("no server").exit, crate::exit::Exit::Usage, "{words:?}");
        }
        assert!(of(&["gone.py"], &[]).is_err_and(|why| why.message.contains("no file gone.py")));
    }
}
