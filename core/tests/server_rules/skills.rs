//! Skills: a folder is served by one call, whole or not at all; a host takes what its entry
//! says and nothing else.

use std::fs;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use mcpbolt::client::{Client, ClientSession, ProtocolPolicy, SkillError, Skills};
use mcpbolt::policy::skills::{EXTENSION, Skill, Violation};
use mcpbolt::server::{Context, Extension, Failure, Server, SkillFolder};
use mcpbolt::transport::memory::MemoryTransport;
use mcpbolt::types::{ReadResourceResult, Resource, ResourceContents};
use mcpbolt::{CacheHint, CacheScope, ErrorKind};
use serde_json::{Value, json};
use tempfile::TempDir;

use super::peer::Peer;
use super::soon;

const REFUNDS: &str =
    "---\nname: refunds\ndescription: Process refunds\nallowed-tools: Bash\n---\n\nGo on.\n";

fn put(folder: &Path, path: &str, text: impl AsRef<[u8]>) {
    let path = folder.join(path);
    fs::create_dir_all(path.parent().expect("a folder")).expect("made");
    fs::write(path, text).expect("written");
}

fn folder() -> TempDir {
    let dir = tempfile::tempdir().expect("a folder");
    put(dir.path(), "billing/refunds/SKILL.md", REFUNDS);
    put(dir.path(), "billing/refunds/examples/email.md", "Dear customer");
    put(dir.path(), "billing/refunds/logo.png", [0x89, 0x50, 0xff]);
    put(dir.path(), "notes.txt", "no skill");
    dir
}

fn server(dir: &TempDir) -> (SkillFolder, Server) {
    let skills = SkillFolder::open(dir.path()).expect("read").prefix("acme").expect("read");
    let hint = CacheHint { ttl_ms: 5000, scope: CacheScope::Public };
    let skills = skills.cache_hint(hint);
    let server = Server::builder("s", "1").skills(&skills).build();
    (skills, server)
}

async fn connect(server: &Server, policy: ProtocolPolicy) -> ClientSession {
    let (ours, theirs) = MemoryTransport::pair();
    let server = server.clone();
    tokio::spawn(async move { server.serve(Arc::new(theirs)).await });
    soon(Client::builder("c", "1").protocol(policy).build().connect(ours)).await.expect("connects")
}

const URI: &str = "skill://acme/billing/refunds/SKILL.md";

#[tokio::test]
async fn a_host_loads_a_skill_of_a_folder_in_both_eras() {
    let dir = folder();
    let (_, server) = server(&dir);
    for policy in [ProtocolPolicy::Auto, ProtocolPolicy::LegacyFirst] {
        let session = connect(&server, policy).await;
        let skills = Skills::of(&session, "docs").expect("declared");
        let listing = soon(skills.list()).await.expect("listed");
        assert_eq!((listing.skills.len(), listing.refused.len()), (1, 0));
        let skill = soon(skills.get(URI)).await.expect("there");
        assert_eq!(skill, listing.skills[0]);
        assert_eq!(skill.files().len(), 3, "complete");
        let approval = skills.approve(&skill).expect("not dynamic");
        let loaded = soon(skills.load(&skill, &approval)).await.expect("as listed");
        assert_eq!(loaded.body(), "\nGo on.\n");
        assert!(loaded.for_model().contains("the MCP server docs"), "the model sees where it is from");
        assert_eq!(
            soon(loaded.read("examples/email.md")).await.expect("listed").text(),
            Some("Dear customer")
        );
        assert_eq!(soon(loaded.read("logo.png")).await.expect("listed").bytes, [0x89, 0x50, 0xff]);
        let names = |all: Vec<Resource>| all.into_iter().map(|each| each.name).collect::<Vec<_>>();
        let below = soon(skills.read_directory("skill://acme/billing/refunds")).await.expect("a folder");
        assert_eq!(names(below), ["SKILL.md", "examples", "logo.png"]);
        for wrong in ["skill://acme/billing/refunds/SKILL.md", "skill://acme/none", "skill://acme"] {
            let error = soon(skills.read_directory(wrong)).await.expect_err("no folder of a skill");
            assert!(matches!(error, SkillError::Request(error) if error.kind == ErrorKind::InvalidParams));
        }
        let error = soon(skills.get("skill://none/SKILL.md")).await.expect_err("unknown");
        assert!(matches!(error, SkillError::Request(error) if error.code.0 == -32602));
        soon(session.close()).await;
    }
}

