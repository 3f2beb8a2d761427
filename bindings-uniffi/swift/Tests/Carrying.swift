// Transports of programs: that none of them grows without bound, holds up another or stays open.
import Foundation

@testable import MCPBolt

/// One end of a channel, which may stop taking or be cut, and counts how often it is closed. Connecting it, closing it,
/// and sending once it is plugged wait at their gates, if there are any.
actor Plug: Transport {
    private let inner: InMemoryTransport
    private var plugged = false
    private var isCut = false
    private(set) var closed = 0
    private let gate: Gate?
    private let entrance: Gate?
    private let exit: Gate?
    init(_ inner: InMemoryTransport, _ gate: Gate? = nil, entrance: Gate? = nil, exit: Gate? = nil) {
        self.inner = inner
        (self.gate, self.entrance, self.exit) = (gate, entrance, exit)
    }
    func plug() { plugged = true }
    func cut() { isCut = true }
    func connect() async throws {
        try await entrance?.pass()
        try await inner.connect()
    }
    func disconnect() async {
        closed += 1
        try? await gate?.pass()
        await inner.disconnect()
    }
    func send(_ data: Data) async throws {
        if isCut { throw Fault("it is cut") }
        if plugged { if let exit { try await exit.pass() } else { await cancelled() } }
        try await inner.send(data)
    }
    func receive() -> AsyncThrowingStream<Data, any Error> {
        let inner = inner
        return AsyncThrowingStream { taker in
            let task = Task {
                do { for try await data in await inner.receive() { taker.yield(data) } } catch {}
                taker.finish()
            }
            taker.onTermination = { _ in task.cancel() }
        }
    }
}

/// A client that asks and asks, and takes the first answer only when its gate opens.
private actor Flood: Transport {
    private let all: Int
    private let gate: Gate
    private(set) var asked = 0
    private(set) var answered = 0
    init(_ all: Int, _ gate: Gate) { (self.all, self.gate) = (all, gate) }
    func connect() async throws {}
    func disconnect() async {}
    func send(_: Data) async throws {
        if answered == 0 { try await gate.pass() }
        answered += 1
    }
    func receive() -> AsyncThrowingStream<Data, any Error> { AsyncThrowingStream(unfolding: { await self.next() }) }
    private func next() async -> Data? {
        if asked == all { await cancelled() }
        asked += 1
        return Data(#"{"jsonrpc":"2.0","id":\#(asked),"method":"ping"}"#.utf8)
    }
}

private struct News: MCPBolt.Notification {
    static let name = "acme/news"
    struct Parameters: Hashable, Codable, Sendable { let number: Int, words: String }
}

/// Waits until a number rests, which is while others get done what they ask for.
private func rests(_ number: @escaping @Sendable () async -> Int, while client: Client) async throws -> Int {
    try await soon {
        var last = -1
        while await number() != last {
            last = await number()
            for _ in 1...50 { _ = try await client.callTool(name: "echo", arguments: ["text": "a"]) }
        }
        return last
    }
}

let carryingCases: [Case] = [
    Case(name: "what_a_client_asks_waits_while_it_takes_no_answers") {
        let (server, client, gate, all) = (try await echoServer(), someone(), Gate(), 30_000)
        defer { gate.open() }
        try await client.connect(to: server)
        let flood = Flood(all, gate)
        try await server.start(transport: flood)
        try await until({ "it is not read" }) { await flood.asked > 10_000 }
        // As many as may wait, once as what is being sent and once behind that.
        let asked = try await rests({ await flood.asked }, while: client)
        try expect(asked <= 20_002, "\(asked) were read")
        try equal(await flood.answered, 0)
        gate.open()
        try await until({ "not all was answered" }) { await flood.answered == all }
        await client.disconnect()
        try await soon { await server.stop() }
    },
    Case(name: "a_connection_that_ends_by_itself_closes_the_transport_of_the_program") {
        let (server, client) = (try await echoServer(), someone())
        let pair = await InMemoryTransport.createConnectedPair()
        try await server.start(transport: pair.server)
        let plug = Plug(pair.client)
        _ = try await soon { try await client.connect(transport: plug) }
        let session = await client.session!
        await plug.cut()
        _ = try await soon { try await failure { try await client.callTool(name: "echo", arguments: ["text": "a"]) } }
        let why = try await soon { await session.closed() }
        try expect(why?.message.contains("it is cut") == true, "\(String(describing: why))")
        try await until({ "the transport stays open" }) { await plug.closed == 1 }
        await client.disconnect()
        try equal(await plug.closed, 1)
        try await soon { await server.stop() }
    },
    Case(name: "a_client_that_takes_nothing_keeps_no_notification_from_others") {
        let (server, told) = (try await echoServer(), Box<[Int]>([0, 0, 0]))
        var clients: [Client] = []
        for at in 0..<3 {
            let (pair, client) = (await InMemoryTransport.createConnectedPair(), someone())
            await client.onNotification(News.self) { news in told.change { $0[at] = news.params.number } }
            try await server.start(transport: pair.server)
            _ = try await soon { try await client.connect(transport: pair.client) }
            clients.append(client)
        }
        let (pair, deaf) = (await InMemoryTransport.createConnectedPair(), someone())
        let plug = Plug(pair.server)
        try await server.start(transport: plug)
        _ = try await soon { try await deaf.connect(transport: pair.client) }
        await plug.plug()
        let begun = Box(0)
        let telling = Task {
            let words = String(repeating: "x", count: 100_000)
            for number in 1... {
                begun.change { $0 = number }
                try await server.notify(News.message(.init(number: number, words: words)))
            }
        }
        let last = try await rests({ begun.value }, while: clients[0])
        try await until({ "of \(last) they have \(told.value)" }) { told.value == [last, last, last] }
        telling.cancel()
        let error = try await soon { await telling.result.failure }
        try expect(error is CancellationError, "\(String(describing: error))")
        for client in clients + [deaf] { await client.disconnect() }
        try await soon { await server.stop() }
    },
]
