//! The floor: the least code that gives the right answers. No registry, no sessions, no
//! checks; a plain loop over stdin, or bare hyper on one thread.

use std::borrow::Cow;
use std::convert::Infallible;
use std::io::{self, Read as _, Write as _};

use bytes::Bytes;
use clap::Parser;
use http_body_util::{BodyExt as _, Full};
use hyper::body::Incoming;
use hyper::{Request, Response};
use hyper_util::rt::TokioIo;
use mcpbolt_bench::server::ServerArgs;
use serde::Deserialize;
use serde_json::value::RawValue;

#[derive(Deserialize)]
struct Message<'a> {
    #[serde(borrow)]
    id: Option<&'a RawValue>,
    #[serde(borrow)]
    method: Cow<'a, str>,
    #[serde(borrow)]
    params: Option<Params<'a>>,
}

#[derive(Deserialize)]
struct Params<'a> {
    #[serde(borrow, default)]
    arguments: Option<Arguments<'a>>,
}

#[derive(Deserialize)]
struct Arguments<'a> {
    /// Stays encoded.
    #[serde(borrow)]
    text: &'a RawValue,
}

/// Appends the reply; nothing for notifications.
fn answer(message: &[u8], out: &mut Vec<u8>) -> Result<(), serde_json::Error> {
    let message: Message<'_> = serde_json::from_slice(message)?;
    let Some(id) = message.id else { return Ok(()) };
    out.extend_from_slice(br#"{"jsonrpc":"2.0","id":"#);
    out.extend_from_slice(id.get().as_bytes());
    out.extend_from_slice(br#","result":"#);
    match (&*message.method, message.params) {
        ("tools/call", Some(Params { arguments: Some(Arguments { text }) })) => {
            out.extend_from_slice(br#"{"content":[{"type":"text","text":"#);
            out.extend_from_slice(text.get().as_bytes());
            out.extend_from_slice(b"}]}");
        }
        ("initialize", _) => out.extend_from_slice(
            br#"{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":{"name":"floor","version":"1"}}"#,
        ),
        _ => out.extend_from_slice(br#"{"supportedVersions":["2026-07-28"],"capabilities":{"tools":{}}}"#),
    }
    out.push(b'}');
    Ok(())
}

fn stdio() -> io::Result<()> {
    let (mut input, mut output) = (io::stdin().lock(), io::stdout().lock());
    let (mut buffer, mut held, mut out) = (vec![0; 64 * 1024], Vec::new(), Vec::new());
    loop {
        let read = input.read(&mut buffer)?;
        if read == 0 {
            return Ok(());
        }
        held.extend_from_slice(&buffer[..read]);
        let mut done = 0;
        for end in memchr::memchr_iter(b'\n', &held) {
            let before = out.len();
            answer(&held[done..end], &mut out)?;
            if out.len() > before {
                out.push(b'\n');
            }
            done = end + 1;
        }
        held.drain(..done);
        output.write_all(&out)?;
        output.flush()?;
        out.clear();
    }
}

async fn respond(request: Request<Incoming>) -> Result<Response<Full<Bytes>>, Infallible> {
    let body = match request.into_body().collect().await {
        Ok(body) => body.to_bytes(),
        Err(_) => Bytes::new(),
    };
    let mut out = Vec::with_capacity(256);
    let good = answer(&body, &mut out).is_ok();
    let status = if out.is_empty() { 202 } else { 200 };
    let mut response = Response::new(Full::new(Bytes::from(out)));
    *response.status_mut() = hyper::StatusCode::from_u16(if good { status } else { 400 }).unwrap_or_default();
    response
        .headers_mut()
        .insert("content-type", hyper::header::HeaderValue::from_static("application/json"));
    Ok(response)
}

#[tokio::main(flavor = "current_thread")]
async fn http(address: std::net::SocketAddr) -> io::Result<()> {
    let listener = tokio::net::TcpListener::bind(address).await?;
    loop {
        let (stream, _) = listener.accept().await?;
        stream.set_nodelay(true)?;
        tokio::spawn(async move {
            let service = hyper::service::service_fn(respond);
            let http = hyper::server::conn::http1::Builder::new();
            let _ = http.serve_connection(TokioIo::new(stream), service).await;
        });
    }
}

fn main() -> io::Result<()> {
    let args = ServerArgs::parse();
    match args.http {
        None => stdio(),
        Some(address) => http(address),
    }
}