#[tokio::test]
async fn hints_are_there_where_the_revision_has_them_and_nobody_declares_a_thing() {
    let dir = folder();
    let (_, server) = server(&dir);
    let modern = Peer::new(&server).modern(1, "skills/get", json!({"uri": URI}), &json!({})).await;
    assert_eq!(modern["result"]["ttlMs"], 5000, "{modern}");
    assert_eq!(
        (&modern["result"]["cacheScope"], &modern["result"]["resultType"]),
        (&json!("public"), &json!("complete"))
    );
    let old = Peer::legacy(&server, "2025-11-25", json!({}))
        .await
        .request(1, "skills/get", json!({"uri": URI}))
        .await;
    assert!(old["result"].get("ttlMs").is_none() && old["result"]["skill"].is_object(), "{old}");
    let hello = Peer::new(&server).modern(1, "server/discover", json!({}), &json!({})).await;
    assert_eq!(hello["result"]["capabilities"]["extensions"], json!({EXTENSION: {"directoryRead": true}}));
    assert!(hello["result"]["capabilities"]["resources"].is_object());
}

#[tokio::test]
async fn directories_are_read_only_where_that_is_declared() {
    let dir = folder();
    let skills = SkillFolder::open(dir.path()).expect("read").directory_read(false);
    let server = Server::builder("s", "1").skills(&skills).build();
    let session = connect(&server, ProtocolPolicy::Auto).await;
    let host = Skills::of(&session, "docs").expect("declared");
    assert!(!host.reads_directories());
    let error = soon(host.read_directory("skill://billing/refunds")).await.expect_err("not declared");
    assert!(matches!(error, SkillError::Request(error) if error.kind == ErrorKind::Usage), "nothing is sent");
    let asked = soon(
        session
            .request_raw("resources/directory/read", Some(json!({"uri": "skill://billing/refunds"}).into())),
    );
    assert_eq!(asked.await.expect_err("unknown").kind, ErrorKind::MethodNotFound);
    let plain = Server::builder("s", "1").build();
    assert!(Skills::of(&connect(&plain, ProtocolPolicy::Auto).await, "docs").is_none());
}

#[tokio::test]
async fn what_changed_on_disk_is_not_served_until_it_is_read_again() {
    let dir = folder();
    let (skills, server) = server(&dir);
    let session = connect(&server, ProtocolPolicy::LegacyFirst).await;
    let host = Skills::of(&session, "docs").expect("declared");
    let skill = soon(host.get(URI)).await.expect("there");
    let approval = host.approve(&skill).expect("not dynamic");
    put(dir.path(), "billing/refunds/examples/email.md", "Dear friend!!");
    put(dir.path(), "tidy/SKILL.md", "---\nname: tidy\ndescription: Tidies\n---\n");
    let loaded = soon(host.load(&skill, &approval)).await.expect("its SKILL.md is the same");
    assert!(soon(loaded.read("examples/email.md")).await.is_err());
    let changes = skills.reload(&server).expect("read");
    assert_eq!((changes.added.len(), changes.changed.len(), changes.removed.len()), (1, 1, 0));
    assert_eq!(server.resources().len(), 2);
    let error = soon(loaded.read("examples/email.md")).await.expect_err("not what the held entry lists");
    assert!(matches!(error, SkillError::Mismatch(mismatch) if mismatch.violation == Violation::Digest));
    let fresh = soon(host.get(URI)).await.expect("there");
    let error = soon(host.load(&fresh, &approval)).await.expect_err("another set of files");
    assert!(matches!(error, SkillError::NotApproved { .. }));
}

