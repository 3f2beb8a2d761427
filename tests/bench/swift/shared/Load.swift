// The loop in which client contestants make their calls, and what they print: the same as the Rust
// contestants'. So many workers, each one call at a time, every reply compared.
import Foundation

/// Sends a text and gives back the one that came.
package typealias Echo = @Sendable (String) async throws -> String

/// Makes calls with `call` and prints the report.
package func run(_ given: ClientSettings, _ call: @escaping Echo) async throws {
    _ = try await load(given.inFlight, call) { id, _ in id >= given.warmUp }
    let (spent, started) = (processorSeconds(), ContinuousClock.now)
    let end = started + .seconds(given.seconds)
    let latencies = try await load(given.inFlight, call) { _, now in now >= end }.sorted()
    let (seconds, cpu) = ((ContinuousClock.now - started) / .seconds(1), processorSeconds() - spent)
    guard let last = latencies.indices.last else { throw Unusable(what: "no call was answered") }
    let (p50, p99) = (latencies[last / 2], latencies[Int(Double(last) * 0.99)])
    print(
        """
        {"calls":\(latencies.count),"seconds":\(seconds),"p50":\(p50),"p99":\(p99),"cpu":\(cpu),"memory":\(peakMemory())}
        """)
}

/// Latencies in microseconds of all calls until it is over, which is asked with the number of the
/// next call and the time.
private func load(
    _ inFlight: Int, _ call: @escaping Echo, over: @escaping @Sendable (Int, ContinuousClock.Instant) -> Bool
) async throws -> [Double] {
    try await withThrowingTaskGroup(of: [Double].self) { workers in
        for worker in 0..<inFlight {
            workers.addTask {
                var latencies: [Double] = []
                for id in stride(from: worker, to: .max, by: inFlight) {
                    let sent = ContinuousClock.now
                    if over(id, sent) { break }
                    let text = "call \(id) says: the quick brown fox"
                    let came = try await call(text)
                    guard came == text else { throw Unusable(what: "sent \(text), got \(came)") }
                    latencies.append((ContinuousClock.now - sent) / .microseconds(1))
                }
                return latencies
            }
        }
        return try await workers.reduce(into: []) { $0 += $1 }
    }
}

/// Processor time of this process so far.
private func processorSeconds() -> Double {
    var spent = timespec()
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &spent)
    return Double(spent.tv_sec) + Double(spent.tv_nsec) / 1e9
}

/// Largest resident memory so far, in bytes; 0 where the system does not say.
private func peakMemory() -> Int {
    let said = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
    let line = said.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
    return (line.flatMap { Int($0.filter(\.isNumber)) } ?? 0) * 1024
}
