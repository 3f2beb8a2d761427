// Schemas of a program's types, and tools over them.
import Foundation
@testable import MCPBolt

private enum Scale: String, Codable, CaseIterable { case celsius, fahrenheit = "F" }

private struct Place: Codable, Hashable, SchemaDescribed {
    var city: String
    var days: Int
    var unit: Scale?
    var tags: [String]
    var near: Point?

    static let schemaDescription: String? = "Where and for how long"
    static let propertyDescriptions = ["city": "A city", "near": "Close to this"]

    init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        city = try members.decode(String.self, forKey: .city)
        days = try members.decodeIfPresent(Int.self, forKey: .days) ?? 1
        unit = try members.decodeIfPresent(Scale.self, forKey: .unit)
        tags = try members.decodeIfPresent([String].self, forKey: .tags) ?? []
        near = try members.decodeIfPresent(Point.self, forKey: .near)
        if days > 14 { throw ToolError("days goes to 14") }
    }
}

private struct Point: Codable, Hashable {
    var latitude: Double
    var longitude: Double
}

private struct Forecast: Codable, Hashable {
    var sky: String
    var degrees: Double?
    var at: Date
    var more: [String: Value]
}

private struct Everything: Codable {
    struct Name: RawRepresentable, Codable { var rawValue: String }
    var page: URL
    var id: UUID
    var bytes: Data
    var small: UInt8
    var big: UInt64
    var words: Set<String>
    var table: [String: [Int?]]
    var name: Name
    var any: Value
}

private struct Tree: Codable, Hashable {
    var name: String
    var branches: [Tree]
}

private final class Chain: Codable, Sendable {
    let word: String
    let next: Chain?
}

private enum Shape: Codable, SchemaProviding {
    case circle(radius: Double)
    static let schema: Value = ["type": "object", "required": ["circle"]]
    static let schemaExample: Shape? = .circle(radius: 1)
}

private struct Drawing: Codable { var shape: Shape; var note: String? }

/// Types whose schema would be wrong.
private enum Refused {
    enum Cases: Codable { case one(Int), two }
    enum Closed: String, Codable { case on, off }
    struct Holder: Codable { var state: Closed }
    struct Dated: Codable { var by: [Int: String] }
    final class Endless: Codable { let next: Endless }
    struct Stray: Codable, SchemaDescribed {
        var city: String
        static let propertyDescriptions = ["town": "A town"]
    }
    /// A text or a number.
    struct Either: Codable {
        var text: String
        init(from decoder: any Decoder) throws {
            let one = try decoder.singleValueContainer()
            if let number = try? one.decode(Int.self) { text = "\(number)" } else { text = try one.decode(String.self) }
        }
    }
    /// Other members for another version.
    struct Versions: Decodable {
        enum CodingKeys: CodingKey { case version, old, new }
        init(from decoder: any Decoder) throws {
            let members = try decoder.container(keyedBy: CodingKeys.self)
            _ = try members.decode(Int.self, forKey: .version) < 2
                ? members.decode(String.self, forKey: .old) : members.decode(String.self, forKey: .new)
        }
    }
    /// Another member if one is there.
    struct Looking: Decodable {
        enum CodingKeys: CodingKey { case one, other }
        init(from decoder: any Decoder) throws {
            let members = try decoder.container(keyedBy: CodingKeys.self)
            _ = try members.decode(String.self, forKey: members.contains(.one) ? .one : .other)
        }
    }
    /// One of two, by a word that no trial has.
    struct Kinds: Decodable {
        var radius: Double?
        var side: Double?
        enum CodingKeys: CodingKey { case kind, radius, side }
        init(from decoder: any Decoder) throws {
            let members = try decoder.container(keyedBy: CodingKeys.self)
            if try members.decode(String.self, forKey: .kind) == "circle" {
                radius = try members.decode(Double.self, forKey: .radius)
            } else {
                side = try members.decode(Double.self, forKey: .side)
            }
        }
    }
    /// Members of a member.
    struct Nested: Decodable {
        enum CodingKeys: CodingKey { case inner }
        init(from decoder: any Decoder) throws {
            let members = try decoder.container(keyedBy: CodingKeys.self)
            _ = try members.nestedContainer(keyedBy: CodingKeys.self, forKey: .inner).decode(String.self, forKey: .inner)
        }
    }
    /// Written under another name than it is read.
    struct Crooked: Codable, Sendable {
        var text: String
        enum CodingKeys: CodingKey { case text, words }
        init(from decoder: any Decoder) throws {
            text = try decoder.container(keyedBy: CodingKeys.self).decode(String.self, forKey: .text)
        }
        func encode(to encoder: any Encoder) throws {
            var members = encoder.container(keyedBy: CodingKeys.self)
            try members.encode(text, forKey: .words)
        }
    }
}

