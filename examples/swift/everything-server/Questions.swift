// Tools of the everything server that ask the client and wait for the answer inside the
// function. The same code works on every revision: on 2026-07-28 the call is parked until
// the client calls again.
import Foundation
import MCPBolt

/// A question to the client's model.
func sampling(_ prompt: String, maxTokens: Int) -> CreateSamplingMessage.Parameters {
    .init(messages: [.user(.text(prompt))], maxTokens: maxTokens)
}

/// A form with these fields.
func form(_ fields: [String: any Encodable & Sendable], required: [String]? = nil) throws -> Value {
    var form: [String: Value] = ["type": "object", "properties": .object(try fields.mapValues { try Value($0) })]
    form["required"] = required.map { .array($0.map(Value.string)) }
    return .object(form)
}

extension HandlerContext {
    fileprivate func sample(_ prompt: String) async throws -> CallTool.Result {
        text("LLM response: \(textOf(try await createMessage(sampling(prompt, maxTokens: 100)).content.all))")
    }

    fileprivate func ask(_ message: String, _ form: Value) async throws -> CallTool.Result {
        let answer = try await elicit(message: message, requestedSchema: form)
        return text("Elicitation completed: action=\(answer.action.rawValue), content=\(Value.object(answer.content ?? [:]))")
    }
}

private func contactForm() throws -> Value {
    try form(
        [
            "username": StringSchema(description: "Your name"),
            "email": StringSchema(description: "Your address", format: .email),
        ], required: ["username", "email"])
}

private func formWithDefaults() throws -> Value {
    try form([
        "name": StringSchema(default: "John Doe"),
        "age": NumberSchema(type: .integer, default: 30),
        "score": NumberSchema(type: .number, default: 95.5),
        "status": UntitledSingleSelectEnumSchema(enum: ["active", "inactive", "pending"], default: "active"),
        "verified": BooleanSchema(default: true),
    ])
}

private func formOfChoices() throws -> Value {
    let plain = ["option1", "option2", "option3"]
    let titled = ["First", "Second", "Third"].enumerated().map { EnumOption(const: "value\($0 + 1)", title: "\($1) option") }
    let fields: [String: any Encodable & Sendable] = [
        "untitledSingle": UntitledSingleSelectEnumSchema(enum: plain),
        "titledSingle": TitledSingleSelectEnumSchema(oneOf: titled),
        "legacyEnum": LegacyTitledEnumSchema(enum: titled.map(\.const), enumNames: titled.map(\.title)),
        "untitledMulti": UntitledMultiSelectEnumSchema(items: .init(enum: plain)),
        "titledMulti": TitledMultiSelectEnumSchema(items: .init(anyOf: titled)),
    ]
    return try form(fields, required: fields.keys.sorted())
}

extension Server {
    func offerQuestions() throws {
        func asking(
            _ name: String, _ description: String, _ argument: String, _ meaning: String,
            _ body: @escaping @Sendable (String, HandlerContext) async throws -> CallTool.Result
        ) throws {
            let property: Value = ["type": "string", "description": .string(meaning)]
            let schema: Value = [
                "type": "object", "properties": .object([argument: property]), "required": [.string(argument)],
            ]
            try addTool(name, description: description, inputSchema: schema) { arguments, call in
                try await body(arguments[argument]?.stringValue ?? "", call)
            }
        }
        try asking("test_sampling", "Asks the client's model.", "prompt", "What the model is told.") { prompt, call in
            try await call.sample(prompt)
        }
        try tool("test_missing_capability", "Needs a client that samples; tells others what is missing.") { call in
            try await call.sample("Are you there?")
        }
        let contact = try contactForm()
        try asking(
            "test_elicitation", "Asks the person for name and address.", "message", "What the person is asked."
        ) { message, call in try await call.ask(message, contact) }
        let (defaults, choices) = (try formWithDefaults(), try formOfChoices())
        try tool("test_elicitation_sep1034_defaults", "Asks with a form whose fields have defaults.") { call in
            try await call.ask("Please review your details", defaults)
        }
        try tool("test_elicitation_sep1330_enums", "Asks with a form of choices.") { call in
            try await call.ask("Please choose", choices)
        }
        let confirmation = try form(["ok": BooleanSchema()], required: ["ok"])
        try tool("test_streaming_elicitation", "Logs, then asks the person.") { call in
            try await call.log(.info, "about to ask")
            return try await call.ask("Please confirm", confirmation)
        }
    }
}
