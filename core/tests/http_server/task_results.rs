//! Clients of 2025-11-25 that wait for what comes of a task, each on a stream of its own: which
//! of them is asked.

use std::sync::Arc;

use mcpbolt::server::{Context, Failure, Server as Program, TaskSupport, Tasks};
use mcpbolt::transport::streamable_http::server::{HttpOptions, HttpServer};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};
use tokio::net::TcpStream;
use tokio::sync::Notify;

use super::support::*;

#[derive(Deserialize, JsonSchema)]
struct Nothing {}

/// A task that asks for the client's roots once it is let go, and one client's session.
struct World {
    http: HttpServer,
    go: Arc<Notify>,
    main: Client,
    session: String,
    task: Value,
}

fn request(id: u32, method: &str, params: &Value) -> String {
    json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}).to_string()
}

impl World {
    async fn new() -> Self {
        let go = Arc::new(Notify::new());
        let gate = Arc::clone(&go);
        let server = Program::builder("s", "1")
            .tool("ask", "Asks", move |_: Nothing, context: Context| {
                let gate = Arc::clone(&gate);
                async move {
                    gate.notified().await;
                    let roots = context.call().ask("roots/list", None, None).await?;
                    Ok::<_, Failure>(format!("heard {}", roots.as_str()))
                }
            })
            .extension(Tasks::new().tool("ask", TaskSupport::Required))
            .build();
        let http = server.serve_http("127.0.0.1:0", HttpOptions::default()).await.unwrap();
        let mut main = Client::new(TcpStream::connect(http.local_addr()).await.unwrap());
        let session = main.initialize("2025-11-25").await;
        let wish = json!({"name": "ask", "arguments": {}, "task": {}});
        main.post(&session, &request(1, "tools/call", &wish)).await;
        let task = main.event_or_json().await["result"]["task"]["taskId"].clone();
        assert!(task.is_string());
        Self { http, go, main, session, task }
    }

    /// One whose task asks, with the first that waits for it and the question that it got.
    async fn asked() -> (Self, Client, Value) {
        let world = Self::new().await;
        world.go.notify_one();
        let mut first = world.wait(2).await;
        let question = first.question().await;
        (world, first, question)
    }

    /// Waits for what comes of the task, on a connection of its own.
    async fn wait(&self, id: u32) -> Client {
        let mut client = Client::new(TcpStream::connect(self.http.local_addr()).await.unwrap());
        let waits = request(id, "tasks/result", &json!({"taskId": self.task}));
        assert!(client.post(&self.session, &waits).await.is_stream());
        client
    }

    async fn say(&mut self, message: Value) {
        assert_eq!(self.main.post(&self.session, &message.to_string()).await.status, 202);
    }

    async fn answer(&mut self, question: &Value) {
        self.say(json!({"jsonrpc": "2.0", "id": question["id"], "result": {"roots": []}})).await;
    }

    async fn give_up(&mut self, id: u32) {
        let params = json!({"requestId": id});
        self.say(json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": params})).await;
    }
}

impl Client {
    /// The next message that says something to this waiter.
    async fn told(&mut self) -> Value {
        loop {
            let event = self.event().await.expect("an event");
            if !event.data.is_empty() && event.json()["method"] != "notifications/tasks/status" {
                return event.json();
            }
        }
    }

    async fn question(&mut self) -> Value {
        let question = self.told().await;
        assert_eq!(question["method"], "roots/list", "{question}");
        question
    }

    async fn assert_result(&mut self, id: u32) {
        let result = self.told().await;
        assert_eq!(result["id"], id, "{result}");
        assert!(result["result"]["content"][0]["text"].as_str().unwrap().contains("heard"), "{result}");
    }

    /// An answer in either form.
    async fn event_or_json(&mut self) -> Value {
        let body = self.body().await;
        let data = body.lines().filter_map(|line| line.strip_prefix("data: ")).next_back();
        serde_json::from_str(data.unwrap_or(&body)).unwrap_or_else(|_| panic!("{body}"))
    }
}

#[tokio::test]
async fn who_comes_again_after_its_connection_broke_is_asked() {
    let (mut world, first, _) = World::asked().await;
    drop(first);
    let mut second = world.wait(3).await;
    let question = second.question().await;
    world.answer(&question).await;
    second.assert_result(3).await;
}

#[tokio::test]
async fn of_several_that_are_asked_the_first_to_answer_counts() {
    let (mut world, mut first, question) = World::asked().await;
    let mut second = world.wait(3).await;
    let again = second.question().await;
    assert_ne!(question["id"], again["id"]);
    world.answer(&question).await;
    first.assert_result(2).await;
    let withdrawn = second.told().await;
    assert_eq!(withdrawn["method"], "notifications/cancelled", "{withdrawn}");
    assert_eq!(withdrawn["params"]["requestId"], again["id"]);
    second.assert_result(3).await;
}

#[tokio::test]
async fn when_the_newest_gives_up_the_newest_of_the_others_is_asked() {
    let mut world = World::new().await;
    let (mut oldest, mut middle, mut newest) =
        (world.wait(2).await, world.wait(3).await, world.wait(4).await);
    world.go.notify_one();
    newest.question().await;
    world.give_up(4).await;
    let question = middle.question().await;
    world.answer(&question).await;
    middle.assert_result(3).await;
    // Without a question before.
    oldest.assert_result(2).await;
}

#[tokio::test]
async fn who_was_asked_before_is_not_asked_twice_when_a_newer_one_gives_up() {
    let (mut world, mut first, question) = World::asked().await;
    let mut second = world.wait(3).await;
    second.question().await;
    world.give_up(3).await;
    // Its own question is still open.
    world.answer(&question).await;
    first.assert_result(2).await;
}

#[tokio::test]
async fn a_malformed_answer_from_an_older_one_does_not_take_the_question_from_the_newer() {
    let (mut world, mut first, question) = World::asked().await;
    let mut second = world.wait(3).await;
    let again = second.question().await;
    world.say(json!({"jsonrpc": "2.0", "id": question["id"], "result": {"roots": "none"}})).await;
    world.answer(&again).await;
    second.assert_result(3).await;
    first.assert_result(2).await;
}