#[cfg(unix)]
#[test]
fn a_skill_with_a_link_or_a_wrong_name_is_left_out_and_named() {
    let dir = folder();
    std::os::unix::fs::symlink("/etc/passwd", dir.path().join("billing/refunds/more.md")).expect("linked");
    put(dir.path(), "wrong/SKILL.md", "---\nname: other\ndescription: Wrong\n---\n");
    let skills = SkillFolder::open(dir.path()).expect("read");
    assert!(skills.skills().is_empty());
    let named: Vec<String> = skills.problems().into_iter().map(|problem| problem.path).collect();
    assert_eq!(named, ["billing/refunds/more.md", "wrong/SKILL.md"]);
    assert!(SkillFolder::open(dir.path().join("none")).is_err());
}

/// A server that lists one thing and serves another.
fn lying(entry: &Value, text: &'static str) -> Server {
    let listed = entry.clone();
    Server::builder("s", "1")
        .extension(Extension::new(EXTENSION))
        .on_request("skills/list", move |_, _| {
            let listed = listed.clone();
            async move { Ok::<_, Failure>(json!({ "skills": [listed] }).into()) }
        })
        .resource(Resource::new("skill://a/SKILL.md", "a"), move |_: Context| async move {
            ReadResourceResult::new(vec![ResourceContents::text("skill://a/SKILL.md", "text/markdown", text)])
        })
        .build()
}

const TEXT: &str = "---\nname: a\ndescription: A\n---\nBody\n";

fn entry(text: &str) -> Value {
    let digest = mcpbolt::policy::skills::digest(text.as_bytes());
    json!({
        "uri": "skill://a/SKILL.md",
        "frontmatter": {"name": "a", "description": "A"},
        "resources": [{"uri": "skill://a/SKILL.md", "digest": digest, "size": text.len()}]
    })
}

