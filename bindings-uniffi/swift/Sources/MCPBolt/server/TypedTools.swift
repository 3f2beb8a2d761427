// Tools whose arguments and results are `Codable` types of the program. Owns: how both become JSON. Must not
// know: how a call reaches its handler, or what a schema is made of.
import Foundation
import MCPBoltEngine

extension Server {
    /// Adds a tool that takes a type of the program: its schema is the type's (`Tool.schema(of:)`), and
    /// the engine checks arguments before the handler sees them.
    ///
    /// ```swift
    /// struct Place: Codable { var city: String; var days: Int? }
    ///
    /// try await server.addTool("forecast", taking: Place.self, description: "The weather") { place, _ in
    ///     .init(content: [.text("Sun in \(place.city)")])
    /// }
    /// ```
    ///
    /// Dates are read as texts in ISO 8601, `Data` as Base64. Arguments that the type refuses are an error
    /// with the code -32602, which names the member; a `ToolError` that it throws is for the model.
    ///
    /// - Parameters:
    ///   - name: The tool's name.
    ///   - type: The type of the arguments.
    ///   - description: What the tool does, for the model.
    ///   - title: What people read in place of the name.
    ///   - annotations: Hints for hosts.
    ///   - task: Whether calls become tasks; as of the other `addTool`.
    ///   - scopes: The scopes that a token needs; as of the other `addTool`.
    ///   - handler: Answers calls.
    /// - Throws: `MCPError.usage` if the type has no schema; the message names the property.
    public func addTool<Arguments: Decodable & Sendable>(
        _ name: String, taking type: Arguments.Type, description: String? = nil, title: String? = nil,
        annotations: Tool.Annotations? = nil, task: TaskSupport = .forbidden, scopes: [String] = [],
        handler: @escaping @Sendable (Arguments, HandlerContext) async throws -> CallTool.Result
    ) throws {
        let tool = Tool(
            name: name, title: title, description: description, inputSchema: try Tool.schema(of: type), annotations: annotations)
        try addTool(tool, task: task, scopes: scopes) { given, call in
            try await handler(try TypedTools.arguments(Arguments.self, given, of: name), call)
        }
    }

    /// Adds a tool that takes a type of the program and returns another. What it returns is the result's
    /// structured content, and its text; what is no object is its member `result`. The schemas of both
    /// are the types'.
    ///
    /// ```swift
    /// struct Forecast: Codable { var sky: String }
    ///
    /// try await server.addStructuredTool("forecast", taking: Place.self, returning: Forecast.self) { place, _ in
    ///     Forecast(sky: "Sun in \(place.city)")
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - name: The tool's name.
    ///   - type: The type of the arguments.
    ///   - returning: The type of the result. It is `Decodable` too, or `SchemaProviding`: how a type is
    ///     read tells its members.
    ///   - description: What the tool does, for the model.
    ///   - title: What people read in place of the name.
    ///   - annotations: Hints for hosts.
    ///   - task: Whether calls become tasks; as of `addTool`.
    ///   - scopes: The scopes that a token needs; as of `addTool`.
    ///   - handler: Answers calls.
    /// - Throws: `MCPError.usage` if one of the types has no schema, or if the result's is written as
    ///   something else than it is read from; the message names the property.
    public func addStructuredTool<Arguments: Decodable & Sendable, Result: Encodable & Sendable>(
        _ name: String, taking type: Arguments.Type, returning result: Result.Type, description: String? = nil,
        title: String? = nil, annotations: Tool.Annotations? = nil, task: TaskSupport = .forbidden, scopes: [String] = [],
        handler: @escaping @Sendable (Arguments, HandlerContext) async throws -> Result
    ) throws {
        let (schema, isObject) = try TypedTools.outputSchema(result)
        let tool = Tool(
            name: name, title: title, description: description, inputSchema: try Tool.schema(of: type), outputSchema: schema,
            annotations: annotations)
        try addTool(tool, task: task, scopes: scopes) { given, call in
            let made = try await handler(try TypedTools.arguments(Arguments.self, given, of: name), call)
            return try TypedTools.result(made, isObject: isObject)
        }
    }
}

