// A person in the loop: approving tool calls and sampling requests, validating answers. Must not
// know: connections.
import Foundation
import MCPBoltEngine

/// A tool call that has not been sent yet.
public struct ToolReview: Sendable {
    /// The tool's name.
    public let tool: String
    /// What it is to be called with.
    public let arguments: [String: Value]
    /// The server's annotations of the tool, once it was listed. They are hints only, unless the
    /// server is trusted.
    public let annotations: Tool.Annotations?
    /// Whether the program relies on the server's annotations.
    public let trusted: Bool
}

/// What to do with a tool call: send it, send it with other arguments, or refuse it.
public enum ToolDecision: Sendable {
    case allow
    case edit([String: Value])
    case deny(String)
}

/// Decides about each tool call before it is sent.
public typealias ToolReviewer = @Sendable (ToolReview) async throws -> ToolDecision

/// Ready-made reviews of tool calls.
public enum Reviews {
    /// Allows every call.
    public static let allowAll: ToolReviewer = { _ in .allow }
    /// Asks about every call.
    public static func askAlways(_ ask: @escaping ToolReviewer) -> ToolReviewer { ask }
    /// Asks about every call, except of tools that a trusted server declares read-only.
    public static func askUnlessReadOnly(_ ask: @escaping ToolReviewer) -> ToolReviewer {
        { $0.trusted && $0.annotations?.readOnlyHint == true ? .allow : try await ask($0) }
    }
}

/// The outcome of a review: continue with this value, or reject.
public enum Review<T: Sendable>: Sendable {
    case allow(T)
    case reject
}

/// A model to choose from, with its strengths from 0 to 1.
public struct Model: Hashable, Sendable {
    /// The model's name.
    public var name: String
    /// How good it is at each, from 0 to 1.
    public var cheapness, speed, intelligence: Double
    /// Creates a model; it is good at nothing unless more is said.
    public init(_ name: String, cheapness: Double = 0, speed: Double = 0, intelligence: Double = 0) {
        (self.name, self.cheapness, self.speed, self.intelligence) = (name, cheapness, speed, intelligence)
    }
    /// Chooses the model that a server prefers: by its hints in order, matched with parts of names,
    /// then by its priorities.
    public static func choose(_ wanted: ModelPreferences?, _ models: [Model]) -> Model? {
        for hint in wanted?.hints ?? [] {
            if let name = hint.name, !name.isEmpty, let found = models.first(where: { $0.name.contains(name) }) { return found }
        }
        let (cost, speed, mind) = (wanted?.costPriority ?? 0, wanted?.speedPriority ?? 0, wanted?.intelligencePriority ?? 0)
        func worth(_ model: Model) -> Double { cost * model.cheapness + speed * model.speed + mind * model.intelligence }
        return models.reduce(nil as Model?) { best, model in best.map { worth(model) > worth($0) ? model : $0 } ?? model }
    }
}

/// Limits on what a server may request from the model.
public struct SamplingBudget: Hashable, Sendable {
    /// How many requests a minute, tokens in all, and tokens for one request; nil for any number.
    public var requestsPerMinute, tokensPerSession, maxTokens: Int?
    /// Creates a budget; without numbers it has no end.
    public init(requestsPerMinute: Int? = nil, tokensPerSession: Int? = nil, maxTokens: Int? = nil) {
        (self.requestsPerMinute, self.tokensPerSession, self.maxTokens) = (requestsPerMinute, tokensPerSession, maxTokens)
    }
}

/// The steps of answering sampling requests. Only `createMessage` is required.
public final class Sampler: Sendable {
    /// What a server asks the model.
    public typealias Params = CreateSamplingMessage.Parameters
    /// What the model answers.
    public typealias Result = CreateSamplingMessage.Result
    private let spent = Box((times: [Double](), tokens: 0))
    private let budget: SamplingBudget
    private let models: [Model]
    private let reviewRequest: @Sendable (Params) async throws -> Review<Params>
    private let chooseModel: @Sendable (ModelPreferences?, [Model]) -> String?
    private let createMessage: @Sendable (Params, String?) async throws -> Result
    private let reviewResult: @Sendable (Result) async throws -> Review<Result>