#[tokio::test]
async fn a_host_refuses_what_its_entry_does_not_say() {
    let evil = "---\nname: a\ndescription: B\n---\nBody\n";
    let cases: [(Value, &'static str, &str); 4] = [
        (entry(TEXT), TEXT, ""),
        (entry(TEXT), "---\nname: a\ndescription: A\n---\nEvil\n", "digest"),
        (entry(TEXT), "---\nname: a\ndescription: A\n---\nBody and more\n", "size"),
        (entry(evil), evil, "frontmatter"),
    ];
    for (entry, text, expected) in cases {
        let session = connect(&lying(&entry, text), ProtocolPolicy::Auto).await;
        let host = Skills::of(&session, "docs").expect("declared");
        let skill: Skill = soon(host.list()).await.expect("listed").skills.remove(0);
        let found = match soon(host.load(&skill, &host.approve(&skill).expect("not dynamic"))).await {
            Ok(_) => "",
            Err(SkillError::Mismatch(mismatch)) => mismatch.violation.word(),
            Err(error) => panic!("{error}"),
        };
        assert_eq!(found, expected);
    }
}

/// A server of one skill of two files, whose URIs are the same on each, and how often each was
/// read.
fn counting(body: &str) -> (Server, Arc<[AtomicUsize; 2]>) {
    let texts = [format!("---\nname: a\ndescription: A\n---\n{body}"), format!("More of {body}")];
    let uris = ["skill://a/SKILL.md", "skill://a/more.md"];
    let digest = |text: &String| mcpbolt::policy::skills::digest(text.as_bytes());
    let file = |at: usize| json!({"uri": uris[at], "digest": digest(&texts[at]), "size": texts[at].len()});
    let listed = json!({"skills": [{
        "uri": uris[0], "frontmatter": {"name": "a", "description": "A"}, "resources": [file(0), file(1)]
    }]});
    let reads: Arc<[AtomicUsize; 2]> = Arc::default();
    let mut builder = Server::builder("s", "1").extension(Extension::new(EXTENSION)).on_request(
        "skills/list",
        move |_, _| {
            let listed = listed.clone();
            async move { Ok::<_, Failure>(listed.into()) }
        },
    );
    for (at, (uri, text)) in uris.into_iter().zip(texts).enumerate() {
        let reads = Arc::clone(&reads);
        builder = builder.resource(Resource::new(uri, uri), move |_: Context| {
            reads[at].fetch_add(1, Ordering::Relaxed);
            let contents = ResourceContents::text(uri, "text/markdown", text.clone());
            async move { ReadResourceResult::new(vec![contents]) }
        });
    }
    (builder.build(), reads)
}

fn counts(reads: &[AtomicUsize; 2]) -> [usize; 2] {
    [0, 1].map(|at: usize| reads[at].load(Ordering::Relaxed))
}

#[tokio::test]
async fn nothing_is_read_before_it_is_used() {
    let (server, reads) = counting("Body\n");
    let session = connect(&server, ProtocolPolicy::Auto).await;
    let host = Skills::of(&session, "docs").expect("declared");
    let skill = soon(host.list()).await.expect("listed").skills.remove(0);
    let approval = host.approve(&skill).expect("not dynamic");
    assert_eq!(counts(&reads), [0, 0], "neither the connection nor the list nor the approval reads");
    let loaded = soon(host.load(&skill, &approval)).await.expect("as listed");
    assert_eq!(counts(&reads), [1, 0], "the other file is not needed yet");
    soon(loaded.read("more.md")).await.expect("listed");
    assert_eq!(counts(&reads), [1, 1]);
}

#[tokio::test]
async fn files_come_from_the_server_that_has_the_skill() {
    let [(one, at_one), (two, at_two)] = ["One\n", "Two\n"].map(counting);
    let (first, second) =
        (connect(&one, ProtocolPolicy::Auto).await, connect(&two, ProtocolPolicy::Auto).await);
    let (mine, other) = (Skills::of(&first, "one").unwrap(), Skills::of(&second, "two").unwrap());
    let skill = soon(mine.list()).await.expect("listed").skills.remove(0);
    let loaded = soon(mine.load_once(&skill)).await.expect("as listed");
    let more = soon(loaded.read("skill://a/more.md")).await.expect("listed");
    assert_eq!((loaded.body(), more.text()), ("One\n", Some("More of One\n")));
    assert_eq!((counts(&at_one), counts(&at_two)), ([1, 1], [0, 0]), "both have files of these names");
    // An entry is of its server: what another has under the same URI is not what it says.
    let refused = soon(other.load_once(&skill)).await.expect_err("another server's skill");
    assert!(matches!(refused, SkillError::Mismatch(mismatch) if mismatch.violation == Violation::Digest));
}

#[tokio::test]
async fn approvals_are_of_one_server_and_entries_are_judged_before_they_are_used() {
    let session = connect(&lying(&entry(TEXT), TEXT), ProtocolPolicy::Auto).await;
    let (docs, other) = (Skills::of(&session, "docs").unwrap(), Skills::of(&session, "other").unwrap());
    let skill = soon(docs.list()).await.expect("listed").skills.remove(0);
    let approval = docs.approve(&skill).expect("not dynamic");
    assert!(matches!(soon(other.load(&skill, &approval)).await, Err(SkillError::NotApproved { .. })));
    let mut dynamic = entry(TEXT);
    dynamic["resources"] = json!("dynamic");
    let dynamic: Skill = serde_json::from_value(dynamic).expect("an entry");
    assert!(matches!(docs.approve(&dynamic), Err(SkillError::Dynamic { .. })));
    assert_eq!(soon(docs.load_once(&dynamic)).await.expect("asked each time").body(), "Body\n");
    let mut large = entry(TEXT);
    large["resources"][0]["size"] = json!(17 * 1024 * 1024);
    let large: Skill = serde_json::from_value(large).expect("an entry");
    let refused = soon(docs.load_once(&large)).await.expect_err("more than a host must take");
    assert!(matches!(refused, SkillError::Entry { .. }));
    let mut wrong = entry(TEXT);
    wrong["frontmatter"]["name"] = json!("b");
    let listing =
        soon(Skills::of(&connect(&lying(&wrong, TEXT), ProtocolPolicy::Auto).await, "docs").unwrap().list())
            .await;
    let listing = listing.expect("listed");
    assert_eq!((listing.skills.len(), listing.refused.len()), (0, 1));
}
