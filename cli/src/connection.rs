//! From a place to a live session, and what goes on beside its calls.
//!
//! Owns: the client, its time-outs, the server's log on standard error, the end. Must not know:
//! what is asked of the server.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use mcpbolt::client::{
    CallOptions, Client, ClientBuilder, ClientSession, NotificationStream, ServerNotification,
};
use mcpbolt::types::{LoggingLevel, LoggingMessageParams, Root};
use serde_json::Value;

use crate::args::{Auth, Common};
use crate::ask::Asker;
use crate::exit::{Exit, Failure};
use crate::interrupt::Interrupt;
use crate::output::{BAD, DIM, Output, WARN, safe};
use crate::program::Program;
use crate::progress::Progress;
use crate::target::Place;

/// Longest wait for an answer where nobody can be asked anything.
pub(crate) const PATIENCE: Duration = Duration::from_mins(1);
/// The same where a person may have to answer a question first, or sign in.
const PATIENCE_OF_PEOPLE: Duration = Duration::from_mins(10);
/// Longest wait for log messages that are still to be printed at the end.
const LAST_WORDS: Duration = Duration::from_secs(1);

/// What every verb works with.
pub(crate) struct Setup<'a> {
    pub(crate) common: &'a Common,
    pub(crate) output: &'a Output,
    pub(crate) program: &'a Program,
    pub(crate) interrupt: &'a Interrupt,
    /// Whether the server may ask questions meanwhile.
    pub(crate) may_ask: bool,
    /// Whether the server's log is printed as it comes.
    pub(crate) print_log: bool,
    /// Whether the verb ends by itself when a signal comes, in good order.
    pub(crate) ends_itself: bool,
    /// Hears what belongs to no request.
    pub(crate) on_problem: Option<ProblemHook>,
}

/// Hears one sentence about what belongs to no request.
pub(crate) type ProblemHook = Arc<dyn Fn(&str) + Send + Sync>;

/// A live session.
pub(crate) struct Connection {
    pub(crate) session: ClientSession,
    pub(crate) progress: Progress,
    /// How long connecting took.
    pub(crate) took: Duration,
    log_level: Option<LoggingLevel>,
    /// What the server told from the beginning, until somebody reads it.
    heard: Mutex<Option<NotificationStream>>,
}

impl Setup<'_> {
    /// Connects, does the work, and closes, whatever comes of it.
    pub(crate) async fn with(
        &self,
        place: &Place,
        work: impl AsyncFnOnce(&Connection) -> Result<Exit, Failure>,
    ) -> Result<Exit, Failure> {
        let progress = Progress::start(self.output, &format!("connecting to {}", safe(&place.name())));
        let connected = self.interrupt.or(self.connect(place, &progress)).await;
        let connection = match connected {
            Ok(connection) => connection,
            Err(failure) => {
                progress.clear();
                return Err(failure);
            }
        };
        let log =
            self.print_log.then(|| tokio::spawn(tell_log(connection.notifications(), progress.clone())));
        let work = work(&connection);
        let done = if self.ends_itself { work.await } else { self.interrupt.or(work).await };
        connection.progress.clear();
        connection.session.close().await;
        if let Some(log) = log {
            // The session is over, and with it what it told: what is left is printed.
            let _ = tokio::time::timeout(LAST_WORDS, log).await;
        }
        done
    }

    async fn connect(&self, place: &Place, progress: &Progress) -> Result<Connection, Failure> {
        let begun = Instant::now();
        let client = self.client(progress)?;
        let connected = client.connect_hearing(place.target(self.common)?).await;
        let (session, heard) = connected.map_err(|error| Failure::from(error).about(&place.name()))?;
        let took = begun.elapsed();
        let (progress, log_level) = (progress.clone(), self.common.log_level);
        let heard = Mutex::new(Some(heard));
        let connection = Connection { session, progress, took, log_level, heard };
        if let Some(level) = &self.common.log_level
            && connection.session.revision().features().handshake
            && connection.session.capabilities().logging.is_some()
        {
            connection.session.set_log_level(*level).await?;
        }
        connection.progress.say("waiting for the server");
        Ok(connection)
    }

    fn client(&self, progress: &Progress) -> Result<Client, Failure> {
        let asker = Asker::new(self.output, progress);
        let mut builder = self.builder(self.patience(self.may_ask && asker.is_there()));
        let roots = self.roots()?;
        if self.may_ask {
            builder = asker.answering(builder, roots.is_empty());
        }
        Ok(with_roots(builder, roots).try_build()?)
    }

    /// Longest wait for an answer; `asks` where a person may have to answer a question first.
    pub(crate) fn patience(&self, asks: bool) -> Duration {
        patience(self.common, asks)
    }

    /// A client as the options say, which answers no questions yet.
    pub(crate) fn builder(&self, patience: Duration) -> ClientBuilder {
        let mut builder = Client::builder("mcpbolt", env!("CARGO_PKG_VERSION"))
            .protocol(self.common.protocol_version.0)
            .request_timeout(patience)
            .request_max(patience.max(PATIENCE_OF_PEOPLE))
            // Servers that declare too little are what one looks at most.
            .lenient();
        if let Some(patience) = self.common.protocol_version.first_answer(patience) {
            builder = builder.probe_timeout(patience);
        }
        if let Some(hook) = self.on_problem.clone() {
            builder = builder.on_error(move |problem| hook(&problem.message));
        }
        builder
    }

    /// The roots that the options name.
    pub(crate) fn roots(&self) -> Result<Vec<Root>, Failure> {
        self.common.root.iter().map(|text| root(text)).collect()
    }
}

