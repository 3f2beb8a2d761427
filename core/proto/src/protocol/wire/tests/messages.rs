//! Params, `input_required`, retries and decoding.

use super::*;

fn ask(key: &str, method: &str, params: Option<&str>) -> Question {
    (key.to_owned(), method.to_owned(), params.map(raw))
}

fn envelope() -> ClientEnvelope {
    ClientEnvelope {
        capabilities: raw(r#"{"roots":{}}"#),
        client_info: Some(raw(r#"{"name":"c"}"#)),
        log_level: Some("info".into()),
        progress_token: Some(Id::from("p")),
    }
}

#[test]
fn modern_params_carry_the_envelope_and_keep_the_callers_members() {
    let bare = encode_params(V26, TOOLS_LIST, None, &ClientEnvelope::default()).expect("params");
    let expected = r#"{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}}"#;
    assert_eq!(bare.as_str(), expected);
    let params = raw(
        r#"{"name":"t","_meta":{"progressToken":1,"traceparent":"00-x","io.modelcontextprotocol/protocolVersion":"1999-01-01"},"arguments":{"n":1.0}}"#,
    );
    let sent = encode_params(V26, TOOLS_CALL, Some(params), &envelope()).expect("params");
    let expected = r#"{"name":"t","_meta":{"traceparent":"00-x","io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{"roots":{}},"io.modelcontextprotocol/clientInfo":{"name":"c"},"io.modelcontextprotocol/logLevel":"info","progressToken":"p"},"arguments":{"n":1.0}}"#;
    assert_eq!(sent.as_str(), expected);
}

#[test]
fn legacy_params_carry_the_progress_token_only() {
    let token = ClientEnvelope { progress_token: Some(Id::from(7)), ..ClientEnvelope::default() };
    for revision in [V24, V25A, V25B, V25C] {
        assert_eq!(encode_params(revision, TOOLS_LIST, None, &ClientEnvelope::default()), None);
        let sent = encode_params(revision, TOOLS_LIST, None, &token).expect("params");
        assert_eq!(sent.as_str(), r#"{"_meta":{"progressToken":7}}"#);
        let modern = raw(r#"{"a":1,"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}}"#);
        let sent =
            encode_params(revision, TOOLS_LIST, Some(modern), &ClientEnvelope::default()).expect("params");
        assert_eq!(sent.as_str(), r#"{"a":1}"#, "a dual server must not take it for a modern request");
    }
}

#[test]
fn notifications_are_tagged_on_listen_streams_only() {
    let params = Some(raw(r#"{"uri":"file:///a"}"#));
    let tagged = encode_notification_params(V26, params.clone(), Some(&Id::from("7"))).expect("params");
    let expected = r#"{"uri":"file:///a","_meta":{"io.modelcontextprotocol/subscriptionId":"7"}}"#;
    assert_eq!(tagged.as_str(), expected);
    assert_eq!(encode_notification_params(V26, params.clone(), None), params);
    assert_eq!(encode_notification_params(V25C, params.clone(), Some(&Id::from(7))), params);
    assert_eq!(encode_notification_params(V25C, None, Some(&Id::from(7))), None);
}

#[test]
fn questions_round_trip_through_input_required() {
    let requests =
        [ask("who \"x\"", ELICITATION_CREATE, Some(r#"{"message":"Name?"}"#)), ask("dirs", ROOTS_LIST, None)];
    let sent = encode_input_required(&requests, Some("v1.\"é"), &extras());
    let expected = r#"{"resultType":"input_required","inputRequests":{"who \"x\"":{"method":"elicitation/create","params":{"message":"Name?"}},"dirs":{"method":"roots/list"}},"requestState":"v1.\"é","_meta":{"io.modelcontextprotocol/serverInfo":{"name":"s"}}}"#;
    assert_eq!(sent.as_str(), expected);
    let back = decode_result(V26, TOOLS_CALL, sent, &[]).expect("decodes");
    assert_eq!(
        back,
        Decoded::InputRequired { requests: requests.to_vec(), state: Some("v1.\"é".to_owned()) }
    );
    let only_state = encode_input_required::<&str>(&[], Some("s"), &ResultExtras::default());
    assert_eq!(only_state.as_str(), r#"{"resultType":"input_required","requestState":"s"}"#);
}

#[test]
fn url_elicitations_have_no_id_in_the_modern_era() {
    let request =
        ask("k", ELICITATION_CREATE, Some(r#"{"mode":"url","elicitationId":"e1","url":"https://s/"}"#));
    let sent = encode_input_required(&[request], None, &ResultExtras::default());
    assert!(!sent.as_str().contains("elicitationId"));
    assert!(sent.as_str().contains(r#""params":{"mode":"url","url":"https://s/"}"#));
}

#[test]
fn a_retry_carries_the_last_round_only() {
    let first = raw(r#"{"name":"t","inputResponses":{"old":1},"requestState":"old","arguments":{}}"#);
    let answers = [("who".to_owned(), raw(r#"{"action":"accept"}"#))];
    let sent = encode_retry(Some(&first), &answers, Some("new"));
    let expected =
        r#"{"name":"t","arguments":{},"inputResponses":{"who":{"action":"accept"}},"requestState":"new"}"#;
    assert_eq!(sent.as_str(), expected);
    assert_eq!(encode_retry(Some(&first), &[], None).as_str(), r#"{"name":"t","arguments":{}}"#);
}

#[test]
fn an_absent_result_type_is_complete() {
    for text in ["{}", r#"{"resultType":"complete","content":[]}"#] {
        let result = raw(text);
        let decoded = decode_result(V26, TOOLS_CALL, result.clone(), &[]).expect("decodes");
        assert_eq!(decoded, Decoded::Complete(result));
    }
    let legacy = raw(r#"{"resultType":"whatever"}"#);
    assert_eq!(decode_result(V25C, TOOLS_CALL, legacy.clone(), &[]), Ok(Decoded::Complete(legacy)));
}

#[test]
fn unknown_and_malformed_results_are_protocol_errors() {
    let cases = [
        (TOOLS_CALL, "[]"),
        (TOOLS_CALL, r#"{"resultType":"task"}"#),
        (TOOLS_CALL, r#"{"resultType":7}"#),
        (TOOLS_CALL, r#"{"resultType":"complete","resultType":"input_required"}"#),
        (TOOLS_CALL, r#"{"resultType":"input_required"}"#),
        (TOOLS_CALL, r#"{"resultType":"input_required","inputRequests":{}}"#),
        (TOOLS_CALL, r#"{"resultType":"input_required","requestState":7}"#),
        (TOOLS_CALL, r#"{"resultType":"input_required","inputRequests":[]}"#),
        (TOOLS_CALL, r#"{"resultType":"input_required","inputRequests":{"k":{"method":"tools/call"}}}"#),
        (TOOLS_CALL, r#"{"resultType":"input_required","inputRequests":{"k":{}}}"#),
        (
            TOOLS_CALL,
            r#"{"resultType":"input_required","inputRequests":{"k":{"method":"roots/list"},"\u006b":{"method":"roots/list"}}}"#,
        ),
        (
            TOOLS_CALL,
            r#"{"resultType":"input_required","inputRequests":{"k":{"method":"roots/list","params":1}}}"#,
        ),
        // Not on this method.
        (TOOLS_LIST, r#"{"resultType":"input_required","requestState":"s"}"#),
    ];
    for (method, text) in cases {
        let error = decode_result(V26, method, raw(text), &[]).expect_err(text);
        assert_eq!(error.kind, ErrorKind::Protocol, "{text}");
    }
    assert!(decode_result(V25C, TOOLS_CALL, raw("[]"), &[]).is_err());
    let task = raw(r#"{"resultType":"task","taskId":"t"}"#);
    assert_eq!(
        decode_result(V26, TOOLS_CALL, task.clone(), &["task"]),
        Ok(Decoded::Extension { result_type: "task".to_owned(), raw: task })
    );
}
