//! A task belongs to the principal whose request it was.

use std::sync::Arc;

use mcpbolt::client::{Client, ClientSession, Started, Task, TaskStatus};
use mcpbolt::server::{Context, ServerBuilder, TaskSupport, Tasks};
use mcpbolt::transport::streamable_http::client::HttpClientOptions;
use mcpbolt::transport::streamable_http::server::{HttpOptions, HttpServer, StaticBearer};
use mcpbolt::{ErrorKind, RawObject, client};
use serde_json::json;
use tokio::sync::Notify;

use crate::world::{Nothing, builder, soon};

async fn serve(builder: ServerBuilder) -> HttpServer {
    let verify = Some(Arc::new(StaticBearer::new([("a", "ann"), ("b", "bob")])) as Arc<_>);
    let options = HttpOptions { verify, ..HttpOptions::default() };
    builder.build().serve_http("127.0.0.1:0", options).await.expect("an address")
}

async fn connect(server: &HttpServer, token: &str) -> ClientSession {
    let url = format!("http://{}/mcp", server.local_addr());
    let options = HttpClientOptions::default().header("Authorization", &format!("Bearer {token}"));
    let client = Client::builder("c", "1").extension(client::Tasks::new()).build();
    soon(client.connect((&*url, options.expect("a header")))).await.expect("connects")
}

async fn start(session: &ClientSession) -> Task {
    match soon(session.start_tool("gate", json!({}))).await.expect("starts") {
        Started::Task(task) => task,
        Started::Done(result) => panic!("no task: {result:?}"),
    }
}

#[tokio::test]
async fn the_work_knows_the_headers_of_its_request_but_those_of_its_message() {
    let headers = |_: Nothing, ctx: Context| async move {
        let head = ctx.call().scope().head.expect("came over HTTP");
        let mut names: Vec<_> = head.headers.keys().map(ToString::to_string).collect();
        names.sort();
        format!("{} {} {}", head.method, head.uri, names.join(" "))
    };
    let tasks = Tasks::new().tool("headers", TaskSupport::Required);
    let server = serve(builder(&Arc::default(), tasks).tool("headers", "Lists them", headers)).await;
    let ann = connect(&server, "a").await;
    let result = soon(ann.call_tool("headers", json!({}))).await.expect("a result");
    assert_eq!(result.content[0].as_text(), Some("POST /mcp authorization host user-agent"));
}

#[tokio::test]
async fn an_id_is_no_credential() {
    let go = Arc::new(Notify::new());
    let server = serve(builder(&go, Tasks::new())).await;
    let (ann, bob) = (connect(&server, "a").await, connect(&server, "b").await);
    let task = start(&ann).await;
    let stolen = bob.task(task.id());
    for refused in [
        soon(stolen.get()).await.map(drop),
        soon(stolen.cancel()).await,
        soon(stolen.update(RawObject::new())).await,
    ] {
        let refused = refused.expect_err("bob has no such task");
        assert_eq!((refused.kind, &*refused.message), (ErrorKind::InvalidParams, "Task not found"));
    }
    assert!(soon(task.get()).await.expect("still ann's").outcome().is_none());

    let mut his = soon(bob.watch_tasks([task.id()])).await.expect("listens, for nothing");
    let mut hers = soon(ann.watch_tasks([task.id(), "unknown"])).await.expect("listens");
    assert_eq!((his.task_ids(), hers.task_ids()), (vec![], vec![task.id().to_owned()]));
    go.notify_one();
    let told = soon(hers.next()).await.expect("a step").expect("a state");
    assert_eq!((told.task_id.as_str(), told.status), (task.id(), TaskStatus::Completed));
    // What bob would have been told came before the end of his subscription.
    soon(server.shutdown()).await;
    assert!(soon(his.next()).await.is_none());
    assert_eq!(his.end(), Some(Ok(())));
}