/// The message with which a type is refused.
private func refusal(_ type: any Decodable.Type, property: String? = nil, line: Int = #line) throws -> String {
    do { _ = try Tool.schema(of: type) } catch MCPError.usage(let words, let data) {
        if let property { try equal(data?["property"]?.stringValue, property, line: line) }
        return words ?? ""
    }
    throw Fault("line \(line): \(type) has a schema")
}

private func weather() async throws -> Server {
    let server = try await echoServer()
    try await server.addTool("days", taking: Place.self, description: "How long") { place, _ in text("\(place.city): \(place.days)") }
    try await server.addStructuredTool("forecast", taking: Place.self, returning: Forecast.self, title: "Weather") { place, _ in
        Forecast(sky: "sun in \(place.city)", degrees: nil, at: Date(timeIntervalSince1970: 0.5), more: [:])
    }
    try await server.addStructuredTool("hours", taking: Place.self, returning: [Int].self) { place, _ in Array(repeating: 7, count: place.days) }
    return server
}

let typedToolCases: [Case] = [
    Case(name: "the_schema_of_a_type_has_its_properties_what_is_required_and_what_they_mean") {
        let point: Value = [
            "type": ["object", "null"], "required": ["latitude", "longitude"], "description": "Close to this",
            "properties": ["latitude": ["type": "number"], "longitude": ["type": "number"]],
        ]
        try equal(try Tool.schema(of: Place.self), [
            "type": "object", "description": "Where and for how long", "required": ["city"],
            "properties": [
                "city": ["type": "string", "description": "A city"], "days": ["type": ["integer", "null"]],
                "unit": ["type": ["string", "null"], "enum": ["celsius", "F", nil]],
                "tags": ["type": ["array", "null"], "items": ["type": "string"]], "near": point,
            ],
        ])
    },
    Case(name: "types_of_foundation_lists_tables_and_words_have_schemas") {
        let schema = try Tool.schema(of: Everything.self)
        try equal(schema["properties"], [
            "page": ["type": "string", "format": "uri"], "id": ["type": "string", "format": "uuid"],
            "bytes": ["type": "string", "contentEncoding": "base64"], "small": ["type": "integer", "minimum": 0, "maximum": 255],
            "big": ["type": "integer", "minimum": 0], "words": ["type": "array", "items": ["type": "string"], "uniqueItems": true],
            "table": ["type": "object", "additionalProperties": ["type": "array", "items": ["type": ["integer", "null"]]]],
            "name": ["type": "string"], "any": [:],
        ])
        try equal(schema["required"]?.arrayValue?.count, 9)
        try equal(try Tool.schema(of: [String: Value].self), ["type": "object", "additionalProperties": true])
    },
    Case(name: "a_type_within_itself_is_defined_once") {
        let tree: [String: Value] = [
            "type": "object", "required": ["name", "branches"],
            "properties": ["name": ["type": "string"], "branches": ["type": "array", "items": ["$ref": "#/$defs/Tree"]]],
        ]
        try equal(try Tool.schema(of: Tree.self), .object(tree.merging(["$defs": ["Tree": .object(tree)]]) { $1 }))
        let next = try Tool.schema(of: Chain.self)["properties"]?["next"]
        try equal(next, ["anyOf": [["$ref": "#/$defs/Chain"], ["type": "null"]]])
    },
    Case(name: "a_type_has_the_schema_that_it_gives") {
        let schema = try Tool.schema(of: Drawing.self)
        try equal(schema["properties"]?["shape"], Shape.schema)
        try equal(schema["required"], ["shape"])
    },
    Case(name: "what_has_no_sound_schema_is_refused_by_name") {
        for type in [
            Refused.Cases.self, Refused.Either.self, Refused.Versions.self, Refused.Looking.self, Refused.Kinds.self, Refused.Nested.self,
        ] as [any Decodable.Type] {
            let why = try refusal(type, property: "\(type)")
            try expect(why.contains("SchemaProviding"), why)
        }
        try expect(try refusal(Refused.Endless.self, property: "Endless.next").contains("without end"), "no reason")
        try expect(try refusal(Refused.Holder.self, property: "Holder.state").contains("CaseIterable"), "no remedy")
        try expect(try refusal(Refused.Dated.self, property: "Dated.by").contains("String"), "no remedy")
        try expect(try refusal(Refused.Stray.self, property: "Stray.town").contains("described"), "no reason")
        try expect(try refusal(String.self).contains("object"), "a text is an object")
        let server = try await echoServer()
        let crooked = try await failure {
            try await server.addStructuredTool("crooked", taking: Point.self, returning: Refused.Crooked.self) { _, _ in throw CancellationError() }
        }
        try expect("\(crooked)".contains("not written as it is read"), "\(crooked)")
    },
    Case(name: "arguments_and_results_are_types_of_the_program") {
        for era in ["2025-11-25", modern] {
            try await reading(try await weather(), era) { client in
                let tools = Dictionary(uniqueKeysWithValues: try await client.listTools().tools.map { ($0.name, $0) })
                try equal(tools["forecast"]?.inputSchema, try Tool.schema(of: Place.self))
                try equal(tools["forecast"]?.outputSchema, try Tool.schema(of: Forecast.self))
                try equal(tools["forecast"]?.title, "Weather")
                try equal(said(try await client.callTool(name: "days", arguments: ["city": "Rome"])), "Rome: 1")
                let made = try await client.send(CallTool.request(.init(name: "forecast", arguments: ["city": "Rome", "unit": nil])))
                try equal(made.structuredContent?["at"], "1970-01-01T00:00:00.500Z")
                let whole = Forecast(sky: "sun in Rome", degrees: nil, at: Date(timeIntervalSince1970: 0.5), more: [:])
                try equal(try made.structured(Forecast.self), whole)
                let hours = try await client.send(CallTool.request(.init(name: "hours", arguments: ["city": "Rome", "days": 2])))
                try equal(hours.structuredContent, ["result": [7, 7]])
                try equal(try hours.structured([Int].self), [7, 7])
                let other = try await failure { try hours.structured(Forecast.self) }
                try equal((other as? MCPError)?.kind, "protocol")
            }
        }
    },
    Case(name: "arguments_that_do_not_fit_are_refused_without_their_values") {
        try await reading(try await weather()) { client in
            let wrong = said(try await client.callTool(name: "days", arguments: ["city": "Rome", "days": "s3cret"]))
            try expect(wrong.contains("days") && !wrong.contains("s3cret"), wrong)
            try equal(said(try await client.callTool(name: "days", arguments: ["city": "Rome", "days": 20])), "days goes to 14")
        }
        let past = try await failure { try TypedTools.arguments(Point.self, ["latitude": "s3cret", "longitude": 1], of: "days") }
        try equal(past as? MCPError, .invalidParams("the arguments of days do not fit: latitude has another type"))
    },
]
