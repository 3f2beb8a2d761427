//! Calls that a gateway lost, of tools that may be called twice.

use serde_json::{Value, json};

use crate::driver::{Driver, client};
use crate::gateway;
use crate::peer::raw;

#[test]
fn a_tool_that_was_listed_as_repeatable_is_called_again() {
    for protocol in ["legacy", "modern"] {
        let mut driver = Driver::new();
        let client = client(&driver, json!({}));
        let connection = client.open(&raw(json!({"url": gateway::start()}))).unwrap();
        let opened = client.initialize(connection, Some(protocol)).unwrap();
        driver.response(opened).unwrap();
        let ask = |driver: &mut Driver, method: &str, params: Value| {
            let id = driver.inbox.request(connection, method, Some(raw(params)), None);
            driver.response(id)
        };
        ask(&mut driver, "tools/list", json!({})).unwrap();
        for name in ["look", "set"] {
            let result = ask(&mut driver, "tools/call", json!({"name": name, "arguments": {}})).unwrap();
            assert_eq!(result["content"][0]["text"], "done", "{protocol} {name}");
        }
        let failed = ask(&mut driver, "tools/call", json!({"name": "add", "arguments": {}})).unwrap_err();
        assert!(failed.message.contains("502"), "{protocol} {failed:?}");
    }
}
