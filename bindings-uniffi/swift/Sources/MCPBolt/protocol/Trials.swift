// Readings of a type with several answers, which have to agree. Owns: which values are tried, and what
// has to hold before the members of a type are believed. Must not know: schemas.
import Foundation

/// What the readings of a type showed: its members, or the type of its one value.
struct TypeShape {
    let members: [Asked]
    let isOneValue: Bool
}

/// Reads types with values on trial. A type that decides by what it is given is told by this: it asks
/// for other members then, or refuses.
enum Trials {
    /// Why a type's members cannot be known.
    struct Refused: Error {
        let why: String
        /// What it asked for before.
        var asked: [Asked] = []
    }

    /// What a type asks for.
    static func shape(_ type: any Decodable.Type) throws -> TypeShape {
        let runs = (0..<count).map { run(type, $0) }
        for run in runs { if let why = run.probe.refusal { throw Refused(why: why) } }
        guard let first = runs.first(where: { $0.value != nil }), let value = first.value else {
            let why = runs[0].error.map(MCPError.describe) ?? ""
            throw Refused(why: "it takes none of the values on trial: \(why)", asked: runs[0].probe.asked)
        }
        let asked = first.probe.asked
        let agree = runs.allSatisfy { $0.value == nil ? asked.starts(with: $0.probe.asked) : $0.probe.asked == asked }
        guard agree else { throw Refused(why: "its members depend on values") }
        try whole(value, first.probe)
        let bare = run(type, first.number, absent: true)
        guard bare.value != nil, bare.probe.asked == asked else { throw Refused(why: "its members depend on which of them are there") }
        for at in asked.indices where run(type, first.number, failing: at).value != nil {
            let name = asked[at].name
            throw Refused(why: "it takes \(name.isEmpty ? "values" : name) of several types")
        }
        if first.probe.isOneValue, first.probe.hasMembers || asked.count != 1 { throw Refused(why: "it is read in several ways") }
        return TypeShape(members: try single(asked), isOneValue: first.probe.isOneValue)
    }

    /// Each member once.
    private static func single(_ asked: [Asked]) throws -> [Asked] {
        try asked.reduce(into: []) { members, one in
            guard let before = members.first(where: { $0.name == one.name }) else { return members.append(one) }
            if before != one { throw Refused(why: "it reads \(one.name) in several ways") }
        }
    }

    /// Values of a type that has a shape: with all members, and without those that may be absent.
    static func examples(_ type: any Decodable.Type) -> [any Decodable] {
        guard let full = (0..<count).lazy.map({ run(type, $0) }).first(where: { $0.value != nil }) else { return [] }
        return [full.value, run(type, full.number, absent: true).value].compactMap { $0 }
    }

    // One reading

    private struct Run {
        let number: Int
        let probe: Probe
        var value: (any Decodable)?
        var error: (any Error)?
    }

    private static func run(_ type: any Decodable.Type, _ number: Int, absent: Bool = false, failing: Int? = nil) -> Run {
        let probe = Probe(absent: absent, failing: failing) { try value($0, number, within: [ObjectIdentifier(type)]) }
        var run = Run(number: number, probe: probe)
        do { run.value = try type.init(from: probe) } catch { run.error = error }
        return run
    }

    /// Refuses an instance that has more to it than it asked for.
    private static func whole(_ value: any Decodable, _ probe: Probe) throws {
        let mirror = Mirror(reflecting: value)
        if mirror.displayStyle == .enum { throw Refused(why: "it is an enum whose cases are not known") }
        let names = Set(probe.asked.map(\.name))
        // What a `lazy` property has before its first use is no member.
        let unread = mirror.children.filter { child in
            guard let label = child.label, !label.hasPrefix("$"), !names.contains(label) else { return false }
            let held = Mirror(reflecting: child.value)
            return held.displayStyle == .optional && held.children.isEmpty
        }
        if probe.hasMembers, unread.count > probe.endless, let label = unread.first?.label {
            throw Refused(why: "its property \(label) was not read")
        }
    }

    // Values

    private static let count = 5
    private static let integers = [0, 1, 2, 3, 7]
    private static let texts = ["", "a", "b c", "1", "https://example.com/"]

