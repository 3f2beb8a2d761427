use super::*;

fn parse(text: &str) -> RustSource {
    RustSource::parse(text, false).unwrap()
}

fn paths(text: &str) -> Vec<String> {
    parse(text).paths.iter().map(|p| p.segments.join("::")).collect()
}

#[test]
fn nested_use_groups_unfold() {
    assert_eq!(
        paths("use crate::{a::{B, c::D}, e, f::*}; fn x() { let y = super::z(1); }"),
        ["crate::a::B", "crate::a::c::D", "crate::e", "crate::f::*", "super::z"]
    );
}

#[test]
fn comments_and_strings_are_no_code() {
    assert_eq!(paths("// crate::a\nconst A: &str = \"crate::b\"; /* crate::c */"), Vec::<String>::new());
}

#[test]
fn paths_in_macros_count() {
    assert_eq!(paths("fn f() { println!(\"{}\", crate::a::b()); }"), ["crate::a::b"]);
}

#[test]
fn function_length_is_from_fn_to_brace() {
    let source = parse("/// Doc\n#[inline]\nfn a(\n  x: u8,\n) {\n}\n\nfn b();\n");
    assert_eq!(source.functions, [Function { name: "a".to_owned(), line: 3, lines: 4, in_test: false }]);
}

#[test]
fn test_code_is_known() {
    let source = parse(
        "use crate::a; #[cfg(test)] mod t { use crate::b; } #[test] fn f() { crate::c() } fn g() { crate::d() }",
    );
    let tests: Vec<_> = source.paths.iter().map(|p| p.in_test).collect();
    assert_eq!(tests, [false, true, true, false]);
    assert_eq!(source.paths[1].inside, ["t"]);
}

#[test]
fn public_types_and_examples() {
    let source = parse(
        "/// ```\n/// x\n/// ```\n#[derive(Debug)]\npub struct A;\n/// No.\npub enum B {}\npub(crate) struct C;\nstruct D;",
    );
    let found: Vec<_> = source.public_types.iter().map(|t| (t.name.as_str(), t.has_example)).collect();
    assert_eq!(found, [("A", true), ("B", false)]);
}

#[test]
fn a_paused_clock_is_known() {
    let source =
        parse("#[tokio::test(start_paused = true)] async fn f() { sleep(1) } #[test] fn g() { sleep(2) }");
    let sleeps: Vec<_> = source.tokens.iter().filter(|t| t.text == "sleep").map(|t| t.paused).collect();
    assert_eq!(sleeps, [true, false]);
}

#[test]
fn imports_and_what_they_are_called() {
    let source = parse(
        "pub use crate::a::{B as C, d::{self, *}}; pub(super) use e::F; use std::g; \
         fn f() -> impl H + use<'_> { crate::i() } mod j; #[path = \"k_l.rs\"] mod l;",
    );
    let of = |paths: &[PathUse]| -> Vec<_> {
        let name = |p: &PathUse| p.import.clone().map(|i| (i.name, i.exported));
        paths.iter().map(name).collect()
    };
    let import = |name: &str, exported| Some((name.to_owned(), exported));
    assert_eq!(of(&source.paths), [import("C", true), import("d", true), import("*", true), None]);
    assert_eq!(of(&source.other_imports), [import("F", true), import("g", false)]);
    let submodules: Vec<_> = source.submodules.iter().map(|m| (m.name.as_str(), m.path.as_deref())).collect();
    assert_eq!(submodules, [("j", None), ("l", Some("k_l.rs"))]);
}
