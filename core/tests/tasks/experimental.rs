//! Clients of 2025-11-25: the same tasks in the form that they have there.

use mcpbolt::server::{Context, Server, Tasks};
use serde_json::{Value, json};

use crate::peer::{Peer, text};
use crate::world::{Nothing, World, soon};

const RELATED: &str = "io.modelcontextprotocol/related-task";

/// A client of 2025-11-25.
pub(crate) struct Old {
    pub(crate) world: World,
    pub(crate) peer: Peer,
    /// The statuses that the server told by itself.
    told: Vec<Value>,
}

impl Old {
    async fn new() -> Self {
        Self::of(World::new()).await
    }

    pub(crate) async fn of(world: World) -> Self {
        let peer = Peer::legacy(&world.server, "2025-11-25", json!({"elicitation": {}})).await;
        Self { world, peer, told: Vec::new() }
    }

    pub(crate) async fn send(&self, id: i64, method: &str, params: Value) {
        let request = json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params});
        self.peer.send(request).await;
    }

    /// The next message that is no notification.
    pub(crate) async fn next(&mut self) -> Value {
        loop {
            let message = self.peer.next().await;
            if message["method"] == "notifications/tasks/status" {
                self.told.push(message["params"].clone());
            } else if message.get("id").is_some() {
                return message;
            }
        }
    }

    pub(crate) async fn ask(&mut self, id: i64, method: &str, params: Value) -> Value {
        self.send(id, method, params).await;
        self.next().await
    }

    /// Calls a tool as a task; what the server said of it.
    pub(crate) async fn start(&mut self, tool: &str, task: Value) -> Value {
        let params = json!({"name": tool, "arguments": {}, "task": task});
        let reply = self.ask(1, "tools/call", params).await;
        let result = reply["result"].as_object().unwrap_or_else(|| panic!("{reply}"));
        assert_eq!(result.keys().collect::<Vec<_>>(), ["task"], "{reply}");
        result["task"].clone()
    }

    async fn get(&mut self, id: &Value) -> Value {
        let reply = self.ask(2, "tasks/get", json!({"taskId": id})).await;
        assert!(reply["result"].get("resultType").is_none(), "{reply}");
        reply["result"].clone()
    }

    async fn until(&mut self, id: &Value, status: &str) -> Value {
        loop {
            let task = self.get(id).await;
            if task["status"] == status {
                return task;
            }
            tokio::task::yield_now().await;
        }
    }

    /// The next request of the server, which belongs to a task.
    pub(crate) async fn question(&mut self, task: &Value) -> Value {
        let question = self.next().await;
        assert_eq!(question["method"], "elicitation/create", "{question}");
        assert_eq!(question["params"]["_meta"][RELATED], json!({"taskId": task}));
        question["id"].clone()
    }

    pub(crate) async fn answer(&self, question: &Value, action: &str) {
        let result = json!({"action": action, "content": {"ok": true}});
        self.peer.send(json!({"jsonrpc": "2.0", "id": question, "result": result})).await;
    }
}

#[tokio::test]
async fn a_call_that_wishes_for_a_task_becomes_one_and_its_result_is_fetched() {
    soon(async {
        let mut old = Old::new().await;
        let created = old.start("gate", json!({"ttl": 60_000})).await;
        assert_eq!((&created["status"], &created["ttl"]), (&json!("working"), &json!(60_000)));
        assert!(created["pollInterval"].as_u64().is_some_and(|poll| poll > 0), "{created}");
        let id = created["taskId"].clone();
        assert_eq!(old.get(&id).await, created);
        // It waits for the end, beside other requests.
        old.send(9, "tasks/result", json!({"taskId": id})).await;
        assert_eq!(old.get(&id).await["status"], "working");
        old.world.go.notify_one();
        let fetched = old.next().await;
        assert_eq!((&fetched["id"], text(&fetched)), (&json!(9), "done"));
        assert_eq!(fetched["result"]["_meta"][RELATED], json!({"taskId": id}));
        assert!(fetched["result"].get("resultType").is_none());
        assert_eq!(old.get(&id).await["status"], "completed");
        assert_eq!(old.told.last().expect("told by itself")["status"], "completed");
        // As often as it is wanted.
        assert_eq!(text(&old.ask(3, "tasks/result", json!({"taskId": id})).await), "done");
    })
    .await;
}

