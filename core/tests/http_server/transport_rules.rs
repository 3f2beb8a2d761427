//! The rules for transports whose requests the host reads itself.

use mcpbolt::bridge::TransportRules;
use mcpbolt_proto::http::OneSession;

fn rules(more: &str) -> TransportRules {
    let options = format!(r#"{{"norm":"typescript-1","sessions":true,"max_body":9,"max_batch":2{more}}}"#);
    TransportRules::new(&options).unwrap()
}

const HEAD: &str = r#""accept":"application/json, text/event-stream","content_type":"application/json""#;

#[test]
fn the_head_is_refused_in_the_order_of_the_norm() {
    let rules = rules(r#","hosts":["good"]"#);
    let said = |head: &str| rules.head(&format!("{{{head}}}"), OneSession::default()).unwrap();
    let foreign = said(r#""method":"PUT","host":"evil""#).unwrap();
    assert_eq!(foreign, r#"[403,-32000,"Invalid Host header: evil"]"#);
    assert_eq!(rules.guard(Some("evil".to_owned()), None), Some(foreign));
    let put = said(r#""method":"PUT","host":"good""#).unwrap();
    assert_eq!(put, r#"[405,-32000,"Method not allowed."]"#);
    let array = r#"["PUT","good",null,null,null,null,null]"#;
    assert_eq!(rules.head(array, OneSession::default()).unwrap(), Some(put));
    assert_eq!(said(&format!(r#""method":"POST","host":"good",{HEAD}"#)), None);
    let early = said(&format!(r#""method":"GET","host":"good",{HEAD}"#)).unwrap();
    assert_eq!(early, r#"[400,-32000,"Bad Request: Server not initialized"]"#);
}

#[test]
fn messages_are_refused_by_the_session() {
    let rules = rules("");
    let open = OneSession { is_open: true, id: Some("s") };
    let said = |session, version: &str, opens, count| {
        let head = format!(r#"{{"method":"POST","session":"s","version":"{version}"}}"#);
        rules.message(&head, session, opens, count).unwrap().unwrap_or_default()
    };
    assert_eq!(said(open, "2025-11-25", false, 1), "");
    assert!(said(open, "2026-07-28", false, 1).contains("Unsupported protocol version: 2026-07-28"));
    let other = OneSession { id: Some("t"), ..open };
    assert_eq!(said(other, "2025-11-25", false, 1), r#"[404,-32001,"Session not found"]"#);
    assert!(said(open, "2025-11-25", true, 1).contains("already initialized"));
    assert_eq!(said(OneSession::default(), "x", true, 1), "");
    assert!(said(OneSession::default(), "x", true, 2).contains("Only one"));
}

#[test]
fn what_the_host_finds_has_the_words_of_the_norm() {
    let rules = rules("");
    let size = r#"[413,-32000,"Payload Too Large: Request body must not exceed 9 bytes"]"#;
    assert_eq!(rules.refusal("body_size").unwrap(), size);
    let batch = r#"[400,-32600,"Invalid Request: Batch must not exceed 2 messages"]"#;
    assert_eq!(rules.refusal("batch_size").unwrap(), batch);
    assert!(rules.refusal("no_such").is_err());
}