    public init(
        budget: SamplingBudget = .init(), models: [Model] = [],
        reviewRequest: @escaping @Sendable (Params) async throws -> Review<Params> = { .allow($0) },
        chooseModel: @escaping @Sendable (ModelPreferences?, [Model]) -> String? = { Model.choose($0, $1)?.name },
        reviewResult: @escaping @Sendable (Result) async throws -> Review<Result> = { .allow($0) },
        createMessage: @escaping @Sendable (Params, String?) async throws -> Result
    ) {
        (self.budget, self.models, self.reviewRequest) = (budget, models, reviewRequest)
        (self.chooseModel, self.createMessage, self.reviewResult) = (chooseModel, createMessage, reviewResult)
    }

    /// Answers a sampling request; pass it to `Client.withSamplingHandler`.
    public func answer(_ asked: Params) async throws -> Result {
        let offered = try begin(asked)
        guard case .allow(let left) = try await reviewRequest(offered) else { throw Self.rejected }
        let params = Self.reduced(offered, left)
        let result = try await createMessage(params, chooseModel(params.modelPreferences, models))
        guard case .allow(let shown) = try await reviewResult(result) else { throw Self.rejected }
        return shown
    }

    private static let rejected = MCPError.rejected("User rejected sampling request")

    /// The reviewed request, limited to at most what was asked.
    private static func reduced(_ asked: Params, _ left: Params) -> Params {
        var params = left
        params.maxTokens = min(asked.maxTokens, left.maxTokens)
        if asked.systemPrompt == nil { params.systemPrompt = nil }
        let order: [IncludeContext] = [.none, .thisServer, .allServers]
        func wide(_ context: IncludeContext?) -> Int { order.firstIndex(of: context ?? IncludeContext.none) ?? 0 }
        if wide(left.includeContext) > wide(asked.includeContext) { params.includeContext = asked.includeContext }
        return params
    }

    /// Counts a request and returns it within the budget; throws beyond the budget.
    private func begin(_ asked: Params) throws -> Params {
        let now = ProcessInfo.processInfo.systemUptime
        var outcome: Swift.Result<Int, MCPError> = .success(0)
        spent.change { spent in
            spent.times.removeAll { now - $0 >= 60 }
            if let most = budget.requestsPerMinute, spent.times.count >= most {
                outcome = .failure(.internalError("the server asks the model too often"))
                return
            }
            let left = budget.tokensPerSession.map { $0 - spent.tokens } ?? .max
            if left <= 0 {
                outcome = .failure(.internalError("the server has asked the model for all it may"))
                return
            }
            let limit = min(asked.maxTokens, budget.maxTokens ?? .max, left)
            spent.times.append(now)
            spent.tokens += limit
            outcome = .success(limit)
        }
        var params = asked
        params.maxTokens = try outcome.get()
        return params
    }
}

/// Completes an answer to a form with defaults, and validates it.
func checked(_ result: CreateElicitation.Result, for asked: CreateElicitation.Parameters) throws -> CreateElicitation.Result {
    guard case .form(let form) = asked, result.action == .accept, let schema = form.requestedSchema else { return result }
    var content = result.content ?? [:]
    for (name, field) in schema.properties where content[name] == nil {
        content[name] = field["default"]
    }
    let fault: String?
    do {
        fault = try EngineSchema(schema: schema.schema.text).check(value: Value.object(content).text)
    } catch { throw MCPError.of(error) }
    if let fault { throw MCPError.invalidParams("the answer does not fit the form: \(fault)") }
    var answer = result
    answer.content = content
    return answer
}

extension ElicitUrlParams {
    /// The origin of the URL, as a person should see it: scheme, host in ASCII (punycode), port.
    public var origin: String? {
        guard let parts = URLComponents(string: url), let scheme = parts.scheme, let host = parts.encodedHost else { return nil }
        return "\(scheme)://\(host)" + (parts.port.map { ":\($0)" } ?? "")
    }
}
