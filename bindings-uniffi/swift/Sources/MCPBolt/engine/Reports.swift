// Reports of progress on their way to the program. Owns: that a function of the program's which
// blocks holds up its own request and nothing else. Must not know: who reports.
import Foundation

/// Where the reports about one request go.
final class Reports: @unchecked Sendable {
    typealias Take = @Sendable (ProgressParams) -> Void

    /// How many reports may wait for a function that is too slow; those beyond them are dropped.
    private static let most = 10_000

    private let hear: Take?
    private let token: ProgressToken?
    private let note: Take?
    /// The function may wait for what only another task brings, so it runs on no thread of theirs.
    private let queue = DispatchQueue(label: "dev.mcpbolt.progress")
    private let lock = NSLock()
    private var waiting = 0
    private var isDropped = false

    /// `hear` is the program's function, called with one report after another. `note` is called at
    /// once, in the order of the items of the engine, and must not block. Reports are told with
    /// `token`, if there is one.
    init(_ hear: Take?, token: ProgressToken? = nil, note: Take? = nil) {
        (self.hear, self.token, self.note) = (hear, token, note)
    }

    /// Takes one report.
    func add(_ report: ProgressParams) {
        var told = report
        if let token { told.progressToken = token }
        note?(told)
        guard let hear, hasRoom() else { return }
        queue.async { [self, told] in
            if !lock.withLock({ isDropped }) { hear(told) }
            lock.withLock { waiting -= 1 }
        }
    }

    /// Does something once the function has had every report that was added.
    func end(_ then: @escaping @Sendable () -> Void) {
        if hear == nil { then() } else { queue.async(execute: then) }
    }

    /// Leaves out what the function has not had yet; one that is running is not waited for.
    func drop() { lock.withLock { isDropped = true } }

    private func hasRoom() -> Bool {
        lock.withLock {
            if waiting == Self.most { return false }
            waiting += 1
            return true
        }
    }
}
