//! Runs the vectors of `tests/vectors/decisions`: rules that a host follows, as bindings ask for
//! them.

use std::path::Path;

use mcpbolt::bridge::{decide_app, decide_skill};
use serde_json::Value;

type Decide = fn(&str, &str) -> Result<String, mcpbolt::Error>;

fn vectors(file: &str) -> Vec<Value> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/vectors/decisions").join(file);
    let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    serde_json::from_str(&text).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

fn run(file: &str, decide: Decide) {
    let all = vectors(file);
    assert!(all.len() >= 8, "{file} has {} vectors", all.len());
    for vector in &all {
        let name = vector["name"].as_str().expect("a name");
        let decision = vector["decide"].as_str().unwrap_or_else(|| panic!("{name}: no decision"));
        match decide(decision, &vector["given"].to_string()) {
            Ok(result) => {
                let result: Value = serde_json::from_str(&result).expect("JSON");
                assert_eq!(result, vector["gives"], "{name}");
            }
            Err(error) => assert_eq!(vector["fails"], true, "{name}: {}", error.message),
        }
    }
}

#[test]
fn hosts_of_apps_decide_as_they_must() {
    run("apps.json", decide_app);
}

#[test]
fn hosts_of_skills_decide_as_they_must() {
    run("skills.json", decide_skill);
}
