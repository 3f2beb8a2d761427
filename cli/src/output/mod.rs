//! What is printed, and how: for a person at a terminal, as plain text, or as JSON.
//!
//! Owns: the two streams and the choice between the three. Must not know: what a verb prints.

pub(crate) mod content;
mod layout;
pub(crate) mod schema;
mod text;

use std::io::{self, IsTerminal as _, Write as _};

use anstream::{AutoStream, ColorChoice};
use anstyle::{AnsiColor, Style};
use console::Term;
use mcpbolt::{Error, RawJson};
use serde::Serialize;
use serde_json::{Value, json};

use crate::args::Common;
use crate::exit::{Exit, Failure};

use layout::compact;
pub(crate) use layout::laid_out;
pub(crate) use text::{bytes, first_line, safe};

pub(crate) const BOLD: Style = Style::new().bold();
pub(crate) const DIM: Style = Style::new().dimmed();
pub(crate) const NAME: Style = AnsiColor::Cyan.on_default().bold();
pub(crate) const GOOD: Style = AnsiColor::Green.on_default();
pub(crate) const WARN: Style = AnsiColor::Yellow.on_default();
pub(crate) const BAD: Style = AnsiColor::Red.on_default().bold();

/// Longest lines of prose; wider ones are hard to read.
const WIDEST: usize = 100;

/// For whom something is printed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Form {
    /// A person.
    Rich,
    /// Programs that read lines.
    Plain,
    /// Programs that read JSON; over several lines where a person looks on.
    Json { laid_out: bool },
}

/// Where and how the command prints.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Output {
    form: Form,
    colour: bool,
    colour_err: bool,
    width: usize,
}

impl Output {
    pub(crate) fn new(common: &Common) -> Self {
        let terminal = io::stdout().is_terminal();
        let coloured = |by_itself: bool| match common.color {
            clap::ColorChoice::Always => true,
            clap::ColorChoice::Never => false,
            clap::ColorChoice::Auto => by_itself,
        };
        let width = usize::from(Term::stdout().size_checked().map_or(80, |(_, columns)| columns));
        let form = match (common.json, terminal) {
            (true, laid_out) => Form::Json { laid_out },
            (false, true) => Form::Rich,
            (false, false) => Form::Plain,
        };
        Self {
            form,
            colour: coloured(AutoStream::choice(&io::stdout()) != ColorChoice::Never),
            colour_err: coloured(AutoStream::choice(&io::stderr()) != ColorChoice::Never),
            width: width.clamp(20, WIDEST),
        }
    }

    /// JSON alone, where it is not known what else was asked for.
    pub(crate) const fn for_programs() -> Self {
        Self { form: Form::Json { laid_out: false }, colour: false, colour_err: false, width: WIDEST }
    }

    /// The same without colours, and with words as they came.
    pub(crate) fn plain(self) -> Self {
        Self { form: Form::Plain, colour: false, colour_err: false, ..self }
    }

    /// Whether a program reads it.
    pub(crate) fn is_json(&self) -> bool {
        matches!(self.form, Form::Json { .. })
    }

    /// Whether a person reads it.
    pub(crate) fn is_rich(&self) -> bool {
        self.form == Form::Rich
    }

    /// The text in a style, where there are colours.
    pub(crate) fn paint(&self, style: Style, text: &str) -> String {
        if self.colour { format!("{style}{text}{style:#}") } else { text.to_owned() }
    }

    /// Prose, wrapped and indented.
    pub(crate) fn wrap(&self, text: &str, indent: usize) -> String {
        let indent = " ".repeat(indent);
        let options = textwrap::Options::new(self.width).initial_indent(&indent).subsequent_indent(&indent);
        textwrap::fill(&safe(text), options)
    }

    /// Prints text of our own, with the line's end.
    pub(crate) fn print(&self, text: &str) -> Result<(), Failure> {
        let stdout = io::stdout();
        let written = if self.colour {
            // Consoles of Windows that know no escapes are driven by calls.
            AutoStream::new(stdout.lock(), ColorChoice::Always).write_all(format!("{text}\n").as_bytes())
        } else {
            stdout.lock().write_all(format!("{text}\n").as_bytes())
        };
        done(written)
    }

    /// Prints a JSON document: over several lines for people, on one for programs.
    pub(crate) fn document(&self, value: &Value) -> Result<(), Failure> {
        let laid_out = self.form == Form::Json { laid_out: true };
        let text = if laid_out { format!("{value:#}") } else { value.to_string() };
        raw(format!("{text}\n").as_bytes())
    }

    /// Prints what a server answered, with every number as it came.
    pub(crate) fn answer<T: Serialize>(&self, answer: &T) -> Result<(), Failure> {
        let answer = RawJson::encode(answer).map_err(|_| Error::internal("the result cannot be printed"))?;
        let text =
            if self.form == (Form::Json { laid_out: true }) { laid_out(&answer) } else { compact(&answer) };
        raw(format!("{text}\n").as_bytes())
    }

    /// Tells something besides the answer, on standard error.
    pub(crate) fn note(&self, text: &str) {
        let mut stderr = AutoStream::new(
            io::stderr(),
            if self.colour_err { ColorChoice::Always } else { ColorChoice::Never },
        );
        let _ = writeln!(stderr, "{text}");
    }

    /// Text in a style for standard error.
    pub(crate) fn paint_note(&self, style: Style, text: &str) -> String {
        if self.colour_err { format!("{style}{text}{style:#}") } else { text.to_owned() }
    }

    /// Tells why the command failed: as JSON on standard output, or in words on standard error.
    pub(crate) fn failure(&self, failure: &Failure) {
        if failure.exit == Exit::Done {
            return;
        }
        if self.is_json() {
            let error = json!({
                "kind": failure.kind(), "message": failure.message, "remedy": failure.remedy,
                "code": failure.code, "data": failure.data, "exitCode": failure.exit.code(),
            });
            let _ = self.document(&json!({ "error": without_nulls(error) }));
            return;
        }
        let code = failure.code.map_or_else(String::new, |code| format!(" ({code})"));
        self.note(&format!("{} {}{code}", self.paint_note(BAD, "mcpbolt:"), safe(&failure.message)));
        if let Some(data) = &failure.data {
            self.note(&format!("  data: {}", safe(&data.to_string())));
        }
        if let Some(remedy) = &failure.remedy {
            // Names of the server's are in some.
            self.note(&format!("  {}", safe(remedy)));
        }
    }
}

/// Writes bytes to standard output as they are.
pub(crate) fn raw(bytes: &[u8]) -> Result<(), Failure> {
    let mut stdout = io::stdout().lock();
    done(stdout.write_all(bytes).and_then(|()| stdout.flush()))
}

/// A reader that left, as `head` does, is no failure: there is nothing more to do.
fn done(written: io::Result<()>) -> Result<(), Failure> {
    written.map_err(|why| match why.kind() {
        io::ErrorKind::BrokenPipe => Failure::new(Exit::Done, ""),
        _ => Failure::new(Exit::Failed, format!("standard output: {why}")),
    })
}

/// The object without members that say nothing.
pub(crate) fn without_nulls(mut value: Value) -> Value {
    if let Some(members) = value.as_object_mut() {
        members.retain(|_, member| !member.is_null());
    }
    value
}
