//! Ctrl-C, SIGTERM and SIGHUP.
//!
//! Owns: the first one lets the command end in good order, the second ends the process. Must
//! not know: what is under way.

use mcpbolt::transport::signals::{ShutdownSignal, ShutdownSignals};
use tokio::sync::watch;

use crate::exit::{Exit, Failure};
use crate::terminal;

/// Signals that are not heard by the command but by the program that it is in. For one run.
/// Clones are the same.
///
/// ```
/// use mcpbolt::transport::signals::ShutdownSignal;
/// use mcpbolt_cli::Signals;
///
/// let signals = Signals::new();
/// // Nothing runs that could end in good order.
/// assert!(!signals.send(ShutdownSignal::Interrupt));
/// ```
#[derive(Debug, Clone)]
pub struct Signals(watch::Sender<Option<Exit>>);

impl Signals {
    /// Signals of a run to come.
    ///
    /// ```
    /// let program = mcpbolt_cli::Program::default().signals(mcpbolt_cli::Signals::new());
    /// # assert_eq!(program.run(["example", "--version"]).code(), 0);
    /// ```
    #[must_use]
    pub fn new() -> Self {
        Self(watch::Sender::new(None))
    }

    /// Passes a signal on. `false` means that the process has to end at once, with the signal's exit
    /// code: nothing is under way that could end in good order, or this is the second signal.
    ///
    /// ```
    /// # use mcpbolt::transport::signals::ShutdownSignal;
    /// # let signals = mcpbolt_cli::Signals::new();
    /// # fn heard() -> Option<ShutdownSignal> { None }
    /// while let Some(signal) = heard() {
    ///     if !signals.send(signal) {
    ///         std::process::exit(signal.exit_code().into());
    ///     }
    /// }
    /// ```
    #[must_use]
    pub fn send(&self, signal: ShutdownSignal) -> bool {
        let exit = match signal {
            ShutdownSignal::Interrupt => Exit::Interrupted,
            ShutdownSignal::Terminate => Exit::Terminated,
            ShutdownSignal::Hangup => Exit::HungUp,
        };
        self.0.receiver_count() > 0 && self.0.send_replace(Some(exit)).is_none()
    }
}

impl Default for Signals {
    fn default() -> Self {
        Self::new()
    }
}

/// Hears the signals while it lives.
#[derive(Debug)]
pub(crate) struct Interrupt {
    heard: watch::Receiver<Option<Exit>>,
    _own: Option<ShutdownSignals>,
}

impl Interrupt {
    /// Hears them itself, unless the program passes them on.
    pub(crate) fn install(passed_on: Option<&Signals>) -> Self {
        if let Some(signals) = passed_on {
            return Self { heard: signals.0.subscribe(), _own: None };
        }
        let signals = Signals::new();
        let heard = signals.0.subscribe();
        let own = ShutdownSignals::install(move |signal| {
            if !signals.send(signal) {
                terminal::restore();
                std::process::exit(signal.exit_code().into());
            }
        });
        // Without handlers the signals end the process, which is what they are for.
        Self { heard, _own: own.ok() }
    }

    /// Waits for a signal.
    pub(crate) async fn wait(&self) -> Exit {
        let mut heard = self.heard.clone();
        let signal = heard.wait_for(Option::is_some).await.map(|exit| *exit);
        match signal {
            Ok(Some(exit)) => exit,
            _ => std::future::pending().await,
        }
    }

    /// Does something until it is done or a signal comes; dropping it is how calls are cancelled.
    pub(crate) async fn or<T>(&self, work: impl Future<Output = Result<T, Failure>>) -> Result<T, Failure> {
        tokio::select! {
            done = work => done,
            exit = self.wait() => Err(Failure::new(exit, match exit {
                Exit::Terminated => "ended by SIGTERM",
                Exit::HungUp => "ended by SIGHUP",
                _ => "cancelled",
            })),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_signal_is_heard_and_the_second_ends_the_process() {
        let signals = Signals::new();
        assert!(!signals.send(ShutdownSignal::Interrupt), "nobody hears it");
        let interrupt = Interrupt::install(Some(&signals));
        assert!(signals.send(ShutdownSignal::Terminate));
        let runtime = tokio::runtime::Builder::new_current_thread().build().expect("a runtime");
        assert_eq!(runtime.block_on(interrupt.wait()), Exit::Terminated);
        assert!(!signals.send(ShutdownSignal::Terminate), "the second");
        drop(interrupt);
    }
}
