//! What the client session does otherwise for a host that says so, and by the norm of another
//! implementation.

#[allow(dead_code, reason = "half of the bench is for other tests")]
mod client_bench;

use mcpbolt_proto::jsonrpc::RawJson;
use mcpbolt_proto::policy::norm::Norm;
use mcpbolt_proto::protocol::ErrorKind;
use mcpbolt_proto::session::client::{Answered, ClientOutput, RequestOptions};
use mcpbolt_proto::session::negotiate::ProtocolPolicy;

use client_bench::*;

const QUESTIONS: &str =
    r#"{"resultType":"input_required","inputRequests":{"a":{"method":"roots/list"}},"_meta":{"x":1}}"#;

#[test]
fn questions_are_the_answer_as_they_came_where_the_host_wants_them_so() {
    let mut bench = Bench::modern();
    let options = RequestOptions { raw_input: true, ..RequestOptions::default() };
    let request = bench.request_with("tools/call", Some(r#"{"name":"x"}"#), options);
    bench.reply(2, QUESTIONS);
    let outputs = bench.outputs();
    assert_eq!(outcomes(&outputs), [(request.0, Ok(QUESTIONS.to_owned()))]);
    let is_complete = |output: &ClientOutput| {
        matches!(output, ClientOutput::Answered { outcome: Ok(Answered::Complete(_)), .. })
    };
    assert!(outputs.iter().any(is_complete));
}

#[test]
fn every_method_that_no_revision_has_is_the_hosts_where_it_wants_them_so() {
    let mut bench = Bench::legacy_with(|s| s.methods = ["*".to_owned()].into());
    // What is answered here comes with the code of its error, if it is one.
    let mut ask = |method: &str| {
        bench.receive(&format!(r#"{{"jsonrpc":"2.0","id":1,"method":"{method}"}}"#));
        let outputs = bench.outputs();
        match &outputs[..] {
            [ClientOutput::Request(request)] => {
                bench.session.answer(request.exchange, Ok(RawJson::empty_object()));
                bench.outputs();
                Ok(())
            }
            [ClientOutput::Send(frame)] => Err(member(&raw(&frame.text), &["error", "code"])),
            other => panic!("{other:?}"),
        }
    };
    for method in ["x/own", "x/other", "roots/list"] {
        assert_eq!(ask(method), Ok(()), "{method}");
    }
    for method in ["tools/list", "tasks/get"] {
        assert_eq!(ask(method), Err(Some(raw("-32601"))), "{method}");
    }
    assert_eq!(ask("ping"), Err(None), "it has an answer");
}

#[test]
fn initialize_does_not_declare_extensions_of_the_modern_era() {
    let declared = |policy| {
        let mut bench = Bench::with(|settings| {
            settings.policy = policy;
            settings.capabilities = raw(r#"{"extensions":{"io.x/claims":{},"io.x/other":{"a":1}}}"#)
                .decode()
                .expect("capabilities");
            settings.modern_extensions.insert("io.x/claims".to_owned());
        });
        bench.sent().remove(0)
    };
    let legacy = declared(ProtocolPolicy::LegacyFirst);
    assert_eq!(
        member(&legacy, &["params", "capabilities", "extensions"]),
        Some(raw(r#"{"io.x/other":{"a":1}}"#))
    );
    let modern = declared(ProtocolPolicy::ModernOnly);
    let path = ["params", "_meta", "io.modelcontextprotocol/clientCapabilities", "extensions", "io.x/claims"];
    assert_eq!(member(&modern, &path), Some(raw("{}")));
}

#[test]
fn by_the_norm_of_python_2_the_server_refuses_what_its_revision_does_not_have() {
    let mut own = Bench::modern();
    let refused = own.session.request(own.now, "ping", None, RequestOptions::default());
    assert_eq!(refused.unwrap_err().kind, ErrorKind::Usage);
    let mut bench = Bench::modern_with(|settings| settings.norm = Norm::PYTHON_2);
    bench.request("ping", None);
    assert_eq!(bench.methods_sent(), ["ping"]);
}

#[test]
fn by_the_norm_of_python_2_a_cancelled_request_has_a_reason() {
    for (norm, reason) in [(Norm::OWN, None), (Norm::PYTHON_2, Some(raw("\"caller cancelled\"")))] {
        let mut bench = Bench::modern_with(|settings| settings.norm = norm);
        let request = bench.request("tools/call", Some(r#"{"name":"x"}"#));
        bench.outputs();
        bench.session.cancel(request, None);
        let notice = bench.outputs().into_iter().find_map(|output| match output {
            ClientOutput::Abandon { notice, .. } => notice,
            _ => None,
        });
        let notice = raw(&notice.expect("a notice").text);
        assert_eq!(member(&notice, &["params", "reason"]), reason, "{}", norm.name);
    }
}

#[test]
fn by_the_norm_of_python_2_progress_of_no_request_is_a_notification() {
    let mut bench = Bench::legacy_with(|settings| settings.norm = Norm::PYTHON_2);
    bench.receive(
        r#"{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":9,"progress":1}}"#,
    );
    let outputs = bench.outputs();
    assert!(matches!(&outputs[..], [ClientOutput::Notification { .. }]), "{outputs:?}");
}

#[test]
fn a_revision_that_the_server_chose_and_nobody_speaks_is_named() {
    let mut bench = Bench::with(|settings| settings.policy = ProtocolPolicy::LegacyFirst);
    bench.reply(1, &HANDSHAKE.replace("2025-11-25", "1991-08-06"));
    let outputs = bench.outputs();
    let error = outputs.iter().find_map(|output| match output {
        ClientOutput::Closed(error) => Some(error),
        _ => None,
    });
    let data = error.expect("an error").data.as_ref().expect("data").as_str();
    assert!(data.contains(r#""supported":["1991-08-06"]"#), "{data}");
}

#[test]
fn by_the_norm_of_python_2_a_request_that_a_notification_cancels_waits_for_what_the_server_says() {
    let mut bench = Bench::legacy_with(|settings| settings.norm = Norm::PYTHON_2);
    let call = bench.request("tools/call", Some(r#"{"name":"x"}"#));
    let id = member(&bench.sent()[0], &["id"]).expect("an id");
    let params = format!(r#"{{"requestId":{}}}"#, id.as_str());
    bench.session.notify("notifications/cancelled", Some(&raw(&params))).expect("it may be sent");
    let outputs = bench.outputs();
    assert_eq!(outcomes(&outputs), []);
    let answer = r#"{"code":-32800,"message":"Request cancelled"}"#;
    bench.receive(&format!(r#"{{"jsonrpc":"2.0","id":{},"error":{answer}}}"#, id.as_str()));
    assert!(matches!(outcomes(&bench.outputs())[..], [(ended, Err(_))] if ended == call.0));
}
