//! Apps: a page is a resource of its own type; a host shows it as declared, hides tools from
//! the model that are not for it, and makes no call for a page that is not for pages.

use std::sync::Arc;

use mcpbolt::client::{AppError, Apps, Client, ClientSession, Extension};
use mcpbolt::policy::apps::{AppRefusal, EXTENSION, MIME_TYPE, ToolUi, Visible};
use mcpbolt::server::{Context, Server, UiPage};
use mcpbolt::transport::memory::MemoryTransport;
use mcpbolt::types::{Resource, Tool};
use serde_json::{Value, json};

use super::soon;

const PAGE: &str = "ui://clock/app.html";

fn tool(name: &str) -> Tool {
    Tool::new(name, json!({"type": "object"}))
}

fn server() -> Server {
    let only = |who| ToolUi { resource_uri: None, visibility: Some(vec![who]) };
    Server::builder("clock", "1")
        .app_page(
            UiPage::new(PAGE, "<p>")
                .connects_to("https://time.example")
                .connects_to("*")
                .prefers_border(true),
        )
        .resource(Resource::new("ui://clock/other", "other").mime_type("text/html"), |_| async {
            "<p>".to_owned()
        })
        .raw_tool(ToolUi::page(PAGE).on(tool("time")), |_: Value, ctx: Context| async move {
            if ctx.client_shows_apps() { "shown" } else { "12:00" }
        })
        .raw_tool(ToolUi::page("ui://clock/other").on(tool("odd")), |_: Value, _| async { "odd" })
        .raw_tool(only(Visible::App).on(tool("refresh")), |_: Value, _| async { "fresh" })
        .raw_tool(only(Visible::Model).on(tool("wipe")), |_: Value, _| async { "gone" })
        .build()
}

async fn connect(client: Client) -> ClientSession {
    let (ours, theirs) = MemoryTransport::pair();
    tokio::spawn(async move { server().serve(Arc::new(theirs)).await });
    soon(client.connect(ours)).await.expect("connects")
}

fn host() -> Client {
    Client::builder("host", "1").apps().build()
}

#[tokio::test]
async fn a_host_reads_the_page_of_a_tool_with_what_it_may_use() {
    let session = connect(host()).await;
    assert!(session.server_extension(EXTENSION).is_some());
    let apps = Apps::of(&session);
    let tools = soon(apps.model_tools()).await.expect("listed");
    let named = |name: &str| tools.iter().find(|tool| tool.name == name).expect("there");
    let page = soon(apps.page(named("time"))).await.expect("a page").expect("has one");
    assert_eq!((page.html.as_str(), page.prefers_border), ("<p>", Some(true)));
    assert!(page.csp.policy().contains("connect-src https://time.example;"), "{}", page.csp.policy());
    assert_eq!(page.csp.ignored(), ["*"], "no loosening");
    let refused = soon(apps.page(named("odd"))).await.expect_err("of another type");
    assert!(matches!(refused, AppError::Page(AppRefusal::MimeType)));
    assert!(soon(apps.page(named("wipe"))).await.expect("no request").is_none());
}

#[tokio::test]
async fn the_model_and_the_page_see_what_is_for_them() {
    let session = connect(host()).await;
    let apps = Apps::of(&session);
    let tools = soon(apps.model_tools()).await.expect("listed");
    let names: Vec<_> = tools.iter().map(|tool| tool.name.as_str()).collect();
    assert_eq!(names, ["time", "odd", "wipe"]);
    assert!(soon(apps.call("refresh", json!({}))).await.is_ok());
    assert!(matches!(soon(apps.call("wipe", json!({}))).await, Err(AppError::NotForApps { .. })));
    assert!(matches!(soon(apps.call("of-another-server", json!({}))).await, Err(AppError::Unknown { .. })));
}

#[test]
fn a_page_that_no_host_could_show_is_refused_when_the_server_is_built() {
    let builder = || Server::builder("clock", "1").app_page(UiPage::new(PAGE, "<p>"));
    let shows = |page| ToolUi::page(page).on(tool("time"));
    for (built, said) in [
        (builder().app_page(UiPage::new("https://clock/app.html", "<p>")), "must begin with ui://"),
        (builder().raw_tool(shows("ui://clock/lost"), |_: Value, _| async { "" }), "add it with app_page"),
        (builder().raw_tool(shows("https://clock"), |_: Value, _| async { "" }), "a page is at ui://"),
    ] {
        let refused = built.try_build().expect_err("refused");
        assert!(refused.message.contains(said), "{}", refused.message);
    }
    let two = builder().app_page(UiPage::new("ui://clock/two", "<p>"));
    let two = two.raw_tool(shows("ui://clock/two"), |_: Value, _| async { "" });
    assert_eq!(two.try_build().expect("several pages").resources().len(), 2);
}

#[tokio::test]
async fn a_tool_knows_whether_its_page_is_shown() {
    for (client, expected) in [(host(), "shown"), (Client::builder("host", "1").build(), "12:00")] {
        let session = connect(client).await;
        let result = soon(session.call_tool("time", json!({}))).await.expect("called");
        assert_eq!(serde_json::to_value(&result.content[0]).expect("JSON")["text"], expected);
    }
    let other = json!({"mimeTypes": ["text/plain"]});
    let client = Client::builder("host", "1").extension(Extension::new(EXTENSION).settings(other)).build();
    let result = soon(connect(client).await.call_tool("time", json!({}))).await.expect("called");
    assert_eq!(serde_json::to_value(&result.content[0]).expect("JSON")["text"], "12:00", "not {MIME_TYPE}");
}
