// JSON Schema of a program's own `Codable` types. Owns: which schema a type has. Must not know: tools, how
// values are read, and how a type's members are found.
import Foundation

extension Tool {
    /// The schema of a `Decodable` type: its properties, with those required that are not optional, and
    /// the words of `SchemaDescribed`.
    ///
    /// Swift does not tell the properties of a type. So the type reads values on trial, and what it asks
    /// for is noted: what the compiler writes for `Codable` asks for all of it. An `init(from:)` of a
    /// program's own has a schema too, if it asks for the same members whatever it is given. One that
    /// decides by values, by which members are there, or by what fails, is refused; so is an enum whose
    /// cases are not known. Such types are `SchemaProviding`. A decision by a certain text, which is none
    /// of those on trial, cannot be seen.
    ///
    /// - Parameter type: A type with properties, or a dictionary by names.
    /// - Throws: `MCPError.usage` for a type that is no object, or has a property without a schema. The
    ///   message names it, and so does `data`, as `property`.
    public static func schema(of type: any Decodable.Type) throws -> Value {
        let schema = try wholeSchema(of: type)
        if schema["type"] == "object" { return schema }
        throw unfit("\(type)", "a tool's schema is one of an object: take a struct, a class, or a dictionary by names")
    }
}

/// The schema of any value, not only of an object.
func wholeSchema(of type: any Decodable.Type) throws -> Value {
    var maker = SchemaMaker()
    return try maker.whole(type)
}

private func unfit(_ place: String, _ why: String) -> MCPError {
    .usage("\(place): \(why)", data: ["property": .string(place)])
}

/// The schema of one type, and those of the types in it that hold themselves.
private struct SchemaMaker {
    private var open: [ObjectIdentifier] = []
    private var repeated: Set<ObjectIdentifier> = []
    private var names: [ObjectIdentifier: String] = [:]
    private var defined: [String: Value] = [:]
    /// Types whose members were looked at for a reason.
    private var refused: Set<ObjectIdentifier> = []

    mutating func whole(_ type: any Decodable.Type) throws -> Value {
        let schema = try of(type, "\(type)")
        if defined.isEmpty { return schema }
        let own = names[ObjectIdentifier(type)].flatMap { defined[$0] }
        let root = schema["$ref"] == nil ? schema : own ?? schema
        return .object((root.objectValue ?? [:]).merging(["$defs": .object(defined)]) { $1 })
    }

    private mutating func of(_ type: any Decodable.Type, _ place: String) throws -> Value {
        if let own = type as? any SchemaProviding.Type {
            guard own.schema.objectValue != nil else { throw unfit("\(type)", "its schema is no object") }
            return own.schema
        }
        if let plain = plain(type) { return plain }
        if let optional = type as? any OptionalType.Type { return orNull(try of(optional.wrapped, place)) }
        if let list = type as? any ListType.Type {
            let items = try of(list.element, place)
            return list.isSet ? ["type": "array", "items": items, "uniqueItems": true] : ["type": "array", "items": items]
        }
        if let table = type as? any TableType.Type {
            guard table.key == String.self else { throw unfit(place, "a dictionary is by names: \(table.key) is none, take String") }
            let values = try of(table.value, place)
            return ["type": "object", "additionalProperties": values == [:] ? true : values]
        }
        return try refusing(place, type) { maker in
            if let words = try EnumWords(type) {
                return ["type": words.raw[0].stringValue == nil ? "integer" : "string", "enum": .array(words.raw)]
            }
            return try maker.named(type, place)
        }
    }

    /// Says where a type stands that has no schema, and what can be done.
    private mutating func refusing(_ place: String, _ type: any Decodable.Type, _ make: (inout Self) throws -> Value) throws -> Value {
        do { return try make(&self) } catch let refused as Trials.Refused {
            // A member without a schema is the better reason.
            if self.refused.insert(ObjectIdentifier(type)).inserted {
                for member in refused.asked { _ = try of(member.type, "\(type).\(member.name)") }
            }
            throw unfit(place, "\(type) has no schema, because \(refused.why): \(remedy(type, refused))")
        }
    }