    /// A value of any type for a trial. `within`: the types that are being read.
    static func value(_ type: any Decodable.Type, _ number: Int, within open: [ObjectIdentifier]) throws -> any Decodable {
        if let leaf = leaf(type, number) { return leaf }
        if let optional = type as? any OptionalType.Type { return try optional.some { try value($0, number, within: open) } }
        if let list = type as? any ListType.Type { return list.empty }
        if let table = type as? any TableType.Type { return table.empty }
        if let own = type as? any SchemaProviding.Type, let example = own.schemaExample as? any Decodable { return example }
        if let words = try EnumWords(type) { return words.cases[number % words.cases.count] }
        let id = ObjectIdentifier(type)
        if open.contains(id) { throw Endless() }
        return try type.init(from: Probe { try value($0, number, within: open + [id]) })
    }

    private static func leaf(_ type: any Decodable.Type, _ number: Int) -> (any Decodable)? {
        switch type {
        case is String.Type: texts[number]
        case is Bool.Type: number % 2 == 1
        case is Double.Type: Double(integers[number])
        case is Float.Type: Float(integers[number])
        case is Decimal.Type: Decimal(integers[number])
        case is Date.Type: Date(timeIntervalSince1970: Double(integers[number]))
        case is Data.Type: Data(texts[number].utf8)
        case is URL.Type: URL(string: "https://example.com/\(number)")!
        case is UUID.Type: UUID()
        case is MCPBolt.Value.Type: MCPBolt.Value.int(number)
        default: Integers.named(type).map { integer($0, number) }
        }
    }

    private static func integer<T: FixedWidthInteger & Decodable>(_: T.Type, _ number: Int) -> any Decodable { T(integers[number]) }
}

/// The integers that are numbers in JSON.
enum Integers {
    private static let all: [any (FixedWidthInteger & Decodable).Type] = [
        Int.self, Int8.self, Int16.self, Int32.self, Int64.self, UInt.self, UInt8.self, UInt16.self, UInt32.self, UInt64.self,
    ]

    static func named(_ type: any Decodable.Type) -> (any (FixedWidthInteger & Decodable).Type)? { all.first { $0 == type } }
}

/// The values of an enum that has a raw value for each.
struct EnumWords {
    let raw: [Value]
    let cases: [any Decodable]

    /// Nil if the type is no such enum. Throws if it is written as something else than its raw values.
    init?(_ type: any Decodable.Type) throws {
        guard let known = type as? any CaseIterable.Type else { return nil }
        let all = Self.all(known)
        guard let first = all.first, Mirror(reflecting: first).displayStyle == .enum else { return nil }
        var (raw, cases): ([Value], [any Decodable]) = ([], [])
        for one in all {
            guard let word = (one as? any RawRepresentable).flatMap({ Self.raw($0) }), let value = one as? any Decodable else { return nil }
            guard (try? word.decode(type)) != nil else { throw Trials.Refused(why: "it is not read from its raw values") }
            raw.append(word)
            cases.append(value)
        }
        (self.raw, self.cases) = (raw, cases)
    }

    private static func all<T: CaseIterable>(_: T.Type) -> [Any] { Array(T.allCases) }

    private static func raw<T: RawRepresentable>(_ one: T) -> Value? {
        switch one.rawValue {
        case let text as String: .string(text)
        case let number as Int: .int(number)
        default: nil
        }
    }
}

// Types whose parts can be known without a reading

protocol OptionalType {
    static var wrapped: any Decodable.Type { get }
    static func some(_ make: (any Decodable.Type) throws -> any Decodable) throws -> any Decodable
}

protocol ListType {
    static var element: any Decodable.Type { get }
    static var empty: any Decodable { get }
    /// Whether no element occurs twice.
    static var isSet: Bool { get }
}

protocol TableType {
    static var key: Any.Type { get }
    static var value: any Decodable.Type { get }
    static var empty: any Decodable { get }
}

extension Optional: OptionalType where Wrapped: Decodable {
    static var wrapped: any Decodable.Type { Wrapped.self }
    static func some(_ make: (any Decodable.Type) throws -> any Decodable) throws -> any Decodable {
        do { return try make(Wrapped.self) as? Wrapped } catch is Endless { return Self.none }
    }
}

extension Array: ListType where Element: Decodable {
    static var element: any Decodable.Type { Element.self }
    static var empty: any Decodable { Self() }
    static var isSet: Bool { false }
}

extension Set: ListType where Element: Decodable {
    static var element: any Decodable.Type { Element.self }
    static var empty: any Decodable { Self() }
    static var isSet: Bool { true }
}

extension Dictionary: TableType where Key: Decodable, Value: Decodable {
    static var key: Any.Type { Key.self }
    static var value: any Decodable.Type { Value.self }
    static var empty: any Decodable { Self() }
}