impl Connection {
    /// What the server tells: from the beginning for who asks first, and from now on for others.
    pub(crate) fn notifications(&self) -> NotificationStream {
        let heard = self.heard.lock().unwrap_or_else(PoisonError::into_inner).take();
        heard.unwrap_or_else(|| self.session.notifications())
    }

    /// Options of a call whose progress is shown.
    pub(crate) fn options(&self) -> CallOptions {
        let progress = self.progress.clone();
        let options = CallOptions::new().on_progress(move |params| progress.update(&params));
        match &self.log_level {
            Some(level) => options.log_level(*level),
            None => options,
        }
    }
}

/// Longest wait for an answer; `asks` where a person may have to answer a question first.
pub(crate) fn patience(common: &Common, asks: bool) -> Duration {
    let of_people = asks || common.auth == Auth::Oauth;
    common.timeout.unwrap_or(if of_people { PATIENCE_OF_PEOPLE } else { PATIENCE })
}

fn with_roots(builder: ClientBuilder, roots: Vec<Root>) -> ClientBuilder {
    if roots.is_empty() { builder } else { builder.roots(roots) }
}

/// A folder as a `file:` URI, or a URI as it is.
fn root(text: &str) -> Result<Root, Failure> {
    if text.contains("://") {
        return Ok(Root::new(text));
    }
    let folder =
        std::fs::canonicalize(text).map_err(|why| Failure::usage(format!("--root {text}: {why}")))?;
    let uri =
        url::Url::from_file_path(&folder).map_err(|()| Failure::usage(format!("--root {text}: no path")))?;
    let name = folder.file_name().map(|name| name.to_string_lossy().into_owned());
    let root = Root::new(uri.as_str().trim_end_matches('/'));
    Ok(match name {
        Some(name) => root.name(name),
        None => root,
    })
}

/// Prints the server's log messages until the session ends.
async fn tell_log(mut heard: NotificationStream, progress: Progress) {
    while let Some(notification) = heard.next().await {
        if let ServerNotification::Log(message) = notification {
            progress.note(&log_line(progress.output(), &message));
        }
    }
}

/// A log message in one line.
pub(crate) fn log_line(output: &Output, message: &LoggingMessageParams) -> String {
    let level = message.level.as_str();
    let style = match level {
        "debug" | "info" | "notice" => DIM,
        "warning" => WARN,
        _ => BAD,
    };
    let logger = message.logger.as_deref().map(|name| format!("{}: ", safe(name))).unwrap_or_default();
    let said: Value = message.data.decode().unwrap_or_default();
    let said = said.as_str().map_or_else(|| said.to_string(), str::to_owned);
    format!("{} {logger}{}", output.paint_note(style, &format!("[{level}]")), safe(&said))
}
