//! Users' mistakes in Rust: `mistakes ROW [ARG]` makes the one of that row, as the program
//! of a newcomer would; `mistakes serve WHICH` is a server that such a program starts.
//!
//! Owns: which word is which mistake. What must be printed is in `golden`.

mod calls;
mod connects;
mod serves;

use std::error::Error;

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    let mut words = std::env::args().skip(1);
    let row = words.next().unwrap_or_default();
    let given = words.next().unwrap_or_default();
    let ended = match row.as_str() {
        "serve" => return Ok(serves::serve(&given)?),
        "nothing_listens" | "wrong_path" | "web_page" | "malformed_url" | "no_token" => {
            connects::to_url(&given).await
        }
        "command_not_found" => connects::command_not_found().await,
        "crash_at_import" => connects::to_own("crashing").await,
        "no_run" => connects::to_own("idle").await,
        "unknown_tool" => calls::tool("ad", serde_json::json!({ "a": 1, "b": 2 })).await,
        "argument_missing" => calls::tool("add", serde_json::json!({ "a": 1 })).await,
        "argument_wrong_type" => calls::tool("add", serde_json::json!({ "a": 1, "b": "two" })).await,
        "argument_unknown" => calls::tool("add", serde_json::json!({ "a": 1, "b": 2, "c": 3 })).await,
        "tool_raises" => calls::tool("divide", serde_json::json!({ "a": 1, "b": 0 })).await,
        "not_json" => calls::tool("basket", serde_json::json!({})).await,
        "sampling_not_declared" => calls::tool("summarize", serde_json::json!({})).await,
        "stray_print" => calls::stray_print().await,
        "used_after_close" => calls::used_after_close().await,
        "unknown_resource" => calls::unknown_resource().await,
        "unknown_prompt" => calls::prompt("gret").await,
        "prompt_argument_missing" => calls::prompt("greet").await,
        "tool_too_slow" => calls::tool_too_slow().await,
        "port_in_use" => return Ok(serves::on_port(&given).await?),
        "duplicate_tool" => serves::duplicate_tool(),
        "bad_schema" => serves::bad_schema(),
        "no_type_hints" => serves::no_object(),
        "by_hand" => return Ok(serves::serve("shop")?),
        other => return Err(format!("there is no row {other}").into()),
    };
    Ok(ended?)
}
