//! `inspect`: a page on loopback that shows a server and tries what it offers.
//!
//! Owns: the order of things, from a free port to Ctrl-C. Must not know: what pages ask.

mod event;
mod hub;
mod questions;
mod relay;
mod request;
mod site;

use std::io::{self, IsTerminal as _};
use std::net::Ipv4Addr;
use std::sync::Arc;

use mcpbolt::client::Target;
use mcpbolt::seal::random_token;
use mcpbolt::server::Server;
use mcpbolt::transport::streamable_http::server::HttpServer;
use serde_json::json;
use tokio::sync::mpsc;

use super::no_more;
use crate::args::{Common, Inspect};
use crate::connection::Setup;
use crate::exit::{Exit, Failure};
use crate::output::safe;
use crate::target::Place;

use hub::Hub;
use relay::Relay;
use site::Site;

/// Most wishes to connect again that wait.
const WISHES: usize = 4;

/// A page wants the server to be reached anew.
struct Reconnect {
    /// A token that its person gave, to be sent to the server.
    token: Option<String>,
}

pub(super) async fn run(setup: &Setup<'_>, arguments: Inspect) -> Result<Exit, Failure> {
    let (place, words) = Place::of(arguments.reach, setup.program)?;
    no_more(&words)?;
    // What the options say is wrong before anything listens.
    place.target(setup.common)?;
    let hub = Arc::new(Hub::default());
    let relay = Relay::new(&hub, &place, setup.roots()?);
    let client = relay.client(setup.builder(setup.patience(true)))?;
    let client = &client;
    let (wish, mut wishes) = mpsc::channel(WISHES);
    // A secret of this run: 256 bits, as text for a URL.
    let token = random_token(32);
    let site = Arc::new(Site::new(&token, &hub, &relay, wish));
    let serving = serve(&site, arguments.port).await?;
    let url = format!("http://{}/#token={token}", serving.local_addr());
    tell(setup, &url, arguments.no_open)?;
    let mut next = Reconnect { token: None };
    loop {
        let connecting = async {
            match target(&place, next.token.take(), setup.common) {
                Ok(target) => relay.connect(client, target).await,
                Err(failure) => relay.failed(&failure),
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
    relay.close().await;
    Ok(Exit::Done)
}

/// The server, with the token of a page's person.
fn target(place: &Place, token: Option<String>, common: &Common) -> Result<Target, Failure> {
    match (place, token) {
        (Place::Url { url, headers }, Some(token)) => {
            let mut headers = headers.clone();
            headers.push(("Authorization".to_owned(), format!("Bearer {token}")));
            Place::Url { url: url.clone(), headers }.target(common)
        }
        _ => place.target(common),
    }
}

/// Listens on loopback, and nowhere else.
async fn serve(site: &Arc<Site>, port: u16) -> Result<HttpServer, Failure> {
    // The engine's listener guards hosts and origins; its own endpoint has nothing to offer.
    let server = Server::builder("mcpbolt inspect", env!("CARGO_PKG_VERSION")).build();
    server.serve_http((Ipv4Addr::LOCALHOST, port), site.options()).await.map_err(|why| {
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