    private func remedy(_ type: any Decodable.Type, _ refused: Trials.Refused) -> String {
        if let last = refused.asked.last?.type as? any SchemaProviding.Type, last.schemaExample == nil {
            return "give \(last) a schemaExample"
        }
        return type is any RawRepresentable.Type ? "make it CaseIterable, or SchemaProviding" : "make it SchemaProviding"
    }

    private func plain(_ type: any Decodable.Type) -> Value? {
        switch type {
        case is Value.Type: return [:]
        case is String.Type: return ["type": "string"]
        case is Bool.Type: return ["type": "boolean"]
        case is Double.Type, is Float.Type, is Decimal.Type: return ["type": "number"]
        case is Date.Type: return ["type": "string", "format": "date-time"]
        case is URL.Type: return ["type": "string", "format": "uri"]
        case is UUID.Type: return ["type": "string", "format": "uuid"]
        case is Data.Type: return ["type": "string", "contentEncoding": "base64"]
        default: return Integers.named(type).map { integer($0) }
        }
    }

    private func integer<T: FixedWidthInteger & Decodable>(_: T.Type) -> Value {
        var schema: [String: Value] = ["type": "integer"]
        if !T.isSigned { schema["minimum"] = 0 }
        if T.bitWidth < Int.bitWidth { (schema["minimum"], schema["maximum"]) = (.int(Int(T.min)), .int(Int(T.max))) }
        return .object(schema)
    }

    /// A type that stands within itself is defined once, and referred to.
    private mutating func named(_ type: any Decodable.Type, _ place: String) throws -> Value {
        let id = ObjectIdentifier(type)
        if open.contains(id) {
            repeated.insert(id)
            return reference(name(type))
        }
        open.append(id)
        defer { open.removeLast() }
        let shape = try Trials.shape(type)
        let schema = shape.isOneValue ? try of(shape.members[0].type, place) : try members(shape.members, type)
        guard repeated.contains(id) else { return schema }
        defined[name(type)] = schema
        return reference(name(type))
    }

    /// A name that no other type has.
    private mutating func name(_ type: any Decodable.Type) -> String {
        let id = ObjectIdentifier(type)
        if let name = names[id] { return name }
        let plain = String("\(type)".map { $0.isLetter || $0.isNumber || $0 == "." ? $0 : "_" })
        let same = names.values.filter { $0 == plain || $0.hasPrefix("\(plain)-") }.count
        let name = same == 0 ? plain : "\(plain)-\(same + 1)"
        names[id] = name
        return name
    }

    private func reference(_ name: String) -> Value { ["$ref": .string("#/$defs/\(name)")] }

    private mutating func members(_ asked: [Asked], _ type: any Decodable.Type) throws -> Value {
        let meant = type as? any SchemaDescribed.Type
        let words = meant?.propertyDescriptions ?? [:]
        if let stray = words.keys.filter({ name in !asked.contains { $0.name == name } }).min() {
            throw unfit("\(type).\(stray)", "it is described, but not read")
        }
        var properties: [String: Value] = [:]
        for member in asked {
            let schema = try of(member.type, "\(type).\(member.name)")
            var row = (member.isOptional ? orNull(schema) : schema).objectValue ?? [:]
            if let said = words[member.name] { row["description"] = .string(said) }
            properties[member.name] = .object(row)
        }
        var whole: [String: Value] = ["type": "object", "properties": .object(properties)]
        let required = asked.filter { !$0.isOptional }.map { Value.string($0.name) }
        if !required.isEmpty { whole["required"] = .array(required) }
        if let said = meant?.schemaDescription { whole["description"] = .string(said) }
        return .object(whole)
    }

    private func orNull(_ schema: Value) -> Value {
        guard var row = schema.objectValue, !row.isEmpty else { return schema }
        switch row["type"] {
        case .string(let type)?:
            row["type"] = [.string(type), "null"]
            if let words = row["enum"]?.arrayValue { row["enum"] = .array(words + [.null]) }
            return .object(row)
        case .array(let types)? where types.contains("null"): return schema
        default: return ["anyOf": [schema, ["type": "null"]]]
        }
    }
}