extension CallTool.Result {
    /// Reads the structured content as a type: all of it, or for what is no object its member `result`.
    ///
    /// - Throws: `MCPError.protocolViolation` if there is none, or if it does not fit the type.
    public func structured<T: Decodable>(_ type: T.Type) throws -> T {
        guard let content = structuredContent else { throw MCPError.protocolViolation("the result has no structured content") }
        do { return try TypedTools.read(type, content) } catch {
            if let inner = content[TypedTools.member], let value = try? TypedTools.read(type, inner) { return value }
            throw MCPError.protocolViolation("structuredContent does not fit \(type): \(MCPError.describe(error))")
        }
    }
}

/// What both kinds of tools have in common.
enum TypedTools {
    /// Stands for a result that is no object, as the other languages of this package have it.
    static let member = "result"

    static func arguments<T: Decodable>(_ type: T.Type, _ given: [String: Value], of tool: String) throws -> T {
        do { return try read(type, .object(given)) } catch let error as DecodingError {
            throw MCPError.invalidParams("the arguments of \(tool) do not fit: \(MCPError.describe(error))")
        }
    }

    static func result(_ made: some Encodable, isObject: Bool) throws -> CallTool.Result {
        let value = try written(made)
        return CallTool.Result(content: [.text(value.text)], structuredContent: isObject ? value : [member: value])
    }

    /// The schema of a result, and whether the type is an object itself.
    static func outputSchema(_ type: any Encodable.Type) throws -> (Value, isObject: Bool) {
        let whole: Value
        if let own = type as? any SchemaProviding.Type {
            whole = own.schema
        } else if let readable = type as? any Decodable.Type {
            whole = try wholeSchema(of: readable)
            try compare(readable, whole)
        } else {
            throw MCPError.usage("\(type) has no schema: make it Decodable too, or SchemaProviding", data: ["property": "\(type)"])
        }
        if whole["type"] == "object" { return (whole, true) }
        var schema: [String: Value] = ["type": "object", "required": [.string(member)]]
        schema["$defs"] = whole["$defs"]
        var own = whole.objectValue ?? [:]
        own["$defs"] = nil
        schema["properties"] = [member: .object(own)]
        return (.object(schema), false)
    }

    /// Refuses a type that is written as something else than it is read from.
    private static func compare(_ type: any Decodable.Type, _ schema: Value) throws {
        for example in Trials.examples(type) {
            guard let example = example as? any Encodable else { continue }
            let faults: String?
            do { faults = try EngineSchema(schema: schema.text).check(value: try written(example).text) } catch { throw MCPError.of(error) }
            guard let fault = faults.map({ JSON($0).value })?[0] else { continue }
            let path = fault["instancePath"]?.stringValue ?? ""
            let why = fault["message"]?.stringValue ?? fault["keyword"]?.stringValue ?? ""
            throw MCPError.usage(
                "\(type)\(path): it is not written as it is read (\(why)): make it SchemaProviding", data: ["property": "\(type)\(path)"])
        }
    }

    // Values

    static func read<T: Decodable>(_ type: T.Type, _ value: Value) throws -> T {
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .custom { decoder in
            let one = try decoder.singleValueContainer()
            let text = try one.decode(String.self)
            if let date = date(text) { return date }
            throw DecodingError.dataCorruptedError(in: one, debugDescription: "no date in ISO 8601")
        }
        return try decoder.decode(type, from: Data(value.text.utf8))
    }

    static func written(_ value: some Encodable) throws -> Value {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        encoder.dateEncodingStrategy = .custom { date, encoder in
            var one = encoder.singleValueContainer()
            try one.encode(format(fractions: true).string(from: date))
        }
        return JSON(ArraySlice(try encoder.encode(value))).value
    }

    private static func date(_ text: String) -> Date? {
        format(fractions: false).date(from: text) ?? format(fractions: true).date(from: text)
    }

    private static func format(fractions: Bool) -> ISO8601DateFormatter {
        let format = ISO8601DateFormatter()
        format.formatOptions = fractions ? [.withInternetDateTime, .withFractionalSeconds] : [.withInternetDateTime]
        return format
    }
}
