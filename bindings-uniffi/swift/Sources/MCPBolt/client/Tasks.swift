// Tasks of servers (2026-07-28), as a client holds them. Owns: a task's requests, and hearing of its
// steps. Must not know: how a task is followed to its end; the engine does that.

/// What became of a tool call that was started.
public enum StartedTool: Sendable {
    /// The tool has answered.
    case done(CallToolResult)
    /// The tool goes on as a task.
    case running(ServerTask)
}

/// A task at a server. Who has its id can ask for it: it is a secret where clients are not told
/// apart.
public struct ServerTask: Sendable {
    let session: ClientSession
    /// The task's id.
    public let id: String

    /// Gets where it stands. Throws -32602 if there is no such task for this client.
    public func get(options: RequestOptions = .init()) async throws -> TaskState {
        try MCPError.answer(await ask(GetTask.name, options: options), to: GetTask.name, TaskState.self)
    }

    /// Answers questions of the work, by the keys of `inputRequests`. Answers to nothing that is
    /// asked change nothing.
    public func update(_ answers: [String: Value], options: RequestOptions = .init()) async throws {
        _ = try await ask(UpdateTask.name, ["inputResponses": .object(answers)], options: options)
    }

    /// Gives it up. Has no effect once it is over.
    public func cancel(options: RequestOptions = .init()) async throws { _ = try await ask(CancelTask.name, options: options) }

    /// Waits for its end; the handlers of the client answer what it asks. Throws the error that it
    /// failed with, or that it was given up.
    public func result(options: RequestOptions = .init()) async throws -> CallToolResult {
        let answer = try await ask(GetTask.name, options: options.with("task", "wait"))
        return try MCPError.answer(answer, to: CallTool.name, CallToolResult.self)
    }

    private func ask(_ method: String, _ more: [String: Value] = [:], options: RequestOptions) async throws -> JSON {
        let params = Value.object(more.merging(["taskId": .string(id)]) { $1 })
        return try await session.link.request(method, JSON(params.text), options)
    }
}

/// The steps of some tasks, until the server ends the stream. A reader that is too slow loses old
/// steps.
public struct TaskWatch: AsyncSequence, Sendable {
    /// How a task stands, each time it changes.
    public typealias Element = TaskState
    /// The tasks that the server tells of: those of them that are this client's.
    public let taskIds: [String]
    let steps: AsyncThrowingStream<TaskState, any Error>

    public func makeAsyncIterator() -> AsyncThrowingStream<TaskState, any Error>.Iterator { steps.makeAsyncIterator() }
}

extension ClientSession {
    /// Calls a tool without waiting for the end where it goes on as a task. The client needs
    /// `tasks` in its configuration.
    public func startTool(
        name: String, arguments: [String: Value] = [:], options: RequestOptions = .init()
    ) async throws -> StartedTool {
        let params: Value = ["name": .string(name), "arguments": .object(arguments)]
        let answer = try await link.request(CallTool.name, JSON(params.text), options.with("task", "raw"))
        let started = answer.value
        if started["resultType"] == "task", let id = started["taskId"]?.stringValue { return .running(task(id)) }
        return .done(try MCPError.answer(answer, to: CallTool.name, CallToolResult.self))
    }

    /// A task that was started before, perhaps by another process. Nothing is sent.
    public func task(_ id: String) -> ServerTask { ServerTask(session: self, id: id) }

    /// Hears of the steps of tasks, instead of asking for them, for as long as the sequence is
    /// kept. Returns when the server has acknowledged it; a step before that is not told: ask for
    /// it then. Throws `requestTimeout` if it does not within the client's `requestTimeout`.
    public func watchTasks(_ ids: [String]) async throws -> TaskWatch {
        let (steps, step) = AsyncThrowingStream<TaskState, any Error>.makeStream(bufferingPolicy: .bufferingNewest(1024))
        let params: Value = ["notifications": ["taskIds": .array(ids.map(Value.string))]]
        let (agreed, listening) = try await link.subscribe(JSON(params.text)) { method, told in
            guard method == TaskNotification.name else { return false }
            if let state = try? told.decode(TaskState.self) { step.yield(state) }
            return true
        } ended: { step.finish(throwing: $0) }
        step.onTermination = { _ in listening.cancel() }
        let told = agreed.value["notifications"]?["taskIds"]?.arrayValue ?? []
        return TaskWatch(taskIds: told.compactMap(\.stringValue), steps: steps)
    }
}

extension RequestOptions {
    fileprivate func with(_ name: String, _ word: Value) -> RequestOptions {
        var options = self
        options.more[name] = word
        return options
    }
}
