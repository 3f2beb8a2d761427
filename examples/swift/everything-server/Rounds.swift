// Tools of the everything server that take several rounds in the explicit style of
// 2026-07-28: the function throws its questions and runs again, from the top, with the
// answers. Nothing waits on the server between two rounds; what the function must remember
// goes into the state, which the engine seals.
import Foundation
import MCPBolt

/// A question with a form of one required field.
func question(_ message: String, _ field: String, _ kind: any Encodable & Sendable = StringSchema()) throws
    -> InputRequest
{
    let params = ElicitFormParams(message: message, requestedSchema: .init(try form([field: kind], required: [field])))
    return try .init(CreateElicitation.request(.form(params)))
}

/// A question to the client's model.
private func question(_ prompt: String, maxTokens: Int) throws -> InputRequest {
    try .init(CreateSamplingMessage.request(sampling(prompt, maxTokens: maxTokens)))
}

/// Where the client works.
private func whereRoots() throws -> InputRequest { try .init(ListRoots.request()) }

// Answers, if they are there and of that kind. Clients send what they like.
extension HandlerContext {
    private func answer<T: Decodable>(_ key: String, _ type: T.Type) -> T? { try? inputResponses[key]?.decode(type) }

    private func said(_ key: String) -> String? {
        answer(key, CreateSamplingMessage.Result.self).map { textOf($0.content.all) }
    }

    private func roots(_ key: String) -> Int? { answer(key, ListRoots.Result.self)?.roots.count }

    /// A text field of an answered form. Nothing if there is no usable answer yet, so that the
    /// question is asked again.
    func field(_ key: String, _ name: String) -> String? {
        guard let given = answer(key, CreateElicitation.Result.self) else { return nil }
        return given.action == .accept ? given.content?[name]?.stringValue : "nobody"
    }

    /// For a prompt: they ask like tools.
    func contextOrAsk() throws -> String {
        if let context = field("user_context", "context") { return context }
        throw Questions(["user_context": try question("What context should the prompt use?", "context")])
    }

    fileprivate func asksForName() throws -> CallTool.Result {
        if let name = field("user_name", "name") { return text("Hello, \(name)!") }
        throw Questions(["user_name": try question("What is your name?", "name")])
    }

    fileprivate func asksTheModel() throws -> CallTool.Result {
        if let capital = said("capital_question") { return text("The model says: \(capital)") }
        throw Questions(["capital_question": try question("What is the capital of France?", maxTokens: 100)])
    }

    fileprivate func asksForRoots() throws -> CallTool.Result {
        if let roots = roots("client_roots") { return text("The client has \(roots) roots.") }
        throw Questions(["client_roots": try whereRoots()])
    }

    fileprivate func asksThreeAtOnce() throws -> CallTool.Result {
        if let name = field("user_name", "name"), let greeting = said("greeting"), let roots = roots("client_roots") {
            return text("\(greeting) (\(name), \(roots) roots)")
        }
        throw Questions(
            [
                "user_name": try question("What is your name?", "name"),
                "greeting": try question("Write a short greeting.", maxTokens: 50),
                "client_roots": try whereRoots(),
            ], state: "three")
    }

    fileprivate func asksWithState() throws -> CallTool.Result {
        // A state that the engine did not seal does not reach this function.
        if requestState == "asked", answer("confirm", CreateElicitation.Result.self) != nil {
            return text("Confirmed; state-ok")
        }
        throw Questions(["confirm": try question("Go on?", "ok", BooleanSchema())], state: "asked")
    }

    fileprivate func asksTwice() throws -> CallTool.Result {
        // The state says which round this is, and what the first one brought.
        let known = requestState.flatMap { $0.hasPrefix("name:") ? String($0.dropFirst(5)) : nil }
        guard let name = known ?? field("step1", "name") else {
            throw Questions(["step1": try question("What is your name?", "name")], state: "first")
        }
        guard known != nil, let color = field("step2", "color") else {
            throw Questions(["step2": try question("What is your favourite colour?", "color")], state: "name:\(name)")
        }
        return text("\(name) likes \(color).")
    }

    fileprivate func asksWhatItCan() throws -> CallTool.Result {
        if !inputResponses.isEmpty { return text("The client answered.") }
        let can = clientCapabilities
        var questions: [String: InputRequest] = [:]
        if can?.sampling != nil { questions["joke"] = try question("Tell a joke.", maxTokens: 100) }
        if can?.elicitation != nil { questions["user_name"] = try question("What is your name?", "name") }
        if can?.roots != nil { questions["client_roots"] = try whereRoots() }
        if questions.isEmpty { return text("The client can answer nothing.") }
        throw Questions(questions)
    }
}

extension Server {
    func offerRounds() throws {
        func rounds(
            _ name: String, _ description: String, _ body: @escaping @Sendable (HandlerContext) throws -> CallTool.Result
        ) throws {
            try tool("test_input_required_result_\(name)", description) { try body($0) }
        }
        try rounds("elicitation", "Asks for a name.") { try $0.asksForName() }
        try rounds("sampling", "Asks the model.") { try $0.asksTheModel() }
        try rounds("list_roots", "Asks for the roots.") { try $0.asksForRoots() }
        try rounds("request_state", "Asks and keeps state") { try $0.asksWithState() }
        try rounds("tampered_state", "Asks with state that is checked") { try $0.asksWithState() }
        try rounds("multiple_inputs", "Asks three things at once.") { try $0.asksThreeAtOnce() }
        try rounds("multi_round", "Asks twice.") { try $0.asksTwice() }
        try rounds("capabilities", "Asks what the client can answer.") { try $0.asksWhatItCan() }
    }
}
