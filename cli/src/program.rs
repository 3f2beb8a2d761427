//! The program that the command is in: one of its own, or a package of another language.
//!
//! Owns: what such a package brings: how the command is started again, what runs files, verbs of
//! its own, the signals it hears. Must not know: what a verb does.

use std::ffi::{OsStr, OsString};
use std::path::Path;

use clap::{Arg, CommandFactory as _};

use crate::args::Cli;
use crate::interrupt::Signals;

/// A program that has the command in it.
///
/// ```
/// use mcpbolt_cli::Program;
///
/// let program = Program::new(["/usr/bin/python3", "-m", "example"])
///     .interpreter("py", "/usr/bin/python3")
///     .verb("run", "Run a server in a Python file");
/// assert_eq!(program.run(["example", "--version"]).code(), 0);
/// ```
#[derive(Debug, Clone, Default)]
pub struct Program {
    pub(crate) again: Vec<OsString>,
    interpreters: Vec<(&'static str, OsString)>,
    objects: Option<(&'static str, Vec<OsString>)>,
    verbs: Vec<(&'static str, &'static str)>,
    explained: Vec<(&'static str, &'static str)>,
    pub(crate) signals: Option<Signals>,
}

impl Program {
    /// A program that these words start, its file first, so that a verb may follow them: they are
    /// written into settings of apps. Without words it is the file of the process.
    ///
    /// ```
    /// let program = mcpbolt_cli::Program::new(["/usr/bin/node", "/opt/example/command.js"]);
    /// # assert_eq!(program.run(["example", "--version"]).code(), 0);
    /// ```
    #[must_use]
    pub fn new<W: Into<OsString>>(again: impl IntoIterator<Item = W>) -> Self {
        Self { again: again.into_iter().map(Into::into).collect(), ..Self::default() }
    }

    /// What runs servers whose files have this ending, such as `py`. Default: `python3` or `node`
    /// of the `PATH`.
    ///
    /// ```
    /// let program = mcpbolt_cli::Program::default().interpreter("py", "/opt/venv/bin/python");
    /// # assert_eq!(program.run(["example", "--version"]).code(), 0);
    /// ```
    #[must_use]
    pub fn interpreter(mut self, ending: &'static str, program: impl Into<OsString>) -> Self {
        self.interpreters.push((ending, program.into()));
        self
    }

    /// The words that `FILE:OBJECT` follows, where the server is an object in a file with this
    /// ending. Default: there are no such servers.
    ///
    /// ```
    /// let program = mcpbolt_cli::Program::default().objects("py", ["python3", "-m", "example", "run"]);
    /// # assert_eq!(program.run(["example", "--version"]).code(), 0);
    /// ```
    #[must_use]
    pub fn objects<W: Into<OsString>>(
        mut self,
        ending: &'static str,
        words: impl IntoIterator<Item = W>,
    ) -> Self {
        self.objects = Some((ending, words.into_iter().map(Into::into).collect()));
        self
    }

    /// A verb of the program's own, for the list of verbs and for completions. The program itself
    /// looks for it, as the first word, before it hands over its arguments.
    ///
    /// ```
    /// let program = mcpbolt_cli::Program::default().verb("dev", "Run a server and look at it");
    /// # assert_eq!(program.run(["example", "--version"]).code(), 0);
    /// ```
    #[must_use]
    pub fn verb(mut self, name: &'static str, about: &'static str) -> Self {
        self.verbs.push((name, about));
        self
    }

    /// Lines at the end of a verb's help, for what the program does before the command has its turn.
    ///
    /// ```
    /// let program = mcpbolt_cli::Program::default().explains("install", "--with PACKAGE installs it too");
    /// # assert_eq!(program.run(["example", "--version"]).code(), 0);
    /// ```
    #[must_use]
    pub fn explains(mut self, verb: &'static str, lines: &'static str) -> Self {
        self.explained.push((verb, lines));
        self
    }

    /// How it is told of signals. Default: the command hears SIGINT, SIGTERM and SIGHUP itself, which a
    /// language's runtime may not allow.
    ///
    /// ```
    /// use mcpbolt_cli::{Program, Signals};
    ///
    /// let program = Program::default().signals(Signals::new());
    /// # assert_eq!(program.run(["example", "--version"]).code(), 0);
    /// ```
    #[must_use]
    pub fn signals(mut self, signals: Signals) -> Self {
        self.signals = Some(signals);
        self
    }

    /// The command line with the program's own verbs, which take whatever follows, and its words.
    pub(crate) fn command(&self) -> clap::Command {
        let own = |(name, about): &(&'static str, &'static str)| {
            let rest = Arg::new("WORDS").num_args(0..).trailing_var_arg(true).allow_hyphen_values(true);
            clap::Command::new(*name).about(*about).disable_help_flag(true).arg(rest.hide(true))
        };
        let all = Cli::command().subcommands(self.verbs.iter().map(own));
        self.explained.iter().fold(all, |all, (verb, lines)| {
            all.mut_subcommand(verb, |verb| {
                let before = verb.get_after_help().map(ToString::to_string).unwrap_or_default();
                verb.after_help(format!("{before}\n\n{lines}"))
            })
        })
    }

    /// Whether the program itself does what this verb says.
    pub(crate) fn does(&self, verb: &str) -> bool {
        self.verbs.iter().any(|(name, _)| *name == verb)
    }

    /// What starts a server in this file; `None` if it is of no known kind.
    pub(crate) fn runs(&self, file: &str) -> Option<&OsStr> {
        let ending = ending(file)?;
        let given = self.interpreters.iter().find(|(known, _)| *known == ending);
        let usual = match ending {
            "py" if cfg!(windows) => "python",
            "py" => "python3",
            "js" | "mjs" | "cjs" => "node",
            _ => return given.map(|(_, program)| program.as_os_str()),
        };
        Some(given.map_or(OsStr::new(usual), |(_, program)| program))
    }

    /// The words that start the server that `FILE:OBJECT` names; `None` if it is not of that form.
    pub(crate) fn runs_object(&self, word: &str) -> Option<Vec<OsString>> {
        let (known, words) = self.objects.as_ref()?;
        let (file, _) = word.rsplit_once(':')?;
        let is_one = ending(file) == Some(known) && Path::new(file).is_file();
        is_one.then(|| words.iter().cloned().chain([word.into()]).collect())
    }
}

fn ending(file: &str) -> Option<&str> {
    Path::new(file).extension()?.to_str()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_run_by_what_the_program_says() {
        let program = Program::default().interpreter("py", "/venv/python");
        assert_eq!(program.runs("server.py"), Some(OsStr::new("/venv/python")));
        assert_eq!(program.runs("server.mjs"), Some(OsStr::new("node")));
        assert_eq!(program.runs("server.rb"), None);
    }

    #[test]
    fn an_object_is_in_a_file_that_is_there() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("server.py");
        std::fs::write(&file, "").expect("a file");
        let object = format!("{}:mcp", file.display());
        let program = Program::default().objects("py", ["python3", "run"]);
        assert_eq!(
            program.runs_object(&object),
            Some(vec!["python3".into(), "run".into(), object.clone().into()])
        );
        assert_eq!(program.runs_object(file.to_str().expect("a path")), None);
        assert_eq!(program.runs_object("gone.py:mcp"), None);
        assert_eq!(Program::default().runs_object(&object), None);
    }
}
