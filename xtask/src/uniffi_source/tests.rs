//! Which texts are arrows from file to file, and which are not.

use super::*;

const ENDS: [(Language, &str); 2] = [(Language::Kotlin, "kt"), (Language::Swift, "swift")];

/// Where the arrows of the first file lead, with their lines.
fn arrows(language: Language, first: &str, others: &[(&str, &str)]) -> Vec<(String, Vec<usize>)> {
    let folder = language.folders()[0].0;
    let file = |path: &str, text: &str| File { path: format!("{folder}{path}"), text: text.to_owned() };
    let mut files = vec![file("first", first)];
    files.extend(others.iter().map(|(path, text)| file(path, text)));
    let facade = Facade::of(&files, language);
    let all = facade.arrows();
    let of_first = all.get(&0).into_iter().flatten();
    of_first.map(|(to, lines)| (facade.modules[*to].short.clone(), lines.iter().copied().collect())).collect()
}

fn kotlin(first: &str, other: &str) -> Vec<usize> {
    arrows(Language::Kotlin, first, &[("other", other)]).pop().map_or_else(Vec::new, |(_, lines)| lines)
}

fn swift(first: &str, other: &str) -> Vec<usize> {
    arrows(Language::Swift, first, &[("other", other)]).pop().map_or_else(Vec::new, |(_, lines)| lines)
}

#[test]
fn each_kind_of_declaration_can_be_used() {
    for (declared, used) in [
        ("public class A(val b: Int)", "val x: A? = null"),
        ("internal sealed interface A<T>", "fun f(): A<Int>"),
        ("enum class A { B }", "fun f() = A.B"),
        ("fun interface A", "class X : A"),
        ("object A", "fun f() { A.b() }"),
        ("internal typealias A = Int", "fun f(x: List<A>)"),
        ("internal const val A = 1", "fun f() = \"${A}\""),
        ("fun a() = 1", "fun f() = a()"),
        ("internal inline fun <T> a(b: () -> T): T = b()", "fun f() = a { 1 }"),
        ("fun a() = 1", "val f = ::a"),
        ("internal fun <T> List<T>.a() = 1", "fun f() = x.a()"),
        ("class A", "fun A.f() = 1"),
    ] {
        assert_eq!(kotlin(used, declared), [1], "{declared}");
    }
    for (declared, used) in [
        ("public struct A: B {}", "let x: [A] = []"),
        ("public final class A {}", "func f() -> A? { nil }"),
        ("enum A { case b }", "let x = A.b"),
        ("public actor A {}", "func f(_ x: A) {}"),
        ("protocol A {}", "struct X: A {}"),
        ("typealias A = Int", "func f(_ x: @Sendable (A) -> Void) {}"),
        ("func a<T>(_ b: T) {}", "func f() { a(1) }"),
        ("struct A {}", "extension A { func f() {} }"),
        ("let a = 1", "func f() { print(\"\\(a)\") }"),
    ] {
        assert_eq!(swift(used, declared), [1], "{declared}");
    }
}

#[test]
fn members_and_private_declarations_are_not_seen() {
    for (declared, used) in [
        ("class B { class A }", "val x: A"),
        ("private class A", "val x: A"),
        ("private fun a() = 1", "fun f() = a()"),
        ("class A", "val x: B.A"),
        ("fun a() = 1", "fun f() = x.a()"),
        ("fun a() = 1", "fun f(a: Int) = a + 1"),
        ("fun f(A: Int) = 1", "val x: A"),
        ("val B.a: Int get() = 1", "val x = a"),
        ("class A", "// A\nval x = \"A\""),
    ] {
        assert_eq!(kotlin(used, declared), [0; 0], "{declared}");
    }
    for (declared, used) in [
        ("enum B { struct A {} }", "let x: A"),
        ("fileprivate struct A {}", "let x: A"),
        ("extension B { func a() {} }", "func f() { a() }"),
        ("struct A {}", "let x: B.A"),
        ("struct A {}", "/// `A`\nlet x = \"A\""),
    ] {
        assert_eq!(swift(used, declared), [0; 0], "{declared}");
    }
}

#[test]
fn a_name_that_a_file_declares_itself_is_its_own() {
    let own = "class X { class A\n val x: A\n fun b() = 1\n fun c() = b() }";
    assert_eq!(kotlin(own, "class A\nfun b() = 2"), [0; 0]);
    assert_eq!(kotlin("val x: A", "class A"), [1]);
}

#[test]
fn what_some_type_has_as_a_member_is_not_taken_for_an_extension() {
    let files = [("other", "fun Int.a() = 1"), ("third", "class B { fun a() = 2 }")];
    assert_eq!(arrows(Language::Kotlin, "fun f() = x.a()", &files), []);
    assert_eq!(kotlin("fun f() = x.a()", "fun Int.a() = 1"), [1]);
}

#[test]
fn a_function_that_is_named_after_a_type_is_not_taken_for_it() {
    let files = [("other", "class A(b: Int)"), ("third", "fun A(c: String) = A(1)")];
    assert_eq!(arrows(Language::Kotlin, "val x = A(1)", &files), [("other".to_owned(), vec![1])]);
}

#[test]
fn arrows_have_all_their_lines() {
    let found = arrows(Language::Kotlin, "val x: A\nval y = 1\nval z: A", &[("b/other", "class A")]);
    assert_eq!(found, [("b/other".to_owned(), vec![1, 3])]);
}

#[test]
fn generated_files_have_a_room_of_their_own() {
    for (language, end) in ENDS {
        let own = language.folders().iter().find(|(_, room)| *room == GENERATED);
        let path = own.map_or_else(
            || format!("{}{GENERATED}A.{end}", language.folders()[0].0),
            |(folder, _)| format!("{folder}A.{end}"),
        );
        let files = [File { path, text: String::new() }];
        let facade = Facade::of(&files, language);
        assert_eq!(facade.modules[0].short, format!("{GENERATED}A.{end}"));
        assert!(facade.modules[0].is_generated());
    }
}