#[tokio::test]
async fn what_a_tool_says_of_tasks_is_what_its_calls_may_wish() {
    soon(async {
        let mut old = Old::new().await;
        let listed = old.ask(1, "tools/list", json!({})).await;
        let tools = listed["result"]["tools"].as_array().expect("tools").clone();
        let support = |name: &str| {
            let tool = tools.iter().find(|tool| tool["name"] == name);
            tool.unwrap_or_else(|| panic!("no {name}"))["execution"]["taskSupport"].clone()
        };
        assert_eq!((support("gate"), support("wait_maybe")), (json!("required"), json!("optional")));
        let refused = old.ask(2, "tools/call", json!({"name": "gate", "arguments": {}})).await;
        assert_eq!(refused["error"]["code"], -32601, "{refused}");
        old.world.go.notify_one();
        let plain = old.ask(3, "tools/call", json!({"name": "wait_maybe", "arguments": {}})).await;
        assert_eq!(text(&plain), "done");
        let wished = json!({"name": "wait_maybe", "arguments": {}, "task": {"ttl": "long"}});
        assert_eq!(old.ask(4, "tools/call", wished).await["error"]["code"], -32602);
        old.start("wait_maybe", json!({})).await;
    })
    .await;
}

#[tokio::test]
async fn a_tool_of_no_task_refuses_the_wish() {
    soon(async {
        let world = World::with(Tasks::new(), |builder| {
            builder.tool("plain", "No task", |_: Nothing, _: Context| async { "here" })
        });
        let mut old = Old::of(world).await;
        let params = json!({"name": "plain", "arguments": {}, "task": {}});
        assert_eq!(old.ask(1, "tools/call", params).await["error"]["code"], -32601);
        assert_eq!(text(&old.ask(2, "tools/call", json!({"name": "plain", "arguments": {}})).await), "here");
    })
    .await;
}

#[tokio::test]
async fn a_server_that_declares_no_tasks_ignores_the_wish() {
    soon(async {
        let server =
            Server::builder("s", "1").tool("plain", "No task", |_: Nothing, _: Context| async { "here" });
        let peer = Peer::legacy(&server.build(), "2025-11-25", json!({})).await;
        let wished = json!({"name": "plain", "arguments": {}, "task": {"ttl": 1_000}});
        let reply = peer.request(1, "tools/call", wished).await;
        assert_eq!((text(&reply), reply["result"].get("task")), ("here", None));
        let gone = peer.request(2, "tasks/get", json!({"taskId": "t"})).await;
        assert_eq!(gone["error"]["code"], -32601, "{gone}");
    })
    .await;
}

#[tokio::test]
async fn each_revision_is_told_of_its_own_tasks() {
    soon(async {
        let world = World::new();
        let hello = Peer::new(&world.server)
            .call(json!({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": {
                "protocolVersion": "2025-11-25", "capabilities": {},
                "clientInfo": {"name": "t", "version": "1"}}}))
            .await;
        let declared = json!({"cancel": {}, "requests": {"tools": {"call": {}}}});
        assert_eq!(hello["result"]["capabilities"]["tasks"], declared, "{hello}");
        let mut old = Old::of(world).await;
        // Whoever lists tasks must tell clients apart.
        for method in ["tasks/list", "tasks/update"] {
            assert_eq!(old.ask(1, method, json!({"taskId": "t"})).await["error"]["code"], -32601);
        }
        for method in ["tasks/get", "tasks/result", "tasks/cancel"] {
            let unknown = old.ask(2, method, json!({"taskId": "nobody"})).await;
            assert_eq!(unknown["error"]["code"], -32602, "{unknown}");
        }
    })
    .await;
}

#[tokio::test]
async fn its_questions_come_while_its_result_is_waited_for() {
    soon(async {
        let mut old = Old::new().await;
        let id = old.start("ask", json!({})).await["taskId"].clone();
        old.until(&id, "input_required").await;
        old.send(9, "tasks/result", json!({"taskId": id})).await;
        let question = old.question(&id).await;
        old.answer(&question, "accept").await;
        let fetched = old.next().await;
        assert_eq!((&fetched["id"], text(&fetched)), (&json!(9), "accepted: true"));
    })
    .await;
}

#[tokio::test]
async fn a_handler_that_asks_by_results_is_answered_too() {
    soon(async {
        let mut old = Old::new().await;
        let id = old.start("ask_twice", json!({})).await["taskId"].clone();
        old.send(9, "tasks/result", json!({"taskId": id})).await;
        for _ in 0..2 {
            let question = old.question(&id).await;
            old.answer(&question, "accept").await;
        }
        assert_eq!(text(&old.next().await), "both answered");
    })
    .await;
}

