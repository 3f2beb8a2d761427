//! `bridge`: a server over the transport that its clients speak.
//!
//! Owns: where clients are met, and who may come. Must not know: what clients and server say.

use std::net::SocketAddr;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use mcpbolt::Guard;
use mcpbolt::handler::{Engine, EngineOptions, Handler, Outlet};
use mcpbolt::policy::detail::ErrorDetail;
use mcpbolt::transport::stdio_server::{StdioEnd, StdioServer};
use mcpbolt::transport::streamable_http::server::{self as http, HttpOptions, LegacyPaths, StaticBearer};

use super::no_more;
use crate::args::{Bridge, Common, Meeting};
use crate::connection::{Setup, patience};
use crate::environment;
use crate::exit::{Exit, Failure};
use crate::output::{Output, safe};
use crate::relay::{Reaching, Relay};
use crate::target::Place;

/// Where a server's command is met unless it is said.
const USUAL: &str = "127.0.0.1:8000";

/// Longest wait for answers that are still to be given when the server is gone.
const LAST_WORDS: Duration = Duration::from_secs(2);

/// Where clients are met.
enum Front {
    Stdio,
    Http { address: SocketAddr, options: Box<HttpOptions> },
}

pub(super) async fn run(setup: &Setup<'_>, arguments: Bridge) -> Result<Exit, Failure> {
    let (place, words) = Place::of(arguments.reach, setup.program)?;
    no_more(&words)?;
    let front = Front::of(&arguments.meeting, place.url().is_none())?;
    let place = place.with_our_environment();
    let reaching = reaching(setup.common, setup.output, &place)?;
    let for_http = matches!(front, Front::Http { .. });
    let started = setup.interrupt.or(async { Ok(Relay::start(reaching, for_http).await?) }).await;
    let relay = started.map_err(|failure| failure.about(&place.name()))?;
    let ended = match front {
        Front::Stdio => over_stdio(setup, &relay).await,
        Front::Http { address, options } => over_http(setup, &relay, address, *options).await,
    };
    relay.close().await;
    ended
}

/// How a relay reaches the server, as the options say.
pub(super) fn reaching(common: &Common, output: &Output, place: &Place) -> Result<Reaching, Failure> {
    let output = *output;
    Ok(Reaching {
        target: Mutex::new(place.target(common)?),
        policy: common.protocol_version.0,
        patience: patience(common, false),
        tell: Arc::new(move |sentence| output.note(&format!("mcpbolt: {}", safe(sentence)))),
    })
}

/// The engine of a relay's clients.
pub(super) fn engine() -> Arc<Engine> {
    Engine::new(EngineOptions {
        // All of it was the server's to decide.
        host_seals_state: true,
        asks_undeclared: true,
        outlet: Outlet { error_detail: ErrorDetail::Message, check_media: false, ..Outlet::default() },
        ..EngineOptions::default()
    })
}

async fn over_stdio(setup: &Setup<'_>, relay: &Arc<Relay>) -> Result<Exit, Failure> {
    let handler: Arc<dyn Handler> = Arc::clone(relay) as _;
    let server = StdioServer::start(&engine(), &handler)
        .map_err(|why| Failure::new(Exit::Failed, format!("standard input and output: {why}")))?;
    let ended = tokio::select! {
        end = server.wait() => match end {
            StdioEnd::Eof | StdioEnd::Closed => Ok(Exit::Done),
            _ => Err(Failure::new(Exit::Failed, "the client takes no replies, or cannot be read")),
        },
        // Its client hears what became of its calls first.
        why = relay.server_died() => {
            let (idle, over) = tokio::sync::oneshot::channel();
            server.connection().when_idle(Box::new(move || idle.send(()).unwrap_or_default()));
            let _ = tokio::time::timeout(LAST_WORDS, over).await;
            Err(Failure { exit: Exit::Unreachable, ..Failure::from(why) })
        }
        exit = setup.interrupt.wait() => Ok(exit),
    };
    server.close();
    ended
}

async fn over_http(
    setup: &Setup<'_>,
    relay: &Arc<Relay>,
    address: SocketAddr,
    options: HttpOptions,
) -> Result<Exit, Failure> {
    let handler: Arc<dyn Handler> = Arc::clone(relay) as _;
    let server = http::bind(address, &engine(), &handler, options)
        .await
        .map_err(|why| Failure::new(Exit::Failed, why.to_string()))?;
    let url = format!("http://{}/mcp", server.local_addr());
    if setup.output.is_json() {
        setup.output.document(&serde_json::json!({ "url": url }))?;
    } else {
        setup.output.print(&url)?;
    }
    let exit = setup.interrupt.wait().await;
    server.shutdown().await;
    Ok(exit)
}

impl Front {
    /// A program is met over HTTP, a URL on standard input and output, unless it is said.
    fn of(asked: &Meeting, is_program: bool) -> Result<Self, Failure> {
        let address = match &asked.http {
            Some(address) => address.as_str(),
            None if is_program && !asked.stdio => USUAL,
            None => return Self::stdio(asked),
        };
        let address: SocketAddr = address.replace("localhost:", "127.0.0.1:").parse().map_err(|_| {
            Failure::usage(format!("--http {address}: no address"))
                .remedy("write 127.0.0.1:8000, or [::1]:8000")
        })?;
        let options = Box::new(http_options(asked, address)?);
        Ok(Self::Http { address, options })
    }

    fn stdio(asked: &Meeting) -> Result<Self, Failure> {
        let of_http = asked.token.is_some() || asked.sse;
        if of_http || !(asked.allow_host.is_empty() && asked.allow_origin.is_empty()) {
            return Err(Failure::usage("--token, --sse, --allow-host and --allow-origin are for --http"));
        }
        Ok(Self::Stdio)
    }
}

fn http_options(asked: &Meeting, address: SocketAddr) -> Result<HttpOptions, Failure> {
    let token = asked.token.as_deref().map(token).transpose()?;
    let public = !address.ip().is_loopback();
    if public && token.is_none() {
        return Err(Failure::usage(format!(
            "{address} can be reached from elsewhere, and anybody could come"
        ))
        .remedy("--token NAME asks for the token in that variable; or listen on 127.0.0.1"));
    }
    if public && asked.allow_host.is_empty() {
        return Err(Failure::usage(format!("{address} can be reached under names that are not known"))
            .remedy("--allow-host NAME says what clients call it, such as tools.example.com:8000"));
    }
    let mut guard = if public { Guard::closed() } else { Guard::loopback() };
    for host in &asked.allow_host {
        guard =
            guard.allow_host(host).map_err(|_| Failure::usage(format!("--allow-host {host}: no host")))?;
    }
    for origin in &asked.allow_origin {
        guard = guard
            .allow_origin(origin)
            .map_err(|_| Failure::usage(format!("--allow-origin {origin}: no origin")))?;
    }
    let verify = token.map(|token| Arc::new(StaticBearer::new([(token, "client")])) as _);
    let legacy_sse = asked.sse.then(LegacyPaths::default);
    Ok(HttpOptions { guard: Some(guard), verify, legacy_sse, ..HttpOptions::default() })
}

/// The token that clients must show.
fn token(name: &str) -> Result<String, Failure> {
    environment::text(name).ok_or_else(|| {
        Failure::usage(format!("--token {name}: that variable is not set"))
            .remedy(format!("export {name}=\"$(openssl rand -hex 32)\""))
    })
}
