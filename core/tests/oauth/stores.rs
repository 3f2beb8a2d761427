//! Credentials outlast a program, and programs share them.

use futures_util::future::join;
use mcpbolt::auth::FileStore;
use serde_json::json;

use crate::world::{World, oauth, soon};

#[tokio::test]
async fn programs_share_a_file_store_and_one_of_them_refreshes() {
    let world = World::start().await;
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("credentials");
    // Handles of their own lock each other out as processes do.
    let one = oauth().store(FileStore::new(&path));
    let other = oauth().store(FileStore::new(&path));
    let first = world.connect(&one).await;
    let second = world.connect(&other).await;
    assert_eq!((world.seen("/register").len(), world.seen("/authorize").len()), (1, 1));
    for round in 1..=3 {
        world.expire_tokens();
        let calls = join(first.call_tool("read", json!({})), second.call_tool("read", json!({})));
        let (a, b) = soon(calls).await;
        a.unwrap();
        b.unwrap();
        assert_eq!(world.grants("refresh_token"), round);
    }
    assert_eq!(world.seen("/authorize").len(), 1);
    only_the_user_reads(&path);
    first.close().await;
    second.close().await;
}

#[cfg(unix)]
fn only_the_user_reads(folder: &std::path::Path) {
    use std::os::unix::fs::PermissionsExt as _;
    let mode = |path: &std::path::Path| std::fs::metadata(path).unwrap().permissions().mode() & 0o777;
    assert_eq!(mode(folder), 0o700);
    let files: Vec<_> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    assert_eq!(files.len(), 2, "{files:?}");
    for file in files {
        assert_eq!(mode(&file), 0o600, "{}", file.display());
    }
}

#[cfg(not(unix))]
fn only_the_user_reads(_: &std::path::Path) {}

#[tokio::test]
async fn a_file_that_is_damaged_is_named() {
    let world = World::start().await;
    let folder = tempfile::tempdir().unwrap();
    let first = oauth().store(FileStore::new(folder.path()));
    world.connect(&first).await.close().await;
    for entry in std::fs::read_dir(folder.path()).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_some_and(|extension| extension == "json") {
            std::fs::write(&path, "{\"tokens\":").unwrap();
        }
    }
    let again = oauth().store(FileStore::new(folder.path()));
    let why = world.try_connect(&again).await.map(drop).unwrap_err().to_string();
    assert!(why.contains(".json") && why.contains("delete it"), "{why}");
}
