//! Tools that say something while they run.

use std::time::Duration;

use mcpbolt::protocol::Error;
use mcpbolt::protocol::methods::Capability;
use mcpbolt::server::{Context, ServerBuilder};
use tokio::time::sleep;

use crate::Nothing;

/// Between two messages.
const STEP: Duration = Duration::from_millis(50);

pub(crate) fn tools(builder: ServerBuilder) -> ServerBuilder {
    builder
        .tool("test_tool_with_logging", "Logs three times", |_: Nothing, ctx: Context| async move {
            ctx.info("Tool execution started");
            sleep(STEP).await;
            ctx.info("Tool processing data");
            sleep(STEP).await;
            ctx.info("Tool execution completed");
            "Tool with logging executed successfully"
        })
        .tool(
            "test_tool_with_progress",
            "Reports progress three times",
            |_: Nothing, ctx: Context| async move {
                for (done, said) in [(0.0, "started"), (50.0, "half way"), (100.0, "done")] {
                    if done > 0.0 {
                        sleep(STEP).await;
                    }
                    ctx.progress(done, Some(100.0), Some(said)).await;
                }
                "Tool with progress executed successfully"
            },
        )
        .tool(
            "test_logging_tool",
            "Logs once, if the client wants it",
            |_: Nothing, ctx: Context| async move {
                ctx.info("test_logging_tool was called");
                "Logged."
            },
        )
        .tool("test_reconnection", "Closes its stream and goes on", |_: Nothing, ctx: Context| async move {
            // The client comes back for the rest (2025-11-25 over HTTP).
            ctx.close_stream();
            sleep(STEP * 2).await;
            "Reconnection test completed successfully"
        })
        .tool(
            "test_missing_capability",
            "Needs a client that samples",
            |_: Nothing, ctx: Context| async move {
                if ctx.client_capabilities().sampling.is_none() {
                    return Err(Error::missing(Capability::Sampling));
                }
                Ok("The client can sample.")
            },
        )
}
