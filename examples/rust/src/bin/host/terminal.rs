//! The person at the terminal.

use std::io::{self, BufRead as _, Write as _};
use std::sync::Arc;

use tokio::sync::Mutex;

/// Asks questions, one at a time.
#[derive(Clone)]
pub(crate) struct Terminal {
    yes: bool,
    turn: Arc<Mutex<()>>,
}

impl Terminal {
    /// With `yes` every question is answered yes.
    pub(crate) fn new(yes: bool) -> Self {
        Self { yes, turn: Arc::default() }
    }

    /// Whether the person agrees. The end of the input is a no.
    pub(crate) async fn agrees(&self, question: &str) -> bool {
        let _turn = self.turn.lock().await;
        let question = shown(question);
        if self.yes {
            println!("{question} [y/N] y");
            return true;
        }
        let asked = tokio::task::spawn_blocking(move || {
            print!("{question} [y/N] ");
            io::stdout().flush()?;
            let mut line = String::new();
            io::stdin().lock().read_line(&mut line)?;
            io::Result::Ok(matches!(line.trim(), "y" | "Y" | "yes"))
        });
        matches!(asked.await, Ok(Ok(true)))
    }
}

/// What a server says must not steer the terminal.
fn shown(text: &str) -> String {
    text.chars().map(|c| if c.is_control() { ' ' } else { c }).take(400).collect()
}
