//! Questions of a server, asked at the terminal.
//!
//! Owns: whether somebody is there, one question at a time, refusals where nobody is. Must not
//! know: which call a question belongs to.

mod field;
mod form;
mod page;
mod sample;

use std::io::{self, IsTerminal as _};
use std::sync::Arc;
use std::time::Duration;

use console::Term;
use dialoguer::theme::ColorfulTheme;
use dialoguer::{Confirm, Select};
use mcpbolt::client::ClientBuilder;
use mcpbolt::types::{ElicitResult, Root};
use mcpbolt::{Error, ErrorKind};
use tokio::sync::Mutex;

use crate::output::{Output, WARN, safe};
use crate::progress::Progress;
use crate::terminal;

/// Longest time between Ctrl-C as a key and as a signal.
const SIGNAL: Duration = Duration::from_secs(2);

/// The person at the terminal, if there is one.
#[derive(Clone)]
pub(crate) struct Asker {
    there: bool,
    output: Output,
    progress: Progress,
    turn: Arc<Mutex<()>>,
}

/// What a question is asked with.
struct Desk {
    term: Term,
    theme: ColorfulTheme,
    output: Output,
}

impl Asker {
    pub(crate) fn new(output: &Output, progress: &Progress) -> Self {
        let there = io::stdin().is_terminal() && io::stderr().is_terminal();
        Self { there, output: *output, progress: progress.clone(), turn: Arc::default() }
    }

    /// Whether there is somebody to ask.
    pub(crate) fn is_there(&self) -> bool {
        self.there
    }

    /// The client with handlers that ask. Roots are asked for where none are given.
    pub(crate) fn answering(&self, builder: ClientBuilder, roots: bool) -> ClientBuilder {
        let (for_forms, for_pages, for_models, for_roots) =
            (self.clone(), self.clone(), self.clone(), self.clone());
        let builder = builder
            .on_elicitation(move |form| {
                let asker = for_forms.clone();
                async move {
                    let nobody = || Ok(ElicitResult::cancel());
                    asker.ask("a form", nobody, move |desk| form::ask(desk, &form)).await
                }
            })
            .on_elicitation_url(move |page| {
                let asker = for_pages.clone();
                async move {
                    let nobody = || Ok(ElicitResult::cancel());
                    asker.ask("a visit of a page", nobody, move |desk| page::ask(desk, &page)).await
                }
            })
            .on_sampling(move |params| {
                let asker = for_models.clone();
                async move {
                    asker.ask("an answer of a model", absent, move |desk| sample::ask(desk, &params)).await
                }
            });
        if !roots || !self.there {
            return builder;
        }
        builder.on_roots(move || {
            let asker = for_roots.clone();
            async move { asker.ask("the roots", absent, ask_roots).await }
        })
    }

    /// Asks, without the bar and one question after the other.
    async fn ask<T: Send + 'static>(
        &self,
        what: &str,
        nobody: impl FnOnce() -> Result<T, Error>,
        question: impl FnOnce(&Desk) -> io::Result<Result<T, Error>> + Send + 'static,
    ) -> Result<T, Error> {
        if !self.there {
            let mark = self.output.paint_note(WARN, "mcpbolt:");
            self.progress.note(&format!(
                "{mark} the server asks for {what}; refused, because standard input is no terminal where somebody could answer"
            ));
            return nobody();
        }
        // Who waits for the answer may be given up: the keys are the question's until it is answered.
        let turn = Arc::clone(&self.turn).lock_owned().await;
        let (output, progress) = (self.output, self.progress.clone());
        let asked = tokio::task::spawn_blocking(move || {
            let _turn = turn;
            terminal::remember();
            let desk = Desk { term: Term::stderr(), theme: ColorfulTheme::default(), output };
            let asked = progress.aside(|| question(&desk));
            // A menu that is left by Ctrl-C leaves the cursor hidden.
            let _ = desk.term.show_cursor();
            terminal::forget();
            asked
        });
        match asked.await {
            Ok(Ok(answer)) => answer,
            Ok(Err(why)) if why.kind() == io::ErrorKind::Interrupted => {
                // The signal that goes with Ctrl-C ends the command, and with it this wait.
                tokio::time::sleep(SIGNAL).await;
                absent()
            }
            _ => Err(Error::new(ErrorKind::Rejected, "the question was not answered")),
        }
    }
}

impl Desk {
    /// Prints a line of the question.
    fn say(&self, text: &str) -> io::Result<()> {
        self.term.write_line(text)
    }

    /// One of several ways to go on.
    fn choose(&self, prompt: &str, items: &[String], default: usize) -> io::Result<usize> {
        let select = Select::with_theme(&self.theme).with_prompt(prompt).items(items).default(default);
        select.interact_on(&self.term).map_err(io_error)
    }

    /// Yes or no.
    fn agrees(&self, prompt: &str) -> io::Result<bool> {
        let confirm = Confirm::with_theme(&self.theme).with_prompt(prompt).default(false);
        confirm.interact_on(&self.term).map_err(io_error)
    }

    /// A heading in the colours of standard error, and what the server says.
    fn heading(&self, heading: &str, said: &str) -> io::Result<()> {
        self.say(&self.output.paint_note(crate::output::BOLD, heading))?;
        for line in safe(said).lines() {
            self.say(&format!("  {line}"))?;
        }
        Ok(())
    }
}

fn io_error(error: dialoguer::Error) -> io::Error {
    let dialoguer::Error::IO(error) = error;
    error
}

/// The answer of somebody who does not want to give one.
pub(crate) fn refused<T>() -> Result<T, Error> {
    Err(Error::new(ErrorKind::Rejected, "the person said no"))
}

fn absent<T>() -> Result<T, Error> {
    Err(Error::new(ErrorKind::Rejected, "nobody is there to answer"))
}

fn texts(items: &[&str]) -> Vec<String> {
    items.iter().map(|item| (*item).to_owned()).collect()
}

fn ask_roots(desk: &Desk) -> io::Result<Result<Vec<Root>, Error>> {
    let here = std::env::current_dir()?;
    desk.heading("The server asks which folders it may work in.", "--root says so ahead.")?;
    if !desk.agrees(&format!("Tell it {}?", here.display()))? {
        return Ok(refused());
    }
    let uri = url::Url::from_file_path(&here).map_err(|()| io::Error::from(io::ErrorKind::InvalidInput))?;
    Ok(Ok(vec![Root::new(uri.as_str())]))
}
