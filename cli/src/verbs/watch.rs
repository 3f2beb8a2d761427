//! `watch`: what a server tells without being asked.
//!
//! Owns: subscribing in either era, and one line for each notification. Must not know: how
//! notifications travel.

use std::time::SystemTime;

use mcpbolt::client::{NotificationStream, ServerNotification, SessionState, Subscription};
use mcpbolt::types::SubscriptionFilter;
use mcpbolt::{Error, RawJson, RawObject, methods};
use serde_json::json;

use super::no_more;
use crate::args::Watch;
use crate::connection::{Connection, Setup, log_line};
use crate::exit::{Exit, Failure};
use crate::output::{self, DIM, Output, safe};
use crate::target::Place;

/// Where notifications come from.
enum Source {
    /// Legacy servers tell on the connection.
    Connection(NotificationStream),
    /// Modern ones on a stream that is asked for.
    Subscription(Subscription),
}

pub(super) async fn run(setup: &Setup<'_>, arguments: Watch) -> Result<Exit, Failure> {
    let (place, words) = Place::of(arguments.reach, setup.program)?;
    no_more(&words)?;
    setup
        .with(&place, async |connection: &Connection| {
            let opening = Source::open(connection, &arguments.resource);
            let mut source = setup.interrupt.or(opening).await?;
            connection.progress.say("listening; Ctrl-C ends");
            let time_is_up = async {
                match arguments.r#for {
                    Some(time) => tokio::time::sleep(time).await,
                    None => std::future::pending().await,
                }
            };
            tokio::pin!(time_is_up);
            let (mut heard, mut lost) = (0, 0);
            while arguments.count.is_none_or(|count| heard < count) {
                let notification = tokio::select! {
                    notification = source.next() => notification,
                    () = &mut time_is_up => break,
                    // This is how one leaves.
                    _ = setup.interrupt.wait() => break,
                };
                let dropped = source.dropped();
                if dropped > lost {
                    connection.progress.aside(|| tell_lost(setup.output, dropped - lost))?;
                    lost = dropped;
                }
                let Some(notification) = notification else { return source.end(connection) };
                connection.progress.aside(|| tell(setup.output, &notification))?;
                heard += 1;
            }
            Ok(Exit::Done)
        })
        .await
}

impl Source {
    async fn open(connection: &Connection, resources: &[String]) -> Result<Self, Failure> {
        let session = &connection.session;
        if session.revision().features().subscriptions_listen {
            let filter = SubscriptionFilter {
                tools_list_changed: Some(true),
                prompts_list_changed: Some(true),
                resources_list_changed: Some(true),
                resource_subscriptions: (!resources.is_empty()).then(|| resources.to_vec()),
            };
            return Ok(Self::Subscription(session.listen(filter).await?));
        }
        let heard = connection.notifications();
        for uri in resources {
            session.subscribe(uri).await?;
        }
        Ok(Self::Connection(heard))
    }

    async fn next(&mut self) -> Option<ServerNotification> {
        match self {
            Self::Connection(heard) => heard.next().await,
            Self::Subscription(changes) => changes.next().await,
        }
    }

    /// How many were lost because they were not read in time.
    fn dropped(&self) -> u64 {
        match self {
            Self::Connection(heard) => heard.dropped(),
            Self::Subscription(changes) => changes.dropped(),
        }
    }

    /// Nothing more comes: the server ended it, or is gone.
    fn end(&self, connection: &Connection) -> Result<Exit, Failure> {
        let Self::Subscription(changes) = self else {
            return Err(match connection.session.state() {
                SessionState::Closed(why) => why.into(),
                _ => Error::closed().into(),
            });
        };
        match changes.end() {
            Some(Err(error)) => Err(error.into()),
            _ => Ok(Exit::Done),
        }
    }
}

fn now() -> String {
    humantime::format_rfc3339_millis(SystemTime::now()).to_string()
}

/// Prints one document on one line.
fn line(members: impl IntoIterator<Item = (&'static str, RawJson)>) -> Result<(), Failure> {
    let time = ("time", RawJson::from(json!(now())));
    let members: RawObject = [time].into_iter().chain(members).collect();
    output::raw(format!("{}\n", members.to_raw().as_str()).as_bytes())
}

/// Says that some came faster than they could be printed.
fn tell_lost(output: &Output, lost: u64) -> Result<(), Failure> {
    if output.is_json() {
        return line([("lost", RawJson::from(json!(lost)))]);
    }
    let s = if lost == 1 { " was" } else { "s were" };
    output.print(&format!("{} {lost} notification{s} lost", output.paint(DIM, &now())))
}

fn tell(output: &Output, notification: &ServerNotification) -> Result<(), Failure> {
    if output.is_json() {
        let (method, params) = parts(notification);
        let method = ("method", RawJson::from(json!(method)));
        return line([method].into_iter().chain(params.map(|params| ("params", params))));
    }
    let said = match notification {
        ServerNotification::ToolsChanged => "the list of tools changed".to_owned(),
        ServerNotification::PromptsChanged => "the list of prompts changed".to_owned(),
        ServerNotification::ResourcesChanged => "the list of resources changed".to_owned(),
        ServerNotification::ResourceUpdated { uri } => format!("{} changed", safe(uri)),
        ServerNotification::Log(message) => log_line(output, message),
        other => {
            let (method, params) = parts(other);
            format!("{} {}", safe(method), safe(params.unwrap_or_else(RawJson::null).as_str()))
        }
    };
    output.print(&format!("{} {said}", output.paint(DIM, &now())))
}

/// Method and params, as they were on the wire.
fn parts(notification: &ServerNotification) -> (&str, Option<RawJson>) {
    match notification {
        ServerNotification::ToolsChanged => (methods::TOOLS_LIST_CHANGED, None),
        ServerNotification::PromptsChanged => (methods::PROMPTS_LIST_CHANGED, None),
        ServerNotification::ResourcesChanged => (methods::RESOURCES_LIST_CHANGED, None),
        ServerNotification::ResourceUpdated { uri } => {
            (methods::RESOURCES_UPDATED, Some(json!({ "uri": uri }).into()))
        }
        ServerNotification::Log(message) => (methods::MESSAGE, RawJson::encode(message).ok()),
        ServerNotification::PageCompleted { elicitation_id } => {
            (methods::ELICITATION_COMPLETE, Some(json!({ "elicitationId": elicitation_id }).into()))
        }
        ServerNotification::Other { method, params } => (method, params.clone()),
        _ => ("", None),
    }
}
