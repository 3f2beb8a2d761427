//! What is told of the declarations of a file.

use super::*;

fn read(language: Language, text: &str) -> Vec<Item> {
    let path = format!("{}server/A", language.folders()[0].0);
    items(&[File { path, text: text.to_owned() }], language)
}

fn kotlin(text: &str) -> Item {
    read(Language::Kotlin, text).remove(0)
}

fn swift(text: &str) -> Item {
    read(Language::Swift, text).remove(0)
}

fn rows(item: &Item) -> Vec<String> {
    item.rows.iter().map(|row| format!("{}: {}", row.name, row.words.text)).collect()
}

fn names(items: &[Item]) -> Vec<&str> {
    items.iter().map(|item| item.name.as_str()).collect()
}

#[test]
fn only_what_programs_see_is_read() {
    let text = "internal class A { public val b: Int = 1 }\nprivate fun c() = 1\npublic class D { val e: Int = 1\n private fun f() {}\n public fun g() {} }";
    let found = read(Language::Kotlin, text);
    assert_eq!(names(&found), ["D"]);
    assert_eq!((found[0].code.as_str(), names(&found[0].members)), ("class D", vec!["D.g"]));
    let text = "struct A { public var b: Int }\npublic struct C { var d: Int\n public func e() { let f = 1 } }\nfunc g() {}";
    let found = read(Language::Swift, text);
    assert_eq!(names(&found), ["C"]);
    assert_eq!((found[0].code.as_str(), names(&found[0].members)), ("struct C", vec!["C.e"]));
}

#[test]
fn a_class_of_kotlin_shows_how_it_is_made() {
    let found = kotlin(
        "/** A. */\npublic class A(b: Int, private val c: String = \"x\", public val d: List<Int> = emptyList()) : E(b), F {\n}",
    );
    assert_eq!(found.code, "class A(b: Int, c: String = \"x\", val d: List<Int> = emptyList()) : E, F");
    assert_eq!(found.words.text, "A.");
    let found = kotlin(
        "public class A internal constructor(/** B. */ public val b: Int, c: Int) : D(c) {\n    public constructor(b: Int) : this(b, 1)\n}",
    );
    assert_eq!(found.code, "class A : D {\n    val b: Int\n    constructor(b: Int)\n}");
    assert_eq!(rows(&found), ["b: B."]);
}

#[test]
fn properties_of_kotlin_have_no_getters() {
    let found = kotlin(
        "public class A {
            /** B. */
            public val b: Int get() = c.d()

            public var e: Long = 0
                private set
            public val f: List<Int> by lazy { g }
            public companion object {
                /** H. */
                public const val H: String = \"h\"
                public fun i(): Int = 1
            }
        }",
    );
    let code = "class A {\n    val b: Int\n    val e: Long\n    val f: List<Int>\n    companion object {\n        const val H: String = \"h\"\n    }\n}";
    assert_eq!(found.code, code);
    assert_eq!(names(&found.members), ["A.i"]);
    assert_eq!(rows(&found), ["b: B.", "H: H."]);
}

#[test]
fn functions_of_kotlin_have_no_body() {
    let text = "public interface A {\n    /** B. */\n    public suspend fun <T> b(c: () -> T = { d }): Map<T, Int>\n    fun e()\n}\npublic fun A.f(): Int = 1\npublic fun g(): String =\n    \"g\"\n";
    let found = read(Language::Kotlin, text);
    let codes: Vec<_> = found[0].members.iter().map(|member| member.code.as_str()).collect();
    assert_eq!(codes, ["suspend fun <T> b(c: () -> T = { d }): Map<T, Int>", "fun e()", "fun A.f(): Int"]);
    assert_eq!((found[1].name.as_str(), found[1].code.as_str()), ("g", "fun g(): String"));
}

#[test]
fn enums_have_their_entries() {
    let found = kotlin(
        "public enum class A(internal val word: String) {\n    /** B. */\n    B(\"b\"),\n    C(\"c\"),\n    ;\n    public fun d() {}\n}",
    );
    assert_eq!(found.code, "enum class A {\n    B\n    C\n}");
    assert_eq!(rows(&found), ["B: B."]);
    let found = swift(
        "public enum A: String {\n    /// B.\n    case b = \"x\"\n    case c(d: Int = 1, [String]), `e`\n    public static let f = A.b\n}",
    );
    assert_eq!(
        found.code,
        "enum A: String {\n    case b = \"x\"\n    case c(d: Int = 1, [String]), `e`\n    static let f = A.b\n}"
    );
    assert_eq!(rows(&found), ["b: B."]);
}

#[test]
fn variables_of_swift_say_what_can_be_done_with_them() {
    let found = swift(
        "public struct A {
            public private(set) var a: Int = 1
            public var b: Int { c + 1 }
            public var d: String { get async throws { try await e() } }
            public var f: [String: Int] = [:]
            public let g: Int
            public var h, i: Int?
            public static let j = [1].map { k in
                k
            }
        }",
    );
    let lines: Vec<_> = found.code.lines().map(str::trim).collect();
    let wanted = [
        "struct A {",
        "var a: Int { get }",
        "var b: Int { get }",
        "var d: String { get async throws }",
        "var f: [String: Int]",
        "let g: Int",
        "var h, i: Int?",
        "static let j",
        "}",
    ];
    assert_eq!(lines, wanted);
}

#[test]
fn protocols_and_extensions_of_swift_belong_to_their_types() {
    let found = swift(
        "public protocol A: Sendable {
            associatedtype B: Codable = C
            static var name: String { get }
            func d(_ e: Int) async throws -> B
        }
        extension A where B: D {
            /// Adds.
            @discardableResult
            public func f<T: G>(_ h: T = .init()) throws -> Int where T: I { 1 }
        }
        extension A: Codable { public func encode(to j: any Encoder) throws {} }",
    );
    assert_eq!(
        found.code,
        "protocol A: Sendable {\n    associatedtype B: Codable = C\n    static var name: String { get }\n}"
    );
    let codes: Vec<_> = found.members.iter().map(|member| member.code.as_str()).collect();
    assert_eq!(
        codes,
        ["func d(_ e: Int) async throws -> B", "func f<T: G>(_ h: T = .init()) throws -> Int where T: I"]
    );
    assert_eq!(found.notes, ["Conforms to `Codable` too."]);
}

#[test]
fn types_in_types_have_names_of_both() {
    let found = read(
        Language::Swift,
        "public actor A {\n    /// B.\n    public struct B {\n        public init(c: Int) {}\n    }\n    public init() {}\n}",
    );
    assert_eq!(names(&found), ["A", "A.B"]);
    assert_eq!(found[1].code, "struct B {\n    init(c: Int)\n}");
    let found = read(
        Language::Kotlin,
        "public sealed interface A {\n    public object B : A\n    public class C(public val d: Int) : A\n}",
    );
    assert_eq!(names(&found), ["A", "A.B", "A.C"]);
    assert_eq!(found[2].code, "class C(val d: Int) : A");
}

#[test]
fn what_is_deprecated_says_so() {
    let found = kotlin("/** A. */\n@Deprecated(\"Use B.\")\n@Suppress(\"x\")\npublic class A");
    assert_eq!(found.words.deprecated.as_deref(), Some("Use B."));
    assert_eq!(found.words.text, "A.");
}
