//! What is told of the items of a crate.

use super::*;

fn read(lib: &str) -> Vec<Item> {
    let file = |path: &str, text: &str| File { path: path.to_owned(), text: text.to_owned() };
    items(&[file("core/src/lib.rs", lib), file("core/proto/src/lib.rs", "")]).unwrap()
}

fn codes(items: &[Item]) -> Vec<&str> {
    items.iter().map(|item| item.code.as_str()).collect()
}

#[test]
fn a_type_has_its_functions_wherever_they_stand() {
    let found = read(
        "pub mod a { pub struct A { b: u8 } impl A { /// One.\n pub fn one(&self) {} fn two() {} } }
         mod c { use crate::a::A; impl A { #[doc(hidden)] pub fn three() {} pub(crate) fn four() {} pub fn five() {} } }",
    );
    let [a] = &found[..] else { panic!("one item") };
    assert_eq!((a.name.as_str(), a.place.as_str()), ("A", "mcpbolt::a"));
    assert_eq!(codes(&a.members), ["pub fn five()", "pub fn one(&self)"]);
    assert_eq!(a.members[1].name, "A::one");
    assert_eq!(a.members[1].words.text, "One.");
}

#[test]
fn traits_of_the_engine_itself_are_not_told() {
    let found = read(
        "mod inner { pub trait Sealed {} } pub trait Open { type B; fn c(); fn d() {} }
         #[derive(Clone)] pub struct A; impl inner::Sealed for A {} impl Open for A {} impl From<&str> for A {}",
    );
    let a = found.iter().find(|item| item.name == "A").unwrap();
    assert_eq!(a.notes, ["Implements `Clone`, `From<&str>`, `Open`."]);
    let open = found.iter().find(|item| item.name == "Open").unwrap();
    assert_eq!(codes(&open.members), ["fn c();", "fn d() { … }"]);
    assert_eq!(open.code, "pub trait Open {\n    type B;\n}");
}

#[test]
fn fields_and_variants_have_their_words() {
    let found = read(
        "pub enum A { /// B.\n B { /// C.\n c: u8 } } pub struct D(/** E. */ pub u8); pub struct F { /// G.\n pub g: u8, h: u8 }",
    );
    let rows = |at: usize| found[at].rows.iter().map(|row| format!("{}: {}", row.name, row.words.text));
    assert_eq!(rows(0).collect::<Vec<_>>(), ["B: B.", "B.c: C."]);
    assert_eq!(rows(1).collect::<Vec<_>>(), ["0: E."]);
    assert_eq!(rows(2).collect::<Vec<_>>(), ["g: G."]);
}

#[test]
fn constants_stand_below_their_type() {
    let found = read("pub struct A; impl A { /// B.\n pub const B: u8 = 1; const C: u8 = 2; }");
    assert_eq!(found[0].code, "pub struct A;\n\nimpl A {\n    pub const B: u8 = 1;\n}");
    assert_eq!(found[0].rows[0].name, "A::B");
}

#[test]
fn features_that_a_program_has_to_ask_for_are_told() {
    let found = read(
        "mod a { pub struct A; pub struct B; } #[cfg(feature = \"redis\")] pub use a::A; pub use a::B;
         #[cfg(feature = \"opentelemetry\")] pub mod o { pub fn f() {} }",
    );
    let told: Vec<_> = found.iter().map(|item| format!("{}{:?}", item.name, item.notes)).collect();
    assert_eq!(
        told,
        ["A[\"With the feature `redis`.\"]", "B[]", "f[\"With the feature `opentelemetry`.\"]",]
    );
}
