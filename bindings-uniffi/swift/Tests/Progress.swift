// Functions that are told of progress: that one which blocks holds up its own call, and nothing else.
import Foundation

@testable import MCPBolt

/// Where a function that is not asynchronous waits, on the thread that it is called on.
final class Latch: @unchecked Sendable {
    private let semaphore = DispatchSemaphore(value: 0)
    func wait() { semaphore.wait() }
    func open() { semaphore.signal() }
}

let progressCases: [Case] = [
    Case(name: "who_is_told_of_progress_and_blocks_holds_up_only_that_call") {
        let server = try await echoServer()
        try await server.addTool("work") { _, call in
            for step in 1...3 { try await call.reportProgress(Double(step), total: 3) }
            return text("done")
        }
        let client = Client(name: "tests", version: "1", configuration: .init(protocolVersion: "2025-11-25"))
        try await client.connect(to: server)
        let (begun, gate, steps) = (Notes(), Latch(), Box<[Double]>([]))
        defer { gate.open() }
        let options = RequestOptions(onProgress: { report in
            if report.progress == 1 {
                Task { await begun.add("begun") }
                gate.wait()
            }
            steps.change { $0.append(report.progress) }
        })
        let call = Task { said(try await client.callTool(name: "work", options: options)) }
        try await begun.has("begun")
        for _ in 1...2 { try await soon { try await client.ping() } }
        try equal(steps.value, [])
        gate.open()
        try equal(try await soon { try await call.value }, "done")
        try equal(steps.value, [1, 2, 3])
        await client.disconnect()
    },
    Case(name: "who_gives_up_or_fails_waits_for_no_report_and_hears_of_none_that_is_left") {
        for isGivenUp in [true, false] {
            let (server, begun, gates, steps) = (try await echoServer(), Notes(), (fail: Gate(), take: Latch()), Box<[Double]>([]))
            defer {
                gates.fail.open()
                gates.take.open()
            }
            try await server.addTool("work") { _, call in
                for step in 1...3 { try await call.reportProgress(Double(step), total: 3) }
                try await gates.fail.pass()
                throw MCPError.invalidParams("no more")
            }
            let client = Client(name: "tests", version: "1", configuration: .init(protocolVersion: "2025-11-25"))
            try await client.connect(to: server)
            let options = RequestOptions(onProgress: { report in
                Task { await begun.add("begun") }
                gates.take.wait()
                steps.change { $0.append(report.progress) }
            })
            let call = Task { try await client.callTool(name: "work", options: options) }
            try await begun.has("begun")
            if isGivenUp { call.cancel() } else { gates.fail.open() }
            let error = try await soon { try await failure { try await call.value } }
            try equal(error is CancellationError, isGivenUp)
            try equal(steps.value, [])
            for _ in 1...3 { gates.take.open() }
            try await until({ "what ran did not end" }) { !steps.value.isEmpty }
            for _ in 1...20 { try await client.ping() }
            try equal(steps.value, [1])
            await client.disconnect()
            await server.stop()
        }
    },
    Case(name: "a_handler_that_is_told_of_progress_and_blocks_holds_up_only_its_call") {
        let server = try await echoServer()
        let (begun, gate) = (Notes(), Latch())
        defer { gate.open() }
        try await server.addTool("ask") { _, call in
            let options = RequestOptions(onProgress: { _ in
                Task { await begun.add("begun") }
                gate.wait()
            })
            let answer = try await call.elicit(message: "who?", requestedSchema: ["type": "object", "properties": [:]], options: options)
            return text(answer.action.rawValue)
        }
        let client = Client(name: "tests", version: "1", configuration: .init(protocolVersion: "2025-11-25"))
        await client.withElicitationHandler { [weak client] asked in
            guard case .form(let form) = asked, let token = form._meta?.progressToken else { throw Fault("no token") }
            try await client?.notify(ProgressNotification.message(.init(progressToken: token, progress: 1)))
            return .init(action: .accept)
        }
        try await client.connect(to: server)
        let asking = Task { said(try await client.callTool(name: "ask")) }
        try await begun.has("begun")
        try equal(said(try await soon { try await client.callTool(name: "echo", arguments: ["text": "a"]) }), "a")
        gate.open()
        try equal(try await soon { try await asking.value }, "accept")
        await client.disconnect()
    },
]
