//! Ctrl-C and SIGTERM.
//!
//! Owns: the first one lets the command end in good order, the second ends the process. Must
//! not know: what is under way.

use mcpbolt::transport::signals::ShutdownSignals;
use tokio::sync::watch;

use crate::exit::{Exit, Failure};

/// Hears both signals while it lives.
#[derive(Debug)]
pub(crate) struct Interrupt {
    heard: watch::Receiver<Option<Exit>>,
    _signals: Option<ShutdownSignals>,
}

impl Interrupt {
    pub(crate) fn install() -> Self {
        let (tell, heard) = watch::channel(None);
        let signals = ShutdownSignals::install(move |signal| {
            let exit = if signal.exit_code() == Exit::Terminated.code() {
                Exit::Terminated
            } else {
                Exit::Interrupted
            };
            if tell.send_replace(Some(exit)).is_some() {
                std::process::exit(exit.code().into());
            }
        });
        // Without handlers the signals end the process, which is what they are for.
        Self { heard, _signals: signals.ok() }
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
                _ => "cancelled",
            })),
        }
    }
}
