//! `watch`: what a server tells without being asked.
//!
//! Owns: subscribing in either era, and one line for each notification. Must not know: how
//! notifications travel.

use std::time::SystemTime;

use mcpbolt::client::{NotificationStream, ServerNotification, Subscription};
use mcpbolt::methods;
use mcpbolt::types::SubscriptionFilter;
use serde_json::{Value, json};

use super::no_more;
use crate::args::Watch;
use crate::connection::{Connection, Setup, log_line};
use crate::exit::{Exit, Failure};
use crate::output::{self, DIM, Output, safe, without_nulls};
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
            let mut heard = 0;
            while arguments.count.is_none_or(|count| heard < count) {
                let notification = tokio::select! {
                    notification = source.next() => notification,
                    () = &mut time_is_up => break,
                    // This is how one leaves.
                    _ = setup.interrupt.wait() => break,
                };
                let Some(notification) = notification else { return source.end() };
                connection.progress.aside(|| tell(setup.output, connection, &notification))?;
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
        let heard = session.notifications();
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

    /// Nothing more comes: the server ended it, or is gone.
    fn end(&self) -> Result<Exit, Failure> {
        match self {
            Self::Subscription(changes) => match changes.end() {
                Some(Err(error)) => Err(error.into()),
                _ => Ok(Exit::Done),
            },
            Self::Connection(_) => Err(Failure::new(Exit::Unreachable, "the server left")),
        }
    }
}

fn tell(output: &Output, connection: &Connection, notification: &ServerNotification) -> Result<(), Failure> {
    let time = humantime::format_rfc3339_millis(SystemTime::now()).to_string();
    if output.is_json() {
        let (method, params) = parts(notification);
        let line = without_nulls(json!({ "time": time, "method": method, "params": params }));
        return output::raw(format!("{line}\n").as_bytes());
    }
    let said = match notification {
        ServerNotification::ToolsChanged => "the list of tools changed".to_owned(),
        ServerNotification::PromptsChanged => "the list of prompts changed".to_owned(),
        ServerNotification::ResourcesChanged => "the list of resources changed".to_owned(),
        ServerNotification::ResourceUpdated { uri } => format!("{} changed", safe(uri)),
        ServerNotification::Log(message) => log_line(output, message),
        other => {
            let (method, params) = parts(other);
            format!("{} {}", safe(&method), safe(&params.unwrap_or_default().to_string()))
        }
    };
    let _ = connection;
    output.print(&format!("{} {said}", output.paint(DIM, &time)))
}

/// Method and params, as they were on the wire.
fn parts(notification: &ServerNotification) -> (String, Option<Value>) {
    let (method, params) = match notification {
        ServerNotification::ToolsChanged => (methods::TOOLS_LIST_CHANGED, None),
        ServerNotification::PromptsChanged => (methods::PROMPTS_LIST_CHANGED, None),
        ServerNotification::ResourcesChanged => (methods::RESOURCES_LIST_CHANGED, None),
        ServerNotification::ResourceUpdated { uri } => {
            (methods::RESOURCES_UPDATED, Some(json!({ "uri": uri })))
        }
        ServerNotification::Log(message) => (methods::MESSAGE, serde_json::to_value(message).ok()),
        ServerNotification::PageCompleted { elicitation_id } => {
            (methods::ELICITATION_COMPLETE, Some(json!({ "elicitationId": elicitation_id })))
        }
        ServerNotification::Other { method, params } => {
            (method.as_str(), params.as_ref().and_then(|params| params.decode().ok()))
        }
        _ => ("", None),
    };
    (method.to_owned(), params)
}
