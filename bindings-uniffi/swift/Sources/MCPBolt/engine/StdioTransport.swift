// Lines over streams: the process's own, which the engine moves, or a pair of handles. Owns: cutting
// what arrives into messages, and writing without holding up others. Must not know: what messages say.
import Foundation

/// The process's standard input and output, for servers; or a pair of handles, for either side: one
/// message is a line.
public actor StdioTransport: EngineMoved {
    nonisolated let reach: Reach
    private let lines: Lines?

    /// The process's standard input and output. `logger` is taken for programs of the official package,
    /// and not written to: standard error is the place for what a server over stdio has to say.
    public init(logger _: (any Sendable)? = nil) { (reach, lines) = (.standardStreams, nil) }

    /// Two handles, such as those of a pipe; a client of a child process has `StdioClientTransport`.
    /// They stay open when the transport is closed. `logger` is not written to.
    public init(input: FileHandle, output: FileHandle, logger _: (any Sendable)? = nil) {
        (reach, lines) = (.own, Lines(input, output))
    }

    /// Begins to read.
    public func connect() async throws {
        guard let lines else { throw Self.moved }
        lines.start()
    }

    /// Stops reading.
    public func disconnect() async { lines?.stop() }

    /// Writes one message.
    public func send(_ data: Data) async throws {
        guard let lines else { throw Self.moved }
        try await lines.write(data)
    }

    /// The messages that arrive; the stream ends with the input.
    public func receive() -> AsyncThrowingStream<Data, any Error> {
        lines?.messages ?? .init { $0.finish(throwing: Self.moved) }
    }
}

/// A pair of handles, by lines.
private final class Lines: @unchecked Sendable {
    /// The longest line, as the engine has it for its own streams.
    private static let most = 64 << 20

    let messages: AsyncThrowingStream<Data, any Error>
    private let arrived: AsyncThrowingStream<Data, any Error>.Continuation
    private let input: FileHandle
    private let output: FileHandle
    private let lock = NSLock()
    private var begun = Data()
    /// A write waits for the reader, which must hold up no task.
    private let writes = DispatchQueue(label: "dev.mcpbolt.stdio")

    init(_ input: FileHandle, _ output: FileHandle) {
        BrokenPipes.fail()
        (self.input, self.output) = (input, output)
        (messages, arrived) = AsyncThrowingStream.makeStream()
    }

    func start() {
        input.readabilityHandler = { [weak self] handle in
            guard let self else {
                handle.readabilityHandler = nil
                return
            }
            take(handle.availableData)
        }
    }

    func stop() {
        input.readabilityHandler = nil
        arrived.finish()
    }

    /// Takes bytes; none means the end.
    private func take(_ bytes: Data) {
        if bytes.isEmpty { return stop() }
        lock.withLock {
            var rest = bytes
            while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
                begun += rest[..<end]
                if begun.contains(where: { $0 > 0x20 }) { arrived.yield(begun) }
                begun = Data()
                rest = rest[rest.index(after: end)...]
            }
            begun += rest
            guard begun.count > Self.most else { return }
            input.readabilityHandler = nil
            arrived.finish(throwing: MCPError.transportError("a message is longer than \(Self.most) bytes"))
        }
    }

    func write(_ data: Data) async throws {
        try await withCheckedThrowingContinuation { (written: CheckedContinuation<Void, any Error>) in
            writes.async { [output] in
                do {
                    try output.write(contentsOf: data + [UInt8(ascii: "\n")])
                    written.resume()
                } catch { written.resume(throwing: MCPError.transportError(MCPError.describe(error))) }
            }
        }
    }
}
