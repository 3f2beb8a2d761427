//! What a token costs a server: measures itself and prints a report as clients do.
//!
//! Owns: an issuer on a loopback port, tokens that it signed beforehand, and two ways to check
//! them: our resource server, and the library alone that checks signatures for it. The keys in
//! `keys` are for this program and nothing else.

use std::process::ExitCode;
use std::time::{Duration, Instant, SystemTime};

use axum::routing::get;
use clap::{Parser, ValueEnum};
use http::header::AUTHORIZATION;
use jsonwebtoken::{Algorithm, DecodingKey, EncodingKey, Header, Validation};
use mcpbolt::auth::ResourceServer;
use mcpbolt::handler::RequestHead;
use mcpbolt::transport::streamable_http::server::Verifier as _;
use mcpbolt_bench::client::ClientReport;
use mcpbolt_bench::process;
use serde_json::{Map, Value, json};

const RESOURCE: &str = "https://mcp.example.com/mcp";
const KEYS: &str = include_str!("../../keys/keys.json");
/// Tokens of the load before the measured one.
const WARM_UP: usize = 500;
/// What is measured of a token that was seen before is too short for a clock: so many at once.
const BATCH: u32 = 100;

/// Measures one way to check tokens.
#[derive(Parser)]
struct Args {
    /// Who checks.
    #[arg(long)]
    by: By,
    /// The signature's algorithm.
    #[arg(long, default_value = "ES256")]
    algorithm: Signature,
    /// The same token again and again, which is remembered; without it, each is a new one.
    #[arg(long)]
    seen: bool,
    /// How many tokens.
    #[arg(long, default_value_t = 5000)]
    tokens: usize,
}

#[derive(ValueEnum, Clone, Copy)]
enum By {
    Mcpbolt,
    Library,
}

#[derive(ValueEnum, Clone, Copy)]
#[value(rename_all = "UPPER")]
enum Signature {
    Es256,
    Rs256,
}

#[tokio::main]
async fn main() -> ExitCode {
    match run(&Args::parse()).await {
        Ok(report) => {
            println!("{report}");
            ExitCode::SUCCESS
        }
        Err(why) => {
            eprintln!("auth-checks: {why}");
            ExitCode::FAILURE
        }
    }
}

type Failure = Box<dyn std::error::Error>;

async fn run(args: &Args) -> Result<String, Failure> {
    let issuer = issuer().await?;
    let new = if args.seen { 1 } else { args.tokens + WARM_UP };
    let tokens =
        (0..new).map(|number| signed(args.algorithm, &issuer, number)).collect::<Result<Vec<_>, _>>()?;
    let latencies = match args.by {
        By::Mcpbolt => ours(args, &issuer, &tokens).await?,
        By::Library => library(args, &tokens)?,
    };
    Ok(serde_json::to_string(&report(latencies))?)
}

/// An authorization server, as far as resource servers look at it.
async fn issuer() -> Result<String, Failure> {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await?;
    let url = format!("http://{}", listener.local_addr()?);
    let about = json!({"issuer": url, "jwks_uri": format!("{url}/keys")}).to_string();
    let routes = axum::Router::new()
        .route("/.well-known/oauth-authorization-server", get(|| async { about }))
        .route("/keys", get(|| async { KEYS }));
    tokio::spawn(async { axum::serve(listener, routes).await });
    Ok(url)
}

/// A token with the claims that authorization servers usually write.
fn signed(signature: Signature, issuer: &str, number: usize) -> Result<String, Failure> {
    let (algorithm, key) = match signature {
        Signature::Es256 => {
            (Algorithm::ES256, EncodingKey::from_ec_pem(include_bytes!("../../keys/es256.pem"))?)
        }
        Signature::Rs256 => {
            (Algorithm::RS256, EncodingKey::from_rsa_pem(include_bytes!("../../keys/rs256.pem"))?)
        }
    };
    let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH)?.as_secs();
    let header = Header {
        kid: Some(format!("{algorithm:?}")),
        typ: Some("at+jwt".to_owned()),
        ..Header::new(algorithm)
    };
    let claims = json!({
        "iss": issuer, "aud": RESOURCE, "sub": "c6ad1f58-1f4a-4e4c-b9a5-6d0f0a2f5a11",
        "client_id": "desktop-app", "scope": "openid files:read files:write", "iat": now, "exp": now + 3600,
        "jti": format!("token-{number:08}"), "sid": "XZQdtLzggA5UfoH96HW0wWK7", "acr": "1",
    });
    Ok(jsonwebtoken::encode(&header, &claims, &key)?)
}

async fn ours(args: &Args, issuer: &str, tokens: &[String]) -> Result<Vec<Duration>, Failure> {
    let server = ResourceServer::builder(RESOURCE, [issuer]).scopes(["files:read"]).build()?;
    let heads = tokens.iter().map(|token| head(token)).collect::<Result<Vec<_>, _>>()?;
    let check = async |head: &RequestHead| match server.verify(head).await {
        Ok(_) => Ok(()),
        Err(_) => Err("a good token was refused"),
    };
    let mut took = Vec::with_capacity(args.tokens);
    if args.seen {
        check(&heads[0]).await?;
        for _ in 0..args.tokens {
            let began = Instant::now();
            for _ in 0..BATCH {
                check(&heads[0]).await?;
            }
            took.push(began.elapsed() / BATCH);
        }
        return Ok(took);
    }
    for head in &heads {
        let began = Instant::now();
        check(head).await?;
        took.push(began.elapsed());
    }
    Ok(took.split_off(WARM_UP))
}

fn head(token: &str) -> Result<RequestHead, Failure> {
    let mut headers = http::HeaderMap::new();
    headers.insert(AUTHORIZATION, format!("Bearer {token}").parse()?);
    Ok(RequestHead { method: http::Method::POST, uri: "/mcp".parse()?, headers })
}

/// The signature alone, with a key that is at hand.
fn library(args: &Args, tokens: &[String]) -> Result<Vec<Duration>, Failure> {
    let (algorithm, at) = match args.algorithm {
        Signature::Es256 => (Algorithm::ES256, 0),
        Signature::Rs256 => (Algorithm::RS256, 1),
    };
    let keys: Value = serde_json::from_str(KEYS)?;
    let key = DecodingKey::from_jwk(&serde_json::from_value(keys["keys"][at].clone())?)?;
    let mut rules = Validation::new(algorithm);
    rules.set_audience(&[RESOURCE]);
    let mut took = Vec::with_capacity(tokens.len());
    for at in 0..args.tokens + WARM_UP {
        let token = &tokens[at % tokens.len()];
        let began = Instant::now();
        jsonwebtoken::decode::<Map<String, Value>>(token, &key, &rules)?;
        took.push(began.elapsed());
    }
    Ok(took.split_off(WARM_UP))
}

fn report(mut took: Vec<Duration>) -> ClientReport {
    let seconds = took.iter().sum::<Duration>().as_secs_f64();
    took.sort_unstable();
    let at = |share: f64| {
        let place = (took.len().saturating_sub(1) as f64 * share) as usize;
        took.get(place).map_or(f64::NAN, |time| time.as_nanos() as f64 / 1000.0)
    };
    ClientReport {
        calls: took.len() as u64,
        seconds,
        p50: at(0.5),
        p99: at(0.99),
        cpu: seconds,
        memory: process::peak_memory(std::process::id()),
    }
}
