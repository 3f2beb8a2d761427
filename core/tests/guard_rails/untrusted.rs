//! What a client believes of a server, and how much of it.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use mcpbolt::client::{Client, ClientBuilder, ClientSession, Host, ProtocolPolicy, Received, ResultCaps};
use mcpbolt::server::{Context, Server};
use mcpbolt::transport::memory::MemoryTransport;
use mcpbolt::transport::streamable_http::server::HttpOptions;
use mcpbolt::types::{CreateMessageParams, CreateMessageResult, Resource, Tool, ToolAnnotations};
use mcpbolt::{Error, ErrorKind, RawJson};
use parking_lot::Mutex;
use serde_json::{Value, json};

use super::soon;

/// The other end of a connection to a server.
fn ends(server: &Server) -> MemoryTransport {
    let (ours, theirs) = MemoryTransport::pair();
    let server = server.clone();
    tokio::spawn(async move { server.serve(Arc::new(theirs)).await });
    ours
}

pub(crate) async fn connect(server: &Server, client: ClientBuilder) -> ClientSession {
    soon(client.build().connect(ends(server))).await.expect("connects")
}

/// The text of a result's first block.
pub(crate) fn says(result: &RawJson) -> String {
    let result: Value = result.decode().expect("JSON");
    result["content"][0]["text"].as_str().unwrap_or_else(|| panic!("no text in {result}")).to_owned()
}

fn claims() -> Server {
    let harmless = ToolAnnotations::new().read_only_hint(true);
    let tool = Tool::new("wipe", json!({"type": "object"})).annotations(harmless);
    Server::builder("s", "1").raw_tool(tool, |_: Value, _: Context| async { "wiped" }).build()
}

#[tokio::test]
async fn annotations_are_claims_unless_the_server_was_added_as_trusted() {
    let host = Host::new(Client::builder("host", "1").build());
    soon(host.add("stranger", ends(&claims()))).await.expect("connects");
    soon(host.add_trusted("friend", ends(&claims()))).await.expect("connects");
    let stranger = host.find("stranger_wipe").expect("its tool");
    let claim = stranger.annotations.expect("what it claims");
    assert_eq!(claim.believed(), None);
    assert_eq!(claim.claimed().read_only_hint, Some(true));
    assert_eq!(stranger.tool.annotations, None, "nobody decides by it unawares");
    let friend = host.find("friend_wipe").expect("its tool");
    assert_eq!(friend.annotations.and_then(|a| a.believed()?.read_only_hint), Some(true));
    assert_eq!(friend.tool.annotations.and_then(|a| a.read_only_hint), Some(true));
    let session = host.session("stranger").expect("connected");
    assert!(session.annotations("wipe").is_some_and(|claim| !claim.is_trusted()));
    host.close().await;
}

#[tokio::test]
async fn a_result_is_validated_before_it_is_returned() {
    let seen = Arc::new(Mutex::new(Vec::new()));
    let heard = Arc::clone(&seen);
    let server = Server::builder("s", "1")
        .raw_tool(Tool::new("say", json!({"type": "object"})), |args: Value, _: Context| async move {
            args["what"].as_str().unwrap_or_default().to_owned()
        })
        .resource(Resource::new("note:///a", "a"), |_: Context| async { "<script>".to_owned() })
        .build();
    let client = Client::builder("c", "1").validate_result(move |received: &Received<'_>| {
        heard.lock().push(format!("{} {}", received.method, received.name.unwrap_or("-")));
        if received.result.as_str().contains("<script") { Err("it holds a script".into()) } else { Ok(()) }
    });
    let session = connect(&server, client).await;
    soon(session.call_tool("say", json!({"what": "hi"}))).await.expect("harmless");
    let refused = soon(session.call_tool("say", json!({"what": "<script>"}))).await.expect_err("refused");
    assert_eq!(refused.kind, ErrorKind::Rejected);
    assert!(refused.message.contains("it holds a script"), "{}", refused.message);
    for _ in 0..2 {
        let refused = soon(session.read_resource("note:///a")).await.expect_err("refused, and never kept");
        assert_eq!(refused.kind, ErrorKind::Rejected);
    }
    let seen = seen.lock().clone();
    assert_eq!(seen.iter().filter(|seen| *seen == "tools/call say").count(), 2, "{seen:?}");
    assert_eq!(seen.iter().filter(|seen| *seen == "resources/read note:///a").count(), 2, "{seen:?}");
}

