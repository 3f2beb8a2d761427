//! Our client contestant.

use std::process::ExitCode;

use clap::Parser;
use mcpbolt::Revision;
use mcpbolt::client::{Client, Command, ProtocolPolicy, Target};
use mcpbolt::protocol::types::ContentBlock;
use mcpbolt_bench::client::{ClientArgs, run};

#[tokio::main]
async fn main() -> ExitCode {
    match load(&ClientArgs::parse()).await {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

async fn load(args: &ClientArgs) -> Result<(), String> {
    let target = match (&args.url, args.command.split_first()) {
        (Some(url), _) => Target::from(url.as_str()),
        (None, Some((program, rest))) => Command::new(program).args(rest).into(),
        (None, None) => return Err("neither --url nor a command".to_owned()),
    };
    let revision = if args.modern { Revision::V2026_07_28 } else { Revision::V2025_11_25 };
    let client = Client::builder("bench", "1.0.0").protocol(ProtocolPolicy::Pinned(revision)).build();
    let session = client.connect(target).await.map_err(|error| error.to_string())?;
    let calls = session.clone();
    run(args, move |text| {
        let session = calls.clone();
        async move {
            let answer = session.call_tool("echo", serde_json::json!({ "text": text })).await;
            match answer.map_err(|error| error.to_string())?.content.into_iter().next() {
                Some(ContentBlock::Text(block)) => Ok(block.text),
                _ => Err("not a block of text".to_owned()),
            }
        }
    })
    .await?;
    session.close().await;
    Ok(())
}
