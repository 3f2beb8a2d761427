// The tests of the facade as one program. Owns: which tests there are, how long each may
// take, what is printed. `tests NAME…` runs those whose names contain one of these.
import Foundation
@testable import MCPBolt

struct Fault: Error, CustomStringConvertible {
    let description: String
    init(_ description: String) { self.description = description }
}

func expect(_ held: Bool, _ what: @autoclosure () -> String, line: Int = #line) throws {
    if !held { throw Fault("line \(line): \(what())") }
}

func equal<T: Equatable>(_ one: T, _ other: T, line: Int = #line) throws {
    try expect(one == other, "\(one) is not \(other)", line: line)
}

/// The error a body ends with.
func failure<T>(line: Int = #line, _ body: () async throws -> T) async throws -> any Error {
    do { _ = try await body() } catch { return error }
    throw Fault("line \(line): it did not fail")
}

/// What a body gives, within so many seconds; one that takes longer is left behind, and told.
func soon<T: Sendable>(
    _ seconds: Double = 15, line: Int = #line, _ body: @escaping @Sendable () async throws -> T
) async throws -> T {
    let (ends, end) = AsyncThrowingStream<T, any Error>.makeStream()
    let work = Task {
        do {
            end.yield(try await body())
            end.finish()
        } catch { end.finish(throwing: error) }
    }
    let late = Task {
        try await Task.sleep(nanoseconds: UInt64(seconds * 1e9))
        end.finish(throwing: Fault("line \(line): it takes longer than \(seconds) s"))
        work.cancel()
    }
    defer { late.cancel() }
    for try await value in ends { return value }
    throw Fault("line \(line): it ended without a value")
}

struct Case: Sendable {
    let name: String
    var seconds = 20.0
    let body: @Sendable () async throws -> Void
}

/// Runs a body with a client of a server, in memory, and ends both.
func reading(
    _ server: Server, _ era: String = modern, _ extensions: [ClientExtension] = [], _ body: (Client) async throws -> Void
) async throws {
    let client = Client(name: "host", version: "1", configuration: .init(protocolVersion: .init(era)), extensions: extensions)
    try await client.connect(to: server)
    try await body(client)
    await client.disconnect()
    await server.stop()
}

/// The argument, followed by a file, with which this program is the server of a test.
let serveTasksWord = "--serve-tasks"

@main
struct Tests {
    static func main() async throws {
        if CommandLine.arguments.count == 3, CommandLine.arguments[1] == serveTasksWord { return try await serveTasks(CommandLine.arguments[2]) }
        let wanted = CommandLine.arguments.dropFirst()
        let all = facadeCases + progressCases + hostCases + rawCases + optionCases + typedToolCases + connectionCases + carryingCases + guardRailCases + authorizationCases + resourceServerCases
            + taskCases + taskRevisionCases
            + officialCases + officialSignInCases + phoneCases + skillCases + appCases + extensionCases + telemetryCases + boundaryCases + vectorCases()
        let chosen = all.filter { one in wanted.isEmpty || wanted.contains { one.name.contains($0) } }
        var failed = 0
        for one in chosen {
            do { try await soon(one.seconds) { try await one.body() } } catch {
                failed += 1
                print("    FAILED \(one.name): \(error)")
            }
        }
        print("    swift: \(chosen.count - failed) of \(chosen.count) tests")
        exit(failed == 0 && !chosen.isEmpty ? 0 : 1)
    }
}