#[tokio::test]
async fn results_lists_and_pages_of_a_server_are_capped() {
    let mut builder = Server::builder("s", "1").page_size(2);
    for n in 0..7 {
        let tool = Tool::new(format!("t{n}"), json!({"type": "object"}));
        builder = builder.raw_tool(tool, |_: Value, _: Context| async { "x".repeat(3_000) });
    }
    let server = builder.build();
    let with = |caps: ResultCaps| Client::builder("c", "1").result_caps(caps);
    let caps = ResultCaps::default();

    let session = connect(&server, with(ResultCaps { max_list_items: 6, ..caps })).await;
    let error = soon(session.list_all_tools()).await.expect_err("seven tools");
    assert!(error.kind == ErrorKind::Protocol && error.message.contains("max_list_items"), "{error}");

    let session = connect(&server, with(ResultCaps { max_list_items: 1, ..caps })).await;
    soon(session.list_tools(None)).await.expect_err("two on the first page");

    let session = connect(&server, with(ResultCaps { max_pages: 3, ..caps })).await;
    let error = soon(session.list_all_tools()).await.expect_err("four pages");
    assert!(error.message.contains("too many pages"), "{error}");

    let session = connect(&server, with(ResultCaps { max_result_bytes: Some(2_000), ..caps })).await;
    let error = soon(session.call_tool("t0", json!({}))).await.expect_err("3,000 bytes");
    assert!(error.message.contains("max_result_bytes"), "{error}");

    let exact = ResultCaps { max_list_items: 7, max_pages: 4, max_result_bytes: Some(4_000), ..caps };
    let session = connect(&server, with(exact)).await;
    assert_eq!(soon(session.list_all_tools()).await.expect("seven on four pages").len(), 7);
    soon(session.call_tool("t0", json!({}))).await.expect("it fits");
}

#[tokio::test]
async fn sampling_nests_only_so_deep() {
    for policy in [ProtocolPolicy::Auto, ProtocolPolicy::LegacyFirst] {
        let server = Server::builder("s", "1")
            .raw_tool(Tool::new("think", json!({"type": "object"})), |_: Value, ctx: Context| async move {
                ctx.create_message(CreateMessageParams::default()).await.map(|_| "thought".to_owned())
            })
            .build();
        let (asked, session) = (Arc::new(AtomicUsize::new(0)), Arc::new(Mutex::new(None::<ClientSession>)));
        let (count, own) = (Arc::clone(&asked), Arc::clone(&session));
        // The model calls the tool that asks the model.
        let client = Client::builder("c", "1")
            .protocol(policy)
            .result_caps(ResultCaps { max_nested_sampling: 3, ..ResultCaps::default() })
            .on_sampling(move |_| {
                count.fetch_add(1, Ordering::SeqCst);
                let session = own.lock().clone();
                async move {
                    let session = session.ok_or_else(Error::closed)?;
                    session.call_tool("think", json!({})).await?;
                    Ok(CreateMessageResult::text("m", "hm"))
                }
            });
        let connected = connect(&server, client).await;
        *session.lock() = Some(connected.clone());
        let outcome = soon(connected.call_tool("think", json!({}))).await;
        assert!(!outcome.is_ok_and(|result| !result.failed()), "{policy:?}: it cannot end well");
        assert_eq!(asked.load(Ordering::SeqCst), 3, "{policy:?}");
        *session.lock() = None;
    }
}

#[tokio::test]
async fn a_config_file_says_which_servers_are_trusted() {
    let host = Host::new(Client::builder("host", "1").build());
    let http = claims().serve_http("127.0.0.1:0", HttpOptions::default()).await.expect("binds");
    let url = format!("http://{}/mcp", http.local_addr());
    let config = json!({"mcpServers": {"a": {"url": url, "trusted": true}, "b": {"url": url}}});
    let failed = soon(host.add_config(&config.to_string())).await.expect("a config");
    assert!(failed.is_empty(), "{failed:?}");
    let trusted =
        |name: &str| host.find(name).and_then(|tool| tool.annotations).is_some_and(|a| a.is_trusted());
    assert!(trusted("a_wipe") && !trusted("b_wipe"));
    host.close().await;
    soon(http.shutdown()).await;
}
