//! `inspect`: a page on loopback that shows a server and tries what it offers.
//!
//! Owns: the order of things, from a free port to Ctrl-C. Must not know: what pages ask.

use std::io::{self, IsTerminal as _};
use std::net::Ipv4Addr;

use mcpbolt::client::Target;
use mcpbolt::server::Server;
use mcpbolt::transport::streamable_http::client::HttpClientOptions;
use mcpbolt::transport::streamable_http::server::HttpServer;
use mcpbolt_inspector::{Connect, Failed, Inspector, Subject};
use serde_json::json;

use super::no_more;
use crate::args::{Common, Inspect};
use crate::connection::Setup;
use crate::exit::{Exit, Failure};
use crate::output::safe;
use crate::target::Place;

pub(super) async fn run(setup: &Setup<'_>, arguments: Inspect) -> Result<Exit, Failure> {
    let (place, words) = Place::of(arguments.reach, setup.program)?;
    no_more(&words)?;
    // What the options say is wrong before anything listens.
    place.target(setup.common)?;
    let (inspector, mut wishes) =
        Inspector::new(&shown(&place), setup.roots()?, |error| failed(Failure::from(error)));
    let client = &inspector.client(setup.builder(setup.patience(true)))?;
    let serving = serve(&inspector, arguments.port).await?;
    let url = format!("http://{}/#token={}", serving.local_addr(), inspector.key());
    tell(setup, &url, arguments.no_open)?;
    let mut next = Connect::default();
    loop {
        let connecting = async {
            match target(&place, next.token.take(), setup.common) {
                Ok(target) => inspector.connect(client, target).await,
                Err(failure) => inspector.failed(failed(failure)),
            }
        };
        tokio::select! {
            () = connecting => {}
            _ = setup.interrupt.wait() => break,
        }
        tokio::select! {
            wish = wishes.recv() => match wish {
                Some(wish) => next = wish,
                None => break,
            },
            _ = setup.interrupt.wait() => break,
        }
    }
    inspector.close().await;
    Ok(Exit::Done)
}

/// The server, with the token of a page's person in place of whatever else it would be sent.
fn target(place: &Place, token: Option<String>, common: &Common) -> Result<Target, Failure> {
    match (place.target(common)?, token) {
        (Target::Http { url, options }, Some(token)) => {
            let with_token = options
                .header("authorization", &format!("Bearer {token}"))
                .map_err(|_| Failure::usage("the token has characters that no token has"))?;
            let options = Box::new(HttpClientOptions { authorizer: None, ..with_token });
            Ok(Target::Http { url, options })
        }
        (target, _) => Ok(target),
    }
}

/// The server as pages name it. Variables of its environment may be secrets.
fn shown(place: &Place) -> Subject {
    match place {
        Place::Url { url, .. } => Subject::Url(url.clone()),
        Place::Program { words, .. } => {
            Subject::Command(words.iter().map(|word| word.to_string_lossy().into_owned()).collect())
        }
    }
}

/// Why there is no session, as pages say it.
fn failed(failure: Failure) -> Failed {
    let wants_token = failure.exit == Exit::Denied;
    Failed { message: failure.message, remedy: failure.remedy, wants_token }
}

/// Listens on loopback, and nowhere else.
async fn serve(inspector: &Inspector, port: u16) -> Result<HttpServer, Failure> {
    // The engine's listener guards hosts and origins; its own endpoint has nothing to offer.
    let server = Server::builder("mcpbolt inspect", env!("CARGO_PKG_VERSION")).build();
    server.serve_http((Ipv4Addr::LOCALHOST, port), inspector.options()).await.map_err(|why| {
        Failure::new(Exit::Failed, format!("port {port} of 127.0.0.1: {why}"))
            .remedy("without --port a free one is taken")
    })
}

/// Says where the page is, and opens it where a person sits.
fn tell(setup: &Setup<'_>, url: &str, no_open: bool) -> Result<(), Failure> {
    if setup.output.is_json() {
        setup.output.document(&json!({ "url": url }))?;
    } else {
        setup.output.print(&safe(url))?;
    }
    if io::stdout().is_terminal() && io::stderr().is_terminal() {
        setup.output.note("The URL holds the key to this page: keep it to yourself. Ctrl-C ends.");
        if !no_open && let Err(why) = open::that_detached(url) {
            setup.output.note(&format!("The browser cannot be opened: {why}"));
        }
    }
    Ok(())
}
