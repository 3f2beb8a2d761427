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
    /// They stay open when the transport is closed. A line of more than 64 MiB is passed over. `logger` is not
    /// written to.
    public init(input: FileHandle, output: FileHandle, logger _: (any Sendable)? = nil) {
        (reach, lines) = (.own, Lines(input, output))
    }

    /// As with two handles; `longest` is the number of bytes in a line, beyond which it is passed over.
    init(input: FileHandle, output: FileHandle, longest: Int) { (reach, lines) = (.own, Lines(input, output, longest)) }

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
    let messages: AsyncThrowingStream<Data, any Error>
    private let arrived: AsyncThrowingStream<Data, any Error>.Continuation
    private let input: FileHandle
    private let output: FileHandle
    private let lock = NSLock()
    private var begun = Data()
    /// Whether the line that has begun is too long already.
    private var isTooLong = false
    private let longest: Int
    /// A write waits for the reader, which must hold up no task.
    private let writes = DispatchQueue(label: "dev.mcpbolt.stdio")

    /// `longest`: by default as the engine has it for its own streams.
    init(_ input: FileHandle, _ output: FileHandle, _ longest: Int = 64 << 20) {
        BrokenPipes.fail()
        (self.input, self.output, self.longest) = (input, output, longest)
        (messages, arrived) = AsyncThrowingStream.makeStream()
    }

    func start() {
        input.readabilityHandler = { [weak self] handle in
            guard let self else {
                handle.readabilityHandler = nil
                return
            }
            // On Linux an end that comes with the last bytes is not told apart from them.
            repeat { take(handle.availableData) } while input.readabilityHandler != nil && Self.isReady(handle)
        }
    }

    /// Whether there is more to read, or the end.
    private static func isReady(_ handle: FileHandle) -> Bool {
        var asked = pollfd(fd: handle.fileDescriptor, events: Int16(POLLIN), revents: 0)
        return poll(&asked, 1, 0) > 0 && Int32(asked.revents) & (POLLIN | POLLHUP) != 0
    }

    func stop() {
        input.readabilityHandler = nil
        arrived.finish()
    }

    /// Takes bytes; none means the end.
    private func take(_ bytes: Data) {
        lock.withLock {
            var rest = bytes
            while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
                add(rest[..<end])
                endLine()
                rest = rest[rest.index(after: end)...]
            }
            add(rest)
            // The last line may have no line break.
            if bytes.isEmpty { endLine() }
        }
        if bytes.isEmpty { stop() }
    }

    /// Called under the lock.
    private func add(_ part: Data) {
        if isTooLong { return }
        begun += part
        if begun.count > longest { (begun, isTooLong) = (Data(), true) }
    }

    /// Called under the lock.
    private func endLine() {
        if begun.contains(where: { $0 > 0x20 }) { arrived.yield(begun) }
        (begun, isTooLong) = (Data(), false)
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
