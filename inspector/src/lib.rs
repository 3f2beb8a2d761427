//! The page of `mcpbolt-page` with a server behind it: it shows what the server offers, lets a
//! person try it, and shows the wire.
//!
//! Owns: the session that pages share, and who may use them. Must not know: command lines,
//! terminals, where the URL of a page is told.
//!
//! A server shows itself at `/docs`, beside its endpoint:
//!
//! ```
//! use mcpbolt::server::{RunError, Server};
//! use mcpbolt::transport::streamable_http::server::HttpOptions;
//!
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() -> Result<(), RunError> {
//! let server = Server::builder("notes", "1.0.0").build();
//! let serving = mcpbolt_inspector::serve_http(&server, "127.0.0.1:0", HttpOptions::default()).await?;
//! eprintln!("{}", serving.docs); // http://127.0.0.1:PORT/docs/#token=…
//! serving.http.shutdown().await;
//! # Ok(())
//! # }
//! ```
//!
//! | module | what it is |
//! |---|---|
//! | `docs` | the page beside an endpoint, for a server that shows itself |
//! | `inspector` | the page on a listener of its own, for a program that connects to servers |
//! | `keeper` | a session while somebody looks |
//! | `site` | the page over HTTP, and what it posts |
//! | `relay`, `request`, `questions` | the session, requests of pages, questions of the server |
//! | `hub`, `event` | who is told, and what |
//! | `subject` | which server it is, why there is no session |

mod docs;
mod event;
mod hub;
mod inspector;
mod keeper;
mod questions;
mod relay;
mod request;
mod site;
mod subject;

pub use docs::{PATH, Serving, beside, serve_http};
pub use event::server;
pub use inspector::Inspector;
pub use subject::{Connect, Explain, Failed, Subject};