#[tokio::test]
async fn a_question_that_was_not_answered_is_asked_again() {
    soon(async {
        let mut old = Old::new().await;
        let id = old.start("ask", json!({})).await["taskId"].clone();
        old.send(8, "tasks/result", json!({"taskId": id})).await;
        old.question(&id).await;
        // One that comes later is asked the same: nobody may read the first any more.
        old.send(9, "tasks/result", json!({"taskId": id})).await;
        let given_up =
            json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 8}});
        old.peer.send(given_up).await;
        let question = old.question(&id).await;
        old.answer(&question, "decline").await;
        let fetched = old.next().await;
        assert_eq!((&fetched["id"], text(&fetched)), (&json!(9), "accepted: false"));
    })
    .await;
}

#[tokio::test]
async fn a_client_that_refuses_a_question_is_what_the_work_learns() {
    soon(async {
        let mut old = Old::new().await;
        let id = old.start("ask", json!({})).await["taskId"].clone();
        old.send(9, "tasks/result", json!({"taskId": id})).await;
        let question = old.question(&id).await;
        let error = json!({"code": -1, "message": "not now"});
        old.peer.send(json!({"jsonrpc": "2.0", "id": question, "error": error})).await;
        let fetched = old.next().await;
        assert_eq!(fetched["id"], 9, "{fetched}");
        assert!(fetched.to_string().contains("not now"), "{fetched}");
        old.until(&id, "failed").await;
    })
    .await;
}

#[tokio::test]
async fn a_client_that_cannot_be_asked_is_not() {
    soon(async {
        let world = World::new();
        let peer = Peer::legacy(&world.server, "2025-11-25", json!({})).await;
        let mut old = Old { world, peer, told: Vec::new() };
        let id = old.start("ask", json!({})).await["taskId"].clone();
        old.until(&id, "failed").await;
    })
    .await;
}

#[tokio::test]
async fn a_tool_that_fails_and_a_request_that_fails_have_failed() {
    soon(async {
        let mut old = Old::new().await;
        let failed = old.start("fail", json!({})).await["taskId"].clone();
        old.until(&failed, "failed").await;
        let result = old.ask(3, "tasks/result", json!({"taskId": failed})).await;
        assert_eq!(result["result"]["isError"], true, "{result}");
        let broken = old.start("break", json!({})).await["taskId"].clone();
        let task = old.until(&broken, "failed").await;
        assert_eq!(task["statusMessage"], "broken");
        let error = old.ask(4, "tasks/result", json!({"taskId": broken})).await;
        assert_eq!(error["error"], json!({"code": -32602, "message": "broken"}));
    })
    .await;
}

#[tokio::test]
async fn what_is_given_up_is_cancelled_once() {
    soon(async {
        let mut old = Old::new().await;
        let id = old.start("gate", json!({})).await["taskId"].clone();
        old.send(9, "tasks/result", json!({"taskId": id})).await;
        old.send(3, "tasks/cancel", json!({"taskId": id})).await;
        let (one, two) = (old.next().await, old.next().await);
        let (cancelled, fetched) = if one["id"] == 3 { (one, two) } else { (two, one) };
        assert_eq!(cancelled["result"]["status"], "cancelled", "{cancelled}");
        assert!(fetched["error"].is_object(), "{fetched}");
        let again = old.ask(4, "tasks/cancel", json!({"taskId": id})).await;
        assert_eq!(again["error"]["code"], -32602, "{again}");
    })
    .await;
}

#[tokio::test]
async fn a_wish_for_less_time_is_granted_and_one_for_more_is_not() {
    soon(async {
        let mut old = Old::new().await;
        assert_eq!(old.start("gate", json!({"ttl": 5_000})).await["ttl"], 5_000);
        assert_eq!(old.start("gate", json!({"ttl": 360_000_000})).await["ttl"], 3_600_000);
        assert_eq!(old.start("gate", json!({})).await["ttl"], 3_600_000);
    })
    .await;
}

#[tokio::test]
async fn a_client_of_the_extension_is_given_the_same_task() {
    soon(async {
        let mut old = Old::new().await;
        let id = old.start("ask", json!({})).await["taskId"].clone();
        old.send(9, "tasks/result", json!({"taskId": id})).await;
        old.question(&id).await;
        let task = old.world.until(&id, "input_required").await;
        let key =
            task["inputRequests"].as_object().and_then(|asked| asked.keys().next()).expect("a question");
        let yes = json!({"action": "accept", "content": {"ok": true}});
        old.world.answer(&id, json!({key: yes})).await;
        // The client that was asked first learns that its answer is not wanted any more.
        let fetched = old.next().await;
        assert_eq!((&fetched["id"], text(&fetched)), (&json!(9), "accepted: true"));
        assert_eq!(old.world.until(&id, "completed").await["result"]["content"][0]["text"], "accepted: true");
    })
    .await;
}
