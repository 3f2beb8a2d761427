//! Tokens checked one after the other: by a resource server of ours, or by `jsonwebtoken` alone.
//!
//! Owns: the loop and its figures. Nothing is served; a check is what a request waits for.

use std::path::PathBuf;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use clap::Parser;
use http::{HeaderMap, HeaderValue, Method, Uri};
use jsonwebtoken::{Algorithm, DecodingKey, Validation};
use mcpbolt::auth::ResourceServer;
use mcpbolt::handler::RequestHead;
use mcpbolt::transport::streamable_http::server::Verifier as _;
use mcpbolt_bench::client::ClientReport;
use serde_json::{Map, Value};

/// What a program that checks tokens is told.
#[derive(Parser)]
struct Args {
    /// The issuer of the tokens.
    #[arg(long)]
    issuer: String,
    /// For whom they are.
    #[arg(long)]
    resource: String,
    /// A file with one token in each line.
    #[arg(long)]
    tokens: PathBuf,
    /// Go through them again and again for so long, in seconds; without it, once.
    #[arg(long)]
    again: Option<f64>,
    /// Check with the library alone.
    #[arg(long)]
    library: bool,
}

type Failure = Box<dyn std::error::Error>;

fn main() -> ExitCode {
    match run(&Args::parse()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

fn run(args: &Args) -> Result<(), Failure> {
    let tokens: Vec<String> = std::fs::read_to_string(&args.tokens)?.lines().map(str::to_owned).collect();
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let report = if args.library {
        let (rules, key) = runtime.block_on(library(args, &tokens))?;
        measured(&tokens, args.again, |token| {
            let decoded = jsonwebtoken::decode::<Map<String, Value>>(token, &key, &rules);
            decoded.map(drop).map_err(|error| error.to_string())
        })
    } else {
        let server = ResourceServer::builder(&args.resource, [args.issuer.as_str()]).scopes(["notes"]);
        let server = server.build()?;
        let heads: Vec<RequestHead> = tokens.iter().map(|token| head(token)).collect::<Result<_, _>>()?;
        // The keys are fetched before anything is measured, with a token that is not among them.
        let _ = runtime.block_on(server.verify(&head(&unsigned(&tokens[0]))?));
        measured(&heads, args.again, |head| {
            let verdict = runtime.block_on(server.verify(head));
            verdict.map(drop).map_err(|denied| format!("{denied:?}"))
        })
    }?;
    println!("{}", serde_json::to_string(&report)?);
    Ok(())
}

fn head(token: &str) -> Result<RequestHead, Failure> {
    let mut headers = HeaderMap::new();
    headers.insert("authorization", HeaderValue::from_str(&format!("Bearer {token}"))?);
    Ok(RequestHead { method: Method::POST, uri: Uri::from_static("/mcp"), headers, peer: None })
}

/// A token with the same head and claims, whose signature is none.
fn unsigned(token: &str) -> String {
    let (text, _) = token.rsplit_once('.').unwrap_or_default();
    format!("{text}.AAAA")
}

/// What the library has to know: the key of the tokens, and what claims have to be.
async fn library(args: &Args, tokens: &[String]) -> Result<(Validation, DecodingKey), Failure> {
    let algorithm = jsonwebtoken::decode_header(&tokens[0])?.alg;
    let address = args.issuer.strip_prefix("http://").unwrap_or_default();
    let mut socket = tokio::net::TcpStream::connect(address).await?;
    tokio::io::AsyncWriteExt::write_all(&mut socket, b"GET /keys HTTP/1.1\r\nHost: a\r\n\r\n").await?;
    let mut answer = String::new();
    tokio::io::AsyncReadExt::read_to_string(&mut socket, &mut answer).await?;
    let (_, body) = answer.split_once("\r\n\r\n").ok_or("the issuer does not answer")?;
    let keys: jsonwebtoken::jwk::JwkSet = serde_json::from_str(body)?;
    let name = if algorithm == Algorithm::RS256 { "RS256" } else { "ES256" };
    let key = DecodingKey::from_jwk(keys.find(name).ok_or("the issuer has no such key")?)?;
    let mut rules = Validation::new(algorithm);
    rules.set_audience(&[&args.resource]);
    rules.set_issuer(&[&args.issuer]);
    Ok((rules, key))
}

/// Times each check. The first tenth, or with `again` the first pass, is not counted.
fn measured<T>(
    tokens: &[T],
    again: Option<f64>,
    check: impl Fn(&T) -> Result<(), String>,
) -> Result<ClientReport, String> {
    let warm = if again.is_some() { tokens.len() } else { tokens.len() / 10 };
    for token in &tokens[..warm] {
        check(token)?;
    }
    let cpu = mcpbolt_bench::process::cpu(std::process::id());
    let (started, mut nanos) = (Instant::now(), Vec::new());
    let end = again.map(|seconds| started + Duration::from_secs_f64(seconds));
    let rest = if again.is_some() { tokens } else { &tokens[warm..] };
    loop {
        for token in rest {
            let begun = Instant::now();
            check(token)?;
            nanos.push(u32::try_from(begun.elapsed().as_nanos()).unwrap_or(u32::MAX));
        }
        if end.is_none_or(|end| Instant::now() >= end) {
            break;
        }
    }
    let seconds = started.elapsed().as_secs_f64();
    let cpu = mcpbolt_bench::process::cpu(std::process::id()).saturating_sub(cpu).as_secs_f64();
    Ok(ClientReport::of(nanos, seconds, cpu))
}
