//! A sign of life on standard error while the server works.
//!
//! Owns: the bar, and that nothing else is printed into it. Must not know: what is under way.

use std::sync::Arc;
use std::time::Duration;

use console::Term;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use mcpbolt::types::ProgressParams;

use crate::output::{Output, first_line};

/// The bar's own scale: servers count in what they like.
const STEPS: u64 = 1_000;
const SPINNER: &str = "{spinner} {msg} {elapsed:.dim}";
const BAR: &str = "{spinner} {msg} [{bar:30}] {percent}% {elapsed:.dim}";
/// Figures change their width: the bar stands before them.
const MEASURED: &str = "{spinner} [{bar:30}] {percent:>3}% {msg}";

/// A spinner that becomes a bar. Clones are the same one. Where standard error is no terminal
/// it shows nothing.
#[derive(Debug, Clone)]
pub(crate) struct Progress {
    bar: ProgressBar,
    what: Arc<str>,
    output: Output,
}

impl Progress {
    pub(crate) fn start(output: &Output, what: &str) -> Self {
        let bar = ProgressBar::new_spinner();
        bar.set_style(style(SPINNER));
        bar.set_message(what.to_owned());
        bar.enable_steady_tick(Duration::from_millis(120));
        Self { bar, what: what.into(), output: *output }
    }

    /// Says something else of what is under way.
    pub(crate) fn say(&self, what: &str) {
        self.bar.set_message(what.to_owned());
    }

    /// Shows how far the server says it is.
    pub(crate) fn update(&self, params: &ProgressParams) {
        let said = params.message.as_deref().map(first_line).filter(|text| !text.is_empty());
        let message = said.unwrap_or_else(|| self.what.to_string());
        match params.total.filter(|total| *total > 0.0) {
            Some(total) => self.show(BAR, params.progress / total, message),
            None => self.bar.set_message(format!("{message} ({})", params.progress)),
        }
    }

    /// Shows how much of a measurement is done, and its figures.
    pub(crate) fn measure(&self, part: f64, figures: String) {
        self.show(MEASURED, part, figures);
    }

    fn show(&self, template: &str, part: f64, message: String) {
        if self.bar.length().is_none() {
            self.bar.set_style(style(template));
            self.bar.set_length(STEPS);
        }
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            clippy::cast_precision_loss,
            reason = "held between 0 and the bar's length"
        )]
        let step = (part.clamp(0.0, 1.0) * STEPS as f64) as u64;
        self.bar.set_position(step);
        self.bar.set_message(message);
    }

    /// Prints a line on standard error above the bar.
    pub(crate) fn note(&self, text: &str) {
        self.bar.suspend(|| self.output.note(text));
    }

    /// Does something that uses the terminal, without the bar. It is hidden, not held: log messages
    /// go on meanwhile, and a command that is interrupted can end.
    pub(crate) fn aside<T>(&self, work: impl FnOnce() -> T) -> T {
        self.bar.disable_steady_tick();
        let was_shown = !self.bar.is_hidden();
        self.bar.set_draw_target(ProgressDrawTarget::hidden());
        if was_shown {
            let _ = Term::stderr().clear_line();
        }
        let done = work();
        self.bar.set_draw_target(ProgressDrawTarget::stderr());
        self.bar.enable_steady_tick(Duration::from_millis(120));
        done
    }

    /// How its notes are printed.
    pub(crate) fn output(&self) -> &Output {
        &self.output
    }

    /// Removes it.
    pub(crate) fn clear(&self) {
        self.bar.finish_and_clear();
    }
}

fn style(template: &str) -> ProgressStyle {
    ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_spinner())
}
